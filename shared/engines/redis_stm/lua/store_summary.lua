#!lua flags=allow-oom
-- Puts a summary in the place of the messages up to `to`, if nothing was summarised since it was made
-- (`from` is the last message that the former summary held); then drops what is archived.
local sk, epoch, from, to, summary, window_tokens = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
local session = load_session(sk)
from, to = tonumber(from), tonumber(to)
if not session or int(session.epoch) ~= epoch or session.compacted_to ~= from then return pack({ 'ok', 0 }) end
if to <= from or to > session.last_seq then return pack({ 'ok', 0 }) end

local open = 0
for _, message in ipairs((range_of(session, to + 1, session.last_seq))) do open = open + tokens_of(message) end
session.compacted_to, session.open_tokens = to, open
redis.call('HSET', key_of(sk, 'h'), 'summary', summary, 'compacted_to', int(to), 'open_tokens', int(open))
trim_session(session, window_tokens)
return pack({ 'ok', 1 })
