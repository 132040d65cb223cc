-- advance_write: the last reading, and then all that is planned is written.
-- Which lanes were empty, where that is not known by now; and all that is written and was not read above.
local wakes = 0
for i = 1, #fresh_lanes do
  local lane = fresh_lanes[i]
  if next(fresh[lane]) then
    depths[lane] = depths[lane] or call('ZCARD', ready_prefix .. lane)
    wakes = depths[lane] == 0 and wakes + 1 or wakes
  end
end
--@include lanes_read
-- Only while a slot moves a key may be elsewhere.
if unreads > 0 and find(args[6], 's', 1, true) then
  call('EXISTS', unpack(unread, 1, unreads))
end

-- From here on it is written.
--@include lanes_write
-- What was taken of a lane were its first ones: they leave it before any are added.
for i = 1, #gone, 2 do
  call('ZREMRANGEBYRANK', gone[i], '0', gone[i + 1] - 1)
end
local woken = {}
for i = 1, #fresh_lanes do
  local lane = fresh_lanes[i]
  if next(fresh[lane]) then
    local scores, n = {}, 0
    for group, list in pairs(fresh[lane]) do
      local score = rank_of(group, now)
      for k = list.first or 1, #list, FRESH do
        change(list[k], list[k + 3], 'READY')
        scores[n + 1] = score
        scores[n + 2] = list[k]
        n = n + 2
      end
    end
    call('ZADD', ready_prefix .. lane, unpack(scores))
    if depths[lane] == 0 then
      woken[#woken + 1] = lane
      call('ZADD', lanes, at, lane)
    end
  end
end
for i = 0, changes - 1, 4 do
  local key, status, attempt, by, others = plan[i + 1], plan[i + 2], plan[i + 3], plan[i + 4], further[i]
  if others then
    if by then
      others[#others + 1] = 'ended'
      others[#others + 1] = by
    end
    if attempt then
      others[#others + 1] = 'attempt'
      others[#others + 1] = attempt
    end
    call('HSET', key, 'status', status, unpack(others))
  elseif by then
    call('HSET', key, 'status', status, 'attempt', attempt, 'ended', by)
  elseif attempt then
    call('HSET', key, 'status', status, 'attempt', attempt)
  else
    call('HSET', key, 'status', status)
  end
end
for i = 1, reads do
  local job = read[i]
  if job.visited then
    call('SADD', job.dag .. 'visited', unpack(job.visited))
  end
  if job.given then
    call('HSET', job.dag .. 'results', unpack(job.given))
  end
  if job.unpark and job.unpark[1] then
    call('SREM', job.dag .. 'parked', unpack(job.unpark))
  end
  if job.park then
    call('SADD', job.dag .. 'parked', unpack(job.park))
  end
  if job.told then
    -- Of a task whose needs have all ended nobody asks any more.
    local counts, n = {}, 0
    for task, left in pairs(job.counts) do
      if left and left % 131072 > 0 then
        counts[n + 1] = task
        counts[n + 2] = format('%d', left)
        n = n + 2
      end
    end
    if n > 0 then
      call('HSET', job.dag .. 'pending', unpack(counts))
    end
  end
  local done, begun = job.done, job.begun
  if done + begun > 0 then
    job.open, job.SUCCEEDED, job.changed = job.open - done, job.SUCCEEDED + done, true
    job.READY, job.RUNNING = job.READY - begun, job.RUNNING + begun - done
  end
  if job.changed and job.open == 0 then
    job.status, job.finished, job.turned = job.FAILED + 0 > 0 and 'FAILED' or 'SUCCEEDED', at, true
    archived(job.id .. ':', job.epoch, job.status, job.started ~= '-' and job.started or '', '',
      job.SUCCEEDED .. ' ' .. job.FAILED .. ' ' .. job.SKIPPED)
  end
  if job.turned then
    call('HSET', job.name, 'progress', progress_text(job), 'status', job.status)
  elseif job.changed then
    call('HSET', job.name, 'progress', progress_text(job))
  end
end
if leaves > 0 then
  call('ZREM', leases, unpack(leave))
end
if holds > 0 then
  call('ZADD', leases, unpack(hold))
end
if rest[1] then
  call('ZREM', delayed, unpack(rest))
end
if arrive[1] then
  call('ZADD', delayed, unpack(arrive))
end
if unlapse[1] then
  call('ZREM', lapsed, unpack(unlapse))
end
if lapse[1] then
  call('ZADD', lapsed, unpack(lapse))
end
if lines > 0 then
  call('LTRIM', steps, lines, '-1')
end
if laters > 0 then
  call('RPUSH', steps, unpack(later))
end
if taken > 0 then
  call('HSET', incarnation, 'fence', count)
end
if events > 1 then
  call('XADD', archive, '*', 'happened', table.concat(happened, '\031'))
end
