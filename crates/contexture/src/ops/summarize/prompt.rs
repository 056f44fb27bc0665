//! What a model is asked about a file: a request for each kind of file and each tier.
//!
//! Takes an item with its views; gives the body of a request that passed the checks of its provider. The instructions stand in the
//! system part; what comes out of the file stands in a frame that it cannot close, masked, without any path but its own relative
//! one. The words themselves are files in `templates/`; a changed word makes another version, and with it another key.

use super::OpError;
use super::model::SummaryModel;
use super::text::{PromptText, prompt_text};
use contexture_core::kind::{FileKind, kind_of};
use contexture_core::render::{fence_length, printable};
use contexture_core::safety::Safety;
use contexture_core::shape::summary::is_configuration;
use contexture_core::shape::{self, FileNature};
use contexture_core::{Body, ContentHash, Item, RequestOptions, Tools, keywords, request_body};

/// Raised when the frame, or how a file is cut, changes.
const FORM: &[u8] = b"contexture summary prompt 1";

const RULES: &str = include_str!("../../../templates/summary_rules.md");

/// Room for an answer of any tier, and for what some models think before it.
pub const MAX_ANSWER: u64 = 4_096;

/// What sort of words a file is asked about with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PromptKind {
    Code,
    Text,
    Config,
    Data,
}

keywords!(PromptKind { Code = "code", Text = "text", Config = "config", Data = "data" });

impl PromptKind {
    /// The kind of a file, by its path and its text.
    pub fn of(item: &Item) -> Self {
        let Body::Text { text, .. } = &item.body else { return Self::Data };
        if shape::nature(item) == FileNature::Data {
            return Self::Data;
        }
        let kind = kind_of(&item.path, text);
        if is_configuration(kind) {
            return Self::Config;
        }
        match kind {
            FileKind::Code(_)
            | FileKind::Css
            | FileKind::Sql
            | FileKind::Makefile
            | FileKind::Dockerfile
            | FileKind::Notebook => Self::Code,
            FileKind::Markdown | FileKind::Restructured | FileKind::Headed { .. } | FileKind::Text | FileKind::Html => {
                Self::Text
            }
            FileKind::Csv { .. } | FileKind::Jsonl | FileKind::Xml | FileKind::Unknown => Self::Data,
            FileKind::Toml | FileKind::Yaml | FileKind::Json | FileKind::Ini | FileKind::Env => Self::Config,
        }
    }

    fn template(self) -> &'static str {
        match self {
            Self::Code => include_str!("../../../templates/summary_code.md"),
            Self::Text => include_str!("../../../templates/summary_text.md"),
            Self::Config => include_str!("../../../templates/summary_config.md"),
            Self::Data => include_str!("../../../templates/summary_data.md"),
        }
    }
}

/// How detailed a summary is, from 1 to 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Tier(u8);

impl Tier {
    /// As everywhere, 2 when nobody says.
    pub fn new(tier: Option<u8>) -> Self {
        Self(tier.unwrap_or(2).clamp(1, 4))
    }

    /// The tier as a number.
    pub fn number(self) -> u8 {
        self.0
    }

    fn template(self) -> &'static str {
        match self.0 {
            1 => include_str!("../../../templates/summary_tier_1.md"),
            2 => include_str!("../../../templates/summary_tier_2.md"),
            _ => include_str!("../../../templates/summary_tier_3.md"),
        }
    }

    /// The most tokens of a summary of a file of so many bytes. A document shows at most 400 of them and at most a quarter of the
    /// file, at some four bytes a token; tier 2 is half of that, and 80 tokens are one short paragraph.
    pub fn limit(self, bytes: u64) -> u64 {
        let most = match self.0 {
            1 => 400,
            2 => 200,
            _ => 80,
        };
        most.min(bytes / 16)
    }
}

/// The version of the words for a sort of file and a tier.
pub fn version(kind: PromptKind, tier: Tier) -> String {
    version_of(&[kind.template(), tier.template(), RULES])
}

fn version_of(templates: &[&str]) -> String {
    let parts = std::iter::once(FORM).chain(templates.iter().map(|text| text.as_bytes()));
    // Twelve digits of it are enough to tell the few versions apart that there will ever be.
    ContentHash::of_parts(parts).short()
}

