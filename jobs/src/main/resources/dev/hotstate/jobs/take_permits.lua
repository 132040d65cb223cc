#!lua
-- Takes permits of a queue, as many of those offered as its limit leaves room for. A permit is a lease: one that nobody
-- keeps counts no more, and its place is another's.
-- KEYS  incarnation, permits
-- ARGV  pass, now, limit, lease_ms, life_ms, permits…
-- REPLY TAKEN how many of the permits, the first ones; 0 when the queue is full
-- REPLY REBUILDING
-- COST  O(offered log running); at most 100 are offered, and what has run out is gone at the next call
--@include clock
--@include guard
local incarnation, permits = KEYS[1], KEYS[2]
local pass, now, limit, lease, life = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local now_ms = math.floor(now / 1000)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local running = redis.call('ZCOUNT', permits, '(' .. string.format('%.0f', now_ms), '+inf')
local room = math.max(0, math.min(limit - running, #ARGV - 5))
if room == 0 then
  return {'TAKEN', 0}
end

redis.call('ZREMRANGEBYSCORE', permits, '-inf', now_ms)
local entries = {}
for i = 6, 5 + room do
  entries[#entries + 1] = now_ms + lease
  entries[#entries + 1] = ARGV[i]
end
redis.call('ZADD', permits, unpack(entries))
-- Another's permit may be for longer.
if redis.call('PTTL', permits) < life then
  redis.call('PEXPIRE', permits, life)
end
return {'TAKEN', room}
