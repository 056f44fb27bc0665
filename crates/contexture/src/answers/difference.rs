//! What differs between two outputs: two runs, or a document and the last run.

use super::record::answers;
use crate::ops::runs::{
    AlteredOption, Cause, CauseAnswer, CommonPrefix, Difference, DifferenceStart, ItemChange, LineChanges,
    PredictedReuse, RunsDiff, SinceLast,
};
use crate::requests::Word;
use contexture_core::Api;
use contexture_core::reuse::{self, CacheKind, Rule};
use contexture_gather::runs::ItemRecord;
use schemars::JsonSchema;
use serde::Serialize;

answers! {
    /// What leads from one run to another.
    pub struct RunsDiffAnswer of RunsDiff {
        /// Number of the earlier run
        old: u64 = |diff| diff.old.number,
        /// Number of the later run
        new: u64 = |diff| diff.new.number,
        #[serde(flatten)]
        difference: DifferenceAnswer,
        /// What the provider's cache reuses, for two requests to one API
        cache: Option<CacheReuse> = |diff| diff.found.show(),
    }

    /// What differs between two outputs.
    pub struct DifferenceAnswer of Difference {
        /// Whether the bytes are the same
        same: bool = |difference| difference.first.is_none(),
        #[serde(flatten)]
        changes: RunChanges = |difference| difference.show(),
        first: Option<FirstDifference>,
        /// The common beginning
        common: CommonPrefix = |difference| difference.common,
    }

    /// Items and settings that differ.
    pub struct RunChanges of Difference {
        added: Vec<ItemRecord> = |difference| difference.added.clone(),
        removed: Vec<ItemRecord> = |difference| difference.removed.clone(),
        changed: Vec<ChangedItem>,
        /// Options and settings
        altered: Vec<AlteredOption> = |difference| difference.altered.clone(),
    }

    /// An item of both runs that is shown differently.
    pub struct ChangedItem of ItemChange {
        path: String = |change| change.new.path.clone(),
        kind: String = |change| change.new.kind.clone(),
        /// Whether its content changed, not only its view
        content: bool,
        view: OldNew<String> = |change| OldNew::of(&change.old.view, &change.new.view),
        tokens: OldNew<u64> = |change| OldNew::of(&change.old.tokens, &change.new.tokens),
        reason: OldNew<String> = |change| OldNew::of(&change.old.reason, &change.new.reason),
    }

    /// Where two outputs part.
    pub struct FirstDifference of DifferenceStart {
        #[serde(flatten)]
        at: DifferencePlace = |first| first.show(),
        /// The items there
        item: OldNew<Option<String>> = |first| OldNew::of(&first.old, &first.new),
        /// Block of a request, such as `messages[0].content[1]`
        place: Option<String>,
        #[serde(flatten)]
        cause: CauseAnswer = |first| (&first.cause).into(),
    }

    /// A byte of an output, as far as it is known.
    pub struct DifferencePlace of DifferenceStart {
        byte: u64,
        /// Whether the byte is exact
        exact: bool = |first| first.until.is_none(),
        /// End of the block that has the byte, if it is not exact
        until: Option<u64>,
    }

    /// What a provider's cache reuses of an earlier request.
    pub struct CacheReuse of PredictedReuse {
        provider: Word<Api> = |found| found.rule.api.into(),
        reused_tokens: u64 = |found| found.reuse.tokens,
        tokens: u64 = |found| found.reuse.of,
        written_tokens: u64 = |found| found.reuse.written,
        first: Option<ReuseEnd> = ReuseEnd::new,
        rule: CacheRule,
    }

    /// The caching rule of a provider.
    pub struct CacheRule of Rule {
        #[schemars(extend("enum" = CacheKind::WORDS))]
        kind: &'static str = |rule| rule.kind.as_str(),
        /// Fewest tokens that are cached
        minimum: u64,
        minutes: u64,
        /// Date on which the source was read
        checked: &'static str,
        source: &'static str,
    }
}

/// A value before and after.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "OldNew_{T}")]
pub struct OldNew<T> {
    pub old: T,
    pub new: T,
}

impl<T: Clone> OldNew<T> {
    fn of(old: &T, new: &T) -> Self {
        Self { old: old.clone(), new: new.clone() }
    }
}

/// Where the reuse ends.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReuseEnd {
    pub byte: usize,
    pub earlier_byte: usize,
    pub place: String,
    pub change: Word<reuse::Change>,
    pub item: Option<String>,
    pub cause: Option<String>,
}

impl ReuseEnd {
    fn new(PredictedReuse { reuse, item, cause, .. }: &PredictedReuse) -> Option<Self> {
        reuse.difference.as_ref().map(|first| Self {
            byte: first.byte,
            earlier_byte: first.earlier_byte,
            place: first.place.clone(),
            change: first.change.into(),
            item: item.clone(),
            cause: cause.as_ref().map(ToString::to_string),
        })
    }
}

answers! {
    /// What changed since the last run.
    pub struct SinceAnswer of SinceLast {
        /// Number of the last run
        run: u64,
        /// Whether the bytes are the same
        same: bool = |since| since.difference.first.is_none(),
        /// Where the bytes of the last run are left
        first_difference: Option<SinceDifference> = |since| since.difference.first.show(),
        /// The common beginning
        kept: CommonPrefix = |since| since.difference.common,
        #[serde(flatten)]
        changes: RunChanges = |since| since.difference.show(),
        /// Line by line, if the bytes of the run still exist
        lines: Option<LineChanges> = |since| since.lines.clone(),
    }

    /// Where a document leaves the bytes of the last run.
    pub struct SinceDifference of DifferenceStart {
        item: Option<String> = |first| match first.cause {
            Cause::Removed(_) => first.old.as_ref().or(first.new.as_ref()).cloned(),
            _ => first.new.as_ref().or(first.old.as_ref()).cloned(),
        },
        #[serde(flatten)]
        cause: CauseAnswer = |first| (&first.cause).into(),
        #[serde(flatten)]
        at: DifferencePlace = |first| first.show(),
        /// Block of a request, such as `messages[0].content[1]`
        place: Option<String>,
    }
}
