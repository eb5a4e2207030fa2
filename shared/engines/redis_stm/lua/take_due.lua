#!lua flags=allow-oom
-- Leases what is due in one scope; answers each mark with its last job's id, then the next due time.
local lease_ms, limit = unpack(ARGV, 3)

local members = redis.call('ZRANGEBYSCORE', DUE, '-inf', int(now), 'LIMIT', 0, limit)
local out = { 'ok', #members }
for _, member in ipairs(members) do
  redis.call('ZADD', DUE, int(now + lease_ms), member)
  out[#out + 1] = member
  out[#out + 1] = redis.call('HGET', DUE_JOBS, 'j:' .. member) or ''
end
out[#out + 1] = next_due()
return pack(out)
