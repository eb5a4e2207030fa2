-- Each minute the jobs that have not ended are looked through; they are few beside those that have.
CREATE INDEX jobs_open ON jobs (id) WHERE status IN ('queued', 'running', 'retrying');
