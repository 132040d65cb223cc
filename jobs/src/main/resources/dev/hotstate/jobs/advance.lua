#!lua flags=allow-oom
-- Ends attempts and hands out the next tasks, in one call. In this order: endings whose fence is still the task's count;
-- what is due is taken up (delayed tasks and jobs, leases that ran out, steps); those that need a task are told that it
-- ended; of what is ready so much is handed out under a new fence as is wanted. Who brings endings has no time for what is
-- due: that is left to those who only ask, and to whoever tends the partition.
-- How many are told in a call is bounded: what is left stands in the list of steps.
-- A lease that ran out spends an attempt. After the last one the task is kept as lapsed, for PostgreSQL may know that its
-- effects are committed; so is one whose last attempt failed, if it may have effects. After a silence (nobody could reach
-- Redis) leases that ran out meanwhile get a while more.
-- Everything is read and planned first, then written: keys that are derived here are never written unread.
-- What keeps it fast: few calls, and replies of one string; few tables, and those of their size from the beginning; few
-- functions, since each is made anew with each run; numbers made into text once (by %d) or never. Each of these costs about as
-- much as a lookup in Redis.
-- KEYS  incarnation, leases, delayed, steps, lapsed, archive, waiting, lanes, ready…
-- ARGV  pass, now, worker, max, lease_ms, how (w: the caller waits if less is there; s: slots may move), limit (entries of the archive
--       beyond which nothing is handed out), until (ms, or empty: the caller hears an answer of no later), spare_ms and chance (0 to 1), how many endings,
--       endings as job, task, a letter (c: completed, f: failed, x: failed for good; u, v: the same, but perhaps its effects are
--       committed; r: released; of a lapsed one, p: proved, l: lost) followed by its fence and a space, and its result or error…,
--       permits, one a task that may be handed out, or none…
-- REPLY ADVANCED now_ms, fence, for each ending a letter (D: done, R: done before by this very claim, S: stale, U: unknown), permits that
--       are free as queue and permit…, what was handed out as "job:task epoch retries last lane until timeout has results" (lane: 1 for the first;
--       has: i, s, is or -; results: how many, and + where some were left out) and after each its input, its spec, its
--       results as task and JSON, the ids of those left out parted by commas…,
--       lanes that have become ready as queue:run…, waiting, due_ms (-1: nothing), more, congested
-- REPLY HOPPED now_ms, fence, and of the one task that was handed out what ADVANCED says of it: the one ending is done, nothing else
--       is to be told
-- REPLY REBUILDING
-- COST  O((endings + max + 700) log n), 6,000 needs and 4 MB of what is handed out
--@include clock
--@include guard
--@include base
--@include kit
local call, sub, find, match, format, byte = redis.call, string.sub, string.find, string.match, string.format, string.byte
local keys, args = KEYS, ARGV
local incarnation, leases, delayed, steps, lapsed = keys[1], keys[2], keys[3], keys[4], keys[5]
local archive, waiting, lanes = keys[6], keys[7], keys[8]
local pass, now, endings = args[1], now_us(args[2]), args[10] + 0
local held = admitted(incarnation, pass, now, 'fence')
if not held then
  return {'REBUILDING'}
end

local now_ms = math.floor(now / 1000)
local at = format('%d', now_ms)
-- Who has stopped waiting is handed nothing: nobody would know that it is theirs, and an attempt would be spent.
local late = args[8] ~= '' and now_ms > args[8] + 0
local max = late and 0 or args[4] + 0
local base = base_of(incarnation)
local task_prefix, ready_prefix = base .. 'task:', base .. 'ready:'
local permits_from = 11 + 4 * endings
local looks = endings == 0
-- The letter c, as string.byte has it: most endings are such.
local COMPLETED = 99
--@include advance_hop
--@include progress
--@include attempt
--@include decide
--@include ready_rank
--@include advance_plan
--@include advance_again
--@include advance_endings
--@include advance_due
--@include advance_tell
--@include advance_hand_out
if room > 0 then
--@include advance_results
--@include advance_hand_one
--@include advance_take
end
--@include advance_write
--@include advance_outlook
return {'ADVANCED', at, fence, verdicts, freed, handed, woken, waited, due, more, congested}
