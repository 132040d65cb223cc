-- order: when a fix was, by the rule that decides which of two is newer: where both have a seq, that; else at; equal is not
-- newer. One without at is of now, but after the last. Answers at (us, of 16 digits), or nil where it is not newer.
local function newer_at(seq, at, last_seq, last_at, now)
  if seq ~= '-' and last_seq ~= '-' then
    if seq - last_seq <= 0 then
      return nil
    end
  elseif at ~= '-' and at - last_at <= 0 then
    return nil
  end
  return at ~= '-' and at or string.format('%016.0f', math.max(now, last_at + 1))
end

-- A fix further ahead than this is of a clock that is wrong (us).
local AHEAD = 60000000
