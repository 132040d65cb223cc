-- log: how a log of single units stands; each is a member "<us>-<number>" with its microsecond as score.
-- In sight is what is younger than the window. Entries ahead of now (the clock went back) count too; those more than a
-- window ahead do not.
-- Answers room, retry, reset (see acquire), the last time that is out of sight, the number of the next entry of this
-- microsecond, and the last time in sight where there are entries beyond it.
local function log_of(key, limit, span, cost, now)
  local newest = tonumber(redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2])
  if not newest then
    return limit, 0, 0, nil, 0
  end
  local out, last = string.format('%d', now - span), string.format('%d', now + span)
  local used = redis.call('ZCOUNT', key, '(' .. out, last)
  local stray = newest > now + span
  if stray then
    newest = tonumber(redis.call('ZRANGE', key, last, '(' .. out, 'BYSCORE', 'REV', 'LIMIT', 0, 1, 'WITHSCORES')[2])
  end

  local room, retry, next = limit - used, 0, 0
  if room < cost then
    local leaves = redis.call('ZCOUNT', key, '-inf', out) + cost - room - 1
    retry = tonumber(redis.call('ZRANGE', key, leaves, leaves, 'WITHSCORES')[2]) + span - now
  elseif newest and newest >= now then
    local at = string.format('%d', now)
    local same = redis.call('ZRANGE', key, at, at, 'BYSCORE', 'REV', 'LIMIT', 0, 1)[1]
    next = same and tonumber(string.match(same, '%d+$')) + 1 or 0
  end
  local reset = used > 0 and newest + span - now or 0
  return room, retry, reset, out, next, stray and last
end
