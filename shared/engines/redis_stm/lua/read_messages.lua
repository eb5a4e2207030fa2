-- Reads messages after a seq number; or those after `archived_to` ('unarchived') or after `compacted_to`
-- ('open'), for jobs, whether the session has expired or not.
local sk, after_seq, limit, verb = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
local session
if verb ~= 'live' then
  session = load_session(sk)
  after_seq = session and (verb == 'open' and session.compacted_to or session.archived_to)
else
  session = find_session(sk)
end
local out, messages = { 'ok', session and 1 or 0 }, {}
if session then
  add_session(out, session)
  local from = math.max(after_seq + 1, first_seq(session))
  messages = range_of(session, from, math.min(from + limit - 1, session.last_seq))
  out[#out + 1] = #messages
  for i = 1, #messages do messages[i] = message_frame(from + i - 1, messages[i]) end
end
return pack(out) .. table.concat(messages)
