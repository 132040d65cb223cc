-- advance_hand_one: one task is handed out. What it says of itself and its attempt is worked out once for each kit.
local worker, lease, permits = args[3], args[5] + 0, args[permits_from]
local function hand_out(job, task, member, key, lane, kit, from, given)
  local ends = kit.ends
  if not ends then
    ends = format('%d', now_ms + math.min(lease, kit.timeout))
    kit.ends = ends
    kit.attempt = fence .. ' ' .. kit.retries .. ' ' .. at .. ' ' .. kit.logged .. ' ' .. worker
    kit.words = ' ' .. kit.retries .. ' ' .. (kit.retries + 0 >= kit.most + 0 and '1' or '0') .. ' ' .. lane .. ' '
      .. ends .. ' ' .. kit.timeout .. ' ' .. kit.has .. ' '
  end
  hold[holds + 1] = ends
  hold[holds + 2] = member
  holds = holds + 2
  job.begun = job.begun + 1
  if job.status == 'PENDING' then
    job.status, job.started, job.turned = 'RUNNING', at, true
    archived(job.id .. ':', job.epoch, 'RUNNING', at, '', '')
  end
  local attempt = permits and kit.attempt .. ' p:' .. args[permits_from + taken] or kit.attempt
  if planned[member] then
    change(member, key, 'RUNNING', attempt)
  else
    plan[changes + 1] = key
    plan[changes + 2] = 'RUNNING'
    plan[changes + 3] = attempt
    plan[changes + 4] = false
    changes = changes + 4
  end
  taken = taken + 1
  room = room - 1
  handed_n = handed_n + 1
  local place, found = handed_n, '0'
  if kit.has ~= '-' then
    local h = call('HMGET', key, 'input', 'spec')
    for i = kit.has == 's' and 2 or 1, kit.has == 'i' and 1 or 2 do
      handed_n = handed_n + 1
      handed[handed_n] = h[i]
      spent = spent + #h[i]
    end
  end
  if job.results == '1' and kit.needs then
    if given and kit.alone then
      -- It needs but one, which has just ended: nothing is to be looked up.
      if given ~= '' then
        handed[handed_n + 1] = from
        handed[handed_n + 2] = given
        handed_n, found, spent = handed_n + 2, '1', spent + #given
      end
    else
      found = hand_results(job, task)
    end
  end
  if spent >= MOST_BYTES then
    room = 0
  end
  handed[place] = member .. ' ' .. job.epoch .. kit.words .. found
end
