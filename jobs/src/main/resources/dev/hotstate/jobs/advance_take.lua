-- advance_take: of each lane takes what was there and what has just become ready, in order. Of several lanes the one goes first
-- whose first task has the greatest priority or is the oldest: so none is always the last. Of what was there three looks are
-- taken at most, since what is of a paused or ended job makes way; who meets more of those asks again.
local turns, firsts = {9}, {}
if #keys > 9 then
  turns = {}
  for k = 9, #keys do
    local first = tonumber(call('ZRANGE', keys[k], '0', '0', 'WITHSCORES')[2] or nil)
    for group in pairs(fresh[sub(keys[k], #ready_prefix + 1)] or {}) do
      first = math.min(first or 1 / 0, rank_of(group, now) + 0)
    end
    if first then
      turns[#turns + 1] = k
      firsts[k] = first
    end
  end
  table.sort(turns, function(one, other)
    return firsts[one] < firsts[other] or firsts[one] == firsts[other] and one < other
  end)
end
for turn = 1, #turns do
  if room <= 0 then
    break
  end
  local k = turns[turn]
  local set, number = keys[k], k == 9 and '1' or format('%d', k - 8)
  local lane = sub(set, #ready_prefix + 1)
  local there = call('ZRANGE', set, '0', room == max and args[4] or format('%d', room))
  local seen, place, looked, dry, drops = 0, 0, 1, #there <= room, 0
  depths[lane] = #there

  -- Takes from what was there, up to the n-th of it.
  local function take_there(upto)
    while room > 0 and seen + place < upto do
      if not there[place + 1] then
        if dry or looked == 3 then
          more = dry and more or 1
          return
        end
        seen, place, looked = seen + #there, 0, looked + 1
        there = call('ZRANGE', set, seen, seen + room + 50)
        dry = #there <= room + 50
      else
        place = place + 1
        local member = there[place]
        drops = drops + 1
        local colon = find(member, ':', 1, true)
        local task = sub(member, colon + 1)
        local job = job_of(sub(member, 1, colon - 1))
        if job and job.status == 'PAUSED' then
          park(job, task)
        elseif job and job.live then
          local key = task_prefix .. member
          local text = call('HGET', key, 'kit')
          if text then
            hand_out(job, task, member, key, number, read_kit(text), false, false)
          end
        end
      end
    end
  end

  local lists = fresh[lane]
  if lists then
    local order = {}
    for group in pairs(lists) do
      order[#order + 1] = group
    end
    if order[2] then
      table.sort(order)
    end
    for i = 1, #order do
      local list, n = lists[order[i]], 1
      if there[1] then
        take_there(call('ZCOUNT', set, '-inf', format('%d', (order[i] + 1) * RANKS - 1)))
      end
      while room > 0 and list[n] do
        hand_out(list[n + 1], list[n + 2], list[n], list[n + 3], number, list[n + 4], list[n + 5], list[n + 6])
        n = n + FRESH
      end
      list.first = n
      if not list[n] then
        lists[order[i]] = nil
      end
    end
  end
  if there[1] then
    take_there(1 / 0)
  end
  if drops > 0 then
    gone[#gone + 1] = set
    gone[#gone + 1] = drops
  end
end
