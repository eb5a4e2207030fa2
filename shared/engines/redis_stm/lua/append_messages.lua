-- Appends messages; one whose client id the session has seen answers the first one's id. Where the first that
-- is new is a user's, the message before it is told as well: the user may answer it. What an earlier try of the same
-- idempotency key has appended stands, and is answered as it was then.
local sk, sealed_id, tenant, default_ttl, idle, max_messages, max_tokens, high, has_notes, notes, notes_ttl,
  notes_version, claim, holder = unpack(ARGV, 3)
local FIRST, WIDTH = 17, 5
local claim_key = P .. ':c:' .. claim

if is_ended() then return pack({ 'ended' }) end
if has_notes == '1' and has_moved(find_session(sk), notes_version) then return pack({ 'moved' }) end
if claim ~= '' and redis.call('HGET', claim_key, 'holder') ~= holder then
  return pack({ redis.call('HGET', claim_key, 'state') == 'forgotten' and 'forgotten' or 'running' })
end
local session = open_session(sk, sealed_id, tenant)
if has_notes == '1' then change_notes(session, notes, notes_ttl) end
local ids, before, claimed = {}, nil, 0

-- The next message without a client's id: its seq and id where an earlier try has appended it.
local function find_claimed()
  claimed = claimed + 1
  local kept = redis.call('HGET', claim_key, 'm' .. claimed)
  if not kept then return nil end
  local epoch, seq, id = string.match(kept, '^(%S+) (%S+) (.*)$')
  return epoch == int(session.epoch) and tonumber(seq) or 0, id
end

for i = FIRST, #ARGV, WIDTH do
  local id, client = ARGV[i], ARGV[i + 3]
  local seen = client ~= '' and redis.call('HGET', key_of(sk, 'c'), client)
  if seen then
    ids[#ids + 1] = string.match(seen, ' (.*)$')
    ids[#ids + 1] = 0
  else
    local seq, known
    local is_claimed = claim ~= '' and client == ''
    if is_claimed then seq, known = find_claimed() end
    if not before and seq ~= 0 then
      local last = (seq or session.last_seq + 1) - 1
      before = ARGV[i + 1] == 'user' and range_of(session, last, last) or {}
      if before[1] then before[1] = message_frame(last, before[1]) end
    end
    if not known then
      known, seq = id, append_message(session, id, ARGV[i + 1], ARGV[i + 2], client, ARGV[i + 4])
      if is_claimed then
        redis.call('HSET', claim_key, 'm' .. claimed, table.concat({ int(session.epoch), int(seq), id }, ' '))
      end
      if claim ~= '' then
        redis.call('HSET', claim_key, 'ids', (redis.call('HGET', claim_key, 'ids') or '') .. ' ' .. id)
      end
    end
    ids[#ids + 1] = known
    ids[#ids + 1] = seq
  end
end
local sooner = 0
if session.last_seq > session.archived_to then
  sooner = mark_session(session, { idle = idle, messages = max_messages, tokens = max_tokens, high = high })
end
save_session(session, default_ttl)

local out = { 'ok', sooner }
add_session(out, session)
for i = 1, #ids do out[#out + 1] = ids[i] end
before = before or {}
out[#out + 1] = #before
return pack(out) .. table.concat(before)
