-- changes: makes changes that stand in ARGV from a place on, each with the place of its key in KEYS:
--   incr key n ttl_ms, float key x, hset key field value ttl_ms, sadd key member, zadd key n, n scores and members in turn.
-- A ttl of 0 is none. A sorted set keeps its 1,000 newest.
local function make_changes(from)
  local i = from
  while i <= #ARGV do
    local word, key = ARGV[i], KEYS[tonumber(ARGV[i + 1])]
    if word == 'incr' then
      redis.call('INCRBY', key, ARGV[i + 2])
      if ARGV[i + 3] ~= '0' then
        redis.call('PEXPIRE', key, ARGV[i + 3])
      end
      i = i + 4
    elseif word == 'float' then
      redis.call('INCRBYFLOAT', key, ARGV[i + 2])
      i = i + 3
    elseif word == 'hset' then
      redis.call('HSET', key, ARGV[i + 2], ARGV[i + 3])
      if ARGV[i + 4] ~= '0' then
        redis.call('PEXPIRE', key, ARGV[i + 4])
      end
      i = i + 5
    elseif word == 'sadd' then
      redis.call('SADD', key, ARGV[i + 2])
      i = i + 3
    else
      local last = i + 2 + tonumber(ARGV[i + 2])
      redis.call('ZADD', key, unpack(ARGV, i + 3, last))
      redis.call('ZREMRANGEBYRANK', key, 0, -1001)
      i = last + 1
    end
  end
end
