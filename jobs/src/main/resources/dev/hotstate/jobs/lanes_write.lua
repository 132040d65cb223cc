-- lanes_write: what lanes_read has found; before those that come are added, which may be among them.
if idle_lanes[1] then
  redis.call('ZREM', lanes, unpack(idle_lanes))
end
if busy_lanes[1] then
  redis.call('ZADD', lanes, unpack(busy_lanes))
end
