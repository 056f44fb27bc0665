//! Trees as a whole: their settings, who writes them, their paths, what agents have at hand, and the store itself.

use super::super::answer::Wrong;
use super::super::calls::Call;
use super::trees::{open, preferences, trees};
use crate::ops::OpError;
use crate::ops::loom::{self as ops, Missing, WhichTree};
use crate::wire::loom as wire;
use contexture_core::{AuthorType, Text};
use contexture_gather::loom::{AgentChange, TreeChange};
use serde_json::Value;

pub fn set(call: &Call<'_>) -> Result<Value, Wrong> {
    let own = preferences(call);
    let unset = call.texts("unset");
    let known = ["strategy", "minimum_recent_nodes", "token_buffer"];
    if let Some(strange) = unset.iter().find(|word| !known.contains(&word.as_str())) {
        let told = format!("`unset` knows no `{}`", strange.escape_debug());
        return Err(OpError::usage(told).hint(format!("known are {}", known.join(", "))).into());
    }
    let is_unset = |key: &str| unset.iter().any(|word| word == key);
    let change = TreeChange {
        title: call.owned("title"),
        system_context: call.text("system").map(|said| (!said.is_empty()).then(|| Text::from(said))),
        buffer_mode_system_context: call.value("buffer_system").and_then(Value::as_bool),
        truncation: own.truncation.map(Some).or(is_unset("strategy").then_some(None)),
        minimum_recent_nodes: own.minimum_recent_nodes.map(Some).or(is_unset("minimum_recent_nodes").then_some(None)),
        token_buffer: own.token_buffer.map(Some).or(is_unset("token_buffer").then_some(None)),
    };
    let mut trees = trees(call)?;
    let is_asked = call.flag("use") || !ops::is_nothing(&change);
    let tree = if is_asked { trees.set(change, call.flag("use"))? } else { trees.tree()? };
    Ok(wire::one_tree(&tree))
}

pub fn agents(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::agents(&open(call, Missing::Make)?.agents()?))
}

pub fn agent(call: &Call<'_>) -> Result<Value, Wrong> {
    let mut trees = open(call, Missing::Make)?;
    if !["kind", "system", "model", "allow"].iter().any(|field| call.value(field).is_some()) {
        return Ok(wire::one_agent(&trees.agent(call.needed("name"))?));
    }
    let unset = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let change = AgentChange {
        name: call.needed("name").to_owned(),
        kind: call.text("kind").and_then(AuthorType::parse),
        system_prompt: call.text("system").map(|said| unset(said).map(Text::from)),
        model: call.text("model").map(unset),
        permissions: call.value("allow").map(|_| ops::permissions(&call.texts("allow"))).transpose()?,
    };
    Ok(wire::one_agent(&trees.set_agent(change)?))
}

pub fn paths(call: &Call<'_>) -> Result<Value, Wrong> {
    let (tree, all, used) = trees(call)?.paths()?;
    Ok(wire::paths(&tree, &all, &used))
}

pub fn path(call: &Call<'_>) -> Result<Value, Wrong> {
    if call.flag("use") && call.text("name").is_none() {
        return Err(OpError::usage("nothing says which path to use").hint("`name` does").into());
    }
    let (tree, walked) =
        trees(call)?.walk_to(call.text("node"), call.text("name"), &call.texts("choose"), call.flag("use"))?;
    Ok(wire::walked(&tree, &walked))
}

pub fn memory(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::memory(&trees(call)?.memory()?))
}

pub fn stash(call: &Call<'_>) -> Result<Value, Wrong> {
    let mut trees = trees(call)?;
    let stash = trees.stash(call.needed("label"), call.needed("text"))?;
    let stash = if call.flag("recall") { trees.recall(call.needed("label"), true)? } else { stash };
    Ok(wire::one_stash(&stash))
}

pub fn recall(call: &Call<'_>) -> Result<Value, Wrong> {
    Ok(wire::one_stash(&trees(call)?.recall(call.needed("label"), !call.flag("undo"))?))
}

pub fn drop_stash(call: &Call<'_>) -> Result<Value, Wrong> {
    trees(call)?.drop_stash(call.needed("label"))?;
    Ok(wire::dropped(call.needed("label")))
}

pub fn verify(call: &Call<'_>) -> Result<Value, Wrong> {
    if call.flag("repair") {
        return Ok(wire::repaired(&ops::repair_store(&call.door, &WhichTree::default())?));
    }
    Ok(wire::verified(&open(call, Missing::Refuse)?.verify()?))
}
