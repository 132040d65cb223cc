-- advance_results: what a task is handed of the results of what it needs: of the first 1,000 needs, and 1 MB. Read in
-- slices, so that no more than a slice is read beyond that. Which were left out is told, of as many needs again. Once some
-- thousands of needs were looked up in a call, the rest of the tasks is for the next.
-- Jobs of the same shape have the same needs: they are taken apart once.
local RESULTS, NEEDS, MOST_NEEDS, looked, needs_of = 1048576, 1000, 4000, 0, {}
local function hand_results(job, task)
  local text = call('HGET', job.dag .. 'edges', task) or ''
  local ids = needs_of[text]
  if not ids then
    ids = {}
    for need in string.gmatch(text, '[^,]+') do
      ids[#ids + 1] = need
      if #ids == 2 * NEEDS then
        break
      end
    end
    needs_of[text] = ids
  end
  local n = #ids
  local just = job.just
  if not just then
    just = {}
    job.just = just
    for i = 1, job.given and #job.given or 0, 2 do
      just[job.given[i]] = job.given[i + 1]
    end
  end
  local bytes, found, omitted, from, last = 0, 0, {}, 1, math.min(n, NEEDS)
  while from <= last and #omitted == 0 do
    local upto = math.min(from + SLICE - 1, last)
    for i, value in ipairs(call('HMGET', job.dag .. 'results', unpack(ids, from, upto))) do
      local need = ids[from + i - 1]
      value = just[need] or value
      if value and bytes + #value <= RESULTS then
        bytes, found = bytes + #value, found + 1
        handed[handed_n + 1] = need
        handed[handed_n + 2] = value
        handed_n = handed_n + 2
      elseif value then
        omitted[#omitted + 1] = need
      end
    end
    from = upto + 1
  end
  for i = from, n do
    omitted[#omitted + 1] = ids[i]
  end
  spent, looked = spent + bytes, looked + n
  if looked >= MOST_NEEDS then
    room = 0
  end
  local count = format('%d', found)
  if #omitted == 0 then
    return count
  end
  handed_n = handed_n + 1
  handed[handed_n] = table.concat(omitted, ',', 1, math.min(#omitted, NEEDS))
  return count .. '+'
end
