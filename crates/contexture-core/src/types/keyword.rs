//! Closed lists of words: the values that settings, flags, files and answers name.

/// A value of a closed list, each with one word. Whatever lists, prints or reads such words does it through this trait, so that a
/// new value is declared once, with [`keywords!`](crate::keywords).
pub trait Keyword: Copy + Sized + 'static {
    /// Every value, in the order in which people see them.
    const ALL: &'static [Self];

    /// The words of [`Keyword::ALL`], in the same order.
    const WORDS: &'static [&'static str];

    /// The word for this value.
    fn as_str(self) -> &'static str;

    /// The value with this word, in exactly this spelling.
    fn parse(word: &str) -> Option<Self>;
}

/// Gives an enum its words: the trait [`Keyword`], the same items on the type itself, and `Display`. The first word of a value is the
/// one that is written; the others are read as well.
///
/// ```
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// enum Side {
///     Left,
///     Right,
/// }
/// contexture_core::keywords!(Side { Left = "left", Right = "right" | "starboard" });
///
/// assert_eq!(Side::WORDS, ["left", "right"]);
/// assert_eq!(Side::parse("starboard"), Some(Side::Right));
/// ```
#[macro_export]
macro_rules! keywords {
    ($name:ident { $($variant:ident $(($of:path))? = $word:literal $(| $alias:literal)*),+ $(,)? }) => {
        impl $name {
            /// Every value, in the order in which people see them.
            pub const ALL: &'static [Self] = &[$(Self::$variant $(($of))?),+];

            /// The words of [`Self::ALL`], in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word for this value.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant $(($of))? => $word),+ }
            }

            /// The value with this word, in exactly this spelling.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word $(| $alias)* => Some(Self::$variant $(($of))?),)+ _ => None }
            }
        }

        $crate::keywords!(impl $name);
    };
    // For a type whose items are written out.
    (impl $name:ident) => {
        impl $crate::Keyword for $name {
            const ALL: &'static [Self] = Self::ALL;
            const WORDS: &'static [&'static str] = Self::WORDS;

            fn as_str(self) -> &'static str {
                self.as_str()
            }

            fn parse(word: &str) -> Option<Self> {
                Self::parse(word)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
