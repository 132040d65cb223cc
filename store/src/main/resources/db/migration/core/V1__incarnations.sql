-- Which processes live, and on what they work.
CREATE TABLE hotstate_instance (
    name     text PRIMARY KEY,
    features text[] NOT NULL,
    seen_at  timestamptz NOT NULL
);

-- The truth about each partition of each feature: see dev.hotstate.core.Ledger.
CREATE TABLE hotstate_partition (
    feature     text NOT NULL,
    tag         text NOT NULL,
    incarnation bigint NOT NULL,
    ready       boolean NOT NULL,
    retired     boolean NOT NULL DEFAULT false,
    beat        bigint NOT NULL DEFAULT 0,
    reason      text NOT NULL,
    -- The rebuild: who holds it until when, under which token, and how far it is.
    rebuilder   text,
    token       bigint NOT NULL DEFAULT 0,
    lease_until timestamptz,
    done        bigint NOT NULL DEFAULT 0,
    changed_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (feature, tag)
);
