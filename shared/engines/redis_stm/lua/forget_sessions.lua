#!lua flags=allow-oom
-- Deletes every session of a scope, older epochs included, the tail, and the replies to all idempotency keys.
if is_ended() then return pack({ 'ended' }) end
local answer = delete_sessions(redis.call('ZRANGE', SESSIONS, 0, -1))
forget_claims(function() return true end)
redis.call('DEL', TAIL)
return answer
