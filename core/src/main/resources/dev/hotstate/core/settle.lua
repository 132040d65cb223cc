#!lua
-- Ends claims, for those whose fence is still the last one: each entry is scheduled again, or gone. A time that it was put
-- for meanwhile counts: the sooner of the two, and an entry that is done stays for it.
-- KEYS  incarnation, schedule, fences
-- ARGV  pass, now, triples of id, fence and due (empty: done)…
-- REPLY SETTLED for each triple 1, or 0 where the fence is stale and nothing changed
-- REPLY REBUILDING
-- COST  O(m log n) for m triples; at most 500 of them
--@include clock
--@include guard
--@include fences
--@include due
local incarnation, schedule, fences = KEYS[1], KEYS[2], KEYS[3]
local pass, now = ARGV[1], now_us(ARGV[2])

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local settled = {}
for i = 3, #ARGV, 3 do
  local id, fence, due = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local note = redis.call('HGET', fences, id)
  local last, wish = held_by(note or '-')
  local valid = note and last == fence
  if valid then
    local at = due ~= '' and due_ms(due, now) or nil
    local next_due = at and wish and math.min(at, wish) or at or wish
    if next_due then
      redis.call('ZADD', schedule, next_due, id)
    else
      redis.call('ZREM', schedule, id)
    end
    redis.call('HDEL', fences, id)
  end
  settled[#settled + 1] = valid and 1 or 0
end
return {'SETTLED', settled}
