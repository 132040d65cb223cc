#!lua flags=no-writes
-- Tells which ten seconds Redis is in, and for how long: those before them are over, nothing is added to them any more.
-- The key is not read: it leads to the node whose time counts.
-- KEYS  rate
-- ARGV  now, slot_us
-- REPLY SLOT slot, since_us
-- COST  O(1)
--@include clock
local now, slot_us = now_us(ARGV[1]), tonumber(ARGV[2])
return {'SLOT', string.format('%.0f', math.floor(now / slot_us)), now % slot_us}
