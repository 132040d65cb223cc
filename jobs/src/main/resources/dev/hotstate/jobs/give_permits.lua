#!lua
-- Gives permits back. One that is not there any more changes nothing.
-- KEYS  incarnation, permits
-- ARGV  pass, now, permits…
-- REPLY GIVEN how many were there
-- REPLY REBUILDING
-- COST  O(permits log running); at most 500 a call
--@include clock
--@include guard
local incarnation, permits = KEYS[1], KEYS[2]
local pass, now = ARGV[1], now_us(ARGV[2])

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local given = {}
for i = 3, #ARGV do
  given[#given + 1] = ARGV[i]
end
return {'GIVEN', redis.call('ZREM', permits, unpack(given))}
