//! The closed lists of words that settings choose from, each as an enum with its spelling.

/// An enum, its words in the order they are documented, and both directions between them.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// The words that settings choose from, in the order of the documentation.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word for it in settings.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The value with this word, in exactly this spelling.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

words! {
    /// How files are shown (F5).
    StrategyName { Auto = "auto", Summarize = "summarize", Full = "full" }
}
words! {
    /// Whether tasks of beads are part of a document.
    ExecutionMode { Standard = "standard", Beads = "beads" }
}
words! {
    /// How a screenshot stands in the document.
    Embed { Link = "link", Base64 = "base64" }
}
words! {
    /// The strategy when nobody else set one.
    DefaultMode { Full = "full", Summarize = "summarize", Outline = "outline" }
}

/// As `contexture_core::Truncation` spells them.
pub const TRUNCATION: &[&str] = &["truncateMiddle", "rollingWindow", "stopAtLimit"];
