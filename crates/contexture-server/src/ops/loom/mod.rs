//! Trees of conversations: every operation on them once.
//!
//! Takes words of people (ids, titles, names); gives records. What the rules of trees are is the store's matter; here words
//! become ids, and what was left open gets its default.

mod assemble;
mod drawing;
mod files;
mod generate;

pub use assemble::{AssembleRequest, PathMade};
pub use drawing::{Drawing, Line, Shown};
pub use files::{Given, ImportedTree, TreesImported};
pub use generate::{GenerateRequest, Generated};

use super::OpError;
use super::open::{Door, is_inside};
use super::written::{self, Server};
use crate::shared::{self, Address};
use contexture_core::render::printable;
use contexture_core::{
    AuthorType, LoomAgent, LoomNode, LoomPath, LoomTree, Message, Part, PathChoice, Permissions, Preferences,
    RawResponse, Role, Stash, Text, TreeMode,
};
use contexture_gather::config::{Config, Origin};
use contexture_gather::loom::{
    AgentChange, Connections, Found, Kind, Loom, LoomError, Memory, Neighbours, NewNode, NewTree, Repaired, TreeChange,
    TreeInfo, Verified, Walked,
};
use contexture_gather::{Roots, loom as store};
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

/// Which store, and which tree of it.
#[derive(Clone, Debug, Default)]
pub struct WhichTree {
    pub store: Option<PathBuf>,
    pub tree: Option<String>,
}

/// A node that is to be written.
#[derive(Clone, Debug, Default)]
pub struct Writing {
    pub text: String,
    pub images: Vec<PathBuf>,
    pub kind: Option<AuthorType>,
    pub author: Option<String>,
    pub parents: Vec<String>,
    pub contexts: Vec<String>,
    pub instructions: Vec<String>,
    /// Leave the path where it is.
    pub stay: bool,
}

/// A node with all that belongs to it.
pub struct NodeShown {
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
    let roots = door.open_roots()?;
    let config = door.load_config(&roots)?;
    let now = door.env.now.saturating_mul(1000);
    let loom = match (place(door, which, &config, &roots)?, missing) {
        (Place::File(path), Missing::Make) => Loom::open(&path, now),
        (Place::File(path), Missing::Refuse) => Loom::open_existing(&path, now),
        // What is on a server was put there by somebody who may; looking at it makes tables at most.
        (Place::Server(address), Missing::Make | Missing::Refuse) => shared::open_trees(&address, now),
    };
    let loom = loom.map_err(|error| refused(&error))?;
    Ok(Trees { door, roots, config, loom, tree: which.tree.clone() })
}

/// Saves what can be read of a damaged store, after copying it aside.
pub fn repair_store(door: &Door, which: &WhichTree) -> Result<Repaired, OpError> {
    let roots = door.open_roots()?;
    let path = match place(door, which, &door.load_config(&roots)?, &roots)? {
        Place::File(path) => path,
        Place::Server(address) => {
            return Err(OpError::usage(format!("{address}: a store on a server cannot be repaired from here"))
                .hint("`contexture loom verify` without `--repair` tells what is wrong"));
        }
    };
    store::repair(&path, door.env.now.saturating_mul(1000)).map_err(|error| refused(&error))
}

