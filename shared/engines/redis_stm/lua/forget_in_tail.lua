#!lua flags=allow-oom
-- Takes messages, by id, out of the tail.
if is_ended() then return pack({ 'ended' }) end
local wanted = {}
for i = 3, #ARGV do wanted[ARGV[i]] = true end
return pack({ 'ok', trim_tail(function(place) return wanted[place.id] end) })
