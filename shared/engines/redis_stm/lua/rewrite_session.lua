#!lua flags=allow-oom
-- Puts messages (id, seq, packed) in the place of those that are held under their ids; and a summary, unless
-- it is '' or the session was summarised since (`compacted_to`). Answers how many messages it replaced.
local sk, epoch, compacted_to, summary = unpack(ARGV, 3, 6)

if is_ended() then return pack({ 'ended' }) end
local session = load_session(sk)
if not session or int(session.epoch) ~= epoch then return pack({ 'ok', 0 }) end

local first, replaced = first_seq(session), 0
for i = 7, #ARGV, 3 do
  local place = tonumber(ARGV[i + 1]) - first
  local held = place >= 0 and redis.call('LINDEX', key_of(sk, 'm'), int(place))
  if held and header_of(held).id == ARGV[i] then
    redis.call('LSET', key_of(sk, 'm'), int(place), ARGV[i + 2])
    replaced = replaced + 1
  end
end
if summary ~= '' and int(session.compacted_to) == compacted_to then
  redis.call('HSET', key_of(sk, 'h'), 'summary', summary)
end
return pack({ 'ok', replaced })
