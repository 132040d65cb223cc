-- order: when a fix was, by the rule that decides which of two is newer: where both have a seq, that; else at; equal is not
-- newer. One without at is of now, but after the last. Answers at (us, of 16 digits), or nil where it is not newer.
-- Times are texts of one length, so they compare as texts.
local function newer_at(seq, at, last_seq, last_at, now)
  if seq ~= '-' and last_seq ~= '-' then
    if seq - last_seq <= 0 then
      return nil
    end
  elseif at ~= '-' and at <= last_at then
    return nil
  end
  if at ~= '-' then
    return at
  end
  return now > last_at and now or string.format('%016.0f', last_at + 1)
end

-- The latest that a fix may be of (us): one that is further ahead is of a clock that is wrong.
local function latest_at(now)
  return string.format('%016.0f', now + 60000000)
end
