#!lua
-- Gives the places of endpoints back that nobody asked for in a long time. What they counted goes to other, so that all
-- endpoints together still are the total. One that was asked for meanwhile stays.
-- Counted are of each endpoint in turn: its requests, errors, responses, sum and samples.
-- KEYS  endpoints, seen, other_requests, other_errors, other_responses, other_sum, counted…
-- ARGV  now, how long unseen (ms), segments…
-- REPLY RETIRED how many
-- COST  O(n) for n endpoints, at most 50 a call, each with 1,000 samples
--@include clock
local endpoints, seen = KEYS[1], KEYS[2]
local now, unseen = now_us(ARGV[1]), tonumber(ARGV[2])
local before = math.floor(now / 1000) - unseen
local retired, freed, counts, sum = {}, {}, {0, 0, 0}, {}
for i = 3, #ARGV do
  local last = tonumber(redis.call('ZSCORE', seen, ARGV[i]))
  if last and last <= before then
    local first = 7 + 5 * (i - 3)
    retired[#retired + 1] = ARGV[i]
    for j = 1, 3 do
      counts[j] = counts[j] + (tonumber(redis.call('GET', KEYS[first + j - 1])) or 0)
    end
    sum[#sum + 1] = redis.call('GET', KEYS[first + 3]) or nil
    for j = first, first + 4 do
      freed[#freed + 1] = KEYS[j]
    end
  end
end
if #retired > 0 then
  redis.call('HDEL', endpoints, unpack(retired))
  redis.call('ZREM', seen, unpack(retired))
  redis.call('DEL', unpack(freed))
  redis.call('HSET', endpoints, 'other', 'other')
  for j = 1, 3 do
    redis.call('INCRBY', KEYS[2 + j], string.format('%.0f', counts[j]))
  end
  for _, ms in ipairs(sum) do
    redis.call('INCRBYFLOAT', KEYS[6], ms)
  end
end
return {'RETIRED', string.format('%.0f', #retired)}
