//! Who takes part. Two agents need no making: `human` and `model`.

use super::names::nearest;
use super::store::{Result, Rows, Seq};
use super::trees::put;
use super::{Fault, Loom, LoomError, new_id};
use contexture_core::{AuthorType, LoomAgent, Permissions, Text};

/// An agent by its name, made when it is not there. What is `None` stays, or is nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AgentChange {
    pub name: String,
    pub kind: Option<AuthorType>,
    pub system_prompt: Option<Option<Text>>,
    pub model: Option<Option<String>>,
    pub permissions: Option<Permissions>,
}

impl Loom {
    /// Every agent that was made, in the order of making. `human` and `model` are among them once they wrote something or were
    /// changed.
    pub fn agents(&mut self) -> Result<Vec<LoomAgent>> {
        self.read(|rows| Ok(rows.agents()?.into_iter().map(|(_, agent)| agent).collect()))
    }

    /// By name or id.
    pub fn agent(&mut self, word: &str) -> Result<LoomAgent> {
        self.read(|rows| {
            let all = rows.agents()?;
            if let Some((_, agent)) = all.iter().find(|(_, agent)| agent.name == word || agent.id == word) {
                return Ok(agent.clone());
            }
            by_default(word).ok_or_else(|| unknown(word, &all))
        })
    }

    /// Changes an agent, or makes it; an agent needs a name.
    pub fn set_agent(&mut self, change: AgentChange) -> Result<LoomAgent> {
        self.write(|rows, _| {
            if change.name.trim().is_empty() {
                let (message, hint) = ("an agent needs a name".into(), "`--name NAME` gives it one".into());
                return Err(Fault::Refused { message, hint }.into());
            }
            let known = rows.agents()?.into_iter().find(|(_, agent)| agent.name == change.name);
            let (seq, mut agent) = match known {
                Some((seq, agent)) => (Some(seq), agent),
                None => {
                    let fresh = || Ok(plain_agent(new_id()?, &change.name, AuthorType::Model));
                    (None, by_default(&change.name).map_or_else(fresh, Ok::<_, LoomError>)?)
                }
            };
            put(&mut agent.kind, change.kind);
            put(&mut agent.system_prompt, change.system_prompt);
            put(&mut agent.model, change.model);
            put(&mut agent.permissions, change.permissions);
            match seq {
                Some(seq) => rows.update_agent(seq, &agent)?,
                None => drop(rows.insert_agent(&agent)?),
            }
            Ok(agent)
        })
    }
}

/// The agent with this name, to write under it.
pub(super) fn author(rows: &mut dyn Rows, name: &str) -> Result<(Seq, LoomAgent)> {
    let all = rows.agents()?;
    if let Some(known) = all.iter().find(|(_, agent)| agent.name == name || agent.id == name) {
        return Ok(known.clone());
    }
    let agent = by_default(name).ok_or_else(|| unknown(name, &all))?;
    Ok((rows.insert_agent(&agent)?, agent))
}

/// They have the same id in every store, so that a tree is the same wherever it goes.
fn by_default(name: &str) -> Option<LoomAgent> {
    AuthorType::parse(name).map(|kind| plain_agent(name.into(), name, kind))
}

/// An agent with nothing but a name.
pub(super) fn plain_agent(id: String, name: &str, kind: AuthorType) -> LoomAgent {
    let (name, permissions) = (name.into(), Permissions::default());
    LoomAgent { id, name, kind, system_prompt: None, model: None, permissions }
}

fn unknown(word: &str, all: &[(Seq, LoomAgent)]) -> LoomError {
    let near = nearest(word, all.iter().map(|(_, agent)| agent.name.as_str()));
    Fault::Unknown { what: "agent", word: word.into(), near }.into()
}
