#!lua flags=allow-oom
-- Deletes every session of a scope, older epochs included, and the tail; answers as `delete_session`.
if is_ended() then return pack({ 'ended' }) end
local removed, out = 0, { 'ok', 0 }
for _, sk in ipairs(redis.call('ZRANGE', SESSIONS, 0, -1)) do
  local key, epoch, messages = delete_session(sk)
  removed = removed + messages
  out[#out + 1], out[#out + 2] = key, epoch
end
redis.call('DEL', TAIL)
out[2] = removed
return pack(out)
