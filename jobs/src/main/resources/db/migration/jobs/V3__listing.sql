-- Lists of jobs by status, newest first: of few among many that have ended well.
CREATE INDEX jobs_jobs_unfinished_listed ON jobs_jobs (number) WHERE status IN ('PENDING', 'RUNNING');
CREATE INDEX jobs_jobs_failed_listed ON jobs_jobs (number) WHERE status = 'FAILED';