impl Trees<'_> {
    pub fn list(&mut self) -> Result<Vec<TreeInfo>, OpError> {
        self.loom.trees().map_err(|error| refused(&error))
    }

    pub fn tree(&mut self) -> Result<LoomTree, OpError> {
        self.loom.tree(self.tree.as_deref()).map_err(|error| refused(&error))
    }

    pub fn make(&mut self, new: NewTree) -> Result<LoomTree, OpError> {
        if new.title.trim().is_empty() {
            return Err(OpError::usage("a tree needs a title").hint("`contexture loom new TITLE`"));
        }
        self.loom.new_tree(new).map_err(|error| refused(&error))
    }

    pub fn set(&mut self, change: TreeChange, in_use: bool) -> Result<LoomTree, OpError> {
        let tree = self.tree()?;
        if in_use {
            self.loom.use_tree(&tree.id).map_err(|error| refused(&error))?;
        }
        self.loom.set_tree(&tree.id, change).map_err(|error| refused(&error))
    }

    pub fn agents(&mut self) -> Result<Vec<LoomAgent>, OpError> {
        self.loom.agents().map_err(|error| refused(&error))
    }

    pub fn agent(&mut self, name: &str) -> Result<LoomAgent, OpError> {
        self.loom.agent(name).map_err(|error| refused(&error))
    }

    pub fn set_agent(&mut self, change: AgentChange) -> Result<LoomAgent, OpError> {
        self.loom.set_agent(change).map_err(|error| refused(&error))
    }

    pub fn add(&mut self, writing: &Writing) -> Result<Found, OpError> {
        let (author, author_type) = self.who(writing, None)?;
        let message = self.message(writing, author_type)?;
        let parents = self.ids(&writing.parents)?;
        let tree = match parents.first() {
            Some(first) => self.loom.find(first).map_err(|error| refused(&error))?.tree,
            None => self.tree()?,
        };
        let new = NewNode {
            message,
            author,
            author_type,
            primaries: parents,
            contexts: self.ids(&writing.contexts)?,
            instructions: self.ids(&writing.instructions)?,
            move_path: !writing.stay,
            path: None,
        };
        let mut added = self.loom.add(&tree.id, vec![new]).map_err(|error| refused(&error))?;
        let node = added.pop().ok_or_else(|| OpError::failed("nothing was added"))?;
        Ok(Found { tree, node })
    }

    /// A new version; by whoever wrote the old one, where nobody says otherwise.
    pub fn edit(&mut self, node: &str, writing: &Writing) -> Result<Found, OpError> {
        let Found { tree, node: old } = self.find(node)?;
        let (author, author_type) = self.who(writing, Some(&old))?;
        // Another text; pictures, calls and what it answers stay.
        let mut message = Message::clone(&old.message);
        message.parts.retain(|part| matches!(part, Part::Image(_)));
        message.parts.insert(0, Part::Text(writing.text.as_str().into()));
        if message.role != Role::Tool {
            message.role = LoomNode::role(author_type);
        }
        let node = self.loom.edit(&old.id, message, &author, author_type).map_err(|error| refused(&error))?;
        Ok(Found { tree, node })
    }

    pub fn annotate(&mut self, node: &str, writing: &Writing) -> Result<Found, OpError> {
        let Found { tree, node: about } = self.find(node)?;
        let (author, author_type) = self.who(writing, None)?;
        let message = self.message(writing, author_type)?;
        let node = self.loom.annotate(&about.id, message, &author, author_type).map_err(|error| refused(&error))?;
        Ok(Found { tree, node })
    }

    pub fn find(&mut self, word: &str) -> Result<Found, OpError> {
        let found = self.loom.find(word).map_err(|error| refused(&error))?;
        if let Some(tree) = self.tree.clone() {
            let wanted = self.loom.tree(Some(&tree)).map_err(|error| refused(&error))?;
            if wanted.id != found.tree.id {
                let (is, wanted) = (printable(&found.tree.title), printable(&wanted.title));
                let message = format!("`{}` is a node of `{is}`, not of `{wanted}`", printable(word));
                return Err(OpError::usage(message).hint("leave `--tree` out"));
            }
        }
        Ok(found)
    }

    pub fn show(&mut self, word: &str) -> Result<NodeShown, OpError> {
        let Found { tree, node } = self.find(word)?;
        let connections = self.loom.connections(&[&node.id]).map_err(|error| refused(&error))?;
        let responses = self.loom.responses(&node.id).map_err(|error| refused(&error))?;
        let neighbours = self.loom.neighbours(&node.id).map_err(|error| refused(&error))?;
        let author = self.names()?.name(&node);
        let connections = connections.into_iter().next().unwrap_or_default();
        Ok(NodeShown { tree, node, author, connections, neighbours, responses })
    }

    pub fn exclude(&mut self, word: &str, is_excluded: bool) -> Result<Found, OpError> {
        let found = self.find(word)?;
        self.loom.exclude(&found.node.id, is_excluded).map_err(|error| refused(&error))?;
        self.find(&found.node.id)
    }

    pub fn bookmark(&mut self, word: &str, label: Option<String>) -> Result<Found, OpError> {
        let found = self.find(word)?;
        self.loom.bookmark(&found.node.id, label).map_err(|error| refused(&error))?;
        self.find(&found.node.id)
    }

    pub fn pin(&mut self, word: &str, is_pinned: bool) -> Result<Found, OpError> {
        let found = self.find(word)?;
        self.loom.pin(&found.node.id, is_pinned).map_err(|error| refused(&error))?;
        Ok(found)
    }

    /// How many nodes went with it.
    pub fn prune(&mut self, word: &str) -> Result<(Found, usize), OpError> {
        let found = self.find(word)?;
        let many = self.loom.prune(&found.node.id).map_err(|error| refused(&error))?;
        Ok((self.find(&found.node.id)?, many))
    }

    pub fn restore(&mut self, word: &str) -> Result<(Found, usize), OpError> {
        let found = self.find(word)?;
        let many = self.loom.restore(&found.node.id).map_err(|error| refused(&error))?;
        Ok((self.find(&found.node.id)?, many))
    }

    pub fn fork(&mut self, word: &str, name: Option<&str>) -> Result<(Found, LoomPath), OpError> {
        let found = self.find(word)?;
        let local = &found.node.local;
        let known = self.loom.paths(&found.tree.id).map_err(|error| refused(&error))?;
        let mut names = std::iter::once(local.clone()).chain((2..).map(|nth| format!("{local}-{nth}")));
        let free = names.find(|name| known.iter().all(|path| path.name != *name)).unwrap_or_default();
        let path = self.loom.fork(&found.tree.id, name.unwrap_or(&free), &found.node.id);
        Ok((found, path.map_err(|error| refused(&error))?))
    }

    pub fn paths(&mut self) -> Result<(LoomTree, Vec<LoomPath>, LoomPath), OpError> {
        let tree = self.tree()?;
        let all = self.loom.paths(&tree.id).map_err(|error| refused(&error))?;
        let used = self.loom.path_of(&tree.id, None).map_err(|error| refused(&error))?;
        Ok((tree, all, used))
    }

    /// The path with this name from now on, where it ends.
    pub fn use_path(&mut self, name: &str) -> Result<LoomPath, OpError> {
        let tree = self.tree()?;
        let path = self.loom.path_of(&tree.id, Some(name)).map_err(|error| refused(&error))?;
        match &path.active {
            Some(active) => self.loom.go(&tree.id, Some(name), active).map_err(|error| refused(&error)),
            None => Ok(path),
        }
    }

    pub fn go(&mut self, word: &str, name: Option<&str>) -> Result<(Found, LoomPath), OpError> {
        let found = self.find(word)?;
        let path = self.loom.go(&found.tree.id, name, &found.node.id).map_err(|error| refused(&error))?;
        Ok((found, path))
    }

    /// From now on the path goes through this node wherever something continues it.
    pub fn choose(&mut self, word: &str, name: Option<&str>) -> Result<Found, OpError> {
        let found = self.find(word)?;
        for choice in self.choices_through(&found)? {
            self.loom.choose(&found.tree.id, name, &choice).map_err(|error| refused(&error))?;
        }
        Ok(found)
    }

    /// The path as it is after it was chosen, led through nodes and moved to one, as far as that is asked.
    pub fn walk_to(
        &mut self,
        node: Option<&str>,
        name: Option<&str>,
        choose: &[String],
        in_use: bool,
    ) -> Result<(LoomTree, Walked), OpError> {
        let chosen = self.ids(choose)?;
        if let (true, Some(name)) = (in_use, name) {
            self.use_path(name)?;
        }
        for word in &chosen {
            self.choose(word, name)?;
        }
        if let Some(word) = node {
            self.go(word, name)?;
        }
        let (node, path) = (node.map(str::to_owned), name.map(str::to_owned));
        self.walk(&AssembleRequest { node, path, ..AssembleRequest::default() })
    }

    pub fn memory(&mut self) -> Result<Memory, OpError> {
        let tree = self.tree()?;
        self.loom.memory(&tree.id).map_err(|error| refused(&error))
    }

    pub fn stash(&mut self, label: &str, text: &str) -> Result<Stash, OpError> {
        let tree = self.tree()?;
        if label.trim().is_empty() {
            return Err(OpError::usage("a stash needs a label").hint("`contexture loom stash LABEL TEXT`"));
        }
        self.loom.stash(&tree.id, label, text.into()).map_err(|error| refused(&error))?;
        Ok(Stash { label: label.into(), text: text.into(), recalled: false })
    }

    pub fn recall(&mut self, label: &str, is_recalled: bool) -> Result<Stash, OpError> {
        let tree = self.tree()?;
        self.loom.recall(&tree.id, label, is_recalled).map_err(|error| refused(&error))
    }

    pub fn drop_stash(&mut self, label: &str) -> Result<(), OpError> {
        let tree = self.tree()?;
        self.loom.drop_stash(&tree.id, label).map_err(|error| refused(&error))
    }

    pub fn verify(&mut self) -> Result<Verified, OpError> {
        self.loom.verify().map_err(|error| refused(&error))
    }

    /// The ids of all nodes that are named, or an error before anything is done with one of them.
    pub fn ids(&mut self, words: &[String]) -> Result<Vec<String>, OpError> {
        words.iter().map(|word| Ok(self.find(word)?.node.id)).collect()
    }

    fn choices_through(&mut self, found: &Found) -> Result<Vec<PathChoice>, OpError> {
        let choices = self.loom.choices_of(&found.node.id).map_err(|error| refused(&error))?;
        if choices.is_empty() {
            let message = format!("nothing continues `{}`: there is nothing to choose", found.node.local);
            return Err(OpError::usage(message).hint("`contexture loom path NODE` goes there"));
        }
        Ok(choices)
    }

    /// The agent and its kind. An agent writes as what it is, and whoever has no name by what they are.
    fn who(&mut self, writing: &Writing, old: Option<&LoomNode>) -> Result<(String, AuthorType), OpError> {
        let known = match &writing.author {
            Some(name) => self.agents()?.into_iter().find(|agent| agent.name == *name),
            None => None,
        };
        match (&writing.author, writing.kind, old) {
            (Some(name), kind, _) => {
                let kind = kind.or(known.map(|agent| agent.kind)).unwrap_or(AuthorType::Human);
                Ok((name.clone(), kind))
            }
            (None, None, Some(old)) => Ok((self.names()?.name(old), old.author_type)),
            (None, kind, _) => {
                let kind = kind.unwrap_or(AuthorType::Human);
                Ok((kind.as_str().to_owned(), kind))
            }
        }
    }

    fn message(&self, writing: &Writing, author: AuthorType) -> Result<Message, OpError> {
        let mut message = Message::new(LoomNode::role(author), writing.text.as_str());
        for file in &writing.images {
            let image = contexture_gather::picture(&self.door.env.cwd.join(file)).map_err(|cause| {
                OpError::usage(format!("cannot show `{}`: {cause}", file.display())).hint("check the path with `ls`")
            })?;
            message.parts.push(Part::Image(image));
        }
        Ok(message)
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

enum Place {
    File(PathBuf),
    Server(Address),
}

/// From the strongest: the flag, the settings, the user's data folder. A project's own settings cannot lead out of it.
fn place(door: &Door, which: &WhichTree, config: &Config, roots: &Roots) -> Result<Place, OpError> {
    if let Some(file) = &which.store {
        return Ok(Place::File(door.env.cwd.join(file)));
    }
    match written::server(config) {
        Server::None => {}
        Server::OfProject(note) => {
            return Err(OpError::Usage { message: note.text, hints: note.hint.into_iter().collect() });
        }
        Server::At(address) => return address.map(Place::Server),
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
        return Ok(Place::File(path));
    }
    match &door.env.data_dir {
        Some(data) => Ok(Place::File(data.join("loom.sqlite"))),
        None => {
            Err(OpError::usage("there is no store of trees: this user has no data folder")
                .hint("`--store FILE` names one"))
        }
    }
}

fn refused(error: &LoomError) -> OpError {
    let (message, hints) = (error.to_string(), vec![error.hint()]);
    match error.kind() {
        Kind::Usage => OpError::Usage { message, hints },
        Kind::Conflict => OpError::Conflict { message, hints },
        Kind::Verification => OpError::Verification { message, hints },
        Kind::Failed => OpError::Failed { message, hints },
    }
}

/// What an agent may do, from words.
pub fn permissions<W: AsRef<str>>(words: &[W]) -> Result<Permissions, OpError> {
    let mut granted = Permissions::default();
    for word in words {
        if !granted.grant(word.as_ref()) {
            return Err(OpError::usage(format!("unknown permission: `{}`", printable(word.as_ref())))
                .hint(format!("known are {}", Permissions::WORDS.join(", "))));
        }
    }
    Ok(granted)
}

/// Whether nothing is to be changed.
pub fn is_nothing(change: &TreeChange) -> bool {
    let TreeChange {
        title,
        system_context,
        buffer_mode_system_context,
        truncation,
        minimum_recent_nodes,
        token_buffer,
    } = change;
    title.is_none()
        && system_context.is_none()
        && buffer_mode_system_context.is_none()
        && truncation.is_none()
        && minimum_recent_nodes.is_none()
        && token_buffer.is_none()
}

/// What a tree sets for itself, from words of a command line.
pub fn new_tree(title: &str, mode: TreeMode, system: Option<&str>, before_buffer: bool, own: Preferences) -> NewTree {
    NewTree {
        title: title.to_owned(),
        mode,
        system_context: system.filter(|text| !text.is_empty()).map(Text::from),
        buffer_mode_system_context: before_buffer,
        preferences: own,
    }
}
