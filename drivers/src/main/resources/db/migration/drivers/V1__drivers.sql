-- A driver. What was decided of it (its status by request, a reservation, its profile) has a version and is here before
-- anybody is told; where it is, and whether it is silent, Redis knows first and comes here behind.
CREATE TABLE drivers_drivers (
    id             text COLLATE "C" PRIMARY KEY,
    -- Which region of Redis holds it, how often it changed that, and which one it left last.
    region         text        NOT NULL,
    epoch          bigint      NOT NULL DEFAULT 1,
    came_from      text,
    -- Of the last decision, and of the last one that Redis is known to have heard of.
    version        bigint      NOT NULL DEFAULT 0,
    synced         bigint      NOT NULL DEFAULT 0,
    decided_at     timestamptz NOT NULL DEFAULT now(),
    -- The version by which its status was decided: what Redis says of it counts if it had heard of that.
    ruled          bigint      NOT NULL DEFAULT 0,
    status         text        NOT NULL CHECK (status IN ('AVAILABLE', 'BUSY', 'OFFLINE')),
    -- Whether it is OFFLINE by request: then fixes do not make it AVAILABLE.
    chosen         boolean     NOT NULL DEFAULT false,
    since          timestamptz NOT NULL,
    name           text,
    vehicle        text,
    rating         double precision,
    tags           text[]      NOT NULL DEFAULT '{}',
    -- The place as Redis has it: a cell of 52 bits, and its middle.
    cell           bigint,
    current_lat    double precision,
    current_lon    double precision,
    -- The cell's first 28 bits, some kilometres. It seldom changes, so most fixes leave the index alone.
    area           integer,
    heading        double precision,
    speed          double precision,
    seq            bigint,
    fixed_at       timestamptz,
    last_active_at timestamptz,
    -- Whether Redis has let go of it, after a week of silence.
    forgotten      boolean     NOT NULL DEFAULT false
) WITH (fillfactor = 60);

CREATE INDEX drivers_drivers_in_region ON drivers_drivers (region, id);
CREATE INDEX drivers_drivers_untold ON drivers_drivers (decided_at) WHERE synced < version;
CREATE INDEX drivers_drivers_by_area ON drivers_drivers (area);

CREATE TABLE drivers_reservations (
    id         text PRIMARY KEY,
    driver_id  text COLLATE "C" NOT NULL,
    region     text             NOT NULL,
    fence      text             NOT NULL,
    holder     text             NOT NULL,
    state      text             NOT NULL CHECK (state IN ('HELD', 'CONFIRMED', 'CANCELLED', 'LAPSED')),
    -- In metres.
    distance   double precision NOT NULL,
    created_at timestamptz      NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz      NOT NULL,
    ended_at   timestamptz
);

-- Never two holders of one driver, whatever Redis has forgotten.
CREATE UNIQUE INDEX drivers_reservations_held ON drivers_reservations (driver_id) WHERE state = 'HELD';
CREATE INDEX drivers_reservations_lapsing ON drivers_reservations (expires_at) WHERE state = 'HELD';
CREATE INDEX drivers_reservations_ended ON drivers_reservations (ended_at) WHERE state <> 'HELD';

-- A deleted one stays until no driver is in it.
CREATE TABLE drivers_regions (
    id         text COLLATE "C" PRIMARY KEY,
    -- lat, lon, lat, lon, …
    shape      double precision[] NOT NULL,
    deleted_at timestamptz
);

-- One row: the version of the regions, and the time of the newest sign of life that has come here.
CREATE TABLE drivers_marks (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    regions bigint NOT NULL DEFAULT 0,
    as_of   timestamptz
);

INSERT INTO drivers_marks DEFAULT VALUES;
