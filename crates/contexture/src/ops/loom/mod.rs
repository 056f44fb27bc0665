//! Trees of conversations: every operation on them once.
//!
//! Takes words of people (ids, titles, names); gives records. What the rules of trees are is the store's matter; here words
//! become ids, and what was left open gets its default.

mod assemble;
mod files;
mod generate;
mod nodes;
mod outline;

pub use assemble::AssembledPath;
pub use files::{ImportedTree, TreeFiles, TreesImported};
pub use generate::{GeneratedNodes, KeyOf};
pub use outline::{DrawnRow, Outline, OutlineLine, OutlineNode};

use super::OpError;
use super::open::{Door, is_inside};
use super::summary_store::{self, ServerSetting};
use crate::requests::{
    AgentSettings, LoomAgentRequest, NewTreeRequest, PathOptions, SetTreeRequest, StashRequest, TreeSetting,
    TreeSettings, TruncationOptions, WalkPathRequest, WhichTree, Word,
};
use crate::shared::SharedStore;
use contexture_conversations::loom as store;
use contexture_conversations::loom::{
    AgentChange, Connections, Loom, Neighbours, NewTree, Repaired, TreeChange, TreeInfo, TreeMemory, TreeNode,
    Verified, WalkedPath,
};
use contexture_core::render::printable;
use contexture_core::{
    LoomAgent, LoomNode, LoomPath, LoomTree, PathChoice, Permissions, Preferences, RawResponse, Stash, Text,
};
use contexture_gather::Roots;
use contexture_gather::config::{Config, Origin};
use std::path::PathBuf;

/// A store that is open, and what a door knows.
pub struct Trees<'a> {
    door: &'a Door,
    roots: Roots,
    config: Config,
    loom: Loom,
    /// Which tree, where no node says it.
    tree: Option<String>,
}

/// A node with all that belongs to it.
pub struct NodeDetails {
    pub tree: LoomTree,
    pub node: LoomNode,
    /// The name of its author.
    pub author: String,
    pub connections: Connections,
    pub neighbours: Neighbours,
    pub responses: Vec<RawResponse>,
}

/// What becomes of a store that is not there yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// It is made.
    Make,
    /// An error: looking makes nothing.
    Refuse,
}

/// Opens the store: the flag, the settings, else a file in the user's data folder.
pub fn trees<'a>(door: &'a Door, which: &WhichTree, missing: Missing) -> Result<Trees<'a>, OpError> {
    let (roots, config) = door.open_project()?;
    let now = door.env.now.saturating_mul(1000);
    let loom = match (locate_store(door, which, &config, &roots)?, missing) {
        (StoreLocation::File(path), Missing::Make) => Loom::open(&path, now),
        (StoreLocation::File(path), Missing::Refuse) => Loom::open_existing(&path, now),
        // What is on a server was put there by somebody who may; looking at it makes tables at most.
        (StoreLocation::Server(address), Missing::Make | Missing::Refuse) => address.trees(now),
    };
    Ok(Trees { door, roots, config, loom: loom?, tree: which.tree.clone() })
}

/// Saves what can be read of a damaged store, after copying it aside.
pub fn repair_store(door: &Door, which: &WhichTree) -> Result<Repaired, OpError> {
    let (roots, config) = door.open_project()?;
    let path = match locate_store(door, which, &config, &roots)? {
        StoreLocation::File(path) => path,
        StoreLocation::Server(address) => {
            return Err(OpError::usage(format!("{address}: a store on a server cannot be repaired from here"))
                .hint("`contexture loom verify` without `--repair` tells what is wrong"));
        }
    };
    Ok(store::repair(&path, door.env.now.saturating_mul(1000))?)
}

