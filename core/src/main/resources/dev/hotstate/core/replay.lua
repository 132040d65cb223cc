#!lua flags=no-writes
-- Reads what came after an event, or says that some of it is gone: the streams are younger than the event, were trimmed
-- past it, or hold more than is worth sending.
-- KEYS  clock, topic…
-- ARGV  id (us), most a topic
-- REPLY EVENTS for each its topic's place among the keys, id, verb, json…
-- REPLY RESET
-- COST  O(most) a topic
local id, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local born = tonumber(redis.call('HGET', KEYS[1], 'born'))
if not born or id < born then
  return {'RESET'}
end

local events = {}
for i = 2, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then
    local info = redis.call('XINFO', 'STREAM', KEYS[i])
    for f = 1, #info, 2 do
      if info[f] == 'max-deleted-entry-id' and tonumber(string.match(info[f + 1], '^%d+')) > id then
        return {'RESET'}
      end
    end
    local entries = redis.call('XRANGE', KEYS[i], '(' .. ARGV[1] .. '-0', '+', 'COUNT', most + 1)
    if #entries > most then
      return {'RESET'}
    end
    for _, entry in ipairs(entries) do
      events[#events + 1] = i - 1
      events[#events + 1] = entry[1]
      events[#events + 1] = entry[2][2]
      events[#events + 1] = entry[2][4]
    end
  end
end
return {'EVENTS', events}
