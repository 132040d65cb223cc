-- What is watched. The document is the whole monitor as the API writes it. A deleted row stays for a day, so that every
-- instance learns of it; whoever was away for longer than what was purged reads everything anew. Since is the version that
-- made it, which a monitor made anew under the same id has another of.
CREATE TABLE monitors_definitions (
    id         text PRIMARY KEY,
    version    bigint NOT NULL UNIQUE CHECK (version >= 1),
    since      bigint NOT NULL CHECK (since BETWEEN 1 AND version),
    document   json NOT NULL,
    ping_key   text NOT NULL UNIQUE,
    applied    boolean NOT NULL,
    deleted    boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

CREATE INDEX monitors_definitions_deleted ON monitors_definitions (updated_at) WHERE deleted;

-- When nobody is alerted: once from starts_at to ends_at, or for a duration after each time of a cron expression.
CREATE TABLE monitors_windows (
    id         text PRIMARY KEY,
    document   json NOT NULL,
    ends_at    timestamptz,
    created_at timestamptz NOT NULL
);

-- The last version of each set. A writer locks the row first and holds it to the end of its transaction, so versions
-- become visible in their order: who has read up to one has missed none before it.
CREATE TABLE monitors_versions (
    of     text PRIMARY KEY,
    last   bigint NOT NULL,
    purged bigint NOT NULL
);

INSERT INTO monitors_versions (of, last, purged) VALUES ('definitions', 0, 0), ('windows', 0, 0);
