//! What is done about what is found. The doors resolve settings and flags into a [`Safety`] once.

use super::scan::Fingerprint;
use std::collections::BTreeSet;

/// What happens to a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Secrets {
    /// A marker stands in its place.
    #[default]
    Redact,
    /// It is shown and told.
    Warn,
    /// Nothing is written or sent.
    Deny,
    /// Nobody looks.
    Off,
}

impl Secrets {
    /// The words that settings choose from.
    pub const WORDS: &'static [&'static str] = &["redact", "warn", "deny", "off"];

    /// The word for it in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Redact => "redact",
            Self::Warn => "warn",
            Self::Deny => "deny",
            Self::Off => "off",
        }
    }

    /// The policy with this word, in exactly this spelling.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Redact, Self::Warn, Self::Deny, Self::Off].into_iter().find(|policy| policy.as_str() == word)
    }
}

/// What happens to invisible characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HiddenText {
    /// They stay and are told.
    #[default]
    Warn,
    /// Taken out.
    Strip,
    /// Written as `<U+202E>`.
    Escape,
    /// Nothing is made of a snapshot that has any.
    Deny,
    /// Not looked for.
    Off,
}

impl HiddenText {
    /// The words that settings choose from.
    pub const WORDS: &'static [&'static str] = &["warn", "strip", "escape", "deny", "off"];

    /// The word for it in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Strip => "strip",
            Self::Escape => "escape",
            Self::Deny => "deny",
            Self::Off => "off",
        }
    }

    /// The policy with this word, in exactly this spelling.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Warn, Self::Strip, Self::Escape, Self::Deny, Self::Off];
        all.into_iter().find(|policy| policy.as_str() == word)
    }
}

/// What is done about secrets and hidden characters. The default masks the first and reports the second.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Safety {
    pub secrets: Secrets,
    pub hidden: HiddenText,
    /// Secrets that may leave, by their fingerprints.
    pub allow: BTreeSet<Fingerprint>,
}

impl Safety {
    /// Whether anything is looked for at all.
    pub fn is_off(&self) -> bool {
        self.secrets == Secrets::Off && self.hidden == HiddenText::Off
    }

    /// Only then a text without findings is a clean one.
    pub(super) fn looks_for_all(&self) -> bool {
        self.secrets != Secrets::Off && self.hidden != HiddenText::Off
    }

    pub(super) fn is_allowed(&self, fingerprint: &Fingerprint) -> bool {
        self.allow.contains(fingerprint)
    }
}
