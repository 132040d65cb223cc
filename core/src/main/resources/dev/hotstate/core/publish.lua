#!lua
-- Adds an event to its topic and lets go of what is too old or too much. Ids grow over all topics together, so that one
-- id says where a reader of several topics was.
-- KEYS  clock, topic
-- ARGV  now, verb, json, keep_ms, keep_count
-- REPLY PUBLISHED id
-- COST  O(1) amortised
--@include clock
local clock, topic = KEYS[1], KEYS[2]
local now, verb, json, keep, count = now_us(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])

local id = math.max((tonumber(redis.call('HGET', clock, 'last')) or 0) + 1, now)
local text = string.format('%.0f', id)
redis.call('HSETNX', clock, 'born', text)
redis.call('HSET', clock, 'last', text)
redis.call('XADD', topic, 'MINID', '~', string.format('%.0f', now - keep * 1000), text .. '-0', 'verb', verb, 'json', json)
redis.call('XTRIM', topic, 'MAXLEN', '~', count)
redis.call('PEXPIRE', topic, keep * 2)
return {'PUBLISHED', text .. '-0'}
