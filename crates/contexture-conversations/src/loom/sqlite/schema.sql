CREATE TABLE trees (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, local TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
    mode TEXT NOT NULL, system_context TEXT, buffer_system INTEGER NOT NULL, truncation TEXT,
    minimum_recent INTEGER, token_buffer INTEGER, created INTEGER NOT NULL,
    nodes INTEGER NOT NULL, root INTEGER REFERENCES nodes(seq) DEFERRABLE INITIALLY DEFERRED,
    path INTEGER REFERENCES paths(seq) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE agents (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    system_prompt TEXT, model TEXT, permissions INTEGER NOT NULL
) STRICT;
CREATE TABLE nodes (
    seq INTEGER PRIMARY KEY, tree INTEGER NOT NULL REFERENCES trees(seq),
    id TEXT NOT NULL UNIQUE, local TEXT NOT NULL UNIQUE, author INTEGER NOT NULL REFERENCES agents(seq),
    form INTEGER NOT NULL, created INTEGER NOT NULL, lineage INTEGER NOT NULL,
    edited_from INTEGER REFERENCES nodes(seq) DEFERRABLE INITIALLY DEFERRED,
    origin TEXT, hash BLOB NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX edits ON nodes (lineage) WHERE lineage <> seq;
CREATE TABLE shapes (
    tree INTEGER NOT NULL REFERENCES trees(seq), seq INTEGER NOT NULL REFERENCES nodes(seq),
    parent INTEGER REFERENCES nodes(seq), marks INTEGER NOT NULL, pruned INTEGER REFERENCES nodes(seq),
    PRIMARY KEY (tree, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX pruned ON shapes (tree, pruned) WHERE pruned IS NOT NULL;
CREATE TABLE edges (
    seq INTEGER PRIMARY KEY, tree INTEGER NOT NULL REFERENCES trees(seq), id TEXT NOT NULL UNIQUE,
    target INTEGER NOT NULL REFERENCES nodes(seq), kind INTEGER NOT NULL, created INTEGER NOT NULL
) STRICT;
CREATE INDEX edges_of ON edges (tree);
CREATE TABLE sources (
    target INTEGER NOT NULL REFERENCES nodes(seq), edge INTEGER NOT NULL REFERENCES edges(seq), place INTEGER NOT NULL,
    node INTEGER NOT NULL REFERENCES nodes(seq), role INTEGER NOT NULL, kind INTEGER NOT NULL,
    PRIMARY KEY (target, edge, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX links ON sources (node, target, edge, place, role, kind);
CREATE TABLE paths (
    seq INTEGER PRIMARY KEY, tree INTEGER NOT NULL REFERENCES trees(seq), id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, active INTEGER REFERENCES nodes(seq), UNIQUE (tree, name)
) STRICT;
CREATE TABLE choices (
    seq INTEGER PRIMARY KEY, path INTEGER NOT NULL REFERENCES paths(seq),
    target INTEGER NOT NULL REFERENCES nodes(seq), edge INTEGER REFERENCES edges(seq),
    source INTEGER REFERENCES nodes(seq)
) STRICT;
CREATE INDEX choices_at ON choices (path, target);
CREATE TABLE bookmarks (node INTEGER PRIMARY KEY REFERENCES nodes(seq), label TEXT NOT NULL) STRICT;
CREATE TABLE pins (
    seq INTEGER PRIMARY KEY, tree INTEGER NOT NULL REFERENCES trees(seq),
    node INTEGER NOT NULL REFERENCES nodes(seq), UNIQUE (tree, node)
) STRICT;
CREATE TABLE stashes (
    seq INTEGER PRIMARY KEY, tree INTEGER NOT NULL REFERENCES trees(seq), label TEXT NOT NULL,
    text TEXT NOT NULL, recalled INTEGER NOT NULL, UNIQUE (tree, label)
) STRICT;
CREATE TABLE actions (
    seq INTEGER PRIMARY KEY, tree INTEGER NOT NULL REFERENCES trees(seq), at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX actions_of ON actions (tree, seq);
CREATE TABLE responses (
    seq INTEGER PRIMARY KEY, node INTEGER NOT NULL REFERENCES nodes(seq), provider TEXT NOT NULL,
    model TEXT NOT NULL, body TEXT NOT NULL, input_tokens INTEGER, output_tokens INTEGER, latency INTEGER NOT NULL,
    created INTEGER NOT NULL
) STRICT;
CREATE INDEX responses_of ON responses (node);
CREATE TABLE settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
