-- progress: how far a job is, as it stands in one field of its hash: read and written whole, for a reply of one string costs
-- a script a fifth of what a reply of twelve does. Its status is repeated in a field of its own, for people.
local function progress_of(text)
  local status, epoch, open, succeeded, failed, skipped, ready, running, delayed, ruled, results, started, finished =
    string.match(text, '^(%u+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d) (%d) (%S+) (%S+)$')
  return {
    status = status, epoch = epoch, open = open + 0, SUCCEEDED = succeeded + 0, FAILED = failed + 0, SKIPPED = skipped + 0,
    READY = ready + 0, RUNNING = running + 0, DELAYED = delayed + 0, WAITING = 0, ruled = ruled, results = results,
    started = started, finished = finished
  }
end
local function progress_text(p)
  return string.format('%s %s %d %d %d %d %d %d %d %s %s %s %s', p.status, p.epoch, p.open, p.SUCCEEDED, p.FAILED, p.SKIPPED,
    p.READY, p.RUNNING, p.DELAYED, p.ruled, p.results, p.started, p.finished)
end
