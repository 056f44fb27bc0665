//! One prompt for each preset: the document it makes.

use super::args::Args;
use crate::ops::{self, Door, OpError, PresetShown, Request, Target};
use rmcp::model::{JsonObject, Prompt, PromptArgument};

/// By name.
pub fn list(door: &Door) -> Result<Vec<Prompt>, OpError> {
    let mut presets = ops::preset_list(door)?;
    presets.sort_by(|a, b| a.preset.name.cmp(&b.preset.name));
    Ok(presets.iter().map(prompt).collect())
}

fn prompt(shown: &PresetShown) -> Prompt {
    let arguments = vec![
        PromptArgument::new("query").with_description("The task: ranks what is shown.").with_required(false),
        PromptArgument::new("budget").with_description("Tokens the document may have.").with_required(false),
    ];
    let preset = &shown.preset;
    let description = preset.description.clone().unwrap_or_else(|| format!("The files of the preset {}", preset.name));
    Prompt::new(preset.name.clone(), Some(description), Some(arguments))
}

/// The document, and what it is.
pub fn get(
    door: &Door,
    name: &str,
    arguments: Option<JsonObject>,
    caller: &str,
) -> Result<(String, Option<String>), OpError> {
    let mut args = Args::new(arguments);
    let query = args.text("query")?.filter(|query| !query.trim().is_empty());
    // Arguments of prompts are texts.
    let budget = match args.text("budget")?.filter(|budget| !budget.is_empty()) {
        None => None,
        Some(word) => {
            let wrong = || OpError::usage(format!("`budget` is not a number: `{word}`"));
            Some(word.trim().parse::<u64>().map_err(|_| wrong())?)
        }
    };
    args.end()?;
    let description = ops::preset_show(door, name)?.preset.description;
    let request =
        Request { preset: Some(name.to_owned()), query, budget, caller: Some(caller.to_owned()), ..Request::default() };
    let written = ops::build(door, &request, &Target::Caller)?;
    Ok((written.made.compiled.output.text(), description))
}
