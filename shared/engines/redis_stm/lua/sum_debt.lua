#!lua flags=allow-oom
-- Sums one scope's unarchived messages (those of dead-lettered work left out) and those among them that had no
-- mark, marks these, and clears what has expired. A scope that has ended owes nothing: it is being erased.
local count, nowhere, oldest, tenant = 0, 0, nil, ''

if is_ended() then return pack({ 'ok', 0, 0, '', '', '' }) end
for _, sk in ipairs(redis.call('ZRANGE', SESSIONS, 0, -1)) do
  local session = load_session(sk)
  local member = 'archive:' .. sk
  if not session then
    drop_session(sk)
  elseif session.archived_to >= session.last_seq then
    if is_expired(session) then drop_session(sk) end
  elseif redis.call('HEXISTS', DUE_JOBS, 'd:' .. member) == 0 or redis.call('ZSCORE', DUE, member) then
    local waiting = session.last_seq - session.archived_to
    count = count + waiting
    local first = range_of(session, session.archived_to + 1, session.archived_to + 1)
    local received = first[1] and header_of(first[1]).received_at_ms or session.last_at
    oldest = math.min(oldest or received, received)
    nowhere = nowhere + waiting * redis.call('ZADD', DUE, 'NX', int(now), member)
  end
  if session then tenant = session.tenant end
end
return pack({ 'ok', count, nowhere, oldest or '', tenant, next_due() })
