-- What has happened to tasks, a row a batch of the archive and job instead of a row a task: the tasks of a job end together
-- more often than not, and rows of their own took PostgreSQL most of the time that a task takes. Nothing here is changed
-- afterwards; of several states of a task the last one counts, which jobs_tasks_of finds out.
CREATE TABLE jobs_history (
    -- The order in which it came.
    place       bigint    GENERATED ALWAYS AS IDENTITY,
    -- The job's number: its id may be another's one day.
    job         bigint    NOT NULL,
    -- What is of another epoch than the job's counts for nothing.
    epoch       integer   NOT NULL,
    task_ids    text[]    COLLATE "C" NOT NULL,
    -- Each of these has a place for each of them.
    attempts    integer[] NOT NULL,
    statuses    text[]    NOT NULL,
    logged      boolean[] NOT NULL,
    started_ms  bigint[]  NOT NULL,
    finished_ms bigint[]  NOT NULL,
    workers     text[]    NOT NULL,
    errors      text[]    NOT NULL,
    results     text[]    NOT NULL
);

CREATE INDEX jobs_history_of_a_job ON jobs_history (job);

INSERT INTO jobs_history (job, epoch, task_ids, attempts, statuses, logged, started_ms, finished_ms, workers, errors, results)
SELECT number, epoch, array_agg(task_id), array_agg(attempt), array_agg(status), array_agg(logged),
    array_agg(started_ms), array_agg(finished_ms), array_agg(worker), array_agg(error), array_agg(result)
FROM (SELECT jobs_jobs.number, jobs_jobs.epoch, task_id, attempt, jobs_tasks.status, logged, worker, error, result,
        (extract(epoch FROM jobs_tasks.started_at) * 1000)::bigint AS started_ms,
        (extract(epoch FROM jobs_tasks.finished_at) * 1000)::bigint AS finished_ms,
        row_number() OVER of_a_job / 500 AS portion,
        sum(coalesce(octet_length(result), 0)) OVER of_a_job / 16384 AS size
    FROM jobs_tasks JOIN jobs_jobs ON jobs_jobs.id = jobs_tasks.job_id
    WINDOW of_a_job AS (PARTITION BY job_id ORDER BY task_id)) AS known
GROUP BY number, epoch, portion, size;

DROP TABLE jobs_tasks;

-- What is known of a job's tasks: of all, or of some. Of several states of a task the one of the last attempt counts, and of
-- one attempt the last; but a success is final, and of two that say the same the first counts. One that nothing has happened
-- to has no row.
CREATE FUNCTION jobs_tasks_of(of_job text, among text[] DEFAULT NULL)
RETURNS TABLE (task_id text, attempt integer, status text, logged boolean, started_at timestamptz,
    finished_at timestamptz, worker text, error text, result text)
LANGUAGE sql STABLE AS $$
    SELECT DISTINCT ON (task.id) task.id, task.attempt, task.status, bool_or(task.logged) OVER (PARTITION BY task.id),
        to_timestamp(task.started_ms::double precision / 1000), to_timestamp(task.finished_ms::double precision / 1000),
        task.worker, task.error, results[task.n]
    FROM jobs_jobs JOIN jobs_history ON jobs_history.job = jobs_jobs.number AND jobs_history.epoch = jobs_jobs.epoch
    CROSS JOIN LATERAL
        unnest(task_ids, attempts, statuses, jobs_history.logged, started_ms, finished_ms, workers, errors) WITH ORDINALITY
            AS task (id, attempt, status, logged, started_ms, finished_ms, worker, error, n)
    WHERE jobs_jobs.id = of_job
        AND (among IS NULL
            OR (EXISTS (SELECT FROM unnest(task_ids) AS id WHERE id = ANY (among)) AND task.id = ANY (among)))
    ORDER BY task.id, task.status = 'SUCCEEDED' DESC, CASE task.status WHEN 'SUCCEEDED' THEN 0 ELSE task.attempt END DESC,
        array_position(ARRAY['DELAYED', 'SKIPPED', 'FAILED'], task.status) DESC, jobs_history.place
$$;

-- The same of all jobs, for people.
CREATE VIEW jobs_tasks AS
SELECT jobs_jobs.id AS job_id, jobs_jobs.epoch, task.* FROM jobs_jobs CROSS JOIN LATERAL jobs_tasks_of(jobs_jobs.id) AS task;
