//! One summary with everything that is known about it, its key and its checksum; and which of several is shown.

use contexture_core::ContentHash;
use jiff::Timestamp;
use std::cmp::Reverse;
use std::fmt;

/// Raised when the meaning of a part changes: keys of other versions are then not found.
const KEY: &[u8] = b"contexture summary key 1";
const CHECKSUM: &[u8] = b"contexture summary entry 1";

/// What an entry is found by: the hash of everything that decides what a generator is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SummaryKey(pub ContentHash);

impl SummaryKey {
    /// Every part is hashed with its length, so that no two different inputs look alike.
    pub fn of(content: &ContentHash, view: &str, params: &str, generator: &Generator, tier: u8) -> Self {
        let Generator { provider, model, prompt_version } = generator;
        Self(ContentHash::of_parts([
            KEY,
            &content.0,
            view.as_bytes(),
            params.as_bytes(),
            provider.as_bytes(),
            model.as_bytes(),
            prompt_version.as_bytes(),
            &[tier],
        ]))
    }

    /// The 32 bytes that a store keeps it by.
    pub fn bytes(&self) -> &[u8] {
        &self.0.0
    }
}

impl fmt::Display for SummaryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who wrote an entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Generator {
    pub provider: String,
    pub model: String,
    /// Of the words it was asked with.
    pub prompt_version: String,
}

/// `provider/model`, as people know it.
impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.model)
    }
}

/// What a model wrote about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SummaryEntry {
    /// Where the file was when it was asked about. Contents are what counts: a file with the same bytes elsewhere has the
    /// same entry.
    pub file_path: String,
    pub file_hash: ContentHash,
    pub summary: String,
    /// Empty where none was asked for.
    pub outline: String,
    /// RFC 3339.
    pub generated_at: String,
    /// How much detail was asked for.
    pub generator_tier: u8,
    pub generator: Generator,
    /// Which view it was asked for, such as `summary`.
    pub view: String,
    /// Whatever else was asked for, in a form of the asker's own that is the same for the same wishes.
    pub params: String,
    /// As the provider reported them.
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
}

impl SummaryEntry {
    /// What it is found by.
    pub fn key(&self) -> SummaryKey {
        SummaryKey::of(&self.file_hash, &self.view, &self.params, &self.generator, self.generator_tier)
    }

    /// Over every field and the key. A row that has another was not written like this.
    pub fn checksum(&self) -> ContentHash {
        self.checksum_under(&self.key())
    }

    /// The same where its key is known already.
    pub(super) fn checksum_under(&self, key: &SummaryKey) -> ContentHash {
        let Self {
            file_path,
            file_hash,
            summary,
            outline,
            generated_at,
            generator_tier,
            generator: Generator { provider, model, prompt_version },
            view,
            params,
            input_tokens,
            output_tokens,
        } = self;
        let number = |tokens: &Option<u64>| tokens.map(u64::to_le_bytes).map_or(Vec::new(), Vec::from);
        ContentHash::of_parts([
            CHECKSUM,
            key.bytes(),
            file_path.as_bytes(),
            &file_hash.0,
            summary.as_bytes(),
            outline.as_bytes(),
            generated_at.as_bytes(),
            &[*generator_tier],
            provider.as_bytes(),
            model.as_bytes(),
            prompt_version.as_bytes(),
            view.as_bytes(),
            params.as_bytes(),
            &number(input_tokens),
            &number(output_tokens),
        ])
    }
}

/// Of entries about one content and of one view: what the wanted generator wrote for this tier; without a wish, the newest of
/// the tier. Of equally new ones the first by the generator's name, then by key, so that the choice never depends on the
/// order of the entries.
pub fn choose<'a>(
    entries: impl IntoIterator<Item = &'a SummaryEntry>,
    wanted: Option<&Generator>,
    tier: u8,
) -> Option<&'a SummaryEntry> {
    entries
        .into_iter()
        .filter(|entry| entry.generator_tier == tier && wanted.is_none_or(|wanted| *wanted == entry.generator))
        .min_by_key(|entry| rank(entry))
}

fn rank(entry: &SummaryEntry) -> (Reverse<Option<Timestamp>>, &Generator, SummaryKey) {
    // Moments and not words are compared: both `Z` and an offset may stand there. What is no moment is the oldest.
    (Reverse(entry.generated_at.parse().ok()), &entry.generator, entry.key())
}
