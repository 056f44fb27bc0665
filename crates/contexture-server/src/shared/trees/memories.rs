//! Pins, stashes, actions and responses.

use super::{Tables, get, sql, text};
use contexture_conversations::loom::store::{Memories, Result, Seq};
use contexture_core::{Action, RawResponse, Stash};
use sqlx::postgres::PgRow;

macro_rules! response {
    ($after:literal) => {
        concat!(
            "SELECT responses.node, provider, model, responses.body, input_tokens, output_tokens, latency,
                 responses.created FROM contexture.responses AS responses ",
            $after
        )
    };
}

impl Memories for Tables<'_> {
    fn pins(&mut self, tree: Seq) -> Result<Vec<Seq>> {
        let query = "SELECT node FROM contexture.pins WHERE tree = $1 ORDER BY seq";
        self.all(sql(query).bind(tree), |row| get(row, 0))
    }

    fn set_pin(&mut self, tree: Seq, node: Seq, is_pinned: bool) -> Result<()> {
        let query = if is_pinned {
            "INSERT INTO contexture.pins (tree, node) VALUES ($1, $2) ON CONFLICT (tree, node) DO NOTHING"
        } else {
            "DELETE FROM contexture.pins WHERE tree = $1 AND node = $2"
        };
        self.execute(sql(query).bind(tree).bind(node))
    }

    fn stashes(&mut self, tree: Seq) -> Result<Vec<Stash>> {
        let query = "SELECT label, text, recalled FROM contexture.stashes WHERE tree = $1 ORDER BY seq";
        self.all(sql(query).bind(tree), |row| {
            Ok(Stash { label: text(row, 0)?, text: text(row, 1)?.into(), recalled: get::<i64>(row, 2)? != 0 })
        })
    }

    fn set_stash(&mut self, tree: Seq, stash: &Stash) -> Result<()> {
        let query = "INSERT INTO contexture.stashes (tree, label, text, recalled) VALUES ($1, $2, $3, $4)
             ON CONFLICT (tree, label) DO UPDATE SET text = excluded.text, recalled = excluded.recalled";
        let (label, text) = (stash.label.as_bytes(), stash.text.as_bytes());
        self.execute(sql(query).bind(tree).bind(label).bind(text).bind(i64::from(stash.recalled)))
    }

    fn drop_stash(&mut self, tree: Seq, label: &str) -> Result<()> {
        let query = "DELETE FROM contexture.stashes WHERE tree = $1 AND label = $2";
        self.execute(sql(query).bind(tree).bind(label.as_bytes()))
    }

    fn add_action(&mut self, tree: Seq, action: &Action, keep: usize) -> Result<()> {
        let query = "INSERT INTO contexture.actions (tree, at, text) VALUES ($1, $2, $3)";
        self.execute(sql(query).bind(tree).bind(action.at).bind(action.text.as_bytes()))?;
        let query = "DELETE FROM contexture.actions WHERE tree = $1 AND seq <=
             (SELECT seq FROM contexture.actions WHERE tree = $1 ORDER BY seq DESC LIMIT 1 OFFSET $2)";
        self.execute(sql(query).bind(tree).bind(keep as i64))
    }

    fn actions(&mut self, tree: Seq) -> Result<Vec<Action>> {
        let query = "SELECT at, text FROM contexture.actions WHERE tree = $1 ORDER BY seq";
        self.all(sql(query).bind(tree), |row| Ok(Action { at: get(row, 0)?, text: text(row, 1)? }))
    }

    fn add_response(&mut self, node: Seq, response: &RawResponse) -> Result<()> {
        let query = "INSERT INTO contexture.responses (node, provider, model, body, input_tokens, output_tokens,
             latency, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        self.execute(
            sql(query)
                .bind(node)
                .bind(response.provider.as_bytes())
                .bind(response.model.as_bytes())
                .bind(response.body.as_bytes())
                .bind(response.input_tokens.map(u64::cast_signed))
                .bind(response.output_tokens.map(u64::cast_signed))
                .bind(response.latency_ms.cast_signed())
                .bind(response.created),
        )
    }

    fn responses(&mut self, node: Seq) -> Result<Vec<RawResponse>> {
        let query = response!("WHERE node = $1 ORDER BY seq");
        self.all(sql(query).bind(node), |row| Ok(response(row)?.1))
    }

    fn answered(&mut self, tree: Seq) -> Result<Vec<(Seq, RawResponse)>> {
        let query = response!(
            "JOIN contexture.nodes AS nodes ON nodes.seq = responses.node WHERE nodes.tree = $1 ORDER BY responses.seq"
        );
        self.all(sql(query).bind(tree), response)
    }
}

fn response(row: &PgRow) -> Result<(Seq, RawResponse)> {
    let unsigned = |at: usize| get::<Option<i64>>(row, at).map(|number| number.map(i64::cast_unsigned));
    let response = RawResponse {
        node: String::new(),
        provider: text(row, 1)?,
        model: text(row, 2)?,
        body: text(row, 3)?.into(),
        input_tokens: unsigned(4)?,
        output_tokens: unsigned(5)?,
        latency_ms: unsigned(6)?.unwrap_or_default(),
        created: get(row, 7)?,
    };
    Ok((get(row, 0)?, response))
}
