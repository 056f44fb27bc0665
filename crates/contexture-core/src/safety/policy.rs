//! What is done about what is found. The doors resolve settings and flags into a [`Safety`] once.

use super::scan::Fingerprint;
use crate::keywords;
use std::collections::BTreeSet;

/// What happens to a secret. Ordered from the loosest to the strictest policy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Secrets {
    /// Nobody looks.
    Off,
    /// It is shown and told.
    Warn,
    /// A marker stands in its place.
    #[default]
    Redact,
    /// Nothing is written or sent.
    Deny,
}

keywords!(Secrets { Redact = "redact", Warn = "warn", Deny = "deny", Off = "off" });

/// What happens to invisible characters. Ordered from the loosest to the strictest policy: `escape` still passes the characters on,
/// spelled out, `strip` does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum HiddenText {
    /// Not looked for.
    Off,
    /// They stay and are told.
    #[default]
    Warn,
    /// Written as `<U+202E>`.
    Escape,
    /// Taken out.
    Strip,
    /// Nothing is made of a snapshot that has any.
    Deny,
}

keywords!(HiddenText { Warn = "warn", Strip = "strip", Escape = "escape", Deny = "deny", Off = "off" });

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
