#!lua flags=no-writes
-- Tells how a counter stands, as a call of cost 1 would find it.
-- KEYS  counter
-- ARGV  now, kind, size, span (window in us, or a bucket's token), drain, label
-- REPLY STANDING remaining, reset_after_us, retry_after_us
-- COST  O(1), of a log O(log n)
--@include clock
--@include value_of
--@include slot_of
--@include window
--@include bucket
--@include log
local now, kind, size, span = now_us(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local room, retry, reset
if kind == 'l' then
  room, retry, reset = log_of(KEYS[1], size, span, 1, now)
else
  local _, first, second, third = slot_of(value_of(KEYS[1]), ARGV[6], 0)
  if kind == 'b' then
    room, retry, reset = bucket_of(first, second, third, size, span, tonumber(ARGV[5]), 1, now)
  else
    room, retry, reset = window_of(first, second, third, kind == 's', size, span, 1, now)
  end
end
return {'STANDING', math.max(0, room), reset, retry}
