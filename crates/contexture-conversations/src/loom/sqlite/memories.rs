//! Pins, stashes, actions and responses.

use super::super::store::{Memories, Result, Seq};
use super::trees::{signed, unsigned};
use super::{Tables, get};
use contexture_core::{Action, RawResponse, Stash};
use rusqlite::{Row, params};

const RESPONSE: &str =
    "responses.node, provider, model, responses.body, input_tokens, output_tokens, latency, responses.created";

impl Memories for Tables<'_> {
    fn pins(&mut self, tree: Seq) -> Result<Vec<Seq>> {
        self.all("SELECT node FROM pins WHERE tree = ?1 ORDER BY seq", [tree], |row| get(row, 0))
    }

    fn set_pin(&mut self, tree: Seq, node: Seq, is_pinned: bool) -> Result<()> {
        let query = if is_pinned {
            "INSERT OR IGNORE INTO pins (tree, node) VALUES (?1, ?2)"
        } else {
            "DELETE FROM pins WHERE tree = ?1 AND node = ?2"
        };
        self.execute(query, [tree, node])
    }

    fn stashes(&mut self, tree: Seq) -> Result<Vec<Stash>> {
        self.all("SELECT label, text, recalled FROM stashes WHERE tree = ?1 ORDER BY seq", [tree], |row| {
            Ok(Stash { label: get(row, 0)?, text: get::<String>(row, 1)?.into(), recalled: get(row, 2)? })
        })
    }

    fn set_stash(&mut self, tree: Seq, stash: &Stash) -> Result<()> {
        self.execute(
            "INSERT INTO stashes (tree, label, text, recalled) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (tree, label) DO UPDATE SET text = excluded.text, recalled = excluded.recalled",
            params![tree, stash.label, &*stash.text, stash.recalled],
        )
    }

    fn drop_stash(&mut self, tree: Seq, label: &str) -> Result<()> {
        self.execute("DELETE FROM stashes WHERE tree = ?1 AND label = ?2", params![tree, label])
    }

    fn add_action(&mut self, tree: Seq, action: &Action, keep: usize) -> Result<()> {
        self.execute(
            "INSERT INTO actions (tree, at, text) VALUES (?1, ?2, ?3)",
            params![tree, action.at, action.text],
        )?;
        self.execute(
            "DELETE FROM actions WHERE tree = ?1 AND seq <=
                 (SELECT seq FROM actions WHERE tree = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)",
            params![tree, keep as i64],
        )
    }

    fn actions(&mut self, tree: Seq) -> Result<Vec<Action>> {
        self.all("SELECT at, text FROM actions WHERE tree = ?1 ORDER BY seq", [tree], |row| {
            Ok(Action { at: get(row, 0)?, text: get(row, 1)? })
        })
    }

    fn add_response(&mut self, node: Seq, response: &RawResponse) -> Result<()> {
        let RawResponse { provider, model, body, input_tokens, output_tokens, latency_ms, created, .. } = response;
        let (input, output) = (input_tokens.map(signed), output_tokens.map(signed));
        self.execute(
            "INSERT INTO responses (node, provider, model, body, input_tokens, output_tokens, latency, created)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![node, provider, model, &**body, input, output, signed(*latency_ms), created],
        )
    }

    fn responses(&mut self, node: Seq) -> Result<Vec<RawResponse>> {
        let query = format!("SELECT {RESPONSE} FROM responses WHERE node = ?1 ORDER BY seq");
        self.all(&query, [node], |row| Ok(response(row)?.1))
    }

    fn answered(&mut self, tree: Seq) -> Result<Vec<(Seq, RawResponse)>> {
        let query = format!(
            "SELECT {RESPONSE} FROM responses JOIN nodes ON nodes.seq = responses.node WHERE nodes.tree = ?1
             ORDER BY responses.seq"
        );
        self.all(&query, [tree], response)
    }
}

fn response(row: &Row<'_>) -> Result<(Seq, RawResponse)> {
    let response = RawResponse {
        node: String::new(),
        provider: get(row, 1)?,
        model: get(row, 2)?,
        body: get::<String>(row, 3)?.into(),
        input_tokens: get::<Option<i64>>(row, 4)?.map(unsigned),
        output_tokens: get::<Option<i64>>(row, 5)?.map(unsigned),
        latency_ms: unsigned(get(row, 6)?),
        created: get(row, 7)?,
    };
    Ok((get(row, 0)?, response))
}