/// A finished question.
pub struct SummaryPrompt {
    pub body: String,
    /// As the counter of the model has it.
    pub input: u64,
    /// The instructions, for whoever looks for an echo of them.
    pub system: String,
    pub nonce: String,
    /// What of the file is in it.
    pub shown: PromptText,
}

/// To whom a question goes, and how it is put.
pub struct PromptSettings<'a> {
    pub writer: &'a SummaryModel,
    pub tier: Tier,
    /// The most tokens of a file.
    pub most: u64,
    pub safety: &'a Safety,
}

/// Writes the request for a file.
pub fn write_prompt(
    item: &Item,
    hash: &ContentHash,
    prompt: &PromptSettings<'_>,
    tools: &Tools<'_>,
) -> Result<SummaryPrompt, OpError> {
    let kind = PromptKind::of(item);
    let shown = prompt_text(item, kind, prompt.most, tools);
    let nonce = nonce(hash, &shown);
    // Some three words are four tokens.
    let words = (prompt.tier.limit(item.size) * 3 / 4).max(1).to_string();
    let rules = RULES.replace("{nonce}", &nonce).replace("{words}", &words);
    let system = [kind.template().trim_end(), prompt.tier.template().trim_end(), rules.trim_end()].join("\n\n");
    let message = frame_file(item, &shown, &nonce);
    let SummaryModel { api, model, temperature, top_p, max_answer, .. } = prompt.writer;
    let request = RequestOptions {
        model: Some(model.clone()),
        max_answer: Some(*max_answer),
        temperature: *temperature,
        top_p: *top_p,
        system: Some(system.as_str().into()),
        message: Some(message.into()),
        // A request that is never repeated has nothing to find again.
        marks: false,
    };
    let (body, input) = request_body(*api, request, prompt.safety, &tools.meter)?;
    Ok(SummaryPrompt { body, input: input.0, system, nonce, shown })
}

/// A word that stands nowhere in what is shown: a file cannot hold a part of its own hash.
fn nonce(hash: &ContentHash, shown: &PromptText) -> String {
    let mut nonce = ContentHash::of_parts([b"frame".as_slice(), &hash.0]);
    while shown.has(&nonce.short()) {
        nonce = ContentHash::of(nonce.0);
    }
    nonce.short()
}

fn frame_file(item: &Item, shown: &PromptText, nonce: &str) -> String {
    let mut out = format!("BEGIN FILE {nonce}\nPath: {}\nSize: {} bytes\n", printable(&item.path), item.size);
    if let Some(outline) = &shown.outline {
        let fence = "`".repeat(fence_length(outline));
        out.push_str(&format!("\nWhat a parser finds in it:\n{fence}text\n{outline}\n{fence}\n"));
    }
    let fence = "`".repeat(fence_length(&shown.text));
    out.push_str(&format!("\n{}:\n{fence}{}\n{}\n{fence}\n", shown.what, shown.word, shown.text));
    out.push_str(&format!("END FILE {nonce}\n\nSummarise this file."));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_change_is_another_version() {
        let mut all: Vec<String> = Vec::new();
        for kind in PromptKind::ALL {
            all.extend([1, 2, 3].map(|tier| version(*kind, Tier::new(Some(tier)))));
        }
        all.push(version_of(&["a"]));
        all.push(version_of(&["b"]));
        all.push(version_of(&["a", ""]));
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(version(PromptKind::Code, Tier::new(Some(3))), version(PromptKind::Code, Tier::new(Some(4))));
        assert_eq!(version(PromptKind::Code, Tier::new(None)), version(PromptKind::Code, Tier::new(Some(2))));
    }

    #[test]
    fn limits_follow_the_tier_and_the_file() {
        let limits = |bytes| [1, 2, 3, 4].map(|tier| Tier::new(Some(tier)).limit(bytes));
        assert_eq!(limits(1 << 20), [400, 200, 80, 80]);
        assert_eq!(limits(1_600), [100, 100, 80, 80]);
        assert_eq!(limits(0), [0; 4]);
    }
}
