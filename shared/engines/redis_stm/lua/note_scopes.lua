#!lua flags=allow-oom
-- Notes scopes in the index at a time (an earlier one stays; '' notes nothing). KEYS: the index, the
-- scopes being dispatched; ARGV: 'return' where these have been dispatched (else 'note'), then pairs.
for i = 2, #ARGV, 2 do
  local member, at = ARGV[i], ARGV[i + 1]
  if at ~= '' then redis.call('ZADD', KEYS[1], 'LT', at, member) end
  if ARGV[1] == 'return' then redis.call('ZREM', KEYS[2], member) end
end
return 1
