#!lua flags=no-writes
-- Whether a partition is whole under a pass that was taken before: then what was read of it since is all there is.
-- KEYS  incarnation
-- ARGV  pass, now
-- REPLY WHOLE
-- REPLY REBUILDING
-- COST  O(1)
--@include clock
--@include guard
local incarnation, pass, now = KEYS[1], ARGV[1], now_us(ARGV[2])

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
return {'WHOLE'}
