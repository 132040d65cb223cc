#!lua
-- Takes the nearest drivers that can be found, for a while: they are reserved under a new fence, and nobody else finds them.
-- The fence is the incarnation and a count that follows the clock and never stands still or goes back, as a claim's is.
-- KEYS  incarnation, geo, status, online, fix, profile, reserved, leases, moved, moves, counts, set
-- ARGV  pass, now, lease_ms, reservations parted by spaces (as many as the limit), the question as nearest.lua has it…
-- REPLY TAKEN fence, until_ms, drivers as id, mm, cell, fix (as it was), profile, in the order of the reservations…
-- REPLY PART fence, until_ms, drivers, mm and id (it has examined those up to here), cells that it has not as score, level, mm…
-- REPLY REBUILDING
-- COST  that of a search, and O(log N) for each that is taken, at most 100
--@include clock
--@include guard
--@include fix
--@include place
--@include globe
--@include before
--@include alive
--@include glance
--@include by_cells
--@include nearest
--@include told
local incarnation, set = KEYS[1], KEYS[12]
local pass, now, lease = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3])
local now_ms = math.floor(now / 1000)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local found, rest, mm, id = nearest(set, FIX, ONLINE, 5, now_ms)
local drivers = told(found, PROFILE)
local count = math.max((tonumber(redis.call('HGET', incarnation, 'fence')) or 0) + 1, now)
local fence = string.match(pass, '^%d+') .. '-' .. string.format('%.0f', count)
local ends = string.format('%.0f', now_ms + lease)

if #found > 0 then
  local p, next_reservation = places(), string.gmatch(ARGV[4], '%S+')
  for i, driver in ipairs(found) do
    turn(p, driver[1], driver[4], 'R', tags_of(drivers[5 * i]), nil)
    hold(p, driver[1], next_reservation(), fence, ends)
  end
  placed(p)
  redis.call('HSET', incarnation, 'fence', string.format('%.0f', count))
end
return rest and {'PART', fence, ends, drivers, mm, id, rest} or {'TAKEN', fence, ends, drivers}
