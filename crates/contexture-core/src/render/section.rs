//! Puts blocks under their headings, in the order of the document, and marks where the static part ends.

use super::{markdown, tree, xml};
use crate::types::{Block, Format, Item, ItemKind, Layer, Options, Output, StrategyMode, Tree};

/// The whole document: `shown` are the items that are shown, sorted as in the snapshot, each with its block.
/// `about` is the text of its header.
pub fn assemble(shown: Vec<(&Item, Block)>, paths: &[String], about: Option<&str>, options: &Options) -> Output {
    let mut output = Output::default();
    let selected: Vec<&str> =
        shown.iter().filter(|(item, _)| item.kind == ItemKind::File).map(|(item, _)| item.path.as_str()).collect();
    let (opening, closing) = ends(options.format);
    push(&mut output, None, opening.to_owned());
    if let Some(about) = about {
        push(&mut output, Some("Header"), header_section(options.format, about));
    }
    let listing = match options.tree {
        Tree::None => String::new(),
        Tree::Selected => tree::tree(selected.into_iter()),
        Tree::Full => tree::tree(paths.iter().map(String::as_str)),
    };
    if !listing.is_empty() {
        push(&mut output, Some("Tree"), tree_section(options.format, &listing));
    }
    let mut current = None;
    let mut prefix_closed = false;
    for (item, block) in shown {
        let section = Some(title(item.kind, options));
        if current != Some(item.kind) {
            if let Some(kind) = current {
                push(&mut output, Some(title(kind, options)), section_end(options.format, kind));
            }
            if !prefix_closed && !item.is_static() {
                output.prefix_blocks = output.blocks.len();
                prefix_closed = true;
            }
            push(&mut output, section, section_start(options, item.kind));
            current = Some(item.kind);
        } else if options.format == Format::Json {
            // A block of its own, so that an item's block depends on that item alone.
            push(&mut output, section, BETWEEN.to_owned());
        }
        output.blocks.push(Block { section, ..block });
    }
    if let Some(kind) = current {
        push(&mut output, Some(title(kind, options)), section_end(options.format, kind));
    }
    if !prefix_closed {
        output.prefix_blocks = output.blocks.len();
    }
    for (title, text) in [("Instructions", &options.frame.instructions), ("Task", &options.frame.task)] {
        if let Some(text) = text {
            push(&mut output, Some(title), said_section(options.format, title, text));
        }
    }
    push(&mut output, None, closing.to_owned());
    output
}

/// What stands between two items of a section, as a block: nothing but in JSON.
pub fn between(format: Format) -> Option<Block> {
    (format == Format::Json).then(|| Block::frame(BETWEEN))
}

const BETWEEN: &str = ",\n";

fn push(output: &mut Output, section: Option<&'static str>, frame: String) {
    if !frame.is_empty() {
        output.blocks.push(Block { section, ..Block::frame(frame) });
    }
}

fn title(kind: ItemKind, options: &Options) -> &'static str {
    match kind {
        ItemKind::File if options.focused => "Files (Tier 3 - Focused)",
        ItemKind::File if options.strategy.mode == StrategyMode::Summarize => "Files (Summary)",
        ItemKind::File => "Files",
        ItemKind::Screenshot => "Screenshots",
        ItemKind::Diff => "Diff",
        ItemKind::Log => "Log",
        ItemKind::Beads => "Beads Mode: Progress Track",
        ItemKind::Retrieved => "Retrieved Context",
        ItemKind::Discussion => "Discussion History",
        ItemKind::Layer(layer) => match layer {
            Layer::System => "System",
            Layer::Bootstrap => "Bootstrap",
            Layer::Memory => "Relevant Memories",
            Layer::Skill => "Available Skills",
            Layer::SkillBody => "Skills in Use",
            Layer::Tools => "Available Tools",
            Layer::History => "Conversation History",
            Layer::Current => "Current Message",
        },
    }
}

fn tag(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::File => "files",
        ItemKind::Screenshot => "screenshots",
        ItemKind::Diff => "diff",
        ItemKind::Log => "log",
        ItemKind::Beads => "beads",
        ItemKind::Retrieved => "retrieved",
        ItemKind::Discussion => "discussion",
        ItemKind::Layer(Layer::SkillBody) => "skills_in_use",
        ItemKind::Layer(layer) => layer.as_str(),
    }
}

fn section_start(options: &Options, kind: ItemKind) -> String {
    let title = title(kind, options);
    match options.format {
        Format::Markdown | Format::Messages | Format::Request(_) | Format::Text => markdown::heading(title),
        Format::Xml => format!("<{}{}>\n", tag(kind), attribute(kind, options)),
        Format::Json => format!(",\"{}\":[\n", tag(kind)),
    }
}

fn attribute(kind: ItemKind, options: &Options) -> &'static str {
    match kind {
        ItemKind::File if options.focused => " view=\"focused\"",
        ItemKind::File if options.strategy.mode == StrategyMode::Summarize => " view=\"summary\"",
        _ => "",
    }
}

fn section_end(format: Format, kind: ItemKind) -> String {
    match format {
        // The lines of a list stand without one between them.
        Format::Markdown if matches!(kind, ItemKind::Layer(Layer::Memory | Layer::Skill)) => "\n".into(),
        Format::Markdown | Format::Messages | Format::Request(_) | Format::Text => String::new(),
        Format::Xml => format!("</{}>\n", tag(kind)),
        Format::Json => "]\n".to_owned(),
    }
}

/// What a document begins and ends with.
fn ends(format: Format) -> (&'static str, &'static str) {
    match format {
        Format::Markdown | Format::Messages | Format::Request(_) | Format::Text => ("", ""),
        Format::Xml => ("<document>\n", "</document>\n"),
        Format::Json => ("{\"v\":1\n", "}\n"),
    }
}

fn header_section(format: Format, about: &str) -> String {
    match format {
        Format::Markdown | Format::Messages | Format::Request(_) | Format::Text => about.to_owned(),
        Format::Xml => xml::said("header", about.trim_end()),
        Format::Json => format!(",\"header\":{}\n", serde_json::json!(about.trim_end())),
    }
}

/// Instructions or a task: text of a person, which cannot open a section of its own.
fn said_section(format: Format, title: &str, text: &str) -> String {
    let (tag, text) = (title.to_ascii_lowercase(), text.trim_end());
    match format {
        Format::Markdown | Format::Messages | Format::Request(_) | Format::Text => {
            format!("{}{}", markdown::heading(title), markdown::framed(text))
        }
        Format::Xml => xml::said(&tag, text),
        Format::Json => format!(",\"{tag}\":{}\n", serde_json::json!(text)),
    }
}

fn tree_section(format: Format, listing: &str) -> String {
    match format {
        // A listing holds no backticks: names with them are quoted.
        Format::Markdown | Format::Messages | Format::Request(_) | Format::Text => {
            format!("{}```text\n{listing}```\n\n", markdown::heading("Tree"))
        }
        Format::Xml => format!("<tree>\n{}</tree>\n", listing.replace('&', "&amp;").replace('<', "&lt;")),
        Format::Json => format!(",\"tree\":{}\n", serde_json::json!(listing)),
    }
}
