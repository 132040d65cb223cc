-- Where alerts go. The settings have what must be known to send there, secrets included: those are written, never shown.
CREATE TABLE monitors_channels (
    id         text PRIMARY KEY,
    settings   jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

-- The outbox and, once an alert is out, the log of its delivery. A row is written in the transaction of its incident.
-- The channel is no foreign key: the log outlives it.
--   held       waits for its incident's word (release or drop)
--   pending    is sent from due_at on, after all rows of the same incident and channel with a smaller place
--   sending    somebody is at it, until lease_until
--   delivered, dead (given up; may be replayed), dropped (was held and is not worth sending any more)
-- The fence grows with each claim and never goes back, while a replay counts the attempts anew.
CREATE TABLE monitors_deliveries (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    incident        bigint NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('opened', 'reminder', 'closed')),
    sequence        integer NOT NULL CHECK (sequence >= 0),
    channel         text NOT NULL,
    place           bigint NOT NULL GENERATED ALWAYS AS
                        (CASE kind WHEN 'opened' THEN 0 WHEN 'reminder' THEN 1 + sequence::bigint ELSE 4294967296 END) STORED,
    message         jsonb NOT NULL,
    status          text NOT NULL
                        CHECK (status IN ('held', 'pending', 'sending', 'delivered', 'dead', 'dropped')),
    attempts        integer NOT NULL DEFAULT 0,
    fence           bigint NOT NULL DEFAULT 0,
    error           text,
    created_at      timestamptz NOT NULL DEFAULT now(),
    ready_at        timestamptz NOT NULL DEFAULT now(), -- from then on the time runs after which it is given up
    due_at          timestamptz NOT NULL DEFAULT now(),
    lease_until     timestamptz CHECK ((lease_until IS NOT NULL) = (status = 'sending')),
    last_attempt_at timestamptz,
    delivered_at    timestamptz,
    UNIQUE (incident, channel, kind, sequence)
);

CREATE INDEX monitors_deliveries_due ON monitors_deliveries (channel, due_at) WHERE status = 'pending';
CREATE INDEX monitors_deliveries_leased ON monitors_deliveries (lease_until) WHERE status = 'sending';
-- What is not at rest, and what was given up, is counted without a look at the long log.
CREATE INDEX monitors_deliveries_open ON monitors_deliveries (status, id) INCLUDE (ready_at, last_attempt_at)
    WHERE status IN ('held', 'pending', 'sending', 'dead');
CREATE INDEX monitors_deliveries_created ON monitors_deliveries (created_at);
