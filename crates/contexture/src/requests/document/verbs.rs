//! The options of a document that each verb of the command line takes, by the names of their fields.

use crate::requests::Fields;

macro_rules! verbs {
    ($($(#[$about:meta])* $name:ident = $takes:expr;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $name;

        impl Fields for $name {
            fn takes(field: &str) -> bool {
                let takes: fn(&str) -> bool = $takes;
                takes(field)
            }
        }
    )*};
}

verbs! {
    /// Every option, but for those of sending.
    Build = |field| field != "temperature";
    /// Every option; the format is that of the provider.
    Send = |field| field != "format";
    /// What a document shows, without its parts and its format.
    Plan = |field| matches!(
        field,
        "preset" | "persona" | "include" | "exclude" | "tokenizer" | "tier" | "strategy" | "view" | "focus" | "budget"
            | "model" | "query" | "retrieve" | "no_written" | "secrets"
    );
    /// How one file is shown.
    Show = |field| matches!(field, "view" | "base" | "line_numbers" | "no_written" | "secrets");
    /// Which files are counted, and with which tokenizer.
    Count = |field| matches!(field, "preset" | "persona" | "include" | "exclude" | "tokenizer");
    /// Which files are scanned.
    Scan = |field| matches!(field, "preset" | "include" | "exclude");
    /// Which composition the files are related to.
    Related = |field| field == "preset";
    /// Which files are summarized, and for which tier.
    Summarize = |field| matches!(field, "preset" | "persona" | "tier" | "include" | "exclude" | "secrets");
    /// Which summaries are listed.
    CacheStatus = |field| matches!(field, "tier" | "preset" | "persona");
}
