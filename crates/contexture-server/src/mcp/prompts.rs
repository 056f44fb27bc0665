//! One prompt for each preset: the document it makes.

use super::args::Args;
use super::resources::told_presets;
use crate::ops::{self, Door, OpError, Request, Target};
use rmcp::model::{JsonObject, Prompt, PromptArgument};

/// By name.
pub fn list(door: &Door) -> Result<Vec<Prompt>, OpError> {
    let mut presets = told_presets(door)?;
    presets.sort();
    Ok(presets.into_iter().map(prompt).collect())
}

fn prompt((name, description): (String, Option<String>)) -> Prompt {
    let arguments = vec![
        PromptArgument::new("query").with_description("The task: ranks what is shown.").with_required(false),
        PromptArgument::new("budget").with_description("Tokens the document may have.").with_required(false),
    ];
    let description = description.unwrap_or_else(|| format!("The files of the preset {name}"));
    Prompt::new(name, Some(description), Some(arguments))
}

/// The document, and what it is.
pub fn get(
    door: &Door,
    name: &str,
    arguments: Option<JsonObject>,
    caller: &str,
) -> Result<(String, Option<String>), OpError> {
    let mut args = Args::new(arguments);
    let query = args.task()?.filter(|query| !query.trim().is_empty());
    // Arguments of prompts are texts.
    let budget = match args.text("budget")?.filter(|budget| !budget.is_empty()) {
        None => None,
        Some(word) => {
            let wrong = || OpError::usage(format!("`budget` is not a number: `{word}`"));
            Some(word.trim().parse::<u64>().map_err(|_| wrong())?)
        }
    };
    args.end()?;
    // A preset that is not there is told with the names that are.
    ops::preset_show(door, name)?;
    let description = told_presets(door)?.into_iter().find_map(|(known, about)| about.filter(|_| known == name));
    let request =
        Request { preset: Some(name.to_owned()), query, budget, caller: Some(caller.to_owned()), ..Request::default() };
    let written = ops::build(door, &request, &Target::Caller)?;
    Ok((written.made.compiled.output.text(), description))
}
