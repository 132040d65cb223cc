#!lua
-- Begins a new life of the counters, none of which is below a checkpoint then. It may be repeated: what counted more stays.
-- The caller names the life in which it found them lost, empty for none. Where they have another by now somebody else was
-- first, and nothing changes.
-- A life is a number that is greater than those before it, so that an older copy of Redis is told from a newer life.
-- KEYS  life, counted…
-- ARGV  now, the life found, the greatest life that the caller knows or '', changes as changes.lua has them…
-- REPLY RESTORED
-- REPLY KNOWN
-- COST  O(c) for c changes: five an endpoint, so at most 6,000, and only when Redis was lost
--@include clock
--@include changes
local life, found, known = KEYS[1], ARGV[2], tonumber(ARGV[3]) or 0
local present = redis.call('GET', life) or ''
if present ~= found then
  return {'KNOWN'}
end
local next_life = math.max(now_us(ARGV[1]), known + 1, (tonumber(present) or 0) + 1)
make_changes(4)
redis.call('SET', life, string.format('%.0f', next_life))
return {'RESTORED'}