impl Trees<'_> {
    /// All trees of the store.
    pub fn list(&mut self) -> Result<Vec<TreeInfo>, OpError> {
        Ok(self.loom.trees()?)
    }

    /// The tree that was named, else the one in use.
    pub fn tree(&mut self) -> Result<LoomTree, OpError> {
        Ok(self.loom.tree(self.tree.as_deref())?)
    }

    /// Makes a new tree.
    pub fn make(&mut self, request: &NewTreeRequest) -> Result<LoomTree, OpError> {
        let NewTreeRequest { title, mode, settings: TreeSettings { system, buffer_system, truncation } } = request;
        if title.trim().is_empty() {
            return Err(OpError::usage("a tree needs a title").hint("`contexture loom new TITLE`"));
        }
        Ok(self.loom.new_tree(NewTree {
            title: title.clone(),
            mode: mode.map(Word::get).unwrap_or_default(),
            system_context: system.as_deref().and_then(nonempty).map(Text::from),
            buffer_mode_system_context: buffer_system.unwrap_or_default(),
            preferences: preferences(truncation),
        })?)
    }

    /// Changes the tree, or gives it as it is where the request changes nothing.
    pub fn set(&mut self, request: &SetTreeRequest) -> Result<LoomTree, OpError> {
        let tree = self.tree()?;
        if request.in_use {
            self.loom.use_tree(&tree.id)?;
        }
        let own = preferences(&request.settings.truncation);
        let is_unset = |setting: TreeSetting| request.unset.contains(&Word(setting));
        let system = request.settings.system.as_deref();
        let change = TreeChange {
            title: request.title.clone(),
            system_context: system.map(|text| nonempty(text).map(Text::from)),
            buffer_mode_system_context: request.settings.buffer_system,
            truncation: own.truncation.map(Some).or(is_unset(TreeSetting::Strategy).then_some(None)),
            minimum_recent_nodes: own
                .minimum_recent_nodes
                .map(Some)
                .or(is_unset(TreeSetting::MinimumRecentNodes).then_some(None)),
            token_buffer: own.token_buffer.map(Some).or(is_unset(TreeSetting::TokenBuffer).then_some(None)),
        };
        match change == TreeChange::default() && !request.in_use {
            true => Ok(tree),
            false => Ok(self.loom.set_tree(&tree.id, change)?),
        }
    }

    /// All agents of the store.
    pub fn agents(&mut self) -> Result<Vec<LoomAgent>, OpError> {
        Ok(self.loom.agents()?)
    }

    /// Makes or changes an agent, or gives it as it is where the request changes nothing.
    pub fn agent(&mut self, request: &LoomAgentRequest) -> Result<LoomAgent, OpError> {
        let LoomAgentRequest { name, settings } = request;
        if settings.is_empty() {
            return Ok(self.loom.agent(name)?);
        }
        let AgentSettings { kind, system, model, allow } = settings;
        Ok(self.loom.set_agent(AgentChange {
            name: name.clone(),
            kind: kind.map(Word::get),
            system_prompt: system.as_deref().map(|text| nonempty(text).map(Text::from)),
            model: model.as_deref().map(|text| nonempty(text).map(str::to_owned)),
            permissions: allow.as_deref().map(permissions).transpose()?,
        })?)
    }

    /// A new path that ends at a node.
    pub fn fork(&mut self, word: &str, name: Option<&str>) -> Result<(TreeNode, LoomPath), OpError> {
        let found = self.find(word)?;
        let local = &found.node.local;
        let known = self.loom.paths(&found.tree.id)?;
        let mut names = std::iter::once(local.clone()).chain((2..).map(|nth| format!("{local}-{nth}")));
        let free = names.find(|name| known.iter().all(|path| path.name != *name)).unwrap_or_default();
        let path = self.loom.fork(&found.tree.id, name.unwrap_or(&free), &found.node.id);
        Ok((found, path?))
    }

    /// The tree, its paths, and the one in use.
    pub fn paths(&mut self) -> Result<(LoomTree, Vec<LoomPath>, LoomPath), OpError> {
        let tree = self.tree()?;
        let all = self.loom.paths(&tree.id)?;
        let used = self.loom.path_of(&tree.id, None)?;
        Ok((tree, all, used))
    }

    /// The path with this name from now on, where it ends.
    fn use_path(&mut self, name: &str) -> Result<LoomPath, OpError> {
        let tree = self.tree()?;
        let path = self.loom.path_of(&tree.id, Some(name))?;
        match &path.active {
            Some(active) => Ok(self.loom.go(&tree.id, Some(name), active)?),
            None => Ok(path),
        }
    }

    /// Moves the end of a path to a node.
    pub fn go(&mut self, word: &str, name: Option<&str>) -> Result<(TreeNode, LoomPath), OpError> {
        let found = self.find(word)?;
        let path = self.loom.go(&found.tree.id, name, &found.node.id)?;
        Ok((found, path))
    }

    /// From now on the path goes through this node wherever something continues it.
    pub fn choose(&mut self, word: &str, name: Option<&str>) -> Result<TreeNode, OpError> {
        let found = self.find(word)?;
        for choice in self.choices_through(&found)? {
            self.loom.choose(&found.tree.id, name, &choice)?;
        }
        Ok(found)
    }

    /// The path after it was chosen, led through nodes and moved to one, as far as the request says so.
    pub fn walk_to(&mut self, request: &WalkPathRequest) -> Result<(LoomTree, WalkedPath), OpError> {
        let WalkPathRequest { node, name, choose, in_use } = request;
        let chosen = self.ids(choose)?;
        match (in_use, name) {
            (true, Some(name)) => drop(self.use_path(name)?),
            (true, None) => return Err(OpError::usage("nothing says which path to use").hint("`name` does")),
            (false, _) => {}
        }
        for word in &chosen {
            self.choose(word, name.as_deref())?;
        }
        if let Some(word) = node {
            self.go(word, name.as_deref())?;
        }
        self.walk(&PathOptions { node: node.clone(), path: name.clone(), ..PathOptions::default() })
    }

    /// Pins, stashes and actions of the tree.
    pub fn memory(&mut self) -> Result<TreeMemory, OpError> {
        let tree = self.tree()?;
        Ok(self.loom.memory(&tree.id)?)
    }

    /// Keeps a text under a label.
    pub fn stash(&mut self, request: &StashRequest) -> Result<Stash, OpError> {
        let StashRequest { label, text, recall } = request;
        let tree = self.tree()?;
        if label.trim().is_empty() {
            return Err(OpError::usage("a stash needs a label").hint("`contexture loom stash LABEL TEXT`"));
        }
        self.loom.stash(&tree.id, label, text.as_str().into())?;
        match recall {
            true => self.recall(label, true),
            false => Ok(Stash { label: label.clone(), text: text.as_str().into(), recalled: false }),
        }
    }

    /// Puts a stash into contexts, or takes it out.
    pub fn recall(&mut self, label: &str, is_recalled: bool) -> Result<Stash, OpError> {
        let tree = self.tree()?;
        Ok(self.loom.recall(&tree.id, label, is_recalled)?)
    }

    /// Removes a stash.
    pub fn drop_stash(&mut self, label: &str) -> Result<(), OpError> {
        let tree = self.tree()?;
        Ok(self.loom.drop_stash(&tree.id, label)?)
    }

    /// Checks the whole store.
    pub fn verify(&mut self) -> Result<Verified, OpError> {
        Ok(self.loom.verify()?)
    }

    /// The ids of all nodes that are named, or an error before anything is done with one of them.
    pub fn ids(&mut self, words: &[String]) -> Result<Vec<String>, OpError> {
        words.iter().map(|word| Ok(self.find(word)?.node.id)).collect()
    }

    fn choices_through(&mut self, found: &TreeNode) -> Result<Vec<PathChoice>, OpError> {
        let choices = self.loom.choices_of(&found.node.id)?;
        if choices.is_empty() {
            let message = format!("nothing continues `{}`: there is nothing to choose", found.node.local);
            return Err(OpError::usage(message).hint("`contexture loom path NODE` goes there"));
        }
        Ok(choices)
    }

    /// Names of authors by id.
    fn names(&mut self) -> Result<Names, OpError> {
        let agents = self.agents()?;
        Ok(Names(agents.into_iter().map(|agent| (agent.id, agent.name)).collect()))
    }
}

