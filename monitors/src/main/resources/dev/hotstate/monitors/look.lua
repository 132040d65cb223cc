#!lua flags=no-writes
-- Reads the live side of monitors: what stands in Redis, and Redis's time to judge it by. It needs no pass: while a
-- partition is rebuilt, what is read is as old as its times say.
-- KEYS  schedule, fences, states, status and incident and retry and beats of each…
-- ARGV  now, ids…
-- REPLY LOOKED now_ms, for each id one text of 17 lines, empty where there is none: next run or end of the lease (ms),
--       held (1), standing (only of one without a status), retries, beats (the last 30), then of the status: status_code
--       latency_ms checked_at last_ok_at certificate_days phases_ms started_at, then of the incident: failure_count
--       first_failure_at last_failure_at incident_id, and the status's error, which may have lines itself
-- COST  O(m log n) for m monitors; at most 100 of them: five commands for all, and one for each that is well
--@include clock
local BEATS = 30 * 9
local NONE = {}
local schedule, fences, states = KEYS[1], KEYS[2], KEYS[3]
local now = now_us(ARGV[1])

local ids, incidents, retries, beats = {}, {}, {}, {}
for i = 2, #ARGV do
  local n, base = i - 1, 4 * (i - 2) + 3
  ids[n], incidents[n], retries[n], beats[n] = ARGV[i], KEYS[base + 2], KEYS[base + 3], KEYS[base + 4]
end
local runs = redis.call('ZMSCORE', schedule, unpack(ids))
local holds = redis.call('HMGET', fences, unpack(ids))
local tried = redis.call('MGET', unpack(retries))
local bars = redis.call('MGET', unpack(beats))
-- Most often none of them has an incident, and one look tells.
local all_well = redis.call('EXISTS', unpack(incidents)) == 0

local found = {}
for n = 1, #ids do
  local status = redis.call('HMGET', KEYS[4 * n], 'status_code', 'latency_ms', 'checked_at', 'last_ok_at',
    'certificate_days', 'phases_ms', 'started_at', 'error')
  local incident = not all_well
    and redis.call('HMGET', incidents[n], 'failure_count', 'first_failure_at', 'last_failure_at', 'incident_id') or NONE
  -- One text a monitor: a page has a hundred of them, and each text of a reply costs both sides.
  found[n] = table.concat({
    runs[n] or '', holds[n] and '1' or '', not status[3] and redis.call('ZSCORE', states, ids[n]) or '', tried[n] or '',
    bars[n] and string.sub(bars[n], -BEATS) or '', status[1] or '', status[2] or '', status[3] or '', status[4] or '',
    status[5] or '', status[6] or '', status[7] or '', incident[1] or '', incident[2] or '', incident[3] or '',
    incident[4] or '', status[8] or ''}, '\n')
end
return {'LOOKED', math.floor(now / 1000), found}
