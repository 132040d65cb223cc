#!lua
-- Removes keys that an earlier incarnation left behind, for the one rebuilder only.
-- KEYS  incarnation, leftover…
-- ARGV  pass, now
-- REPLY WIPED how many
-- REPLY REBUILDING
-- COST  O(m) for m keys, at most 500 of them; their memory is freed in the background
--@include clock
--@include guard
if not admitted(KEYS[1], ARGV[1], now_us(ARGV[2])) then
  return {'REBUILDING'}
end

local wiped = 0
for i = 2, #KEYS do
  wiped = wiped + redis.call('UNLINK', KEYS[i])
end
return {'WIPED', wiped}
