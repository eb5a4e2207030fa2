#!lua flags=allow-oom
-- Leases what is due in one scope (of one job, unless that is ''); answers each mark with its last job's id, then
-- the next due time.
local lease_ms, limit, job = unpack(ARGV, 3)

local members = {}
local most = job == '' and limit or -1
for _, member in ipairs(redis.call('ZRANGEBYSCORE', DUE, '-inf', int(now), 'LIMIT', 0, most)) do
  if #members == tonumber(limit) then break end
  if job == '' or string.match(member, '^[^:]+') == job then members[#members + 1] = member end
end
local out = { 'ok', #members }
for _, member in ipairs(members) do
  redis.call('ZADD', DUE, int(now + lease_ms), member)
  out[#out + 1] = member
  out[#out + 1] = redis.call('HGET', DUE_JOBS, 'j:' .. member) or ''
end
out[#out + 1] = next_due()
return pack(out)
