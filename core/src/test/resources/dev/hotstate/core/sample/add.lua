#!lua
-- Adds to two counters at once.
-- KEYS  first, second
-- ARGV  amount
-- REPLY ADDED first second
-- COST  O(1)
local first, second = KEYS[1], KEYS[2]
local amount = tonumber(ARGV[1])

return {'ADDED', redis.call('INCRBY', first, amount), redis.call('INCRBY', second, amount)}
