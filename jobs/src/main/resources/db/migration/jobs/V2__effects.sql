-- What a task has done to PostgreSQL, written with it in one transaction: so an attempt that comes again finds it done.
-- One row a task that writes in this way, by epoch: a re-run may write again. It refers to its job by name only: a foreign
-- key would lock the job while a task writes, and nobody could cancel it.
CREATE TABLE jobs_effects (
    job_id       text    NOT NULL,
    task_id      text    NOT NULL,
    epoch        integer NOT NULL,
    -- The fence of the last attempt that was let in: an earlier one is refused.
    incarnation  bigint  NOT NULL,
    count        bigint  NOT NULL,
    done         boolean NOT NULL DEFAULT false,
    -- Its last attempt was given up: none may write any more.
    closed       boolean NOT NULL DEFAULT false,
    result       text,
    PRIMARY KEY (job_id, task_id, epoch)
);
