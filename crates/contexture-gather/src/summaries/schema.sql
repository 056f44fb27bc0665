CREATE TABLE summaries (
    seq INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, checksum BLOB NOT NULL,
    file_path TEXT NOT NULL, file_hash BLOB NOT NULL, summary TEXT NOT NULL, outline TEXT NOT NULL,
    generated_at TEXT NOT NULL, tier INTEGER NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL,
    prompt_version TEXT NOT NULL, view TEXT NOT NULL, params TEXT NOT NULL,
    input_tokens INTEGER, output_tokens INTEGER
) STRICT;
CREATE INDEX summaries_of ON summaries (file_hash);
