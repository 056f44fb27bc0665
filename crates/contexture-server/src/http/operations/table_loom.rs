//! Operations on trees of conversations: each row is an operation of [`contexture::ops::loom`] with its request and its answer.

use super::super::Call;
use super::{Operation, Reply, Request, answers, looks};
use contexture::answers::{
    AssembledPathAnswer, ChangedNodesAnswer, GeneratedNodesAnswer, LoomAgentAnswer, LoomAgentsAnswer, NodeAnswer,
    NodeDetailsAnswer, OutlineAnswer, PathsAnswer, StashAnswer, StashDroppedAnswer, TreeAnswer, TreeFilesAnswer,
    TreeMemoryAnswer, TreesAnswer, TreesImportedAnswer, TreesVerifiedAnswer, WalkedPathAnswer,
};
use contexture::ops::OpError;
use contexture::ops::loom::KeyOf;
use contexture::ops::loom::{self, Missing, Trees};
use contexture::requests::{
    AddNodeRequest, AssembleRequest, BookmarkRequest, EmptyRequest, ExportTreeRequest, ForkRequest, GenerateRequest,
    ImportTreesRequest, InTree, LoomAgentRequest, MarkNodeRequest, NewTreeRequest, NodeOnPathRequest, NodeRequest,
    NodeTextRequest, OutlineRequest, RecallRequest, SetTreeRequest, StashLabelRequest, StashRequest, UseTreeRequest,
    VerifyTreesRequest, WalkPathRequest, WhichTree,
};
use contexture_conversations::loom::TreeNode;

