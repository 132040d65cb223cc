#!lua flags=no-writes
-- Reads the live side of monitors: what stands in Redis, and Redis's time to judge it by. It needs no pass: while a
-- partition is rebuilt, what is read is as old as its times say.
-- KEYS  schedule, fences, states, status and incident and retry and beats of each…
-- ARGV  now, ids…
-- REPLY LOOKED now_ms, for each id 22 texts, empty where there is none: next run or end of the lease (ms), held (1),
--       standing, retries, beats, then of the status: status_code latency_ms checked_at ok error last_ok_at
--       certificate_days dns_ms connect_ms tls_ms first_byte_ms started_at, then of the incident: failure_count
--       first_failure_at last_failure_at alerted incident_id
-- COST  O(m log n) for m monitors; at most 100 of them
--@include clock
local schedule, fences, states = KEYS[1], KEYS[2], KEYS[3]
local now = now_us(ARGV[1])

local found = {}
for i = 2, #ARGV do
  local id, base = ARGV[i], 4 * (i - 2) + 3
  local row = {
    redis.call('ZSCORE', schedule, id), redis.call('HEXISTS', fences, id) == 1 and '1', redis.call('ZSCORE', states, id),
    redis.call('GET', KEYS[base + 3]), redis.call('GET', KEYS[base + 4]),
  }
  local status = redis.call('HMGET', KEYS[base + 1], 'status_code', 'latency_ms', 'checked_at', 'ok', 'error',
    'last_ok_at', 'certificate_days', 'dns_ms', 'connect_ms', 'tls_ms', 'first_byte_ms', 'started_at')
  local incident = redis.call('HMGET', KEYS[base + 2], 'failure_count', 'first_failure_at', 'last_failure_at', 'alerted',
    'incident_id')
  for n = 1, 5 do
    found[#found + 1] = row[n] or ''
  end
  for n = 1, 12 do
    found[#found + 1] = status[n] or ''
  end
  for n = 1, 5 do
    found[#found + 1] = incident[n] or ''
  end
end
return {'LOOKED', math.floor(now / 1000), found}
