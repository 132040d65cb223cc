#!lua
-- Begins a new life of the counters with the totals of a checkpoint. The first caller does so; all others are told that it
-- is done, so the checkpoint is added once.
-- KEYS  life, counted…
-- ARGV  life, changes as changes.lua has them…
-- REPLY RESTORED
-- REPLY KNOWN
-- COST  O(c) for c changes: four an endpoint, so at most 5,000, and only when Redis was lost
--@include changes
if redis.call('EXISTS', KEYS[1]) == 1 then
  return {'KNOWN'}
end
make_changes(2)
redis.call('SET', KEYS[1], ARGV[1])
return {'RESTORED'}
