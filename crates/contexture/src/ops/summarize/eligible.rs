//! Which files a model may be asked about, and under which key what it writes is kept.
//!
//! Takes items as they were read; gives the hash of their content, or why nobody is asked about them. Asks no store.

use contexture_core::shape::{self, FileNature};
use contexture_core::{Body, ContentHash, Item, ItemKind, Level, Options, SelectedBy, may_summarize};
use contexture_gather::names::secret_rule;
use contexture_gather::summaries::SummaryKey;
use std::path::Path;

use super::model::SummaryModel;
use super::prompt::{PromptKind, Tier};

/// A quarter of less is no sentence.
const SMALLEST: u64 = 320;

/// The content of a file that may be shown as a summary, or why it is none to write one about.
pub fn check_eligible(item: &Item, options: &Options) -> Result<ContentHash, String> {
    let Body::Text { text, .. } = &item.body else {
        return Err(match &item.body {
            Body::Failed(failure) => failure.to_string(),
            Body::Binary { what } => format!("binary: {what}"),
            Body::Huge { .. } => "too large to be read whole".into(),
            _ => "it is not read".into(),
        });
    };
    let Some(hash) = item.hash else { return Err("it was not read whole".into()) };
    if let Some(rule) = secret_rule(Path::new(&item.path)) {
        return Err(format!("its name says that it holds secrets (`{rule}`)"));
    }
    if let FileNature::Reduced(what) = shape::nature(item)
        && item.selected_by != SelectedBy::Path
    {
        return Err(what.to_owned());
    }
    if item.kind != ItemKind::File || !may_summarize(item, options) {
        return Err("it is not shown as a summary".into());
    }
    if text.trim().is_empty() || item.size < SMALLEST {
        return Err(format!("smaller than {SMALLEST} bytes: its summary would say nothing"));
    }
    Ok(hash)
}

/// The key of what this model would be asked to write.
pub fn summary_key(writer: &SummaryModel, kind: PromptKind, tier: Tier, hash: &ContentHash) -> SummaryKey {
    let generator = writer.generator(kind, tier);
    SummaryKey::of(hash, Level::Summary.as_str(), &writer.params(), &generator, tier.number())
}
