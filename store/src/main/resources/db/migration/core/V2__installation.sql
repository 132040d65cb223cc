-- Tells this database from every other, so that two of them are not kept in one Redis under one prefix. One row.
CREATE TABLE hotstate_installation (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    id       uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO hotstate_installation DEFAULT VALUES;
