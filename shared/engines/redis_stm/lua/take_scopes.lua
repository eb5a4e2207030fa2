#!lua flags=allow-oom
-- Takes due scopes out of the index, noting them as being dispatched; those that a dispatcher which
-- died had noted come back first. KEYS: the index, the scopes being dispatched.
local index, dispatching = KEYS[1], KEYS[2]
local now, limit, stale_ms = unpack(ARGV)
local time = redis.call('TIME')
local real_ms = time[1] * 1000 + math.floor(time[2] / 1000)

for _, member in ipairs(redis.call('ZRANGEBYSCORE', dispatching, '-inf', real_ms - stale_ms)) do
  redis.call('ZADD', index, 'LT', now, member)
  redis.call('ZREM', dispatching, member)
end
local members = redis.call('ZRANGEBYSCORE', index, '-inf', now, 'LIMIT', 0, limit)
for _, member in ipairs(members) do
  redis.call('ZREM', index, member)
  redis.call('ZADD', dispatching, real_ms, member)
end
return members
