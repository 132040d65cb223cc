-- A job is one row, its whole graph one document, so that a submission is one insert. Redis is told of it afterwards.
CREATE TABLE jobs_jobs (
    id              text PRIMARY KEY,
    -- The order of submission.
    number          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    -- Of its id: it says in which partition the job is, however many there are.
    hash            bigint      NOT NULL,
    name            text        NOT NULL,
    created_by      text        NOT NULL,
    idempotency_key text UNIQUE,
    -- The schedule that made it.
    schedule        text,
    priority        smallint    NOT NULL,
    queue           text        NOT NULL,
    tasks           integer     NOT NULL,
    epoch           integer     NOT NULL DEFAULT 1,
    status          text        NOT NULL DEFAULT 'PENDING',
    -- What people want of it, before its status says so: none, pause, cancel.
    intent          text        NOT NULL DEFAULT 'none',
    -- Whether Redis has heard of the intent, and has the job of this epoch.
    told            boolean     NOT NULL DEFAULT true,
    published       boolean     NOT NULL DEFAULT false,
    -- When an instance should see to that, if it is still not so.
    look_at         timestamptz NOT NULL,
    -- Whether its logs are here and its keys in Redis expire.
    retired         boolean     NOT NULL DEFAULT false,
    succeeded       integer     NOT NULL DEFAULT 0,
    failed          integer     NOT NULL DEFAULT 0,
    skipped         integer     NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL,
    start_at        timestamptz,
    started_at      timestamptz,
    finished_at     timestamptz,
    document        text        NOT NULL
);

CREATE INDEX jobs_jobs_unfinished ON jobs_jobs (id) WHERE status IN ('PENDING', 'RUNNING');
CREATE INDEX jobs_jobs_untold ON jobs_jobs (look_at) WHERE NOT (published AND told);
CREATE INDEX jobs_jobs_unretired ON jobs_jobs (finished_at) WHERE NOT retired AND finished_at IS NOT NULL;
CREATE INDEX jobs_jobs_retired ON jobs_jobs (finished_at) WHERE retired;
CREATE INDEX jobs_jobs_by_schedule ON jobs_jobs (schedule, number) WHERE schedule IS NOT NULL;

-- What is known of a task: its last attempt that ended somehow. One that nothing has happened to has no row.
CREATE TABLE jobs_tasks (
    job_id      text     NOT NULL,
    task_id     text     NOT NULL,
    epoch       integer  NOT NULL,
    attempt     integer  NOT NULL,
    -- Which of two states of an attempt is the later one.
    rank        smallint NOT NULL,
    status      text     NOT NULL,
    logged      boolean  NOT NULL,
    started_at  timestamptz,
    finished_at timestamptz,
    worker      text,
    error       text,
    result      text,
    PRIMARY KEY (job_id, task_id)
);

-- The last lines of a task, once its job has ended.
CREATE TABLE jobs_logs (
    job_id  text   NOT NULL,
    task_id text   NOT NULL,
    first   bigint NOT NULL,
    lines   text[] NOT NULL,
    PRIMARY KEY (job_id, task_id)
);

CREATE TABLE jobs_queues (
    name        text PRIMARY KEY,
    concurrency integer NOT NULL CHECK (concurrency >= 0)
);

-- Jobs that come again. The document is the whole schedule as the API writes it.
CREATE TABLE jobs_schedules (
    id         text PRIMARY KEY,
    document   text        NOT NULL,
    next_at    timestamptz,
    last_at    timestamptz,
    last_job   text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

CREATE INDEX jobs_schedules_due ON jobs_schedules (next_at);
