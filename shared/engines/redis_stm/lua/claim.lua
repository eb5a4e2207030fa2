-- Claims a request that is no turn ('claim'), keeps its reply ('keep'), or frees it ('free').
-- A claim whose holder has not settled it within its lease (Redis's own time) is taken over; then, or once what it
-- tells of was deleted, the former holder settles nothing. One that has appended messages keeps their ids.
local claim, claim_body, claim_ttl, lease_ms, verb, holder, sk, ids, result = unpack(ARGV, 3)
local key = P .. ':c:' .. claim

if is_ended() then return pack({ 'ended' }) end
if verb == 'claim' then
  local c = redis.call('HMGET', key, 'body', 'until', 'state', 'lease_until', 'result')
  if c[1] and tonumber(c[2]) > now then
    if c[1] ~= claim_body then return pack({ 'mismatch' }) end
    if c[3] == 'done' then return pack({ 'done', c[5] }) end
    if c[3] == 'forgotten' then return pack({ 'forgotten' }) end
    if c[3] == 'running' and (tonumber(c[4]) or 0) * 1000 > real_us() then return pack({ 'running' }) end
  else
    redis.call('DEL', key)
  end
  keep_claim(claim, claim_ttl, 'body', claim_body, 'state', 'running', 'holder', holder, 'sk', sk,
    'lease_until', int(math.floor(real_us() / 1000) + lease_ms))
elseif redis.call('HGET', key, 'holder') == holder then
  if verb == 'keep' then
    local known = redis.call('HGET', key, 'ids') or ''
    keep_claim(claim, claim_ttl, 'state', 'done', 'result', result, 'ids', known .. ' ' .. ids)
  elseif redis.call('HEXISTS', key, 'm1') == 1 then
    redis.call('HSET', key, 'state', 'free')
  else
    redis.call('DEL', key)
    redis.call('ZREM', CLAIMS, claim)
  end
end
return pack({ 'ok' })
