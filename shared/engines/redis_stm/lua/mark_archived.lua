#!lua flags=allow-oom
-- Moves `archived_to` of one epoch on, trims the tail, and drops what is archived and out of the window.
-- It may run while Redis is full: it is what makes room.
local sk, epoch, to_seq, window_tokens = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
local base = string.match(sk, '^[^~]+')
local session = load_session(sk)
if not session or int(session.epoch) ~= epoch then session = load_session(base .. '~' .. epoch) end
if not session or int(session.epoch) ~= epoch then return pack({ 'ok' }) end
local h = key_of(session.sk, 'h')

local to = math.min(tonumber(to_seq), session.last_seq)
if to > session.archived_to then
  local messages = range_of(session, session.archived_to + 1, to)
  for i = 1, #messages do
    session.unarchived_tokens = session.unarchived_tokens - tokens_of(messages[i])
  end
  session.archived_to = to
  redis.call('HSET', h, 'archived_to', int(to), 'unarchived_tokens', int(session.unarchived_tokens))
  trim_tail(function(place) return place.sk == base and place.epoch == epoch and place.seq <= to end)
end

trim_session(session, window_tokens)
if session.archived_to >= session.last_seq then
  redis.call('SREM', OWING, session.sk)
  if is_expired(session) then drop_session(session.sk) else set_expiry(session) end
end
return pack({ 'ok' })
