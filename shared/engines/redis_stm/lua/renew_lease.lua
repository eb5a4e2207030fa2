-- Extends a lease (in Redis's own time) for as long as nobody else has taken the session.
local sk, fence, lease_ms = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
local h = key_of(sk, 'h')
if redis.call('HGET', h, 'lease_fence') ~= fence then return pack({ 'ok', 0 }) end
redis.call('HSET', h, 'lease_until', int(math.floor(real_us() / 1000) + lease_ms))
return pack({ 'ok', 1 })
