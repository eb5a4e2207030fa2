-- Lists live sessions, the last used first; entries of sessions that are gone are cleared on the way.
local limit, before = unpack(ARGV, 3)
limit = tonumber(limit)

if is_ended() then return pack({ 'ended' }) end
local found, offset = {}, 0
local top = before == '' and '+inf' or '(' .. before
while #found < limit do
  local members = redis.call('ZREVRANGEBYSCORE', SESSIONS, top, '-inf', 'LIMIT', offset, limit)
  local gone = {}
  for i = 1, #members do
    local sk = members[i]
    local session = not string.find(sk, '~', 1, true) and load_session(sk) or nil
    if session and is_expired(session) then session = nil end
    if session and #found < limit then found[#found + 1] = session end
    if redis.call('EXISTS', key_of(sk, 'h')) == 0 then gone[#gone + 1] = sk end
  end
  for i = 1, #gone do redis.call('ZREM', SESSIONS, gone[i]) end
  offset = offset + #members - #gone
  if #members < limit then break end
end
local out = { 'ok', #found }
for i = 1, #found do
  out[#out + 1] = found[i].sk
  add_session(out, found[i])
end
return pack(out)
