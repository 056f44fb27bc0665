//! Every key of the configuration file, once.
//!
//! Errors, `config get|set|schema|--origins`, the `init` template, variable names and `docs/configuration.md` all come from
//! [`KEYS`]. A key that is not here does not exist; a default that is not here holds nowhere.

use super::entry;
use super::error::{Problem, clip, nearest};
use super::node::Node;
use super::words::{DefaultMode, Embed, ExecutionMode, StrategyName};
use contexture_core::safety::{HiddenText, Secrets};
use contexture_core::{FileOrder, Truncation};

/// One key. `NAME` in a path stands for any name.
#[derive(Debug)]
pub struct Key {
    /// `section.key`.
    pub path: &'static str,
    pub kind: ValueKind,
    /// As TOML; `None`: unset.
    pub default: Option<&'static str>,
    /// As TOML; shown where there is no default, and in messages.
    pub example: &'static str,
    pub doc: &'static str,
    /// For a key that a project's file may tighten but not loosen: what its value is against the user's.
    pub(super) against: Option<fn(&Node, Option<&Node>) -> Strictness>,
}

/// What a project's value is against the one that holds without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strictness {
    /// As strict or stricter: it holds.
    Stricter,
    /// It asks for nothing that the user has not set: the user's value holds.
    Within,
    /// The user's value holds, and a note names what was ignored.
    Looser,
}

/// What values a key takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    Text,
    Bool,
    /// A whole number between these, both included.
    Whole(i64, i64),
    OneOf(&'static [&'static str]),
    /// A file or folder, relative to the project's root.
    Path,
    Texts,
    /// Files: strings or tables with `path` and more.
    Entries,
    /// Strings or tables `{ role, content }`.
    History,
    /// Tables `{ provider, model, temperature, top_p, max_output_tokens }`.
    Models,
}

