#!lua flags=allow-oom
-- Moves `extracted_to` of one epoch on, where that session is still here.
local sk, epoch, to_seq = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
local session = load_session(sk)
if session and int(session.epoch) == epoch and tonumber(to_seq) > session.extracted_to then
  redis.call('HSET', key_of(sk, 'h'), 'extracted_to', int(math.min(tonumber(to_seq), session.last_seq)))
end
return pack({ 'ok' })
