#!lua
-- Counts a visit and notes when it was. It exists to be measured: about the work of putting one entry on an agenda.
-- KEYS  visits, seen
-- ARGV  id
-- REPLY VISITED count now_ms
-- COST  O(log n)
local visits, seen = KEYS[1], KEYS[2]
local id = ARGV[1]

local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local count = redis.call('HINCRBY', visits, id, 1)
redis.call('ZADD', seen, now_ms, id)
return {'VISITED', count, now_ms}
