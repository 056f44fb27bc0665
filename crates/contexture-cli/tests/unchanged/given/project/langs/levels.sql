CREATE TABLE levels (
    station TEXT NOT NULL,
    at INTEGER NOT NULL,
    level REAL NOT NULL,
    PRIMARY KEY (station, at)
);
