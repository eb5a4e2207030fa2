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
  for _, entry in ipairs(redis.call('XRANGE', m, '(' .. int(session.archived_to) .. '-1', int(to) .. '-1')) do
    session.unarchived_tokens = session.unarchived_tokens - tonumber(entry[2][6])
  end
  session.archived_to = to
  redis.call('HSET', h, 'archived_to', int(to), 'unarchived_tokens', int(session.unarchived_tokens))
  trim_tail(function(fields)
    return fields[8] == base and fields[10] == epoch and tonumber(fields[12]) <= to
  end)
end

-- The oldest seq that a window of this size can still show; the last three turns stay whatever it is.
local function first_kept()
  local used, users, walked, first, last = 0, 0, 0, session.last_seq + 1, '+'
  while true do
    local entries = redis.call('XREVRANGE', m, last, '-', 'COUNT', CHUNK)
    for _, entry in ipairs(entries) do
      used, walked = used + tonumber(entry[2][6]), walked + 1
      if used > tonumber(window_tokens) and (users >= KEPT_TURNS or walked > KEPT_MESSAGES) then return first end
      if cjson.decode(entry[2][2])[2] == 'user' then users = users + 1 end
      first = tonumber(string.match(entry[1], '^%d+'))
    end
    if #entries < CHUNK then return first end
    last = '(' .. entries[#entries][1]
  end
end

local first = math.min(first_kept(), session.archived_to + 1)
if redis.call('XTRIM', m, 'MINID', int(first) .. '-1') > 0 then
  local clients = redis.call('HGETALL', c)
  for i = 1, #clients, 2 do
    if tonumber(string.match(clients[i + 1], '^%d+')) < first then redis.call('HDEL', c, clients[i]) end
  end
end
if session.archived_to >= session.last_seq then
  if is_expired(session) then drop_session(session.sk) else set_expiry(session) end
end
return pack({ 'ok' })
