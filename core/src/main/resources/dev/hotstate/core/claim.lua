#!lua
-- Claims what is due: moves it to the end of a lease, in place, under a new fence. Nothing is popped, so what a dead
-- claimer held is due again when the lease ends.
-- The fence is the incarnation and a count that follows the clock in microseconds and never stands still or goes back:
-- it grows with each claim, and also after a failover that lost the last claims, where a plain counter would repeat.
-- After a silence (nobody could reach Redis, so nobody could extend) leases that ran out meanwhile get one lease more.
-- KEYS  incarnation, schedule, fences
-- ARGV  pass, now, max, lease_ms
-- REPLY CLAIMED fence now_ms, entries as id, due_ms, lapsed (1 when an earlier claim's lease ran out)…
-- REPLY IDLE ms until the next entry is due, -1 when there is none
-- REPLY REBUILDING
-- COST  O(max log n); max is at most 500, so Redis is held for a millisecond or two at most
--@include clock
--@include guard
--@include fences
local incarnation, schedule, fences = KEYS[1], KEYS[2], KEYS[3]
local pass, now, max, lease = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now_ms = math.floor(now / 1000)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local due = redis.call('ZRANGE', schedule, '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, max, 'WITHSCORES')
if #due == 0 then
  local first = redis.call('ZRANGE', schedule, 0, 0, 'WITHSCORES')
  return {'IDLE', first[2] and math.max(1, tonumber(first[2]) - now_ms) or -1}
end

local state = redis.call('HMGET', incarnation, 'fence', 'resumed')
local count = math.max((tonumber(state[1]) or 0) + 1, now)
local fence = string.match(pass, '^%d+') .. '-' .. string.format('%.0f', count)
local spared_until = math.floor((tonumber(state[2]) or 0) / 1000) + lease

local ids = {}
for i = 1, #due, 2 do
  ids[#ids + 1] = due[i]
end
local notes = redis.call('HMGET', fences, unpack(ids))

-- Made texts once: Redis prints each number of Lua's with seventeen digits.
local lease_end, spare_end = string.format('%.0f', now_ms + lease), string.format('%.0f', spared_until)
local entries, scores, held = {}, {}, {}
for i, id in ipairs(ids) do
  local note, score = notes[i], due[2 * i]
  if note and now_ms < spared_until and tonumber(score) <= spared_until - lease then
    scores[#scores + 1] = spare_end
    scores[#scores + 1] = id
  else
    local wish
    if note then
      wish = select(2, held_by(note))
    end
    scores[#scores + 1] = lease_end
    scores[#scores + 1] = id
    held[#held + 1] = id
    held[#held + 1] = wish and fence .. ' ' .. string.format('%.0f', wish) or fence
    entries[#entries + 1] = id
    entries[#entries + 1] = score
    entries[#entries + 1] = note and '1' or '0'
  end
end
redis.call('ZADD', schedule, unpack(scores))
if #held > 0 then
  redis.call('HSET', fences, unpack(held))
  redis.call('HSET', incarnation, 'fence', count)
end
return {'CLAIMED', fence, now_ms, entries}
