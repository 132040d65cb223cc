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

local ids = {}
for i = 3, #ARGV, 3 do
  ids[#ids + 1] = ARGV[i]
end
local notes = redis.call('HMGET', fences, unpack(ids))

local settled, ended, again, gone = {}, {}, {}, {}
for i, id in ipairs(ids) do
  local fence, due = ARGV[3 * i + 1], ARGV[3 * i + 2]
  local last, wish = held_by(notes[i] or '-')
  local valid = notes[i] and last == fence and not ended[id]
  if valid then
    local at = due ~= '' and due_ms(due, now) or nil
    local next_due = at and wish and math.min(at, wish) or at or wish
    if next_due then
      again[#again + 1] = next_due
      again[#again + 1] = id
    else
      gone[#gone + 1] = id
    end
    ended[id] = true
    ended[#ended + 1] = id
  end
  settled[i] = valid and 1 or 0
end

if #again > 0 then
  redis.call('ZADD', schedule, unpack(again))
end
if #gone > 0 then
  redis.call('ZREM', schedule, unpack(gone))
end
if #ended > 0 then
  redis.call('HDEL', fences, unpack(ended))
end
return {'SETTLED', settled}
