#!lua flags=no-writes
-- Reads what came after an event, or says that some of it may be gone: the event is older than what is kept, is not in
-- these topics (any more), or was followed by more than is worth sending.
-- KEYS  clock, topic…
-- ARGV  id (us), now, keep_ms, most a topic (less than a topic keeps)
-- REPLY EVENTS for each its topic's place among the keys, id, verb, json…
-- REPLY RESET
-- COST  O(most) a topic
--@include clock
local id, now, keep, most = tonumber(ARGV[1]), now_us(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local last = tonumber(redis.call('HGET', KEYS[1], 'last'))
if id == last then
  return {'EVENTS', {}}
end
if not last or id > last or id < now - keep * 1000 then
  return {'RESET'}
end

local found, events = false, {}
for i = 2, #KEYS do
  local entries = redis.call('XRANGE', KEYS[i], ARGV[1] .. '-0', '+', 'COUNT', most + 2)
  if #entries > most then
    return {'RESET'}
  end
  for _, entry in ipairs(entries) do
    if entry[1] == ARGV[1] .. '-0' then
      found = true
    else
      events[#events + 1] = i - 1
      events[#events + 1] = entry[1]
      events[#events + 1] = entry[2][2]
      events[#events + 1] = entry[2][4]
    end
  end
end
return found and {'EVENTS', events} or {'RESET'}
