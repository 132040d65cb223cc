CREATE TABLE errand (id text PRIMARY KEY, tag text NOT NULL);
