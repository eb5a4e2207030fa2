#!lua flags=allow-oom
-- Deletes a session, its older epochs that still wait for the archive, and its part of the tail; answers how many
-- messages went, and of each epoch the session's key and its number.
local sk = ARGV[3]

if is_ended() then return pack({ 'ended' }) end
local removed, out = 0, { 'ok', 0 }
local prefix = sk .. '~'
for _, other in ipairs(redis.call('ZRANGE', SESSIONS, 0, -1)) do
  if other == sk or string.sub(other, 1, #prefix) == prefix then
    local key, epoch, messages = delete_session(other)
    removed = removed + messages
    out[#out + 1], out[#out + 2] = key, epoch
  end
end
drop_session(sk)
trim_tail(function(place) return place.sk == sk end)
out[2] = removed
return pack(out)
