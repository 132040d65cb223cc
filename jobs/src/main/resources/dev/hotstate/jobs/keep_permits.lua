#!lua
-- Gives permits more time. One that is not there (its lease ran out, or Redis lost it) is there again: its task runs, so
-- it counts, also above the limit.
-- KEYS  incarnation, permits
-- ARGV  pass, now, lease_ms, life_ms, permits…
-- REPLY KEPT
-- REPLY REBUILDING
-- COST  O(permits log running); at most 500 a call
--@include clock
--@include guard
local incarnation, permits = KEYS[1], KEYS[2]
local pass, now, lease, life = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local till = math.floor(now / 1000) + lease

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local entries = {}
for i = 5, #ARGV do
  entries[#entries + 1] = till
  entries[#entries + 1] = ARGV[i]
end
redis.call('ZADD', permits, 'GT', unpack(entries))
-- Another's permit may be for longer.
if redis.call('PTTL', permits) < life then
  redis.call('PEXPIRE', permits, life)
end
return {'KEPT'}
