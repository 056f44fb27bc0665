//! Files, presets and nodes of trees as resources, and presets as prompts.
//!
//! Takes a cursor or an address; gives lists and contents. A file is shown as `read` shows it, a preset is the document it
//! makes, and a node is its record. What cannot be read is unknown to the client, with the reason.

use super::arguments::Arguments;
use super::uri::{self, Address};
use contexture::answers::{NodeDetailsAnswer, to_value, versioned};
use contexture::ops::loom::{self, Missing};
use contexture::ops::{self, Door, OpError, Target};
use contexture::requests::{DocumentRequest, WhichTree};
use contexture_core::render::printable;
use rmcp::model::{JsonObject, Prompt, PromptArgument, Resource, ResourceContents, ResourceTemplate};

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
    let presets = named_presets(door)?;
    let files = ops::names_without_secrets(door, ops::files(door, &DocumentRequest::default())?)?;
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
fn named_presets(door: &Door) -> Result<Vec<(String, Option<String>)>, OpError> {
    let all = ops::preset_list(door)?;
    let names = ops::names_without_secrets(door, all.iter().map(|shown| shown.preset.name.clone()).collect())?;
    let about = |name: &String| all.iter().find(|shown| shown.preset.name == *name)?.preset.description.clone();
    let told = |name: String| {
        let about = about(&name).map(|text| ops::mask_answer(door, text.into())).transpose()?;
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
            let request = DocumentRequest {
                view: view.map(Into::into),
                caller: Some(caller.to_owned()),
                ..DocumentRequest::default()
            };
            let shown = ops::show(door, &request, &path)?;
            Ok(ResourceContents::text(&*shown.text, uri).with_mime_type("text/plain"))
        }
        Address::Preset(name) => {
            let request =
                DocumentRequest { preset: Some(name), caller: Some(caller.to_owned()), ..DocumentRequest::default() };
            let written = ops::build(door, &request, &Target::Caller)?;
            Ok(ResourceContents::text(written.document.compiled.output.text(), uri).with_mime_type("text/markdown"))
        }
        Address::Node { tree, node } => {
            let which = WhichTree { store: None, tree: Some(tree) };
            let shown = loom::trees(door, &which, Missing::Refuse)?.show(&node)?;
            // What is hidden gets out by no route.
            if shown.node.excluded || shown.node.pruned.is_some() {
                let state = if shown.node.excluded { "excluded" } else { "pruned" };
                return Err(OpError::failed(format!("`{}` is {state}: nothing of it is shown", shown.node.local)));
            }
            let text = ops::mask_answer(door, to_value(versioned(NodeDetailsAnswer::from(&shown))))?.to_string();
            Ok(ResourceContents::text(text, uri).with_mime_type("application/json"))
        }
    }
}

/// One prompt for each preset, by name: the document it makes.
pub fn prompts(door: &Door) -> Result<Vec<Prompt>, OpError> {
    let mut presets = named_presets(door)?;
    presets.sort();
    Ok(presets.into_iter().map(prompt).collect())
}

fn prompt((name, description): (String, Option<String>)) -> Prompt {
    let arguments = prompt_arguments();
    let arguments = arguments
        .descriptions()
        .map(|(name, about)| PromptArgument::new(name).with_description(about).with_required(false));
    let description = description.unwrap_or_else(|| format!("The files of the preset {name}"));
    Prompt::new(name, Some(description), Some(arguments.collect()))
}

fn prompt_arguments() -> Arguments {
    Arguments::of::<DocumentRequest>(&["query", "budget"])
}

/// The document of a prompt, and what it is.
pub fn get_prompt(
    door: &Door,
    name: &str,
    given: Option<JsonObject>,
    caller: &str,
) -> Result<(String, Option<String>), OpError> {
    let mut given = given.unwrap_or_default();
    // Clients send the fields that a person left empty.
    given.retain(|_, value| value.as_str().is_none_or(|text| !text.trim().is_empty()));
    let request: DocumentRequest = prompt_arguments().read(given)?;
    // A preset that is not there is told with the names that are.
    ops::preset_show(door, name)?;
    let description = named_presets(door)?.into_iter().find_map(|(known, about)| about.filter(|_| known == name));
    let request = DocumentRequest { preset: Some(name.to_owned()), caller: Some(caller.to_owned()), ..request };
    let written = ops::build(door, &request, &Target::Caller)?;
    Ok((written.document.compiled.output.text(), description))
}
