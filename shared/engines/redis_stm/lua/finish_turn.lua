-- Round trip two of a turn: fence, reply, claim, notes, access counts, due marks, lease.
local sk, default_ttl, idle, max_messages, max_tokens, high, fence, claim, claim_body, claim_ttl, claim_state,
  result, has_notes, notes, notes_ttl, notes_version, touch_ms, accessed, id, role, packed, client, kept = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
local session = load_session(sk)
if not session or session.lease_fence ~= tonumber(fence) then return pack({ 'lost' }) end
if has_notes == '1' and has_moved(session, notes_version) then return pack({ 'moved' }) end

session.lease_fence, session.lease_until = 0, 0
if has_notes == '1' then change_notes(session, notes, notes_ttl) end
local seq = 0
if id ~= '' then
  seq = append_message(session, id, role, packed, client, kept)
  mark_session(session, { idle = idle, messages = max_messages, tokens = max_tokens, high = high })
end
save_session(session, default_ttl)

if claim ~= '' then
  local ids = redis.call('HGET', P .. ':c:' .. claim, 'ids') or ''
  keep_claim(claim, claim_ttl, 'body', claim_body, 'state', claim_state, 'sk', sk, 'result', result,
    'ids', ids .. ' ' .. id)
end
for row_id in string.gmatch(accessed, '%d+') do redis.call('HINCRBY', P .. ':a', row_id, 1) end
if accessed ~= '' then redis.call('ZADD', DUE, 'NX', int(now + touch_ms), 'touch') end
return pack({ 'ok', seq })
