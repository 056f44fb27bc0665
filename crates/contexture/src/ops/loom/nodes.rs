//! Operations on single nodes: add, edit, annotate, find, show, and what is marked on them.

use super::{NodeDetails, Trees, nonempty};
use crate::ops::OpError;
use crate::requests::{AddNodeRequest, BookmarkRequest, NodeAuthor, NodeTextRequest, Word};
use contexture_conversations::loom::{Loom, LoomError, NewNode, TreeNode};
use contexture_core::render::printable;
use contexture_core::{AuthorType, LoomNode, Message, MessagePart, Role};

impl Trees<'_> {
    /// Adds a node below its parents, else at the end of the path.
    pub fn add(&mut self, request: &AddNodeRequest) -> Result<TreeNode, OpError> {
        if request.text.is_empty() && request.images.is_empty() {
            return Err(OpError::usage("the text is empty").hint("`contexture loom add TEXT`"));
        }
        let (author, author_type) = self.author(&request.by, None)?;
        let mut message = Message::new(LoomNode::role(author_type), request.text.as_str());
        for file in &request.images {
            let image = contexture_gather::picture(&self.door.env.cwd.join(file)).map_err(|cause| {
                OpError::usage(format!("cannot show `{}`: {cause}", file.display())).hint("check the path with `ls`")
            })?;
            message.parts.push(MessagePart::Image(image));
        }
        let parents = self.ids(&request.parents)?;
        let tree = match parents.first() {
            Some(first) => self.loom.find(first)?.tree,
            None => self.tree()?,
        };
        let new = NewNode {
            message,
            author,
            author_type,
            primaries: parents,
            contexts: self.ids(&request.contexts)?,
            instructions: self.ids(&request.instructions)?,
            move_path: !request.stay,
            path: None,
        };
        let mut added = self.loom.add(&tree.id, vec![new])?;
        let node = added.pop().ok_or_else(|| OpError::failed("nothing was added"))?;
        Ok(TreeNode { tree, node })
    }

    /// A new version; by the author of the old one unless the request names another.
    pub fn edit(&mut self, request: &NodeTextRequest) -> Result<TreeNode, OpError> {
        let (TreeNode { tree, node: old }, text) = self.text_of(request)?;
        let (author, author_type) = self.author(&request.by, Some(&old))?;
        // Another text; pictures, calls and what it answers stay.
        let mut message = Message::clone(&old.message);
        message.parts.retain(|part| matches!(part, MessagePart::Image(_)));
        message.parts.insert(0, MessagePart::Text(text.into()));
        if message.role != Role::Tool {
            message.role = LoomNode::role(author_type);
        }
        let node = self.loom.edit(&old.id, message, &author, author_type)?;
        Ok(TreeNode { tree, node })
    }

    /// Adds an annotation to a node.
    pub fn annotate(&mut self, request: &NodeTextRequest) -> Result<TreeNode, OpError> {
        let (TreeNode { tree, node: about }, text) = self.text_of(request)?;
        let (author, author_type) = self.author(&request.by, None)?;
        let message = Message::new(LoomNode::role(author_type), text);
        let node = self.loom.annotate(&about.id, message, &author, author_type)?;
        Ok(TreeNode { tree, node })
    }

    /// The node, and a text that is not empty.
    fn text_of<'r>(&mut self, request: &'r NodeTextRequest) -> Result<(TreeNode, &'r str), OpError> {
        let text = nonempty(&request.text)
            .ok_or_else(|| OpError::usage("the text is empty").hint("`contexture loom prune NODE` puts a node away"))?;
        Ok((self.find(&request.node)?, text))
    }

    /// The node with this id, and its tree.
    pub fn find(&mut self, word: &str) -> Result<TreeNode, OpError> {
        let found = self.loom.find(word)?;
        if let Some(tree) = self.tree.clone() {
            let wanted = self.loom.tree(Some(&tree))?;
            if wanted.id != found.tree.id {
                let (is, wanted) = (printable(&found.tree.title), printable(&wanted.title));
                let message = format!("`{}` is a node of `{is}`, not of `{wanted}`", printable(word));
                return Err(OpError::usage(message).hint("leave `--tree` out"));
            }
        }
        Ok(found)
    }

    /// A node with its connections, neighbors and responses.
    pub fn show(&mut self, word: &str) -> Result<NodeDetails, OpError> {
        let TreeNode { tree, node } = self.find(word)?;
        let connections = self.loom.connections(&[&node.id])?;
        let responses = self.loom.responses(&node.id)?;
        let neighbours = self.loom.neighbours(&node.id)?;
        let author = self.names()?.name(&node);
        let connections = connections.into_iter().next().unwrap_or_default();
        Ok(NodeDetails { tree, node, author, connections, neighbours, responses })
    }

    /// Finds a node, changes it, and gives it as it is afterwards, with what the change returned.
    fn change<T>(
        &mut self,
        word: &str,
        act: impl FnOnce(&mut Loom, &str) -> Result<T, LoomError>,
    ) -> Result<(TreeNode, T), OpError> {
        let id = self.find(word)?.node.id;
        let done = act(&mut self.loom, &id)?;
        Ok((self.find(&id)?, done))
    }

    /// Takes a node out of contexts, or in again.
    pub fn exclude(&mut self, word: &str, is_excluded: bool) -> Result<TreeNode, OpError> {
        Ok(self.change(word, |loom, id| loom.exclude(id, is_excluded))?.0)
    }

    /// Sets or removes the bookmark of a node.
    pub fn bookmark(&mut self, request: &BookmarkRequest) -> Result<TreeNode, OpError> {
        let label = (!request.undo).then(|| request.label.clone());
        Ok(self.change(&request.node, |loom, id| loom.bookmark(id, label))?.0)
    }

    /// Pins a node in the memory of its tree, or unpins it.
    pub fn pin(&mut self, word: &str, is_pinned: bool) -> Result<TreeNode, OpError> {
        let found = self.find(word)?;
        self.loom.pin(&found.node.id, is_pinned)?;
        Ok(found)
    }

    /// Prunes a node and everything below it; gives how many nodes.
    pub fn prune(&mut self, word: &str) -> Result<(TreeNode, usize), OpError> {
        self.change(word, Loom::prune)
    }

    /// Brings pruned nodes back; gives how many.
    pub fn restore(&mut self, word: &str) -> Result<(TreeNode, usize), OpError> {
        self.change(word, Loom::restore)
    }

    /// The agent and its kind. An agent writes as what it is, and whoever has no name by what they are.
    fn author(&mut self, by: &NodeAuthor, old: Option<&LoomNode>) -> Result<(String, AuthorType), OpError> {
        match (&by.author, by.author_type.map(Word::get), old) {
            (Some(name), kind, _) => {
                let known = self.agents()?.into_iter().find(|agent| agent.name == *name);
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
}
