#!lua flags=allow-oom
-- Lets drivers go that were taken and not reserved in PostgreSQL: each is AVAILABLE as before, or OFFLINE if its heartbeat
-- has ended. One that is not held by this fence stays as it is.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts
-- ARGV  pass, now, pairs of id and fence…
-- REPLY RELEASED a letter for each: A available, O offline, = it was not held by this fence
-- REPLY REBUILDING
-- COST  O(n log N) for n drivers; n is at most 200
--@include clock
--@include guard
--@include fix
--@include place
local pass, now = ARGV[1], now_us(ARGV[2])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end

local now_ms = math.floor(now / 1000)
local ids = {}
for i = 3, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
local held, lines = redis.call('HMGET', RESERVED, unpack(ids)), redis.call('HMGET', FIX, unpack(ids))
local profiles, beats = redis.call('HMGET', PROFILE, unpack(ids)), redis.call('ZMSCORE', ONLINE, unpack(ids))

local p, letters = places(), {}
for i, id in ipairs(ids) do
  local fence = held[i] and string.match(held[i], '^%S+ (%S+)')
  if fence == ARGV[2 * i + 2] and lines[i] then
    local alive = beats[i] and tonumber(beats[i]) > now_ms
    letters[i] = alive and 'A' or 'O'
    turn(p, id, lines[i], letters[i], tags_of(profiles[i]), not alive and string.format('%.0f', now_ms) or nil)
  else
    letters[i] = '='
  end
end
placed(p)
return {'RELEASED', table.concat(letters)}
