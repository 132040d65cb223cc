CREATE TABLE half_way (id text PRIMARY KEY);
ALTER TABLE no_such_table ADD COLUMN note text;
