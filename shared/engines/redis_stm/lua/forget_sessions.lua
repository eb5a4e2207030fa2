#!lua flags=allow-oom
-- Deletes every session of a scope, older epochs included, and the tail; answers how many messages went.
if is_ended() then return pack({ 'ended' }) end
local removed = 0
for _, sk in ipairs(redis.call('ZRANGE', SESSIONS, 0, -1)) do
  removed = removed + redis.call('LLEN', key_of(sk, 'm'))
  drop_session(sk)
end
redis.call('DEL', TAIL)
return pack({ 'ok', removed })
