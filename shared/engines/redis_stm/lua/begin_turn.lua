-- Round trip one of a turn: generation, claim, lease, append, window, tail, state.
local sk, sealed_id, tenant, default_ttl, idle, max_messages, max_tokens, high, lease_ms, ticket,
  window_tokens, claim, claim_body, claim_ttl, id, role, packed, client, kept = unpack(ARGV, 3)

if is_ended() then return pack({ 'ended' }) end

local session = load_session(sk)
local has_lease = session ~= nil and session.lease_until * 1000 > real_us()
local claim_key, earlier = P .. ':c:' .. claim, nil

if claim ~= '' then
  local c = redis.call('HMGET', claim_key, 'body', 'until', 'state', 'sk', 'fence', 'epoch', 'seq', 'result')
  if c[1] and tonumber(c[2]) > now then
    local answer
    if c[1] ~= claim_body or c[4] ~= sk then
      answer = { 'mismatch' }
    elseif c[3] == 'done' then
      -- A replay tells of the session as it stands; it takes no lease and appends nothing.
      answer = { 'done', c[8] }
    elseif c[3] == 'forgotten' then
      answer = { 'forgotten' }
    elseif c[3] == 'running' and has_lease and session.lease_fence == tonumber(c[5]) then
      answer = { 'running' }
    end
    if answer then
      leave_line(sk, ticket)
      if answer[1] == 'done' then
        local seq = c[7] or '0'
        answer[3], answer[4] = seq, session and 1 or 0
        if session then
          add_session(answer, session)
          return pack(answer) .. window_of(session, tonumber(seq), 0, 0)
        end
      end
      return pack(answer)
    end
    earlier = { epoch = tonumber(c[6]), seq = tonumber(c[7]) }
  end
end

if has_lease or not is_next(sk, ticket) then
  join_line(sk, ticket)
  return pack({ 'busy' })
end
-- A full Redis refuses a script at its first write or not at all: a refused turn leaves nothing.
session = open_session(sk, sealed_id, tenant)
local at = real_us()
session.fence = math.max(session.fence + 1, at)
session.lease_fence = session.fence
session.lease_until = math.floor(at / 1000) + tonumber(lease_ms)

local seq, sooner, has_resumed = nil, 0, 0
if earlier and earlier.epoch == session.epoch
  and earlier.seq >= first_seq(session) and earlier.seq <= session.last_seq then
  seq, has_resumed = earlier.seq, 1
else
  seq = append_message(session, id, role, packed, client, kept)
  sooner = mark_session(session, { idle = idle, messages = max_messages, tokens = max_tokens, high = high })
end
save_session(session, default_ttl)
leave_line(sk, ticket)
if claim ~= '' then
  keep_claim(claim, claim_ttl, 'body', claim_body, 'state', 'running', 'sk', sk,
    'fence', int(session.fence), 'epoch', int(session.epoch), 'seq', int(seq))
  if has_resumed == 0 then redis.call('HSET', claim_key, 'ids', id) end
end

local out = { 'ok', session.fence, has_resumed, seq, sooner }
add_session(out, session)
-- The client has the message it has just sent: then only what stands before it is returned.
local last, used = seq, 0
if has_resumed == 0 then last, used = seq - 1, math.max(tokens_of(packed), 1) end
return pack(out) .. window_of(session, last, tonumber(window_tokens), used) .. tail_of_scope()
