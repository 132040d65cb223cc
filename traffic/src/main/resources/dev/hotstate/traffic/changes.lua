-- changes: makes changes that stand in ARGV from a place on, each with the place of its key in KEYS:
--   incr key by ttl_ms, float key by, raise key to_at_least ttl_ms, sadd key member,
--   hset key ttl_ms n and n fields and values in turn, zadd key n and n scores and members in turn.
-- A ttl of 0 is none. A sorted set keeps its 1,000 newest. No n passes 2,000.
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
    elseif word == 'raise' then
      if tonumber(ARGV[i + 2]) > (tonumber(redis.call('GET', key)) or 0) then
        redis.call('SET', key, ARGV[i + 2])
        if ARGV[i + 3] ~= '0' then
          redis.call('PEXPIRE', key, ARGV[i + 3])
        end
      end
      i = i + 4
    elseif word == 'hset' then
      local last = i + 3 + tonumber(ARGV[i + 3])
      redis.call('HSET', key, unpack(ARGV, i + 4, last))
      if ARGV[i + 2] ~= '0' then
        redis.call('PEXPIRE', key, ARGV[i + 2])
      end
      i = last + 1
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
