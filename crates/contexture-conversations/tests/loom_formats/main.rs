//! Trees in files: our own JSON, and what other programs write, in the shapes they write it.
#![allow(clippy::unwrap_used)]

mod hostile;
mod laws;
mod ours;
mod random;
mod shapes;

use contexture_conversations::loom::LoomError;
use contexture_conversations::loom::formats::{
    Exported, ImportOptions, Imported, TreeFormat, export, import_bytes, import_path,
};
use contexture_core::{Bundle, ImageSource, MessagePart};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

const NOW: i64 = 1_800_000_000_000;

fn options() -> ImportOptions {
    ImportOptions { conversation: None, now: NOW, name: "story".into() }
}

fn import(text: impl AsRef<[u8]>) -> Imported {
    import_bytes(text.as_ref(), &options()).unwrap()
}

fn fails(text: impl AsRef<[u8]>) -> String {
    told(&import_bytes(text.as_ref(), &options()).unwrap_err())
}

fn told(error: &LoomError) -> String {
    format!("{error}\n{}", error.hint())
}

/// What a format makes of a tree, read back.
fn again(bundle: &Bundle, format: TreeFormat) -> (Exported, Imported) {
    let exported = export(bundle, format);
    let imported = if format == TreeFormat::LoomEngine {
        let root = tempfile::tempdir().unwrap();
        write_files(root.path(), &exported);
        import_path(root.path(), &options()).unwrap()
    } else {
        assert_eq!(exported.files.len(), 1);
        import(&exported.files[0].1)
    };
    assert_eq!(imported.format, format.as_str());
    (exported, imported)
}

fn write_files(root: &std::path::Path, exported: &Exported) {
    for (path, text) in &exported.files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The place of each node's parent in the list of nodes; every node but the first has one that stands before it.
fn parents(bundle: &Bundle) -> Vec<Option<usize>> {
    let places: BTreeMap<&str, usize> = bundle.nodes.iter().enumerate().map(|(at, node)| (&*node.id, at)).collect();
    assert_eq!(places.len(), bundle.nodes.len(), "an id twice");
    let mut parents = vec![None; bundle.nodes.len()];
    for edge in &bundle.edges {
        assert_eq!(edge.sources.len(), 1);
        let (source, target) = (places[&*edge.sources[0].node], places[&*edge.target]);
        assert!(source < target && parents[target].is_none());
        parents[target] = Some(source);
    }
    assert!(parents.iter().skip(1).all(Option::is_some), "a second root");
    parents
}

/// What a person would check: the tree with who says what, in short, and what was left out.
fn listing(imported: &Imported) -> String {
    let mut out = format!("{}\n", imported.format);
    for bundle in &imported.bundles {
        out += &tree(bundle);
    }
    for (what, count) in &imported.skipped {
        writeln!(out, "skipped {count}: {what}").unwrap();
    }
    for note in &imported.notes {
        writeln!(out, "note: {note}").unwrap();
    }
    out
}

fn tree(bundle: &Bundle) -> String {
    let at = |millis: i64| if millis == NOW { "now".into() } else { millis.to_string() };
    let head = &bundle.tree;
    let mut out = format!("{:?} {} {}", head.title, head.mode, at(head.created));
    if let Some(text) = &head.system_context {
        write!(out, " system {:?}", &**text).unwrap();
    }
    out.push('\n');
    let parents = parents(bundle);
    let active = bundle.paths.iter().find(|path| Some(&path.name) == bundle.path.as_ref()).unwrap().active.as_ref();
    let mut due: Vec<(usize, usize)> = (0..parents.len().min(1)).map(|root| (root, 0)).collect();
    while let Some((place, depth)) = due.pop() {
        let node = &bundle.nodes[place];
        due.extend((0..parents.len()).rev().filter(|&at| parents[at] == Some(place)).map(|at| (at, depth + 1)));
        let author = bundle.agents.iter().find(|agent| *agent.id == *node.author).unwrap();
        let kind = if author.kind == node.author_type { author.kind.as_str() } else { "?" };
        write!(out, "{}{} {} ({kind})", "  ".repeat(depth), node.origin.as_deref().unwrap_or("-"), author.name)
            .unwrap();
        if let Some(model) = &author.model {
            write!(out, " {model}").unwrap();
        }
        write!(out, " {} {}", node.message.role, at(node.created)).unwrap();
        if let Some(answers) = &node.message.answers {
            write!(out, " <- {answers}").unwrap();
        }
        for part in &node.message.parts {
            match part {
                MessagePart::Text(text) => write!(out, " {:?}", &**text).unwrap(),
                MessagePart::Image(image) => match &image.source {
                    ImageSource::Data(data) => write!(out, " <{} {}>", image.media_type, &**data).unwrap(),
                    ImageSource::Url(url) => write!(out, " <{url}>").unwrap(),
                    ImageSource::Gone { bytes } => write!(out, " <gone {bytes}>").unwrap(),
                },
            }
        }
        for call in &node.message.calls {
            write!(out, " -> {}({}) {}", call.name, call.id, &*call.arguments).unwrap();
        }
        let own = node.pruned.as_ref() == Some(&node.id);
        let marks = [
            (node.excluded, "excluded"),
            (own, "pruned"),
            (node.pruned.is_some() && !own, "pruned with another"),
            (Some(&node.id) == active, "active"),
        ];
        marks.iter().filter(|(set, _)| *set).for_each(|(_, mark)| write!(out, " [{mark}]").unwrap());
        if let Some(label) = &node.bookmark {
            write!(out, " [bookmark {label:?}]").unwrap();
        }
        out.push('\n');
    }
    out
}
