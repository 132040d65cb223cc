#!lua flags=no-writes
-- Searches the nearest drivers that can be found: in the GEO set, AVAILABLE, and with a heartbeat that has not ended.
-- KEYS  incarnation, geo, status, online, fix, profile
-- ARGV  pass, now, lat, lon, radius_mm, limit, budget, after_mm, after_id, stop_mm, cells as score, level, mm…
-- REPLY FOUND now_ms, drivers as id, mm, cell, fix, profile…
-- REPLY PART now_ms, drivers, mm, id (examined up to here), cells that are not opened as score, level, mm…
-- REPLY REBUILDING
-- COST  about a microsecond for each driver it reads and five for each cell; the budget bounds their sum
--@include clock
--@include guard
--@include nearest
--@include told
local incarnation, geo, status, online, fix, profile = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local pass, now = ARGV[1], now_us(ARGV[2])
local now_ms = math.floor(now / 1000)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local found, rest, mm, id = nearest(geo, status, online, 3, now_ms)
local drivers = told(found, fix, profile)
return rest and {'PART', now_ms, drivers, mm, id, rest} or {'FOUND', now_ms, drivers}
