//! Files, presets and nodes of trees as resources.
//!
//! Takes a cursor or an address; gives lists and contents. A file is shown as `read` shows it, a preset is the document it
//! makes, and a node is its record. What cannot be read is unknown to the client, with the reason.

use super::uri::{self, Address};
use crate::ops::loom::{self, Missing, WhichTree};
use crate::ops::{self, Door, OpError, Request, Target};
use crate::wire;
use contexture_core::render::printable;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

/// A client asks again for more.
const PAGE: usize = 200;

pub fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new("contexture://file/{path}{?view}", "file")
            .with_title("A file in a view")
            .with_description("view: full, skeleton, outline, summary, diff, name")
            .with_mime_type("text/plain"),
        ResourceTemplate::new("contexture://preset/{name}", "preset")
            .with_title("The document of a preset")
            .with_mime_type("text/markdown"),
        ResourceTemplate::new("contexture://loom/{tree}/{node}", "loom")
            .with_title("A node of a conversation")
            .with_mime_type("application/json"),
    ]
}

/// Presets, then files, from a place on; and where to go on.
pub fn list(door: &Door, from: usize) -> Result<(Vec<Resource>, Option<usize>), OpError> {
    let presets = told_presets(door)?;
    let files = ops::tellable(door, ops::files(door, &Request::default())?)?;
    let total = presets.len() + files.len();
    let presets = presets.iter().map(|(name, description)| {
        let resource = Resource::new(uri::preset(name), name).with_mime_type("text/markdown");
        match description {
            Some(description) => resource.with_description(description),
            None => resource,
        }
    });
    let files = files.iter().map(|path| Resource::new(uri::file(path), path).with_mime_type("text/plain"));
    let page: Vec<Resource> = presets.chain(files).skip(from).take(PAGE).collect();
    let next = from + page.len();
    Ok((page, (next < total).then_some(next)))
}

/// Names of presets with what they are for, as an agent may be told.
pub(super) fn told_presets(door: &Door) -> Result<Vec<(String, Option<String>)>, OpError> {
    let all = ops::preset_list(door)?;
    let names = ops::tellable(door, all.iter().map(|shown| shown.preset.name.clone()).collect())?;
    let about = |name: &String| all.iter().find(|shown| shown.preset.name == *name)?.preset.description.clone();
    let told = |name: String| {
        let about = about(&name).map(|text| ops::leaving(door, text.into())).transpose()?;
        Ok((name, about.and_then(|text| text.as_str().map(str::to_owned))))
    };
    names.into_iter().map(told).collect()
}

pub fn read(door: &Door, uri: &str, caller: &str) -> Result<ResourceContents, OpError> {
    let unknown = || {
        OpError::usage(format!("no resource has the address `{}`", printable(uri))).hint(
            "there are contexture://file/PATH?view=VIEW, contexture://preset/NAME and contexture://loom/TREE/NODE",
        )
    };
    match uri::parse(uri).ok_or_else(unknown)? {
        Address::File { path, view } => {
            let request = Request { view, caller: Some(caller.to_owned()), ..Request::default() };
            let shown = ops::show(door, &request, &path)?;
            Ok(ResourceContents::text(&*shown.text, uri).with_mime_type("text/plain"))
        }
        Address::Preset(name) => {
            let request = Request { preset: Some(name), caller: Some(caller.to_owned()), ..Request::default() };
            let written = ops::build(door, &request, &Target::Caller)?;
            Ok(ResourceContents::text(written.made.compiled.output.text(), uri).with_mime_type("text/markdown"))
        }
        Address::Node { tree, node } => {
            let which = WhichTree { store: None, tree: Some(tree) };
            let shown = loom::trees(door, &which, Missing::Refuse)?.show(&node)?;
            // What is hidden gets out by no route.
            if shown.node.excluded || shown.node.pruned.is_some() {
                let state = if shown.node.excluded { "excluded" } else { "pruned" };
                return Err(OpError::failed(format!("`{}` is {state}: nothing of it is shown", shown.node.local)));
            }
            let text = ops::leaving(door, wire::loom::shown(&shown))?.to_string();
            Ok(ResourceContents::text(text, uri).with_mime_type("application/json"))
        }
    }
}
