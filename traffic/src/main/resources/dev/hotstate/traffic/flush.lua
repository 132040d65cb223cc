#!lua
-- Adds what one instance counted since its last flush, renews its lease and works out the fleet's gauges.
-- A writer is one run of an instance and numbers its flushes. One that was added already is answered REPEATED and changes
-- nothing, so a flush without an answer is sent again.
-- Without a life the counters are lost, and nothing is added. Those of an earlier life than the writer knows, or of the
-- same one without the writer's last flush, are an older copy (put back, or of a replica that lagged): as good as lost.
-- The names of instances have a cap: where a new one does not fit, all of the flush waits until it is counted as other's.
-- The directory of endpoints has a cap, beside which other has a place of its own: where new ones do not fit, all of the
-- flush waits until they are counted as other.
-- Seconds bear the labels of the instances' own clocks; where the sender's clock is more than 5 s off Redis's, they are
-- moved by as much. A second is closed when it ended two seconds ago. Maxima begin anew when a new process comes while no
-- process holds a lease; one that knows a life is not new.
-- A lease of 0 ms is that of a process that leaves; one that reports from elsewhere has no current connections ('').
-- The pairs are first of segment and name, as many as endpoints, then of second and count; changes are as in changes.lua.
-- KEYS  life, writer, endpoints, seen, instances, connections, seconds, current, max_current, speed, max_speed, counted…
-- ARGV  now, sequence, writer, instance, sender_s, lease_ms, current, peak, cap, instance_cap,
--       known_life, endpoints, seconds, pairs…, changes…
-- REPLY FLUSHED life
-- REPLY REPEATED life
-- REPLY LOST life they have, empty for none
-- REPLY CROWDED
-- REPLY FULL segments that do not fit
-- COST  O(c log 1000 + p), c changes, p processes; of 50 endpoints at most with 1,000 samples and 1,100 values of slots
--@include clock
--@include changes
local life, writer, endpoints, seen, instances, connections, seconds = unpack(KEYS, 1, 7)
local current_key, max_current_key, speed_key, max_speed_key = unpack(KEYS, 8, 11)
local now, sequence, me, instance = now_us(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local sender_s, lease, current, peak = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local cap, instance_cap, known = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local endpoint_count, second_count = tonumber(ARGV[12]), tonumber(ARGV[13])
local now_ms, now_s = math.floor(now / 1000), math.floor(now / 1000000)
local pairs_at = 14
local seconds_at = pairs_at + 2 * endpoint_count
local changes_at = seconds_at + 2 * second_count

local alive = redis.call('GET', life) or ''
local added = tonumber(redis.call('GET', writer)) or 0
local age = tonumber(alive)
if not age or known and (age < known or age == known and added < sequence - 1) then
  return {'LOST', alive}
end
if sequence <= added then
  return {'REPEATED', alive}
end
redis.call('ZREMRANGEBYSCORE', instances, '-inf', now_ms - 86400000)
if instance ~= 'other' and redis.call('ZCARD', instances) >= instance_cap
  and not redis.call('ZSCORE', instances, instance) then
  return {'CROWDED'}
end

local segments, new, refused = {}, {}, {}
for i = pairs_at, seconds_at - 1, 2 do
  segments[#segments + 1] = ARGV[i]
end
if #segments > 0 then
  local room = cap - redis.call('HLEN', endpoints) + redis.call('HEXISTS', endpoints, 'other')
  for i, name in ipairs(redis.call('HMGET', endpoints, unpack(segments))) do
    if not name then
      new[#new + 1] = pairs_at + 2 * (i - 1)
      if segments[i] ~= 'other' then
        room = room - 1
        if room < 0 then
          refused[#refused + 1] = segments[i]
        end
      end
    end
  end
end
if #refused > 0 then
  return {'FULL', refused}
end

-- The processes that live, and what they have open.
local sum, peaks, gone, anybody = 0, 0, {}, false
local leases = redis.call('HGETALL', connections)
for i = 1, #leases, 2 do
  local ends, open, most = string.match(leases[i + 1], '^(%d+) (%d+) (%d+)$')
  if tonumber(ends) <= now_ms then
    gone[#gone + 1] = leases[i]
  else
    anybody = true
    if leases[i] ~= me then
      sum = sum + tonumber(open)
      peaks = peaks + tonumber(most)
    end
  end
end
local begins = current and not known and added == 0 and not anybody

-- The seconds of the fleet, ours included.
local counts = {}
if not begins then
  local held = redis.call('HGETALL', seconds)
  for i = 1, #held, 2 do
    counts[tonumber(held[i])] = tonumber(held[i + 1])
  end
end
local skew = now_s - sender_s
if math.abs(skew) <= 5 then
  skew = 0
end
for i = seconds_at, changes_at - 1, 2 do
  local second = tonumber(ARGV[i]) + skew
  if second >= now_s - 10 and second <= now_s + 10 then
    counts[second] = (counts[second] or 0) + tonumber(ARGV[i + 1])
  end
end
local speed, fastest = counts[now_s - 3] or 0, 0
for _, requests in pairs(counts) do
  fastest = math.max(fastest, requests)
end
if not begins then
  fastest = math.max(fastest, tonumber(redis.call('GET', max_speed_key)) or 0)
end
local most = 0
if not begins then
  most = tonumber(redis.call('GET', max_current_key)) or 0
end

redis.call('SET', writer, ARGV[2], 'PX', 86400000)
for _, i in ipairs(new) do
  redis.call('HSET', endpoints, ARGV[i], ARGV[i + 1])
end
for _, segment in ipairs(segments) do
  if segment ~= 'other' then
    redis.call('ZADD', seen, now_ms, segment)
  end
end
redis.call('ZADD', instances, now_ms + lease, instance)
redis.call('PEXPIRE', instances, 86400000)

if current then
  for _, dead in ipairs(gone) do
    redis.call('HDEL', connections, dead)
  end
  if lease > 0 then
    sum, peaks = sum + current, peaks + peak
    redis.call('HSET', connections, me, string.format('%.0f %.0f %.0f', now_ms + lease, current, peak))
    redis.call('PEXPIRE', connections, 60000)
  else
    redis.call('HDEL', connections, me)
  end
  redis.call('SET', current_key, string.format('%.0f', sum), 'PX', 5000)
  redis.call('SET', max_current_key, string.format('%.0f', math.max(most, peaks)))
end

local open_seconds = {}
for second, requests in pairs(counts) do
  if second >= now_s - 10 then
    open_seconds[#open_seconds + 1] = string.format('%.0f', second)
    open_seconds[#open_seconds + 1] = string.format('%.0f', requests)
  end
end
redis.call('DEL', seconds)
if #open_seconds > 0 then
  redis.call('HSET', seconds, unpack(open_seconds))
  redis.call('PEXPIRE', seconds, 60000)
end
redis.call('SET', speed_key, string.format('%.0f', speed), 'PX', 5000)
redis.call('SET', max_speed_key, string.format('%.0f', fastest))

make_changes(changes_at)
return {'FLUSHED', alive}
