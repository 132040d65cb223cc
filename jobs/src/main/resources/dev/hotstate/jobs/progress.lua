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
-- A count made into text costs as much as all the rest of this, so each is made once.
local count_texts = {}
local function count_text(count)
  local text = string.format('%d', count)
  count_texts[count] = text
  return text
end
local function progress_text(p)
  local texts, open, succeeded, failed, skipped = count_texts, p.open, p.SUCCEEDED, p.FAILED, p.SKIPPED
  local ready, running, delayed = p.READY, p.RUNNING, p.DELAYED
  return p.status .. ' ' .. p.epoch .. ' ' .. (texts[open] or count_text(open)) .. ' ' .. (texts[succeeded] or count_text(succeeded))
    .. ' ' .. (texts[failed] or count_text(failed)) .. ' ' .. (texts[skipped] or count_text(skipped))
    .. ' ' .. (texts[ready] or count_text(ready)) .. ' ' .. (texts[running] or count_text(running))
    .. ' ' .. (texts[delayed] or count_text(delayed)) .. ' ' .. p.ruled .. ' ' .. p.results .. ' ' .. p.started .. ' ' .. p.finished
end
