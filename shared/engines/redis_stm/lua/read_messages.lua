-- Reads messages after a seq number; or those after `archived_to` ('unarchived') or after `compacted_to`
-- ('open'), for jobs, whether the session has expired or not. Unarchived ones end at so many bytes: one batch is
-- one transaction of long-term memory.
local BATCH_BYTES, CHUNK = 200000, 20
local sk, after_seq, limit, verb = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end
local session
if verb ~= 'live' then
  session = load_session(sk)
  after_seq = session and (verb == 'open' and session.compacted_to or session.archived_to)
else
  session = find_session(sk)
end

local function within_bytes(from, to)
  local found, bytes = {}, 0
  while from <= to do
    local chunk = range_of(session, from, math.min(from + CHUNK - 1, to))
    if #chunk == 0 then break end
    for i = 1, #chunk do
      bytes = bytes + #chunk[i]
      if #found > 0 and bytes > BATCH_BYTES then return found end
      found[#found + 1] = chunk[i]
    end
    from = from + #chunk
  end
  return found
end

local out, messages = { 'ok', session and 1 or 0 }, {}
if session then
  add_session(out, session)
  local from = math.max(after_seq + 1, first_seq(session))
  local to = math.min(from + limit - 1, session.last_seq)
  messages = verb == 'unarchived' and within_bytes(from, to) or range_of(session, from, to)
  out[#out + 1] = #messages
  for i = 1, #messages do messages[i] = message_frame(from + i - 1, messages[i]) end
end
return pack(out) .. table.concat(messages)
