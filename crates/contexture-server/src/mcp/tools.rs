//! The tools: what a client is shown of them, and which operation each calls.
//!
//! A row names the fields of its request that are arguments, in the order in which they are shown; their schemas and texts are those of
//! the request type. A tool or argument that writes is in the list only where writing is allowed. There are no schemas of answers: with
//! them the list would cost a model several times as much.

use super::answers::{self, Answer};
use super::arguments::Arguments;
use super::{Writes, loom};
use contexture::ops::{Door, OpError};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

struct Row {
    tool: Tool,
    run: Box<RunTool>,
}

/// Takes what was sent, and the program that sent it.
type RunTool = dyn FnOnce(&Door, JsonObject, &str) -> Result<Answer, OpError> + Send;

/// All of them, in the order of the list.
fn rows(writes: Writes) -> Vec<Row> {
    let may_write = writes == Writes::Allowed;
    let write: &[&str] = if may_write { &["write"] } else { &[] };
    let mut rows = vec![
        row(
            "plan",
            "Plan a document",
            "What a document of this project would hold: files with view, tokens and reason, without their text. With `query` and `budget`: what a task needs. Without `paths`: the project's composition, else all files.",
            &["paths", "preset", "query", "budget", "view", "focus", "offset"],
            answers::plan,
        ),
        row(
            "build",
            "Build a document",
            "Many files as one Markdown document within `budget`: what matters for `query` in full, the rest as skeletons, outlines or summaries. A page has about 6,000 tokens.",
            &[&["paths", "preset", "query", "budget", "view", "focus", "diff", "offset"], write].concat(),
            answers::build,
        )
        .hinting(hints(!may_write)),
        row(
            "read",
            "Read a file",
            "One file in one view, else in full. `outline` lists its symbols with lines; `skeleton` leaves bodies out; `mask` shows chosen symbols by qualified name, as {\"Class.method\": \"def\"}.",
            &["path", "view", "mask", "lines", "line_numbers", "offset"],
            answers::read,
        ),
        row(
            "search",
            "Search",
            "The passages (functions, types, paragraphs) that best match words, identifiers or an error message, with path and lines; at most 6,000 tokens.",
            &["query", "include", "max_tokens"],
            answers::search,
        ),
        row(
            "tokens",
            "Count tokens",
            "Tokens and bytes of files and folders.",
            &["paths", "offset"],
            answers::tokens,
        ),
        row(
            "why",
            "Explain a choice",
            "Why a file or symbol (PATH or PATH:SYMBOL) is in the document the way it is, or not. Give the same `query` and `budget` as for build.",
            &["path", "paths", "preset", "query", "budget"],
            answers::why,
        ),
        row(
            "loom_path",
            "Read a conversation",
            "The messages of a path through a tree of conversations, from its root to a node.",
            &["tree", "node", "max_tokens", "offset"],
            loom::path,
        ),
    ];
    let append = || {
        row(
            "loom_append",
            "Add to a conversation",
            "Adds a node to a tree of conversations, after `parent` or at the end of the active path. It is on disk when this returns.",
            &["text", "tree", "parent", "author", "author_type"],
            loom::append,
        )
        .hinting(hints(false).idempotent(false))
    };
    rows.extend(may_write.then(append));
    rows
}

/// A tool that only reads.
fn row<Q: DeserializeOwned + JsonSchema + 'static>(
    name: &'static str,
    title: &str,
    about: &'static str,
    fields: &[&'static str],
    run: fn(&Door, Q, &str) -> Result<Answer, OpError>,
) -> Row {
    let arguments = Arguments::of::<Q>(fields);
    let tool = Tool::new(name, about, arguments.schema()).with_title(title);
    let run = move |door: &Door, given, caller: &str| run(door, arguments.read(given)?, caller);
    Row { tool, run: Box::new(run) }.hinting(hints(true))
}

impl Row {
    fn hinting(self, hints: ToolAnnotations) -> Self {
        Self { tool: self.tool.with_annotations(hints), ..self }
    }
}

fn hints(is_read_only: bool) -> ToolAnnotations {
    let hints = ToolAnnotations::new().read_only(is_read_only).open_world(false);
    if is_read_only { hints } else { hints.destructive(false) }
}

pub fn list(writes: Writes) -> Vec<Tool> {
    rows(writes).into_iter().map(|row| row.tool).collect()
}

/// Which tool to call, on whose behalf, and with what.
pub struct Call {
    pub name: String,
    pub arguments: Option<JsonObject>,
    pub writes: Writes,
    /// The program at the other end, as it calls itself.
    pub caller: String,
}

/// `None` for a tool that does not exist.
pub fn call(call: Call) -> Option<impl FnOnce(&Door) -> Result<Answer, OpError> + Send + 'static> {
    let Row { run, .. } = rows(call.writes).into_iter().find(|row| row.tool.name == call.name)?;
    Some(move |door: &Door| run(door, call.arguments.unwrap_or_default(), &call.caller))
}

#[cfg(test)]
mod tests {
    use super::*;
    use contexture_core::{Counter, Tokenizer};

    #[test]
    fn there_are_at_most_eight_and_they_cost_little() {
        let all = list(Writes::Allowed);
        assert_eq!(all.len(), 8);
        let shown = serde_json::to_string(&all).unwrap_or_default();
        let tokens = Tokenizer::O200k.count(&shown);
        assert!(tokens <= 2500, "{tokens} tokens");
    }

    #[test]
    fn every_argument_is_a_field_of_its_request() {
        for tool in list(Writes::Allowed) {
            let fields = tool.input_schema["properties"].as_object().into_iter().flatten();
            for (name, field) in fields {
                assert!(field["type"].is_string() && field["description"].is_string(), "{} {name}: {field}", tool.name);
            }
        }
    }

    #[test]
    fn without_leave_nothing_that_writes_is_listed() {
        let few = list(Writes::Refused);
        assert_eq!(few.len(), 7);
        assert!(few.iter().all(|tool| tool.annotations.as_ref().and_then(|told| told.read_only_hint) == Some(true)));
        assert!(!serde_json::to_string(&few).unwrap_or_default().contains("\"write\""));
    }
}
