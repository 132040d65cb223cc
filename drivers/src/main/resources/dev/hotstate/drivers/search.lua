#!lua flags=no-writes
-- Searches the nearest drivers that can be found: in a GEO set (all, or those of a tag), AVAILABLE, and with a heartbeat that has not ended.
-- KEYS  incarnation, set, online, fix, profile
-- ARGV  pass, now, the question as nearest.lua has it…
-- REPLY FOUND now_ms, drivers as id, mm, cell, fix, profile…
-- REPLY PART now_ms, drivers, mm and id (it has examined those up to here), cells that it has not as score, level, mm…
-- REPLY REBUILDING
-- COST  O(log N) for each cell and driver that it looks at; the budget bounds how many: 600 are two milliseconds or three
--@include clock
--@include guard
--@include globe
--@include before
--@include alive
--@include glance
--@include by_cells
--@include nearest
--@include told
local incarnation, set, online, fix, profile = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local pass, now = ARGV[1], now_us(ARGV[2])
local now_ms = math.floor(now / 1000)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local found, rest, mm, id = nearest(set, fix, online, 3, now_ms)
local drivers = told(found, profile)
return rest and {'PART', now_ms, drivers, mm, id, rest} or {'FOUND', now_ms, drivers}
