-- What all scripts share; it is put before each of them.
--
-- KEYS[1] is `{scope}:g`, ARGV[1] the scope's generation, ARGV[2] the service's time in ms. All other
-- keys of the scope are built from KEYS[1]: they share its hash tag, so they live in the same slot.
-- A script answers one string of frames, each a 4-byte length and that many bytes: parsing one string
-- costs the client far less than parsing hundreds of small replies.

local P = string.sub(KEYS[1], 1, -3)
local now = tonumber(ARGV[2])
local DUE, DUE_JOBS, SESSIONS, TAIL = P .. ':due', P .. ':due:jobs', P .. ':sessions', P .. ':t'
local DELETED, CLAIMS = P .. ':e', P .. ':claims'
local DELETED_KEPT_MS = 86400000
local TAIL_LENGTH, TAIL_BYTES, LONG_BYTES = 200, 2000000, 20000
local WAITER_LOST_MS = 2000

local function int(number)
  return string.format('%.0f', number)
end

local function pack(parts)
  local out = {}
  for i = 1, #parts do
    local part = parts[i]
    if type(part) == 'number' then part = int(part) end
    out[2 * i - 1] = struct.pack('>I4', #part)
    out[2 * i] = part
  end
  return table.concat(out)
end

-- The mark is written when a scope ends; one that was never ended has none.
local function is_ended()
  local mark = redis.call('GET', KEYS[1])
  return mark and mark ~= ARGV[1]
end

local function real_us()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local function key_of(sk, part)
  return P .. ':s:' .. sk .. ':' .. part
end

-- A session: its sealed id, notes and summary stay as they are, all else are numbers. `open_tokens` are those
-- of messages that no summary holds; over `compact_next` its compaction is due again.
local NAMES = {
  'id', 'notes', 'tenant', 'summary', 'epoch', 'last_seq', 'archived_to', 'extracted_to', 'compacted_to', 'total_tokens',
  'unarchived_tokens', 'last_at', 'expires_at', 'ttl', 'due', 'fence', 'lease_fence', 'lease_until',
  'notes_version', 'open_tokens', 'compact_next',
}

local function load_session(sk)
  local values = redis.call('HMGET', key_of(sk, 'h'), unpack(NAMES))
  if not values[1] then return nil end
  local session = { sk = sk, id = values[1], notes = values[2] or '', tenant = values[3], summary = values[4] or '' }
  for i = 5, #NAMES do session[NAMES[i]] = tonumber(values[i]) or 0 end
  return session
end

-- A session whose turn is still running has not expired, however short its life.
local function is_expired(session)
  return session.expires_at <= now and session.lease_until * 1000 <= real_us()
end

-- Keeps fields of an idempotency claim; a scope's claims are listed, so that what they hold can go with what they
-- tell of. (The list is kept by real time, as Redis keeps the claims.)
local function keep_claim(claim, claim_ttl, ...)
  local key, real_ms = P .. ':c:' .. claim, math.floor(real_us() / 1000)
  redis.call('HSET', key, 'until', int(now + claim_ttl), ...)
  redis.call('PEXPIRE', key, claim_ttl)
  redis.call('ZREMRANGEBYSCORE', CLAIMS, '-inf', int(real_ms))
  redis.call('ZADD', CLAIMS, int(real_ms + claim_ttl), claim)
  redis.call('PEXPIRE', CLAIMS, claim_ttl)
end

-- Drops the replies to the claims that `matches(key)` names: these are not told again, and their keys stay taken, so
-- that no retry brings back what was deleted.
local function forget_claims(matches)
  for _, claim in ipairs(redis.call('ZRANGE', CLAIMS, 0, -1)) do
    local key = P .. ':c:' .. claim
    if redis.call('EXISTS', key) == 1 and matches(key) then
      redis.call('HSET', key, 'state', 'forgotten')
      redis.call('HDEL', key, 'result', 'holder', 'ids')
    end
  end
end

local function drop_session(sk)
  redis.call('DEL', key_of(sk, 'h'), key_of(sk, 'm'), key_of(sk, 'c'), key_of(sk, 'w'), key_of(sk, 'wp'))
  redis.call('ZREM', SESSIONS, sk)
  for _, job in ipairs({ 'archive:', 'compact:' }) do
    local member = job .. sk
    redis.call('ZREM', DUE, member)
    redis.call('HDEL', DUE_JOBS, 'j:' .. member, 'f:' .. member, 'd:' .. member)
  end
end

-- The session for reading: one that has expired is missing, and goes at once if all of it is archived.
local function find_session(sk)
  local session = load_session(sk)
  if session and is_expired(session) then
    if session.archived_to >= session.last_seq then drop_session(sk) end
    return nil
  end
  return session
end

-- What an expired session still owes the archive stays, under a key that carries its epoch.
local function retire_session(session)
  local sk = session.sk
  if session.archived_to >= session.last_seq then return drop_session(sk) end
  local old = sk .. '~' .. int(session.epoch)
  for _, part in ipairs({ 'h', 'm', 'c' }) do
    if redis.call('EXISTS', key_of(sk, part)) == 1 then
      redis.call('RENAME', key_of(sk, part), key_of(old, part))
    end
  end
  redis.call('ZREM', SESSIONS, sk)
  redis.call('ZADD', SESSIONS, int(session.last_at), old)
  redis.call('ZREM', DUE, 'archive:' .. sk, 'compact:' .. sk)
  redis.call('ZADD', DUE, int(now), 'archive:' .. old)
end

-- The session for writing: a fresh one (of a new epoch) where there is none or it has expired.
local function open_session(sk, sealed_id, tenant)
  local session = load_session(sk)
  local epoch, fence = now, 0
  if session and is_expired(session) then
    epoch, fence = math.max(now, session.epoch + 1), session.fence
    retire_session(session)
    session = nil
  end
  if session then return session end
  epoch = math.max(epoch, (tonumber(redis.call('GET', DELETED) or nil) or 0) + 1)
  session = { sk = sk, id = sealed_id, notes = '', tenant = tenant, summary = '' }
  for i = 5, #NAMES do session[NAMES[i]] = 0 end
  session.epoch, session.fence = epoch, fence
  redis.call('HSET', key_of(sk, 'h'), 'id', sealed_id, 'tenant', tenant, 'epoch', int(epoch))
  return session
end

-- A session's messages are a list without gaps, the last of them `last_seq`: no seq is stored. (A list,
-- since reading a stream from a script costs three times as much.) A message lies as the client packs
-- it: tokens, the header's length, the header, the sealed body.
local function tokens_of(packed)
  return (struct.unpack('>I4', packed))
