-- advance_hop: the plainest case, in which a worker waits for nothing but this call: one task has completed, nothing is ready
-- in the lanes that are asked for, and the one task that needs it is ready by that and may be handed out at once.
-- Reading decides whether it is so. If not, nothing is written yet, and the call goes its usual way.
if endings == 1 and max > 0 and #keys > 8 and #keys < 40 and not args[15] and string.byte(args[13]) == COMPLETED
  and call('EXISTS', unpack(keys, 9)) == 0 then
  local id, task, fence, result = args[11], args[12], sub(args[13], 2), args[14]
  local member = id .. ':' .. task
  local key, job, dag = task_prefix .. member, base .. 'job:' .. id, base .. 'dag:' .. id .. ':'
  local attempt = call('HGET', key, 'attempt')
  local heir = attempt and sub(attempt, 1, #fence) == fence and not find(attempt, ' p:', 1, true)
    and call('HGET', dag .. 'dependents', task)
  if heir and not find(heir, ',', 1, true) then
    local next_member = id .. ':' .. heir
    local next_key = task_prefix .. next_member
    local retries, most, timeout, _, _, has, lane = kit_of(call('HGET', next_key, 'kit'))
    -- Of one that needs no other none is pending but this: its end has not counted, or its fence would be gone.
    local alone = sub(has, 1, 1) == 'o'
    if alone then
      has = sub(has, 2)
    end
    local epoch, open, succeeded, others, results, times =
      match(call('HGET', job, 'progress') or '', '^RUNNING (%d+) (%d+) (%d+)( %d+ %d+ %d+ %d+ %d+ 0) (%d) (.*)$')
    local number = keys[9] == ready_prefix .. lane and '1'
    for k = 10, number and 0 or #keys do
      number = number or keys[k] == ready_prefix .. lane and format('%d', k - 8)
    end
    -- What it is handed of results is known here if it needs no other, and otherwise if nobody has given any.
    if epoch and number and (alone or results == '0' and result == '' and call('HGET', dag .. 'pending', heir) == '1')
      and sub(has, 1, 1) ~= 'l' and call('XLEN', archive) <= args[7] + 0 then
      if find(args[6], 's', 1, true) then
        call('EXISTS', dag .. 'visited', dag .. 'results')
      end
      local h = has ~= '-' and call('HMGET', next_key, 'input', 'spec')

      local count = format('%d', math.max((held[3] or 0) + 1, now))
      local next_fence = match(pass, '^%d+') .. '-' .. count
      local ends = format('%d', now_ms + math.min(args[5], timeout))
      local over = '-' .. at .. sub(attempt, #fence)
      call('HSET', key, 'status', 'SUCCEEDED', 'attempt', over, 'ended', args[13])
      call('HSET', next_key, 'status', 'RUNNING', 'attempt', next_fence .. ' ' .. retries .. ' ' .. at .. ' 0 ' .. args[3])
      call('SADD', dag .. 'visited', task)
      if result ~= '' then
        call('HSET', dag .. 'results', task, result)
        results = '1'
      end
      call('HSET', job, 'progress', format('RUNNING %s %d %d%s %s %s', epoch, open - 1, succeeded + 1, others, results, times))
      call('ZREM', leases, member)
      call('ZADD', leases, ends, next_member)
      call('HSET', incarnation, 'fence', count)
      call('XADD', archive, '*', 'happened',
        at .. '\031' .. member .. '\031' .. epoch .. '\031SUCCEEDED\031' .. over .. '\031\031' .. result)
      local told = {
        'HOPPED', at, next_fence,
        next_member .. ' ' .. epoch .. ' ' .. retries .. ' ' .. (retries + 0 >= most + 0 and '1' or '0') .. ' ' .. number .. ' '
          .. ends .. ' ' .. timeout .. ' ' .. has .. (result ~= '' and ' 1' or ' 0'),
        nil, nil, nil, nil
      }
      for i = has == 's' and 2 or 1, has == '-' and 0 or has == 'i' and 1 or 2 do
        told[#told + 1] = h[i]
      end
      if result ~= '' then
        told[#told + 1] = task
        told[#told + 1] = result
      end
      return told
    end
  end
end
