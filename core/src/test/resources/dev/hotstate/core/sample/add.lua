#!lua
-- Adds to two counters at once.
-- KEYS  first, second
-- ARGV  amount
-- REPLY ADDED first second
-- COST  O(1)
local first, second = KEYS[1], KEYS[2]
local call, amount = redis.call, tonumber(ARGV[1])

return {'ADDED', call('INCRBY', first, amount), call('INCRBY', second, amount)}
