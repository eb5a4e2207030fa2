#!lua flags=allow-oom
-- Takes a mark away when its work is done, or sets it anew where more came meanwhile.
local member, idle, max_messages, max_tokens, high, touch_ms = unpack(ARGV, 3)
local STEP_TOKENS = 1500
local at, session

if member == 'touch' then
  if redis.call('EXISTS', P .. ':a', P .. ':a:taken') > 0 then at = now + touch_ms end
elseif string.sub(member, 1, 8) == 'compact:' then
  -- What a run has left open is not looked at again before the same amount has come once more.
  session = load_session(string.sub(member, 9))
  if session then
    local next = session.open_tokens > tonumber(high) and session.open_tokens + STEP_TOKENS or 0
    redis.call('HSET', key_of(session.sk, 'h'), 'compact_next', int(next))
  end
  session = nil
elseif string.sub(member, 1, 8) == 'archive:' then
  session = load_session(string.sub(member, #'archive:' + 1))
  local left = session and session.last_seq - session.archived_to or 0
  if left >= tonumber(max_messages) or (left > 0 and session.unarchived_tokens >= tonumber(max_tokens)) then
    at = now
  elseif left > 0 then
    at = session.last_at + idle
  end
  -- The mark is an idle mark again, so a later message may move it.
  if at and session then redis.call('HSET', key_of(session.sk, 'h'), 'due', int(at)) end
end
redis.call('HDEL', DUE_JOBS, 'j:' .. member, 'f:' .. member, 'd:' .. member)
if at then redis.call('ZADD', DUE, int(at), member) else redis.call('ZREM', DUE, member) end
return pack({ 'ok', at and 1 or 0, next_due() })
