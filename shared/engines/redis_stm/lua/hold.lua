#!lua flags=allow-oom
-- Takes a named lock, or renews it for the owner who holds it. KEYS: the lock.
local owner, ms = unpack(ARGV)
if redis.call('SET', KEYS[1], owner, 'NX', 'PX', ms) then return 1 end
if redis.call('GET', KEYS[1]) ~= owner then return 0 end
redis.call('PEXPIRE', KEYS[1], ms)
return 1
