-- A number is taken from here and never given back.
CREATE TABLE projects (id INTEGER PRIMARY KEY, root BLOB NOT NULL UNIQUE, next INTEGER NOT NULL);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES projects (id),
    number INTEGER NOT NULL,
    head TEXT NOT NULL,
    lists BLOB NOT NULL,
    UNIQUE (project, number)
);
-- Pieces of lists, shared by all runs that hold them. Who uses a piece how often stands apart: rows of parts are long, and to
-- change one is to write it anew.
CREATE TABLE parts (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, body BLOB NOT NULL);
CREATE TABLE uses (part INTEGER PRIMARY KEY REFERENCES parts (id), times INTEGER NOT NULL);
CREATE TABLE kept (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (run, name)
);
CREATE INDEX kept_sizes ON kept (run, bytes);
