#!lua flags=allow-oom
-- Cancels, pauses or resumes a job. A cancelled one has ended at once, and its tasks by that alone: those that are ready,
-- held or delayed are dropped when somebody comes upon them. Of a paused one no task is handed out; those that come up are
-- parked, and when it is resumed they are ready again with the next calls that advance the partition (the step PARKED).
-- KEYS  incarnation, job, steps, archive
-- ARGV  pass, now, id, epoch, wish (cancel, pause, resume)
-- REPLY DONE changed (0: it was so already)
-- REPLY ENDED also where a later epoch of it is there
-- REPLY UNKNOWN there is no such job, or only of an earlier epoch, or it is still being loaded and was not cancelled
-- REPLY REBUILDING
-- COST  O(1)
--@include clock
--@include guard
--@include progress
local incarnation, job, steps, archive = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local pass, now, id, epoch, wish = ARGV[1], now_us(ARGV[2]), ARGV[3], ARGV[4] + 0, ARGV[5]
local at = string.format('%d', math.floor(now / 1000))

if not admitted(incarnation, pass, now) then
  return {'REBUILDING'}
end
local known = redis.call('HGET', job, 'progress')
local progress = known and progress_of(known)
local status = progress and progress.status
if not status or progress.epoch + 0 < epoch then
  return {'UNKNOWN'}
end
if progress.epoch + 0 > epoch then
  return {'ENDED'}
end
if status == 'LOADING' and wish ~= 'cancel' then
  return {'UNKNOWN'}
end
if status == 'SUCCEEDED' or status == 'FAILED' or status == 'CANCELLED' then
  return {'ENDED'}
end

if wish == 'cancel' then
  progress.status, progress.finished = 'CANCELLED', at
elseif wish == 'pause' then
  progress.status = 'PAUSED'
elseif status == 'PAUSED' then
  progress.status = progress.started ~= '-' and 'RUNNING' or 'PENDING'
end
if progress.status == status then
  return {'DONE', 0}
end
if wish == 'resume' then
  redis.call('RPUSH', steps, id .. ': 0 PARKED ' .. progress.epoch)
end
redis.call('HSET', job, 'status', progress.status, 'progress', progress_text(progress))
local started = progress.started ~= '-' and progress.started or ''
local counts = wish == 'cancel' and progress.SUCCEEDED .. ' ' .. progress.FAILED .. ' ' .. progress.SKIPPED or ''
redis.call('XADD', archive, '*', 'happened',
  table.concat({at, id .. ':', progress.epoch, progress.status, started, '', counts}, '\031'))
return {'DONE', 1}
