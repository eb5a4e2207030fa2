#!lua flags=allow-oom
-- Sets the buffer of access counts aside under an id ('take'), or deletes it by that id ('drop').
local verb, id = unpack(ARGV, 3)
local buffer, taken = P .. ':a', P .. ':a:taken'

if is_ended() then return pack({ 'ended' }) end
if verb == 'drop' then
  if redis.call('HGET', taken, 'id') == id then redis.call('DEL', taken) end
  return pack({ 'ok' })
end
if redis.call('EXISTS', taken) == 0 and redis.call('EXISTS', buffer) == 1 then
  redis.call('RENAME', buffer, taken)
  redis.call('HSET', taken, 'id', id)
end
local out = { 'ok' }
for _, part in ipairs(redis.call('HGETALL', taken)) do out[#out + 1] = part end
return pack(out)
