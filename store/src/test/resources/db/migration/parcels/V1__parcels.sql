CREATE TABLE parcels (id text PRIMARY KEY, weight integer NOT NULL);
