#!lua flags=allow-oom
-- Moves one mark: 'note' (a job was ordered), 'postpone' (it failed), 'bury' (it is dead; with a job's id only
-- while that is the last one ordered), 'mark' (now), 'ensure' (now, unless a mark or a dead letter stands), 'by' (at a time at the latest, unless it has failed;
-- answers 1 where it is dead).
local member, verb, delay_ms, job_id = unpack(ARGV, 3)
local failures = 0

if verb == 'by' then
  failures = redis.call('HEXISTS', DUE_JOBS, 'd:' .. member)
  if failures == 0 and redis.call('HEXISTS', DUE_JOBS, 'f:' .. member) == 0 then
    redis.call('ZADD', DUE, 'LT', int(now + delay_ms), member)
  elseif failures == 0 then
    redis.call('ZADD', DUE, 'NX', int(now + delay_ms), member)
  end
elseif verb == 'bury' then
  if job_id == '' or redis.call('HGET', DUE_JOBS, 'j:' .. member) == job_id then
    redis.call('ZREM', DUE, member)
    redis.call('HSET', DUE_JOBS, 'd:' .. member, 1)
    local session = string.sub(member, 1, 8) == 'compact:' and load_session(string.sub(member, 9))
    if session then
      redis.call('HSET', key_of(session.sk, 'h'), 'compact_next', int(session.open_tokens + 1500))
    end
  end
elseif verb == 'ensure' then
  if redis.call('HEXISTS', DUE_JOBS, 'd:' .. member) == 0 then redis.call('ZADD', DUE, 'NX', int(now), member) end
else
  redis.call('ZADD', DUE, int(now + delay_ms), member)
  if verb == 'note' then redis.call('HSET', DUE_JOBS, 'j:' .. member, job_id) end
  if verb == 'postpone' then failures = redis.call('HINCRBY', DUE_JOBS, 'f:' .. member, 1) end
  if verb == 'mark' then redis.call('HDEL', DUE_JOBS, 'f:' .. member, 'd:' .. member) end
end
return pack({ 'ok', failures, next_due() })
