#!lua flags=no-writes
-- The drivers that left this region in a time, the first to leave first.
-- KEYS  incarnation, moved, moves
-- ARGV  pass, now, from_ms, until_ms (itself left out), max
-- REPLY MOVES moves as id, left_ms, region, epoch, line of fix, line of profile (empty: none)…
-- REPLY REBUILDING
-- COST  O(max log n); max is at most 200
--@include clock
--@include guard
--@include tombstone
local pass, now, from, to, max = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end
local left = redis.call('ZRANGE', KEYS[3], from, '(' .. to, 'BYSCORE', 'LIMIT', 0, max, 'WITHSCORES')
local ids, moves = {}, {}
for i = 1, #left, 2 do
  ids[#ids + 1] = left[i]
end
if #ids > 0 then
  local stones = redis.call('HMGET', KEYS[2], unpack(ids))
  for i, id in ipairs(ids) do
    for _, part in ipairs({id, left[2 * i], tombstone_of(stones[i])}) do
      moves[#moves + 1] = part
    end
  end
end
return {'MOVES', moves}
