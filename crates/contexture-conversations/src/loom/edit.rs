//! Edits and remarks: new nodes beside or behind one that is there.

use super::add::{NodeContent, mark, refuse_pruned, write_node};
use super::names::node_by_id;
use super::paths::{self, Chosen, path_in_use};
use super::records::links;
use super::store::{Choice, EdgeRow, Marks, PathRow, Result, Rows, Seq, TreeRow};
use super::{Loom, did};
use contexture_core::{AuthorType, EdgeType, LoomNode, Message, SourceRole, TreeMode};

impl Loom {
    /// A version of the node. In a dialogue the path goes there; in a buffer what follows the node follows both, and the
    /// path takes the new one.
    pub fn edit(&mut self, node: &str, message: Message, author: &str, author_type: AuthorType) -> Result<LoomNode> {
        self.write(|rows, now| {
            let (mut tree, old) = node_by_id(rows, node)?;
            refuse_pruned(rows, tree.seq, old, "it cannot be edited")?;
            let path = path_in_use(rows, &tree)?;
            let chosen = rows.choices_at(path.seq, old)?;
            let edge = live_edge(rows, &tree, old, &chosen)?;
            let is_remark = edge.as_ref().is_some_and(|edge| edge.kind == EdgeType::Annotation);
            let said = NodeContent { message, author, author_type };
            let edge = edge.map(|edge| (edge.kind, edge.sources));
            let (new, node) = write_node(rows, &mut tree, said, Some(old), edge, now)?;
            rows.update_tree(&tree)?;
            mark(rows, tree.seq, old, Marks::VERSIONED)?;
            // The text before it stays the one that the path chose.
            let kept: Vec<Choice> = chosen.iter().filter(|choice| choice.source.is_some()).copied().collect();
            let kept: Vec<Choice> = kept.iter().map(|choice| Choice { target: new, edge: None, ..*choice }).collect();
            rows.set_choices(path.seq, new, &kept)?;
            let shares = tree.tree.mode == TreeMode::Buffer && !is_remark;
            if shares {
                share(rows, &tree, &path, old, new)?;
            }
            if (!shares && !is_remark) || path.active == Some(old) {
                rows.set_active(path.seq, Some(new))?;
            }
            did(rows, tree.seq, now, "edit", old)?;
            Ok(node)
        })
    }

    /// A remark about a node. It is not part of the conversation.
    pub fn annotate(
        &mut self,
        node: &str,
        message: Message,
        author: &str,
        author_type: AuthorType,
    ) -> Result<LoomNode> {
        self.write(|rows, now| {
            let (mut tree, about) = node_by_id(rows, node)?;
            refuse_pruned(rows, tree.seq, about, "nothing is added below it")?;
            let said = NodeContent { message, author, author_type };
            let edge = Some((EdgeType::Annotation, vec![(about, SourceRole::Primary)]));
            let (_, node) = write_node(rows, &mut tree, said, None, edge, now)?;
            rows.update_tree(&tree)?;
            did(rows, tree.seq, now, "annotate", about)?;
            Ok(node)
        })
    }
}

/// The edge that a version of `node` continues: the one of the path, if it is live, else the first live one. `None` for the
/// root.
fn live_edge(rows: &mut dyn Rows, tree: &TreeRow, node: Seq, choices: &[Choice]) -> Result<Option<EdgeRow>> {
    let mut live = Vec::new();
    for edge in rows.edges_into(node)? {
        if super::marks::is_live(rows, tree.seq, &edge)? {
            live.push(edge);
        }
    }
    Ok(match paths::pick_edge(&live, choices, &mut |_| Ok(true))? {
        Chosen::Edge(at) => Some(live.swap_remove(at)),
        Chosen::None => None,
        Chosen::Several(ats) => ats.first().map(|at| live.swap_remove(*at)),
    })
}

/// What continues the old version continues the new one as well, and the path chooses the new one there.
fn share(rows: &mut dyn Rows, tree: &TreeRow, path: &PathRow, old: Seq, new: Seq) -> Result<()> {
    for link in links(rows, old)? {
        if link.kind != EdgeType::Continuation || link.role != SourceRole::Primary || link.target == new {
            continue;
        }
        let Some(mut edge) = rows.edge(link.edge)? else { continue };
        let Some(at) = edge.sources.iter().position(|source| *source == (old, SourceRole::Primary)) else { continue };
        edge.sources.insert(at + 1, (new, SourceRole::Primary));
        rows.set_sources(&edge)?;
        let mut shape = super::records::shape(rows, tree.seq, link.target)?;
        if shape.marks.has(Marks::SIMPLE) {
            shape.marks.set(Marks::SIMPLE, false);
            rows.update_shape(tree.seq, &shape)?;
        }
        paths::choose(rows, path.seq, Choice { target: link.target, edge: None, source: Some(new) })?;
    }
    Ok(())
}
