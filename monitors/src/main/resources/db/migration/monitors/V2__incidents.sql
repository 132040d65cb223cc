-- An outage that counted. Its name and channels are those of the time it began: what was told then is told again at its end.
CREATE TABLE monitors_incidents (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    monitor_id       text        NOT NULL,
    monitor_name     text        NOT NULL,
    monitor_target   text        NOT NULL,
    started_at       timestamptz NOT NULL,
    ended_at         timestamptz,
    failure_count    bigint      NOT NULL,
    error            text,
    channels         text[]      NOT NULL,
    -- Its alerts wait until it is known whether a monitor that this one depends on is down.
    held             boolean     NOT NULL,
    acknowledged_at  timestamptz,
    acknowledged_by  text,
    reminders        integer     NOT NULL DEFAULT 0,
    next_reminder_at timestamptz,
    -- The same outage told twice is one incident.
    UNIQUE (monitor_id, started_at)
);

CREATE UNIQUE INDEX monitors_incidents_one_open ON monitors_incidents (monitor_id) WHERE ended_at IS NULL;
CREATE INDEX monitors_incidents_by_monitor ON monitors_incidents (monitor_id, id);
CREATE INDEX monitors_incidents_reminders ON monitors_incidents (next_reminder_at) WHERE ended_at IS NULL;

CREATE TABLE monitors_incident_events (
    incident_id bigint      NOT NULL REFERENCES monitors_incidents ON DELETE CASCADE,
    at          timestamptz NOT NULL,
    kind        text        NOT NULL,
    detail      text
);

CREATE INDEX monitors_incident_events_by_incident ON monitors_incident_events (incident_id, at);