impl ValueKind {
    /// For people: "must be …".
    pub fn expected(self) -> String {
        match self {
            Self::Text => "a string".into(),
            Self::Bool => "`true` or `false`".into(),
            Self::Whole(least, most) if most < i64::MAX => format!("a whole number from {least} to {most}"),
            Self::Whole(least, _) => format!("a whole number, at least {least}"),
            Self::OneOf(words) => {
                format!("one of {}", words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "))
            }
            Self::Path => "a path as a string".into(),
            Self::Texts => "a list of strings".into(),
            Self::Entries => "a list of paths and `{ path = … }` tables".into(),
            Self::History => "a list of strings and `{ role, content }` tables".into(),
            Self::Models => "a list of `{ provider, model }` tables".into(),
        }
    }
}

/// The sections in the order of the file, with what they are about.
pub const SECTIONS: &[(&str, &str)] = &[
    ("project", "What this project is and how its files are shown."),
    ("output", "Where built documents go, and the order of their files."),
    ("files", "The composition: which files are shown, and how."),
    ("screenshots", "Pictures that go with the files."),
    ("discussion", "What was said so far."),
    ("aggregation", "Summaries and their cache."),
    ("budget", "How many tokens a document may have."),
    ("safety", "What must not leave unseen."),
    ("store", "Where conversation trees are kept."),
    ("agent", "The workspace of an agent."),
    ("presets", "Named compositions; `contexture preset apply NAME` makes one the composition."),
    ("personas", "Named ways of working; `--persona NAME` uses one."),
];

/// Sections whose next level is a name that people choose.
pub const NAMED: &[&str] = &["presets", "personas"];

const MANY: i64 = i64::MAX;

/// Every key, in the order of the documentation.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    works("project.name", ValueKind::Text, None, r#""my-project""#, "The project's name; unset, the name of its folder."),
    works("project.strategy", ValueKind::OneOf(StrategyName::WORDS), Some(r#""auto""#), r#""full""#,
        "How files are shown: `full` each in its own view, `summarize` each as its summary, `auto` as `summary_only` says."),
    works("project.summary_only", ValueKind::Bool, Some("false"), "true", "With the strategy `auto`: show every file as its summary."),
    works("project.execution_mode", ValueKind::OneOf(ExecutionMode::WORDS), Some(r#""standard""#), r#""beads""#,
        "`beads` adds the progress of the tasks in `.beads` to the document."),
    works("project.persona", ValueKind::Text, None, r#""reviewer""#, "The persona that is used when no `--persona` is given."),
    works("output.dir", ValueKind::Path, Some(r#"".contexture/out""#), r#""build/context""#,
        "The folder for built documents; it ignores itself in git and is never read as input."),
    works("output.namespace", ValueKind::Text, None, r#""my-project""#,
        "The first part of a document's name, `NAMESPACE_001.md`; unset, the project's name."),
    works("output.keep", ValueKind::Whole(1, MANY), None, "20", "How many documents `prune` keeps."),
    works("output.order", ValueKind::OneOf(FileOrder::WORDS), None, r#""path""#,
        "The order of the files in a document; unset, `relevance` with a query and `path` without one."),
    works("files.base_dir", ValueKind::Path, Some(r#"".""#), r#""src""#, "The folder that `paths` are relative to."),
    works("files.paths", ValueKind::Entries, None, r#"["src/**/*.rs", { path = "src/lib.rs", view_mode = "skeleton" }]"#,
        "The files to show: paths, globs, or tables with `path`, `view_mode` and more; unset, the whole tree."),
    works("files.include", ValueKind::Texts, None, r#"["*.rs"]"#, "Of the files found, keep only those that match one of these globs."),
    works("files.exclude", ValueKind::Texts, None, r#"["**/fixtures/**"]"#, "Of the files found, leave out those that match one of these globs."),
    works("screenshots.base_dir", ValueKind::Path, Some(r#"".""#), r#""docs/img""#, "The folder that the screenshots' `paths` are relative to."),
    works("screenshots.paths", ValueKind::Texts, None, r#"["docs/*.png"]"#, "The screenshots to show: paths or globs."),
    works("screenshots.embed", ValueKind::OneOf(Embed::WORDS), Some(r#""link""#), r#""base64""#,
        "`link` shows a picture by its path, `base64` puts its data into the document."),
    works("discussion.history", ValueKind::History, None, r#"["an excerpt", { role = "user", content = "a question" }]"#,
        "Excerpts of the discussion: strings, or tables with `role` and `content`."),
    works("discussion.history_file", ValueKind::Path, None, r#""NAME_history.toml""#, "A file of its own with the discussion's `history`."),
    works("aggregation.default_mode", ValueKind::OneOf(DefaultMode::WORDS), Some(r#""full""#), r#""outline""#,
        "How files are shown when no flag, persona, tier or `[project]` strategy decides."),
    works("aggregation.cache_enabled", ValueKind::Bool, Some("true"), "false",
        "Keep what is costly to make, such as counts and symbols, for the next run; the result is the same without. What models wrote is kept in any case."),
    works("aggregation.cache_dir", ValueKind::Path, None, r#""/var/cache/contexture""#, "The folder of that cache, and of summaries that models wrote; unset, the user's cache folder."),
    works("budget.max_tokens", ValueKind::Whole(1, MANY), None, "32000", "The most tokens a document may have; unset, no limit."),
    works("budget.token_buffer", ValueKind::Whole(0, MANY), Some("1024"), "2048",
        "Tokens kept free besides the answer, when a model's window is the budget."),
    works("budget.tokenizer", ValueKind::Text, None, r#""o200k_base""#, "The tokenizer that counts; unset, the model's, or `o200k_base`."),
    works("budget.truncation_strategy", ValueKind::OneOf(Truncation::WORDS), Some(r#""truncateMiddle""#), r#""rollingWindow""#,
        "Where a path through a tree is cut when it is too long; a tree may set its own."),
    works("budget.minimum_recent_nodes", ValueKind::Whole(0, MANY), Some("4"), "8",
        "How many of the newest nodes of a path are kept as long as they fit; a tree may set its own."),
    tightens("safety.secrets", secrets, ValueKind::OneOf(Secrets::WORDS), Some(r#""redact""#), r#""deny""#,
        "What happens to a secret that is found in anything that leaves: `redact` puts a marker in its place, `warn` shows it and says so, \
         `deny` writes and sends nothing, `off` looks for none."),
    tightens("safety.hidden_text", hidden_text, ValueKind::OneOf(HiddenText::WORDS), Some(r#""warn""#), r#""strip""#,
        "What happens to invisible characters: `warn` says where they are, `strip` takes them out, `escape` writes them as `<U+202E>`, \
         `deny` writes and sends nothing, `off` looks for none."),
    tightens("safety.allow", allow, ValueKind::Texts, None, r#"["0123456789abcdef"]"#,
        "Secrets that may leave, by the fingerprints that `contexture scan` lists; a project's own file cannot add any."),
    works("store.url", ValueKind::Text, None, r#""sqlite:trees.db""#,
        "The store of conversation trees, `sqlite:FILE`; unset, a file in the user's data folder. `postgres://USER:PASSWORD@HOST/DATABASE` \
         keeps trees and summaries on a server for a team; a project's own file cannot name one."),
    works("agent.workspace", ValueKind::Path, None, r#""workspace""#, "The agent's workspace; unset, a folder in the user's data folder."),
    works("agent.max_history_messages", ValueKind::Whole(0, MANY), Some("50"), "100", "How many of the newest messages of a session an agent sees; 0 for none."),
    works("agent.max_memory_entries", ValueKind::Whole(0, MANY), Some("20"), "40", "How many memories an agent sees at most."),
    works("presets.NAME.description", ValueKind::Text, None, r#""the parser and its tests""#, "What the preset is for."),
    works("presets.NAME.files", ValueKind::Entries, None, r#"["src/parser/**"]"#, "The preset's files, written as in `files.paths`."),
    works("presets.NAME.screenshots", ValueKind::Texts, None, r#"["docs/parser.png"]"#, "The preset's screenshots."),
    works("personas.NAME.system_prompt", ValueKind::Text, None, r#""You review code.""#, "The system prompt of requests in this persona."),
    works("personas.NAME.preferred_models", ValueKind::Models, None, r#"[{ provider = "anthropic", model = "NAME" }]"#,
        "The models to ask, the first one first: tables with `provider`, `model`, `temperature`, `top_p`, `max_output_tokens`. \
         The first one is asked unless another is named; its window is the budget, and its tokenizer counts, where nothing else says so."),
    works("personas.NAME.context_preset", ValueKind::Text, None, r#""parser""#, "The preset that this persona works on."),
    works("personas.NAME.aggregation_strategy", ValueKind::OneOf(StrategyName::WORDS), None, r#""summarize""#,
        "How files are shown in this persona; it beats `project.strategy`."),
    works("personas.NAME.tier", ValueKind::Whole(1, 4), None, "2",
        "How closely this persona looks: 1 in full, 2 summaries, 3 and 4 skeletons."),
    works("personas.NAME.budget", ValueKind::Whole(1, MANY), None, "16000", "The most tokens a document may have in this persona."),
];

/// The key at this path.
pub(super) fn find<S: AsRef<str>>(path: &[S]) -> Option<&'static Key> {
    KEYS.iter().find(|key| {
        key.path.split('.').count() == path.len()
            && key.path.split('.').zip(path).all(|(known, given)| known == "NAME" || known == given.as_ref())
    })
}

impl Key {
    /// The part of its path before the first dot.
    pub fn section(&self) -> &'static str {
        self.path.split('.').next().unwrap_or_default()
    }

    /// The last part of the path: what stands left of the `=`.
    pub fn leaf(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or_default()
    }

    /// `CONTEXTURE_PROJECT_NAME`; presets and personas have none.
    pub fn variable(&self) -> Option<String> {
        (!NAMED.contains(&self.section())).then(|| format!("CONTEXTURE_{}", self.path.replace('.', "_").to_uppercase()))
    }
}

/// There is no such key: what was perhaps meant.
pub(super) fn unknown(at: usize, path: &[&str], shown: &str) -> Problem {
    let problem = Problem::new(at, shown, format!("unknown key: `{}`", clip(shown)));
    match nearest_key(path) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None => problem.hint("`contexture config --origins` lists every key"),
    }
}

fn nearest_key(path: &[&str]) -> Option<String> {
    let (leaf, above) = path.split_last()?;
    let section = above.first().copied();
    let within = |key: &&Key| section == Some(key.section()) && key.path.split('.').count() == path.len();
    if let Some(near) = nearest(leaf, KEYS.iter().filter(within).map(Key::leaf)) {
        return Some(near.to_owned());
    }
    if above.is_empty()
        && let Some((near, _)) = SECTIONS.iter().find(|(name, _)| nearest(leaf, [*name]).is_some())
    {
        return Some(format!("[{near}]"));
    }
    // The right word in the wrong section, then a similar one anywhere.
    let plain = || KEYS.iter().filter(|key| key.variable().is_some());
    plain()
        .find(|key| key.leaf() == *leaf)
        .or_else(|| {
            let near = nearest(leaf, plain().map(Key::leaf))?;
            plain().find(|key| key.leaf() == near)
        })
        .map(|key| key.path.to_owned())
}

const fn works(
    path: &'static str,
    kind: ValueKind,
    default: Option<&'static str>,
    example: &'static str,
    doc: &'static str,
) -> Key {
    Key { path, kind, default, example, doc, against: None }
}

/// A key that a project's file may tighten but not loosen.
const fn tightens(
    path: &'static str,
    against: fn(&Node, Option<&Node>) -> Strictness,
    kind: ValueKind,
    default: Option<&'static str>,
    example: &'static str,
    doc: &'static str,
) -> Key {
    Key { path, kind, default, example, doc, against: Some(against) }
}

fn secrets(project: &Node, user: Option<&Node>) -> Strictness {
    by_order(project, user, Secrets::parse)
}

fn hidden_text(project: &Node, user: Option<&Node>) -> Strictness {
    by_order(project, user, HiddenText::parse)
}

fn by_order<T: Ord>(project: &Node, user: Option<&Node>, parse: fn(&str) -> Option<T>) -> Strictness {
    let of = |node: &Node| node.as_text().and_then(parse);
    if of(project) >= user.and_then(of) { Strictness::Stricter } else { Strictness::Looser }
}

/// An empty list allows nothing and is as strict as can be. Any other would loosen the safety of who does not allow the same, and a part
/// of the user's own list is no reason to drop the rest of it.
fn allow(project: &Node, user: Option<&Node>) -> Strictness {
    let of = |node: &Node| entry::texts(node, "safety.allow").unwrap_or_default();
    let (wanted, held) = (of(project), user.map(of).unwrap_or_default());
    match wanted.is_empty() {
        true => Strictness::Stricter,
        false if wanted.iter().all(|word| held.contains(word)) => Strictness::Within,
        false => Strictness::Looser,
    }
}
