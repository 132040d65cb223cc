-- A job's row changes a few times, and each time stands in all indexes anew: most jobs have no key, and need not stand here.
ALTER TABLE jobs_jobs DROP CONSTRAINT jobs_jobs_idempotency_key_key;
CREATE UNIQUE INDEX jobs_jobs_idempotency_key ON jobs_jobs (idempotency_key) WHERE idempotency_key IS NOT NULL;
