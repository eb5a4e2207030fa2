-- Replaces a session's notes, making the session where there is none.
local sk, sealed_id, tenant, default_ttl, notes, notes_ttl, notes_version = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
if has_moved(find_session(sk), notes_version) then return pack({ 'moved' }) end
local session = open_session(sk, sealed_id, tenant)
change_notes(session, notes, notes_ttl)
save_session(session, default_ttl)
local out = { 'ok' }
add_session(out, session)
return pack(out)