end

local function header_of(packed)
  return cjson.decode(string.sub(packed, 9, 8 + struct.unpack('>I4', packed, 5)))
end

local function first_seq(session)
  return session.last_seq - redis.call('LLEN', key_of(session.sk, 'm')) + 1
end

-- Messages from one seq to another, those that are held, and the seq of the first of them.
local function range_of(session, from, to)
  local first = first_seq(session)
  from = math.max(from, first)
  if to < from then return {}, from end
  return redis.call('LRANGE', key_of(session.sk, 'm'), int(from - first), int(to - first)), from
end

-- Deletes sessions of their user's; answers how many messages went, of each session its key and epoch, and the ids of
-- messages that no archive had taken. No session of the scope gets an epoch that a deleted one had: what is still on
-- its way to the archive is known by it.
local function delete_sessions(sks)
  local removed, ids, out = 0, {}, { 'ok', 0, #sks }
  local newest = tonumber(redis.call('GET', DELETED) or nil) or 0
  for _, sk in ipairs(sks) do
    local session = load_session(sk)
    local epoch = session and session.epoch or 0
    removed, newest = removed + redis.call('LLEN', key_of(sk, 'm')), math.max(newest, epoch)
    out[#out + 1] = string.match(sk, '^[^~]+')
    out[#out + 1] = epoch
    for _, packed in ipairs(session and range_of(session, session.archived_to + 1, session.last_seq) or {}) do
      ids[#ids + 1] = header_of(packed).id
    end
    drop_session(sk)
  end
  if newest > 0 then redis.call('SET', DELETED, int(newest), 'PX', DELETED_KEPT_MS) end
  for _, id in ipairs(ids) do out[#out + 1] = id end
  out[2] = removed
  return pack(out)
end

-- Where a tail entry stands: session key, epoch, seq, message id.
local function place_of(tail_entry)
  local sk, epoch, seq, id = string.match(tail_entry[2][2], '^(%S+) (%S+) (%S+) (.*)$')
  return { sk = sk, epoch = epoch, seq = tonumber(seq), id = id }
end

local function message_frame(seq, packed)
  return struct.pack('>I4I8c0', 8 + #packed, seq, packed)
end

-- Lets the oldest entries of the tail go, so that it takes at most TAIL_BYTES; the newest one stays.
local function shorten_tail()
  local bytes, oldest = 0, nil
  for _, entry in ipairs(redis.call('XREVRANGE', TAIL, '+', '-')) do
    bytes = bytes + #entry[2][4]
    if oldest and bytes > TAIL_BYTES then
      redis.call('XTRIM', TAIL, 'MINID', '=', oldest)
      return
    end
    oldest = entry[1]
  end
end

-- Appends a message (id, role, packed, blind client id or '', packed for the tail or '' for the same);
-- returns its seq.
local function append_message(session, id, role, packed, client, kept)
  local seq, tokens = session.last_seq + 1, tokens_of(packed)
  local sk, epoch = session.sk, int(session.epoch)
  redis.call('RPUSH', key_of(sk, 'm'), packed)
  if client ~= '' then redis.call('HSETNX', key_of(sk, 'c'), client, int(seq) .. ' ' .. id) end
  if role == 'user' then
    local frames = pack({ sk, epoch, session.id }) .. message_frame(seq, kept ~= '' and kept or packed)
    redis.call('XADD', TAIL, 'MAXLEN', '=', TAIL_LENGTH, '*',
      'p', table.concat({ sk, epoch, int(seq), id }, ' '), 'f', frames)
    if #frames > LONG_BYTES then shorten_tail() end
  end
  session.last_seq = seq
  session.total_tokens = session.total_tokens + tokens
  session.unarchived_tokens = session.unarchived_tokens + tokens
  session.open_tokens = session.open_tokens + tokens
  return seq
end

-- One common expiry on all keys once nothing is unarchived, and none before.
local function set_expiry(session)
  for _, part in ipairs({ 'h', 'm', 'c' }) do
    if session.archived_to >= session.last_seq then
      redis.call('PEXPIRE', key_of(session.sk, part), int(math.max(session.expires_at - now, 0)))
    else
      redis.call('PERSIST', key_of(session.sk, part))
    end
  end
end

-- Times of last use are kept apart, so that a listing can go on after any of them.
local function free_moment()
  local at = now
  while redis.call('ZCOUNT', SESSIONS, int(at), int(at)) > 0 do at = at + 1 end
  return at
end

local function save_session(session, default_ttl)
  local ttl = session.ttl > 0 and session.ttl or tonumber(default_ttl)
  session.last_at = free_moment()
  session.expires_at = now + ttl
  local fields = { 'notes', session.notes }
  for i = 6, #NAMES do
    fields[#fields + 1] = NAMES[i]
    fields[#fields + 1] = int(session[NAMES[i]])
  end
  redis.call('HSET', key_of(session.sk, 'h'), unpack(fields))
  redis.call('ZADD', SESSIONS, int(session.last_at), session.sk)
  set_expiry(session)
end

-- Marks the session's archive: when it will have been idle, or now once enough has gathered. A mark
-- that somebody else has moved (leased, postponed, flushed) and one that is due already stay.
-- True where the mark came to be due now, earlier than the idle time that the caller reckons with.
local function mark_archive(session, limits)
  local member = 'archive:' .. session.sk
  local old = tonumber(redis.call('ZSCORE', DUE, member) or nil)
  if old and (old ~= session.due or old <= now) then return 0 end
  local is_full = session.last_seq - session.archived_to >= tonumber(limits.messages)
    or session.unarchived_tokens >= tonumber(limits.tokens)
  session.due = is_full and now or now + tonumber(limits.idle)
  redis.call('ZADD', DUE, int(session.due), member)
  return is_full and 1 or 0
end

-- Marks the session's compaction once more tokens are open than the high mark; a mark that stands stays.
local function mark_compaction(session, high_tokens)
  local member = 'compact:' .. session.sk
  if session.open_tokens <= math.max(tonumber(high_tokens), session.compact_next) then return 0 end
  if redis.call('ZADD', DUE, 'NX', int(now), member) == 0 then return 0 end
  redis.call('HDEL', DUE_JOBS, 'f:' .. member, 'd:' .. member)
  return 1
end

-- Marks what an append has made due; 1 where something of the session is due now and nobody has taken it
-- yet (a reply may have made it so, of which the index of scopes was not told).
local function mark_session(session, limits)
  mark_archive(session, limits)
  mark_compaction(session, limits.high)
  for _, job in ipairs({ 'archive:', 'compact:' }) do
    local at = tonumber(redis.call('ZSCORE', DUE, job .. session.sk) or nil)
    if at and at <= now then return 1 end
  end
  return 0
end

-- Whether somebody has changed the notes since this version was read ('' asks for nothing).
local function has_moved(session, version)
  return version ~= '' and tonumber(version) ~= (session and session.notes_version or 0)
end

local function change_notes(session, notes, ttl)
  session.notes, session.ttl, session.notes_version = notes, tonumber(ttl), session.notes_version + 1
end

local function add_session(out, session)
  for _, name in ipairs({ 'id', 'notes', 'summary', 'epoch', 'last_seq', 'archived_to', 'extracted_to',
    'compacted_to', 'total_tokens', 'notes_version', 'open_tokens', 'last_at', 'expires_at' }) do
    out[#out + 1] = session[name]
  end
end

-- The last three turns stay in the window however long they are (the prompt cuts them), within these bounds.
local KEPT_TURNS, KEPT_MESSAGES, KEPT_TOKENS = 3, 24, 500000

-- The newest messages up to the seq `to` that no summary holds and that fit into `budget` tokens, counted,
-- oldest first, and the last three turns whole; `used` tokens are taken already by the message after `to`.
-- Where nothing is used yet, the newest message always fits; a budget of 0 asks for no more than that.
local function window_of(session, to, budget, used)
  local mean = session.last_seq > 0 and session.total_tokens / session.last_seq or 1
  local chunk = math.max(4, math.min(128, math.ceil((budget - used) / math.max(mean, 1)) + 1))
  local kept, is_first, is_full = {}, used == 0, false
  local users, walked = is_first and 0 or 1, is_first and 0 or 1
  local oldest = math.min(session.compacted_to, is_first and to - 1 or to) + 1
  repeat
    local messages = range_of(session, math.max(to - chunk + 1, oldest), to)
    for i = #messages, 1, -1 do
      used = used + tokens_of(messages[i])
      walked = walked + 1
      local is_recent = budget > 0 and users < KEPT_TURNS and walked <= KEPT_MESSAGES and used <= KEPT_TOKENS
      is_full = used > budget and not is_first and not is_recent
      if is_full then break end
      is_first = false
      if users < KEPT_TURNS and header_of(messages[i]).role == 'user' then users = users + 1 end
      kept[#kept + 1] = message_frame(to - #messages + i, messages[i])
    end
    to = to - chunk
  until is_full or #messages < chunk
  local n = #kept
  for i = 1, math.floor(n / 2) do kept[i], kept[n + 1 - i] = kept[n + 1 - i], kept[i] end
  return pack({ n }) .. table.concat(kept)
end

-- The tail, counted, oldest first: session key, epoch, sealed session id, message.
local function tail_of_scope()
  local entries = redis.call('XRANGE', TAIL, '-', '+')
  local frames = {}
  for i = 1, #entries do frames[i] = entries[i][2][4] end
  return pack({ #entries }) .. table.concat(frames)
end

-- Takes out of the tail what `matches(place)` names; returns how many.
local function trim_tail(matches)
  local removed = 0
  for _, entry in ipairs(redis.call('XRANGE', TAIL, '-', '+')) do
    if matches(place_of(entry)) then removed = removed + redis.call('XDEL', TAIL, entry[1]) end
  end
  if removed > 0 and redis.call('XLEN', TAIL) == 0 then redis.call('DEL', TAIL) end
  return removed
end

local function next_due()
  local first = redis.call('ZRANGE', DUE, 0, 0, 'WITHSCORES')
  return first[2] and int(tonumber(first[2])) or ''
end

-- Whether the line of waiters lets this ticket through; those that stopped asking lose their place.
local function is_next(sk, ticket)
  local line = key_of(sk, 'w')
  if redis.call('EXISTS', line) == 0 then return true end
  local asked = key_of(sk, 'wp')
  local gone = redis.call('ZRANGEBYSCORE', asked, '-inf', int(real_us() / 1000 - WAITER_LOST_MS))
  for _, other in ipairs(gone) do
    if other ~= ticket then
      redis.call('ZREM', line, other)
      redis.call('ZREM', asked, other)
    end
  end
  local first = redis.call('ZRANGE', line, 0, 0)[1]
  return not first or first == ticket
end

local function join_line(sk, ticket)
  local line, asked, at = key_of(sk, 'w'), key_of(sk, 'wp'), real_us()
  redis.call('ZADD', line, 'NX', int(at), ticket)
  redis.call('ZADD', asked, int(at / 1000), ticket)
  redis.call('PEXPIRE', line, 2 * WAITER_LOST_MS)
  redis.call('PEXPIRE', asked, 2 * WAITER_LOST_MS)
end

local function leave_line(sk, ticket)
  redis.call('ZREM', key_of(sk, 'w'), ticket)
  redis.call('ZREM', key_of(sk, 'wp'), ticket)
end

-- The oldest seq that a window of this size can still show; the last three turns stay whatever it is, and
-- what a summary holds goes.
local WALKED = 64

local function first_kept(session, window_tokens)
  local used, users, walked, at = 0, 0, 0, session.last_seq
  while true do
    local messages = range_of(session, math.max(at - WALKED + 1, session.compacted_to + 1), at)
    for i = #messages, 1, -1 do
      used, walked = used + tokens_of(messages[i]), walked + 1
      if used > window_tokens and (users >= KEPT_TURNS or walked > KEPT_MESSAGES) then return at + 1 end
      if header_of(messages[i]).role == 'user' then users = users + 1 end
      at = at - 1
    end
    if #messages < WALKED then return at + 1 end
  end
end

-- Drops what is archived and out of the window, and the clients' ids with it.
local function trim_session(session, window_tokens)
  local first = math.min(first_kept(session, tonumber(window_tokens)), session.archived_to + 1)
  local surplus = first - first_seq(session)
  if surplus <= 0 then return end
  local c = key_of(session.sk, 'c')
  redis.call('LTRIM', key_of(session.sk, 'm'), int(surplus), -1)
  local clients = redis.call('HGETALL', c)
  for i = 1, #clients, 2 do
    if tonumber(string.match(clients[i + 1], '^%d+')) < first then redis.call('HDEL', c, clients[i]) end
  end
end
