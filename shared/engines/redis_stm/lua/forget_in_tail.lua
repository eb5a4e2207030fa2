#!lua flags=allow-oom
-- Takes messages, by id, out of the tail. Replies to idempotency keys that tell of them, or of memories by their
-- ids, are not told again; the keys stay taken.
if is_ended() then return pack({ 'ended' }) end
local wanted = {}
for i = 3, #ARGV do wanted[ARGV[i]] = true end
forget_claims(function(key)
  local ids, state = unpack(redis.call('HMGET', key, 'ids', 'state'))
  for id in string.gmatch(state == 'done' and ids or '', '%S+') do
    if wanted[id] then return true end
  end
  return false
end)
return pack({ 'ok', trim_tail(function(place) return wanted[place.id] end) })
