//! The tools: what a client is told of them, and which operation each stands for.
//!
//! Their names, texts and schemas are `templates/mcp_tools.json`, in the order in which they are listed. One that writes is
//! listed only where writing is allowed, and is as unknown as any other word where it is not.

use super::answers::Answer;
use super::args::Args;
use super::{Writes, answers, loom};
use crate::ops::{Door, OpError};
use rmcp::model::{JsonObject, Tool};
use std::sync::{Arc, OnceLock};

/// The only one that writes by its nature.
const APPEND: &str = "loom_append";

pub fn list(writes: Writes) -> Vec<Tool> {
    static ALL: OnceLock<Vec<Tool>> = OnceLock::new();
    let all =
        ALL.get_or_init(|| serde_json::from_str(include_str!("../../templates/mcp_tools.json")).unwrap_or_default());
    match writes {
        Writes::Allowed => all.iter().cloned().map(with_write).collect(),
        Writes::Refused => all.iter().filter(|tool| tool.name != APPEND).cloned().map(without_write).collect(),
    }
}

/// One that takes the argument for a file may write.
fn with_write(mut tool: Tool) -> Tool {
    let takes = tool.input_schema.get("properties").is_some_and(|properties| properties.get("write").is_some());
    if let (true, Some(told)) = (takes, &mut tool.annotations) {
        (told.read_only_hint, told.destructive_hint) = (Some(false), Some(false));
    }
    tool
}

/// Without the argument that asks for a file.
fn without_write(mut tool: Tool) -> Tool {
    let schema = Arc::make_mut(&mut tool.input_schema);
    if let Some(properties) = schema.get_mut("properties").and_then(|properties| properties.as_object_mut()) {
        properties.remove("write");
    }
    tool
}

/// Who is asked, on whose behalf, and what for.
pub struct Call {
    pub name: String,
    pub arguments: Option<JsonObject>,
    pub writes: Writes,
    /// The program at the other end, as it calls itself.
    pub caller: String,
}

/// `None` for a tool that does not exist.
pub fn call(call: Call) -> Option<impl FnOnce(&Door) -> Result<Answer, OpError> + Send + 'static> {
    list(call.writes).iter().find(|tool| tool.name == call.name)?;
    Some(move |door: &Door| {
        let args = Args::new(call.arguments);
        match call.name.as_str() {
            "plan" => answers::plan(door, args, &call.caller),
            "build" => answers::build(door, args, &call.caller, call.writes),
            "read" => answers::read(door, args, &call.caller),
            "search" => answers::search(door, args),
            "tokens" => answers::tokens(door, args, &call.caller),
            "why" => answers::why(door, args, &call.caller),
            "loom_path" => loom::path(door, args),
            APPEND => loom::append(door, args),
            other => Err(OpError::usage(format!("no tool is called `{other}`"))),
        }
    })
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
    fn without_leave_nothing_that_writes_is_listed() {
        let few = list(Writes::Refused);
        assert_eq!(few.len(), 7);
        assert!(few.iter().all(|tool| tool.annotations.as_ref().and_then(|told| told.read_only_hint) == Some(true)));
        assert!(!serde_json::to_string(&few).unwrap_or_default().contains("\"write\""));
    }
}
