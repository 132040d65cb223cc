#!lua
-- Whether the fleet's figures changed since somebody was last told of them, more than a second ago. Who is answered NEWS
-- tells: so of all instances one does, once a second at most.
-- KEYS  total, current, speed, told
-- ARGV  now
-- REPLY NEWS
-- REPLY QUIET
-- COST  O(1)
--@include clock
local total, current, speed, told = unpack(KEYS)
local now_ms = math.floor(now_us(ARGV[1]) / 1000)
local figures = {}
for i, key in ipairs({total, current, speed}) do
  figures[i] = redis.call('GET', key) or '0'
end
local present = table.concat(figures, ' ')
local last = redis.call('HMGET', told, 'at', 'figures')
local at = tonumber(last[1])
-- A clock that went back does not make it silent.
local lately = at and now_ms - at >= 0 and now_ms - at < 1000
local news = not lately and present ~= (last[2] or '0 0 0')
if news then
  redis.call('HSET', told, 'at', string.format('%.0f', now_ms), 'figures', present)
end
redis.call('PEXPIRE', told, 60000)
return {news and 'NEWS' or 'QUIET'}
