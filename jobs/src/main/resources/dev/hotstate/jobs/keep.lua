#!lua flags=allow-oom
-- Gives tasks more time, for those whose fence is still the task's: up to the end of their timeout. One that has lapsed, but
-- that nobody else has begun or ended, is held again.
-- KEYS  incarnation, leases, lapsed
-- ARGV  pass, now, lease_ms, least where a lease that is longer already stays, tasks as job, task, fence…
-- REPLY KEPT for each task the end of its lease (ms), or 0 where the fence is stale, or -1 where its job was cancelled;
--       and its queue and permit
-- REPLY REBUILDING
-- COST  O(m log n) for m tasks; at most 500 of them
--@include clock
--@include guard
--@include base
--@include attempt
--@include kit
local incarnation, leases, lapsed = KEYS[1], KEYS[2], KEYS[3]
local pass, now, lease, least = ARGV[1], now_us(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == 'least'
local now_ms = math.floor(now / 1000)
local base = base_of(incarnation)

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end

local kept, scores, members, states = {}, {}, {}, {}
for i = 5, #ARGV, 3 do
  local id, member = ARGV[i], ARGV[i] .. ':' .. ARGV[i + 1]
  states[id] = states[id] or redis.call('HGET', base .. 'job:' .. id, 'status') or 'GONE'
  local h = redis.call('HMGET', base .. 'task:' .. member, 'attempt', 'kit')
  local until_ms, held = 0, ''
  if h[1] then
    local fence, _, started, _, _, permit = attempt_of(h[1])
    local _, _, timeout, _, _, _, lane = kit_of(h[2])
    if fence == ARGV[i + 2] then
      if states[id] == 'CANCELLED' then
        until_ms = -1
      elseif started + timeout > now_ms then
        local held_until = least and tonumber(redis.call('ZSCORE', leases, member) or 0) or 0
        until_ms = math.max(math.min(now_ms + lease, started + timeout), held_until)
        scores[#scores + 1] = until_ms
        scores[#scores + 1] = member
        members[#members + 1] = member
        held = permit and string.match(lane, '^[^:]+') .. ' ' .. permit or ''
      end
    end
  end
  kept[#kept + 1] = until_ms
  kept[#kept + 1] = held
end
if #scores > 0 then
  redis.call('ZADD', leases, unpack(scores))
  redis.call('ZREM', lapsed, unpack(members))
end
return {'KEPT', kept}
