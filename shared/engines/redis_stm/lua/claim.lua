-- Claims a request that needs no session ('claim'), keeps its reply ('keep'), or frees it ('free').
-- A claim whose holder has not settled it within its lease (Redis's own time) is taken over.
local claim, claim_body, claim_ttl, lease_ms, verb, result = unpack(ARGV, 3)
local key = P .. ':c:' .. claim

if is_ended() then return pack({ 'ended' }) end
if verb == 'free' then
  redis.call('DEL', key)
  return pack({ 'ok' })
end
if verb == 'claim' then
  local c = redis.call('HMGET', key, 'body', 'until', 'state', 'lease_until', 'result')
  if c[1] and tonumber(c[2]) > now then
    if c[1] ~= claim_body then return pack({ 'mismatch' }) end
    if c[3] == 'done' then return pack({ 'done', c[5] }) end
    if c[3] == 'running' and (tonumber(c[4]) or 0) * 1000 > real_us() then return pack({ 'running' }) end
  end
end
redis.call('HSET', key, 'body', claim_body, 'until', int(now + claim_ttl), 'result', result,
  'state', verb == 'keep' and 'done' or 'running', 'lease_until', int(math.floor(real_us() / 1000) + lease_ms))
redis.call('PEXPIRE', key, claim_ttl)
return pack({ 'ok' })
