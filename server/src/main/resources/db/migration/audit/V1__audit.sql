-- What audits of the server's Redis found. Figures stay for the retention; the whole report is kept of the newest ones
-- alone, since it holds examples, clients and the slow log.
CREATE TABLE audit_reports (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL,
    took_ms    bigint NOT NULL,
    complete   boolean NOT NULL,
    keys       bigint NOT NULL,
    undeclared bigint NOT NULL,
    used_bytes bigint NOT NULL,
    errors     int NOT NULL,
    warnings   int NOT NULL,
    infos      int NOT NULL,
    report     jsonb
);
CREATE INDEX audit_reports_at ON audit_reports (at);

-- Counts and memory of each family at that time, for charts.
CREATE TABLE audit_families (
    report_id bigint NOT NULL REFERENCES audit_reports ON DELETE CASCADE,
    family    text NOT NULL,
    declared  boolean NOT NULL,
    keys      bigint NOT NULL,
    bytes     bigint NOT NULL,
    PRIMARY KEY (report_id, family)
);

-- Who is auditing: one at a time over all instances. A holder that died is replaced when its lease ends.
CREATE TABLE audit_lease (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one),
    holder text NOT NULL,
    until  timestamptz NOT NULL
);
