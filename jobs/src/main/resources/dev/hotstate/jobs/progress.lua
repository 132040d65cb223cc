-- progress: how far a job is, as it stands in one field of its hash: read and written whole, for a reply of one string costs
-- a script a fifth of what a reply of twelve does. Its status is repeated in a field of its own, for people.
-- Numbers made into text are costly too: those that were made are kept for the length of a call.
local function progress_of(text)
  local status, epoch, open, succeeded, failed, skipped, ready, running, delayed, ruled, results, started, finished =
    string.match(text, '^(%u+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d) (%d) (%S+) (%S+)$')
  return {
    status = status, epoch = epoch, open = open + 0, SUCCEEDED = succeeded + 0, FAILED = failed + 0, SKIPPED = skipped + 0,
    READY = ready + 0, RUNNING = running + 0, DELAYED = delayed + 0, WAITING = 0, ruled = ruled, results = results,
    started = started, finished = finished,
    -- For the script that advances the job: a table that has its size from the beginning is not moved when it grows.
    id = false, name = false, dag = false, live = false, queue = false, queued = 0, visited = false, counts = false,
    told = false, changed = false, turned = false, own = false
  }
end
local made_texts = {}
local function text_of(number)
  local text = made_texts[number]
  if not text then
    text = string.format('%d', number)
    made_texts[number] = text
  end
  return text
end
local function progress_text(p)
  return p.status .. ' ' .. p.epoch .. ' ' .. text_of(p.open) .. ' ' .. text_of(p.SUCCEEDED) .. ' ' .. text_of(p.FAILED) .. ' '
    .. text_of(p.SKIPPED) .. ' ' .. text_of(p.READY) .. ' ' .. text_of(p.RUNNING) .. ' ' .. text_of(p.DELAYED) .. ' '
    .. p.ruled .. ' ' .. p.results .. ' ' .. p.started .. ' ' .. p.finished
end
