#!lua flags=no-writes
-- Tells how a counter stands, as a call of cost 1 would find it.
-- KEYS  counter
-- ARGV  now, kind, size, span (window in us, or a bucket's token), drain
-- REPLY STANDING remaining, reset_after_us, retry_after_us
-- COST  O(1), of a log O(log n)
--@include clock
--@include window
--@include bucket
--@include log
--@include standing
local now = now_us(ARGV[1])
local room, retry, reset =
  standing_of(KEYS[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), 1, now)
return {'STANDING', math.max(0, room), reset, retry}
