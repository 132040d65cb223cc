-- Every version is the whole set of rules, so that what was in force can be read and put back as it was. The largest
-- version is in force; before the first one there are no rules.
CREATE TABLE limits_rules (
    version    bigint PRIMARY KEY CHECK (version >= 1),
    rules      jsonb NOT NULL CHECK (jsonb_typeof(rules) = 'array'),
    created_at timestamptz NOT NULL,
    created_by text NOT NULL
);
