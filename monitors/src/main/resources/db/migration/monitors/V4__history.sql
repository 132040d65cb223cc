-- What checks have found, at four levels: every result, minutes, hours, days. Each table below is partitioned by time;
-- the program makes partitions ahead and drops what is older than the retention, so nothing is ever deleted by row.

-- A monitor's short name in the tables of history: four bytes instead of its name in every row and index. The name is its
-- id and the version that made it, so one that is made anew under the same id has none of the old history.
CREATE TABLE monitors_series (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    monitor text NOT NULL UNIQUE
);

-- Every result, in partitions of a day. The columns stand in the order that leaves no gaps: 52 bytes without an error.
CREATE TABLE monitors_results (
    at          timestamptz NOT NULL,
    series      integer NOT NULL,
    latency_ms  integer NOT NULL,
    stands_s    integer NOT NULL,  -- for so long it tells how the monitor is, if no other follows
    status_code smallint,
    flags       smallint NOT NULL, -- 1 ok, 2 down, 4 maintenance
    error       text,
    PRIMARY KEY (series, at)
) PARTITION BY RANGE (at);

-- The sixty minutes of an hour in one value, in partitions of a day: a row a minute would be as large as the results.
CREATE TABLE monitors_minutes (
    start   timestamptz NOT NULL,
    series  integer NOT NULL,
    minutes bytea NOT NULL,
    PRIMARY KEY (series, start)
) PARTITION BY RANGE (start);

-- up_ms and down_ms: for how long it was known to be so, outside of maintenance. The latency is that of checks that were
-- ok: their sum, and a sparse histogram of log-linear buckets of milliseconds.
CREATE TABLE monitors_hours (
    start      timestamptz NOT NULL,
    latency_ms bigint NOT NULL,
    series     integer NOT NULL,
    up_ms      integer NOT NULL CHECK (up_ms >= 0),
    down_ms    integer NOT NULL CHECK (down_ms >= 0),
    checks     integer NOT NULL,
    ok         integer NOT NULL CHECK (ok BETWEEN 0 AND checks),
    latency    bytea NOT NULL,
    PRIMARY KEY (series, start)
) PARTITION BY RANGE (start);

CREATE TABLE monitors_days (LIKE monitors_hours INCLUDING ALL) PARTITION BY RANGE (start);

-- Up to where hours are rolled up; no row before the first roll-up.
CREATE TABLE monitors_rolled (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    "until" timestamptz NOT NULL
);

-- What is to be rolled up, or once more because a result came late. Marks are only ever added, and removed by the one who
-- rolls up: two marks of one period are two rows, so that none is lost to one that is being removed at that moment.
CREATE TABLE monitors_roll_ups (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    level text NOT NULL CHECK (level IN ('hour', 'day')),
    start timestamptz NOT NULL,
    block integer NOT NULL -- 512 series each
);
