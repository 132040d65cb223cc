-- Who may call. A token or a session cookie is shown once and kept only as its SHA-256: with 256 random bits in it there
-- is nothing to guess, so a slow hash would cost every request and gain nothing.
CREATE TABLE api_token (
    id           text PRIMARY KEY,
    name         text NOT NULL UNIQUE,
    role         text NOT NULL CHECK (role IN ('admin', 'operator', 'viewer', 'agent')),
    hash         bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz,
    last_used_at timestamptz
);

-- A browser's session; revoking its token ends it.
CREATE TABLE api_session (
    hash       bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    token_id   text NOT NULL REFERENCES api_token ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);

CREATE INDEX api_session_token ON api_session (token_id, created_at);
