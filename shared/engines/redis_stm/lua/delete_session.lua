#!lua flags=allow-oom
-- Deletes a session, its older epochs that still wait for the archive, and its part of the tail.
local sk = ARGV[3]

if is_ended() then return pack({ 'ended' }) end
local removed = redis.call('LLEN', key_of(sk, 'm'))
local prefix = sk .. '~'
for _, other in ipairs(redis.call('ZRANGE', SESSIONS, 0, -1)) do
  if string.sub(other, 1, #prefix) == prefix then
    removed = removed + redis.call('LLEN', key_of(other, 'm'))
    drop_session(other)
  end
end
drop_session(sk)
trim_tail(function(place) return place.sk == sk end)
return pack({ 'ok', removed })
