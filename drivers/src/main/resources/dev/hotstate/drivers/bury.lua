#!lua flags=allow-oom
-- Removes tombstones that nobody needs any more, unless the driver has left again since.
-- KEYS  incarnation, moved, moves
-- ARGV  pass, now, tombstones as id, epoch…
-- REPLY BURIED how many
-- REPLY REBUILDING
-- COST  O(n log N) for n tombstones; n is at most 200
--@include clock
--@include guard
--@include tombstone
local pass, now = ARGV[1], now_us(ARGV[2])
if not admitted(KEYS[1], pass, now) then
  return {'REBUILDING'}
end
local ids, buried = {}, {}
for i = 3, #ARGV, 2 do
  ids[#ids + 1] = ARGV[i]
end
local stones = redis.call('HMGET', KEYS[2], unpack(ids))
for i, id in ipairs(ids) do
  local stone = stones[i]
  if stone and select(2, tombstone_of(stone)) == ARGV[2 * i + 2] then
    buried[#buried + 1] = id
  end
end
if #buried > 0 then
  redis.call('HDEL', KEYS[2], unpack(buried))
  redis.call('ZREM', KEYS[3], unpack(buried))
end
return {'BURIED', #buried}
