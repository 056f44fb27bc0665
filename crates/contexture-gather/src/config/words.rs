//! The closed lists of words that settings choose from, each as an enum with its spelling.

use contexture_core::keywords;

/// An enum and its words, in the order they are documented.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        keywords!($name { $($variant = $word),+ });
    };
}

words! {
    /// How files are shown.
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
