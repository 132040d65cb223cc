-- What must survive a loss of Redis: the totals since ever. One row, written anew every minute.
CREATE TABLE traffic_checkpoint (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one),
    at     timestamptz NOT NULL,
    totals jsonb NOT NULL
);

-- What came in during each hour; the endpoint '' stands for all of them together, so that a long history is read
-- without its endpoints. The histogram is text of the form 'first index;count,count,…' of log-linear buckets of
-- microseconds, as Redis has it.
CREATE TABLE traffic_hourly (
    hour      timestamptz NOT NULL,
    endpoint  text NOT NULL,
    requests  bigint NOT NULL CHECK (requests >= 0),
    errors    bigint NOT NULL CHECK (errors BETWEEN 0 AND requests),
    sum_us    bigint NOT NULL CHECK (sum_us >= 0),
    histogram text NOT NULL,
    PRIMARY KEY (hour, endpoint)
);
