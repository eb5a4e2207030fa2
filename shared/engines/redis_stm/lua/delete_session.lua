#!lua flags=allow-oom
-- Deletes a session, its older epochs that still wait for the archive, its part of the tail and the replies to its
-- idempotency keys.
local sk = ARGV[3]

if is_ended() then return pack({ 'ended' }) end
local prefix, found = sk .. '~', {}
for _, other in ipairs(redis.call('ZRANGE', SESSIONS, 0, -1)) do
  if other == sk or string.sub(other, 1, #prefix) == prefix then found[#found + 1] = other end
end
local answer = delete_sessions(found)
drop_session(sk)
forget_claims(function(key) return redis.call('HGET', key, 'sk') == sk end)
trim_tail(function(place) return place.sk == sk end)
return answer
