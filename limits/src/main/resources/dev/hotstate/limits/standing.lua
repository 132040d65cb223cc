-- standing: how one counter stands now, by the kind of its rule: f and s are fixed and sliding windows, b a token
-- bucket, l a log. Answers its room (what could be spent now), retry (when the cost could be), reset (when all is there
-- again), and up to three values of its state, which are what spend wants.
local function standing_of(key, kind, size, span, drain, cost, now)
  if kind == 'b' then
    return bucket_of(key, size, span, drain, cost, now)
  elseif kind == 'l' then
    return log_of(key, size, span, cost, now)
  end
  return window_of(key, kind == 's', size, span, cost, now)
end
