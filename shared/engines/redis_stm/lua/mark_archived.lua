#!lua flags=allow-oom
-- Moves `archived_to` of one epoch on, trims the tail, and drops what is archived and out of the window.
-- It may run while Redis is full: it is what makes room.
local sk, epoch, to_seq, window_tokens = unpack(ARGV, 3)
local KEPT_TURNS, KEPT_MESSAGES, CHUNK = 3, 24, 64

if is_ended() then return pack({ 'ended' }) end
local base = string.match(sk, '^[^~]+')
local session = load_session(sk)
if not session or int(session.epoch) ~= epoch then session = load_session(base .. '~' .. epoch) end
if not session or int(session.epoch) ~= epoch then return pack({ 'ok' }) end
local h, m, c = key_of(session.sk, 'h'), key_of(session.sk, 'm'), key_of(session.sk, 'c')

local to = math.min(tonumber(to_seq), session.last_seq)
if to > session.archived_to then
  local messages = range_of(session, session.archived_to + 1, to)
  for i = 1, #messages do
    session.unarchived_tokens = session.unarchived_tokens - tokens_of(messages[i])
  end
  session.archived_to = to
  redis.call('HSET', h, 'archived_to', int(to), 'unarchived_tokens', int(session.unarchived_tokens))
  trim_tail(function(place) return place.sk == base and place.epoch == epoch and place.seq <= to end)
end

-- The oldest seq that a window of this size can still show; the last three turns stay whatever it is.
local function first_kept()
  local used, users, walked, at = 0, 0, 0, session.last_seq
  while true do
    local messages = range_of(session, at - CHUNK + 1, at)
    for i = #messages, 1, -1 do
      used, walked = used + tokens_of(messages[i]), walked + 1
      if used > tonumber(window_tokens) and (users >= KEPT_TURNS or walked > KEPT_MESSAGES) then return at + 1 end
      if header_of(messages[i]).role == 'user' then users = users + 1 end
      at = at - 1
    end
    if #messages < CHUNK then return at + 1 end
  end
end

local first = math.min(first_kept(), session.archived_to + 1)
local surplus = first - first_seq(session)
if surplus > 0 then
  redis.call('LTRIM', m, int(surplus), -1)
  local clients = redis.call('HGETALL', c)
  for i = 1, #clients, 2 do
    if tonumber(string.match(clients[i + 1], '^%d+')) < first then redis.call('HDEL', c, clients[i]) end
  end
end
if session.archived_to >= session.last_seq then
  if is_expired(session) then drop_session(session.sk) else set_expiry(session) end
end
return pack({ 'ok' })
