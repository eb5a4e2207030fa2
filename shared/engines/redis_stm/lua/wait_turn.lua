-- A waiter asks whether its turn has come ('poll'), or gives up its place ('leave').
local sk, ticket, verb = unpack(ARGV, 3)

if verb == 'leave' then
  leave_line(sk, ticket)
  return pack({ 'ok', 0 })
end
if is_ended() then return pack({ 'ended' }) end
join_line(sk, ticket)
local lease_until = tonumber(redis.call('HGET', key_of(sk, 'h'), 'lease_until') or nil) or 0
local is_free = lease_until * 1000 <= real_us() and is_next(sk, ticket)
return pack({ 'ok', is_free and 1 or 0 })