struct Names(std::collections::BTreeMap<String, String>);

impl Names {
    fn name(&self, node: &LoomNode) -> String {
        self.0.get(&*node.author).cloned().unwrap_or_else(|| node.author_type.as_str().to_owned())
    }
}

enum StoreLocation {
    File(PathBuf),
    Server(SharedStore),
}

/// From the strongest: the flag, the settings, the user's data folder. A project's own settings cannot lead out of it.
fn locate_store(door: &Door, which: &WhichTree, config: &Config, roots: &Roots) -> Result<StoreLocation, OpError> {
    if let Some(file) = &which.store {
        return Ok(StoreLocation::File(door.env.cwd.join(file)));
    }
    match summary_store::server_setting(door.shared.as_ref(), config) {
        ServerSetting::None => {}
        ServerSetting::OfProject(note) => {
            return Err(OpError::usage(note.text).with_hints(note.hint));
        }
        ServerSetting::At(address) => return address.map(StoreLocation::Server),
    }
    if let Some(url) = &config.store_url {
        let file = match url.secret().split_once(':') {
            Some(("sqlite", file)) => file,
            _ => url.secret(),
        };
        let path = roots.project().join(file);
        if matches!(config.origin("store.url"), Origin::Project { .. }) && !is_inside(&path, roots.project()) {
            let message = format!("`store.url` of a project may not lead out of it: `{}`", printable(&url.to_string()));
            return Err(OpError::usage(message).hint("`--store FILE` names any file"));
        }
        return Ok(StoreLocation::File(path));
    }
    match &door.env.data_dir {
        Some(data) => Ok(StoreLocation::File(data.join("loom.sqlite"))),
        None => {
            Err(OpError::usage("there is no store of trees: this user has no data folder")
                .hint("`--store FILE` names one"))
        }
    }
}

/// What an agent may do, from words; an empty list is nothing.
fn permissions(words: &[String]) -> Result<Permissions, OpError> {
    let mut granted = Permissions::default();
    for word in words.iter().map(|word| word.trim()).filter(|word| !word.is_empty()) {
        if !granted.grant(word) {
            return Err(OpError::usage(format!("unknown permission: `{}`", printable(word)))
                .hint(format!("known are {}", Permissions::WORDS.join(", "))));
        }
    }
    Ok(granted)
}

fn preferences(options: &TruncationOptions) -> Preferences {
    Preferences {
        truncation: options.strategy.map(Word::get),
        minimum_recent_nodes: options.minimum_recent_nodes,
        token_buffer: options.token_buffer.map(u64::from),
    }
}

/// An empty text takes a value away.
fn nonempty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
