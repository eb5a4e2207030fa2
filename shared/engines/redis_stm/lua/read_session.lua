-- Reads a session with its window, and the scope's tail where wanted; no session where `sk` is ''.
local sk, window_tokens, wants_tail = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
local session = sk ~= '' and find_session(sk) or nil
local out = { 'ok', session and 1 or 0 }
if session then add_session(out, session) end
local window = session and window_of(session, session.last_seq, tonumber(window_tokens), 0) or ''
return pack(out) .. window .. (wants_tail == '1' and tail_of_scope() or '')
