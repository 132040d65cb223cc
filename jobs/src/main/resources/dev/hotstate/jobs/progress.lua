-- progress: how far a job is, as it stands in one field of its hash: read and written whole, for a reply of one string costs
-- a script a fifth of what a reply of twelve does. Its status is repeated in a field of its own, for people.
-- Counts are left as text, which Lua counts on with: few of them change in a call, and making each a number costs more.
local function progress_of(text)
  local status, epoch, open, succeeded, failed, skipped, ready, running, delayed, ruled, results, started, finished =
    string.match(text, '^(%u+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d) (%d) (%S+) (%S+)$')
  return {
    status = status, epoch = epoch, open = open + 0, SUCCEEDED = succeeded, FAILED = failed, SKIPPED = skipped,
    READY = ready, RUNNING = running, DELAYED = delayed, ruled = ruled, results = results, started = started,
    finished = finished,
    -- For the script that advances the job: a table that has its size from the beginning is not moved when it grows.
    id = false, name = false, dag = false, live = false, queue = false, queued = 0, visited = false, given = false,
    counts = false, told = false, changed = false, turned = false, done = 0, begun = 0
  }
end
local function progress_text(p)
  -- A number made into text by itself costs as much as all the rest of this.
  local function text(count)
    return count == '0' and count or count == 0 and '0' or count == 1 and '1' or string.format('%d', count)
  end
  return p.status .. ' ' .. p.epoch .. ' ' .. text(p.open) .. ' ' .. text(p.SUCCEEDED) .. ' ' .. text(p.FAILED) .. ' ' .. text(p.SKIPPED)
    .. ' ' .. text(p.READY) .. ' ' .. text(p.RUNNING) .. ' ' .. text(p.DELAYED) .. ' ' .. p.ruled .. ' ' .. p.results .. ' '
    .. p.started .. ' ' .. p.finished
end
