#!lua
-- Notes how far a rebuild has come, for whoever takes it over. The note is in Redis, beside what was loaded, so that it
-- is lost with it.
-- KEYS  incarnation
-- ARGV  pass, now, cursor
-- REPLY MARKED
-- REPLY REBUILDING
-- COST  O(1)
--@include clock
--@include guard
if not admitted(KEYS[1], ARGV[1], now_us(ARGV[2])) then
  return {'REBUILDING'}
end
redis.call('HSET', KEYS[1], 'cursor', ARGV[3])
return {'MARKED'}
