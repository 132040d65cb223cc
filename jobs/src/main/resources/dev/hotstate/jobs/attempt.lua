-- attempt: the last attempt of a task, as it stands in one field of its hash: the fence, or - once it has ended; retries
-- before it; when it began and ended (ms, or -); its permit, or -; 1 once it has logged; its worker.
local function attempt_of(text)
  return string.match(text, '^(%S+) (%d+) (%d+) (%S+) (%S+) (%d) (.*)$')
end