pub fn operations() -> Vec<Operation> {
    vec![
        answers("loom/trees", "List all trees", |call, _: EmptyRequest| Ok(TreesAnswer::from(&*store(call)?.list()?))),
        answers("loom/new", "Make a tree", |call, request: NewTreeRequest| {
            Ok(TreeAnswer::from(&store(call)?.make(&request)?))
        }),
        answers("loom/use", "Use a tree from now on", |call, request: UseTreeRequest| {
            let which = WhichTree { tree: Some(request.tree), ..WhichTree::default() };
            let change = SetTreeRequest { in_use: true, ..SetTreeRequest::default() };
            Ok(TreeAnswer::from(&existing(call, &which)?.set(&change)?))
        }),
        in_tree("loom/set", "Show or change the settings of a tree", |trees, request: SetTreeRequest| {
            Ok(TreeAnswer::from(&trees.set(&request)?))
        }),
        answers("loom/agents", "List the authors of nodes", |call, _: EmptyRequest| {
            Ok(LoomAgentsAnswer::from(&*store(call)?.agents()?))
        }),
        answers("loom/agent", "Show, make or change an agent", |call, request: LoomAgentRequest| {
            Ok(LoomAgentAnswer::from(&store(call)?.agent(&request)?))
        }),
        answers("loom/paths", "List the paths of a tree and where they end", |call, which: WhichTree| {
            Ok(PathsAnswer::from(&existing(call, &which)?.paths()?))
        }),
        in_tree("loom/path", "Walk a path, after moving it if requested", |trees, request: WalkPathRequest| {
            Ok(WalkedPathAnswer::from(&trees.walk_to(&request)?))
        }),
        answers("loom/memory", "Show the operational memory of a tree", |call, which: WhichTree| {
            Ok(TreeMemoryAnswer::from(&existing(call, &which)?.memory()?))
        }),
        in_tree("loom/stash", "Keep a text under a label", |trees, request: StashRequest| {
            Ok(StashAnswer::from(&trees.stash(&request)?))
        }),
        in_tree("loom/recall", "Show the text of a stash in contexts", |trees, request: RecallRequest| {
            Ok(StashAnswer::from(&trees.recall(&request.label, !request.undo)?))
        }),
        in_tree("loom/drop", "Delete a stash", |trees, request: StashLabelRequest| {
            trees.drop_stash(&request.label)?;
            Ok(StashDroppedAnswer { dropped: request.label })
        }),
        answers("loom/verify", "Check or repair the store of trees", |call, request: VerifyTreesRequest| {
            let which = WhichTree::default();
            Ok(match request.repair {
                true => TreesVerifiedAnswer::from(&loom::repair_store(&call.door, &which)?),
                false => TreesVerifiedAnswer::from(&existing(call, &which)?.verify()?),
            })
        }),
        in_tree("loom/outline", "List the nodes of a tree", |trees, request: OutlineRequest| {
            Ok(OutlineAnswer::from(&trees.outline(&request)?))
        }),
        in_tree("loom/show", "Show one node", |trees, request: NodeRequest| {
            Ok(NodeDetailsAnswer::from(&trees.show(&request.node)?))
        }),
        in_tree("loom/add", "Add a node", |trees, request: AddNodeRequest| Ok(NodeAnswer::from(&trees.add(&request)?))),
        in_tree("loom/edit", "Write a new version of a node", |trees, request: NodeTextRequest| {
            Ok(NodeAnswer::from(&trees.edit(&request)?))
        }),
        in_tree("loom/annotate", "Add a remark to a node", |trees, request: NodeTextRequest| {
            Ok(NodeAnswer::from(&trees.annotate(&request)?))
        }),
        in_tree("loom/fork", "Begin a path that ends at a node", |trees, request: ForkRequest| {
            Ok(NodeAnswer::from(&trees.fork(&request.node, request.name.as_deref())?))
        }),
        in_tree("loom/go", "Move the end of a path to a node", |trees, request: NodeOnPathRequest| {
            Ok(NodeAnswer::from(&trees.go(&request.node, request.path.as_deref())?))
        }),
        in_tree("loom/choose", "Lead a path through a node", |trees, request: NodeOnPathRequest| {
            Ok(NodeAnswer::from(&trees.choose(&request.node, request.path.as_deref())?))
        }),
        in_tree("loom/exclude", "Leave a node out of every context", |trees, request: MarkNodeRequest| {
            Ok(changed(trees.exclude(&request.node, !request.undo)?, None))
        }),
        in_tree("loom/pin", "Keep a node in the operational memory", |trees, request: MarkNodeRequest| {
            Ok(changed(trees.pin(&request.node, !request.undo)?, None))
        }),
        in_tree("loom/bookmark", "Bookmark a node", |trees, request: BookmarkRequest| {
            Ok(changed(trees.bookmark(&request)?, None))
        }),
        in_tree("loom/prune", "Hide a node and everything after it", |trees, request: NodeRequest| {
            let (found, count) = trees.prune(&request.node)?;
            Ok(changed(found, Some(count)))
        }),
        in_tree("loom/restore", "Bring back what was pruned with a node", |trees, request: NodeRequest| {
            let (found, count) = trees.restore(&request.node)?;
            Ok(changed(found, Some(count)))
        }),
        looks("loom/assemble", "Compile a path into a context", |call, asked: InTree<AssembleRequest>| {
            let made = existing(call, &asked.which)?.assemble(&asked.request)?;
            Ok(AssembledPathAnswer::new(&made, None))
        }),
        // What a model was asked for is paid for: it is kept, also when no one waits for it any more.
        answers("loom/generate", "Ask a model to continue a path", |call, asked: InTree<GenerateRequest>| {
            let key = (call.served.keys)(KeyOf::NamedServer)?;
            let generated = existing(call, &asked.which)?.generate(&asked.request, key.as_ref())?;
            Ok(GeneratedNodesAnswer::from(&generated))
        }),
        in_tree("loom/export", "Write a tree as files", |trees, request: ExportTreeRequest| {
            Ok(TreeFilesAnswer::new(&trees.export(&request)?, None))
        }),
        // The text comes with the call: a server reads no file because a page names it.
        answers(
            "loom/import",
            "Import trees from the text of a file, up to 128 MiB",
            |call, request: ImportTreesRequest| Ok(TreesImportedAnswer::from(&store(call)?.import_text(&request)?)),
        ),
    ]
}

/// An operation on a tree of a store that exists.
fn in_tree<Q: Request, A: Reply>(
    name: &'static str,
    about: &'static str,
    run: fn(&mut Trees<'_>, Q) -> Result<A, OpError>,
) -> Operation {
    answers(name, about, move |call, InTree { which, request }: InTree<Q>| {
        Ok(run(&mut existing(call, &which)?, request)?)
    })
}

fn existing<'a>(call: &'a Call<'_>, which: &WhichTree) -> Result<Trees<'a>, OpError> {
    loom::trees(&call.door, which, Missing::Refuse)
}

/// The store, made if it is missing.
fn store<'a>(call: &'a Call<'_>) -> Result<Trees<'a>, OpError> {
    loom::trees(&call.door, &WhichTree::default(), Missing::Make)
}

fn changed(found: TreeNode, count: Option<usize>) -> ChangedNodesAnswer {
    (&[(found, count)][..]).into()
}
