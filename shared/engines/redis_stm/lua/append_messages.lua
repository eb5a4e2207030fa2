-- Appends messages; one whose client id the session has seen answers the first one's id. Where the first that
-- is new is a user's, the message before it is told as well: the user may answer it.
local sk, sealed_id, tenant, default_ttl, idle, max_messages, max_tokens, high, has_notes, notes, notes_ttl,
  notes_version = unpack(ARGV, 3)
local FIRST, WIDTH = 15, 5

if is_ended() then return pack({ 'ended' }) end
if has_notes == '1' and has_moved(find_session(sk), notes_version) then return pack({ 'moved' }) end
local session = open_session(sk, sealed_id, tenant)
if has_notes == '1' then change_notes(session, notes, notes_ttl) end
local ids, before = {}, nil
for i = FIRST, #ARGV, WIDTH do
  local id, client = ARGV[i], ARGV[i + 3]
  local seen = client ~= '' and redis.call('HGET', key_of(sk, 'c'), client)
  if seen then
    ids[#ids + 1] = string.match(seen, ' (.*)$')
    ids[#ids + 1] = 0
  else
    if not before then
      before = ARGV[i + 1] == 'user' and range_of(session, session.last_seq, session.last_seq) or {}
      if before[1] then before[1] = message_frame(session.last_seq, before[1]) end
    end
    ids[#ids + 1] = id
    ids[#ids + 1] = append_message(session, id, ARGV[i + 1], ARGV[i + 2], client, ARGV[i + 4])
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
