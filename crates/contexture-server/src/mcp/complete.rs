//! What could stand in an argument that a person is typing.
//!
//! Takes the address or prompt, the argument, what has been typed and the arguments that are settled; gives at most a hundred
//! values, those that begin with it first.

use super::arguments::plain_views;
use contexture::ops::loom::{self, Missing, OutlineLine};
use contexture::ops::{self, Door, OpError};
use contexture::requests::{DocumentRequest, OutlineRequest, WhichTree};
use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};

pub fn complete(door: &Door, request: &CompleteRequestParams) -> Result<CompletionInfo, OpError> {
    let Reference::Resource(template) = &request.r#ref else { return Ok(CompletionInfo::default()) };
    let known: Vec<String> = match (template.uri.as_str(), request.argument.name.as_str()) {
        ("contexture://file/{path}{?view}", "path") => ops::files(door, &DocumentRequest::default())?,
        ("contexture://file/{path}{?view}", "view") => plain_views().map(str::to_owned).collect(),
        ("contexture://preset/{name}", "name") => {
            ops::preset_list(door)?.into_iter().map(|shown| shown.preset.name).collect()
        }
        ("contexture://loom/{tree}/{node}", "tree") => {
            let Ok(mut trees) = loom::trees(door, &WhichTree::default(), Missing::Refuse) else {
                return Ok(CompletionInfo::default());
            };
            trees.list()?.into_iter().map(|info| info.tree.local).collect()
        }
        ("contexture://loom/{tree}/{node}", "node") => {
            let tree = request.context.as_ref().and_then(|context| context.get_argument("tree").cloned());
            let Ok(mut trees) = loom::trees(door, &WhichTree { store: None, tree }, Missing::Refuse) else {
                return Ok(CompletionInfo::default());
            };
            let lines = trees.outline(&OutlineRequest { all: true, tokenizer: None })?.lines.into_iter();
            let shown = lines.filter_map(|line| match line {
                OutlineLine::Node(shown) if !shown.node.excluded && shown.node.pruned.is_none() => {
                    Some(shown.node.local)
                }
                OutlineLine::Node(_) | OutlineLine::Gap(_) => None,
            });
            shown.collect()
        }
        _ => Vec::new(),
    };
    Ok(chosen(ops::names_without_secrets(door, known)?, &request.argument.value))
}

/// Values that begin with what was typed, then values that hold it.
fn chosen(mut known: Vec<String>, typed: &str) -> CompletionInfo {
    let typed = typed.to_lowercase();
    let place = |value: &str| value.to_lowercase().find(&typed).map(|at| at > 0);
    known.retain(|value| place(value).is_some());
    known.sort_by(|a, b| (place(a), a).cmp(&(place(b), b)));
    known.dedup();
    let total = known.len();
    known.truncate(CompletionInfo::MAX_VALUES);
    let has_more = total > known.len();
    let mut info = CompletionInfo::new(known).unwrap_or_default();
    (info.total, info.has_more) = (u32::try_from(total).ok(), Some(has_more));
    info
}
