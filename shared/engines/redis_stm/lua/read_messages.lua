-- Reads messages after a seq number; or, for the archive ('unarchived'), those after `archived_to`,
-- whether the session has expired or not.
local sk, after_seq, limit, verb = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
local session
if verb == 'unarchived' then
  session = load_session(sk)
  after_seq = session and int(session.archived_to)
else
  session = find_session(sk)
end
local out = { 'ok', session and 1 or 0 }
if session then
  add_session(out, session)
  local entries = redis.call('XRANGE', key_of(sk, 'm'), '(' .. after_seq .. '-1', '+', 'COUNT', limit)
  out[#out + 1] = #entries
  for i = 1, #entries do add_message(out, entries[i]) end
end
return pack(out)
