-- Replaces a session's notes, making the session where there is none; those of an epoch only where it still lives.
local sk, sealed_id, tenant, default_ttl, notes, notes_ttl, notes_version, epoch = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
local known = find_session(sk)
if has_moved(known, notes_version) then return pack({ 'moved' }) end
if epoch ~= '' and (not known or int(known.epoch) ~= epoch) then return pack({ 'moved' }) end
local session = open_session(sk, sealed_id, tenant)
change_notes(session, notes, notes_ttl)
save_session(session, default_ttl)
local out = { 'ok' }
add_session(out, session)
return pack(out)
