//! Things a person should know that did not stop the run.

use crate::keywords;
use std::fmt;

/// What a note is about. Notes on one topic are grouped when they are many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Topic {
    /// Something could not be read or found; `--strict` makes it an error.
    Unread,
    /// A view could not be made as wished; `--strict` makes it an error.
    View,
    /// A pattern or section matched nothing.
    Empty,
    /// Text was decoded with replacement characters or from another encoding.
    Encoding,
    /// A file changed while it was read.
    Unstable,
    /// Shown by name only, or cut: lock file, minified, generated, huge.
    Reduced,
    /// Left out because of its name: keys, `.env`.
    Denied,
    /// A setting without effect, a configuration elsewhere.
    Setting,
    /// The cache could not be used; results are the same without it.
    Cache,
    /// Git could not answer.
    Git,
    /// The run left no manifest.
    Runs,
    /// A possible secret, and what became of it.
    Secret,
    /// Characters that nobody sees.
    Hidden,
}

keywords!(Topic {
    Unread = "unread",
    View = "view",
    Empty = "empty",
    Encoding = "encoding",
    Unstable = "unstable",
    Reduced = "reduced",
    Denied = "denied",
    Setting = "setting",
    Cache = "cache",
    Git = "git",
    Runs = "runs",
    Secret = "secret",
    Hidden = "hidden",
});

impl Topic {
    /// Whether `--strict` turns it into a failure.
    pub fn is_loss(self) -> bool {
        matches!(self, Self::Unread | Self::View)
    }
}

/// What, where, why, and one thing to do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Note {
    pub topic: Topic,
    /// What it is about; `None` for the run as a whole.
    pub path: Option<String>,
    pub text: String,
    /// One thing to do about it.
    pub hint: Option<String>,
}

impl Note {
    /// A note that stands for the whole run, with no hint.
    pub fn new(topic: Topic, text: impl Into<String>) -> Self {
        Self { topic, path: None, text: text.into(), hint: None }
    }

    /// The same, about this path.
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same, with one thing to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", super::printable(path))?;
        }
        f.write_str(&self.text)
    }
}
