//! The layout of the cost table: which number each kind of piece has, and which script a character belongs to.
//! Takes nothing but constants; gives slot numbers. Holds no cost (see `costs.rs`) and looks at no text.

/// One stretch of slots that the calibration fits and prints together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    pub name: &'static str,
    pub first: usize,
    pub len: usize,
}

/// A run of like bytes costs the sum of the increments of its positions; the last slot is what each further byte adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ByteRun {
    pub first: usize,
    pub len: usize,
}

/// What stands before a word: it decides whether the word can be one token together with its neighbour.
pub(super) const CONTEXTS: usize = 5;
pub(super) const BARE: usize = 0;
pub(super) const SPACED: usize = 1;
pub(super) const JOINED: usize = 2;
pub(super) const HUMP: usize = 3;
pub(super) const RANDOM: usize = 4;

/// Lengths with a cost of their own. Few words are longer than 12 letters; a longer one pays the last increment.
const WORD: usize = 13;
const CAPS: usize = 9;
const FORM: usize = WORD + WORD + CAPS + CAPS;
const BLANKS: usize = 9;
const LINES: usize = 4;
const SAME: usize = 9;

const WORDS_AT: usize = 0;
const SPACES_AT: usize = WORDS_AT + CONTEXTS * FORM;
const TABS_AT: usize = SPACES_AT + BLANKS;
const LINES_AT: usize = TABS_AT + BLANKS;
const SAME_AT: usize = LINES_AT + 3 * LINES;
pub(super) const RETURN: usize = SAME_AT + SAME;
/// Where the slots of digits and signs begin.
pub const DIGITS: usize = RETURN + 1;
pub(super) const DIGITS_SPACED: usize = DIGITS + 1;
pub(super) const SIGN: usize = DIGITS_SPACED + 1;
pub(super) const SIGN_SPACED: usize = SIGN + 32;
pub(super) const SIGN_JOINED: usize = SIGN_SPACED + 32;
/// Where the slots of two neighbouring letters begin.
pub const LETTER_PAIR: usize = SIGN_JOINED + 32;
/// Where the slots of two neighbouring signs begin.
pub const SIGN_PAIR: usize = LETTER_PAIR + PAIRS;
pub(super) const PAIRS: usize = 1024;
/// Where the slots of scripts begin.
pub const SCRIPT: usize = SIGN_PAIR + PAIRS;
/// Slots of one script: first character bare, first after a space, second to sixth, every later one.
pub(super) const SCRIPT_SLOTS: usize = 8;
/// How many slots there are: a cost for each.
pub const SLOTS: usize = SCRIPT + SCRIPTS * SCRIPT_SLOTS;

pub(super) const SPACES: ByteRun = ByteRun { first: SPACES_AT, len: BLANKS };
pub(super) const TABS: ByteRun = ByteRun { first: TABS_AT, len: BLANKS };
pub(super) const NEWLINES: ByteRun = ByteRun { first: LINES_AT, len: LINES };
pub(super) const NEWLINES_AFTER_SIGN: ByteRun = ByteRun { first: LINES_AT + LINES, len: LINES };
pub(super) const NEWLINES_SPACED: ByteRun = ByteRun { first: LINES_AT + 2 * LINES, len: LINES };
pub(super) const SAME_SIGN: ByteRun = ByteRun { first: SAME_AT, len: SAME };

/// All slots as the stretches that the calibration fits and prints together.
pub const GROUPS: [Group; 9] = [
    Group { name: "WORDS", first: WORDS_AT, len: CONTEXTS * FORM },
    Group { name: "BLANKS", first: SPACES_AT, len: RETURN - SPACES_AT },
    Group { name: "SINGLES", first: RETURN, len: SIGN - RETURN },
    Group { name: "SIGNS", first: SIGN, len: 32 },
    Group { name: "SIGNS_SPACED", first: SIGN_SPACED, len: 32 },
    Group { name: "SIGNS_JOINED", first: SIGN_JOINED, len: 32 },
    Group { name: "LETTER_PAIRS", first: LETTER_PAIR, len: PAIRS },
    Group { name: "SIGN_PAIRS", first: SIGN_PAIR, len: PAIRS },
    Group { name: "SCRIPTS", first: SCRIPT, len: SCRIPTS * SCRIPT_SLOTS },
];

pub(super) const fn lower(context: usize) -> ByteRun {
    ByteRun { first: WORDS_AT + context * FORM, len: WORD }
}

pub(super) const fn capitalised(context: usize) -> ByteRun {
    ByteRun { first: WORDS_AT + context * FORM + WORD, len: WORD }
}

pub(super) const fn upper(context: usize) -> ByteRun {
    ByteRun { first: WORDS_AT + context * FORM + 2 * WORD, len: CAPS }
}

pub(super) const fn upper_tail(context: usize) -> ByteRun {
    ByteRun { first: WORDS_AT + context * FORM + 2 * WORD + CAPS, len: CAPS }
}

/// The slot of two neighbouring bytes by their numbers (see `walk.rs`): two letters, or two different signs.
pub(super) const fn pair_slot(left: u8, right: u8) -> Option<usize> {
    let pair = (left as usize & 31) << 5 | (right as usize & 31);
    match (left, right) {
        (1..=26, 1..=26) => Some(LETTER_PAIR + pair),
        (32..=63, 32..=63) if left != right => Some(SIGN_PAIR + pair),
        _ => None,
    }
}

/// Scripts with costs of their own. What a vocabulary learnt differs by language, so letters that only some languages of a
/// script use are a script of their own here.
#[rustfmt::skip]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Latin1Signs, Latin1, LatinExtended, Phonetic, Combining, Greek, CyrillicOther, Cyrillic, Armenian, Hebrew, Arabic,
    ArabicOther, Rare, Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam, Sinhala, Thai,
    Lao, Tibetan, Myanmar, Georgian, Ethiopic, Khmer, Mongolian, LatinAdditional, GreekOther, Joiners, Punctuation,
    SmallSigns, Arrows, Mathematics, Technical, Boxes, Shapes, Symbols, CjkPunctuation, Hiragana, Katakana, CjkRare,
    Cjk, Hangul, Presentation, Variation, Fullwidth, LettersAsSigns, Pictures, Flags, Emoji, Skin, EmojiPeople, Faces,
    Transport, NewEmoji, NewestEmoji,
}

pub(super) const SCRIPTS: usize = Script::NewestEmoji as usize + 1;

/// Where each range begins: a multiple of 16, see [`SCRIPT_OF`].
#[rustfmt::skip]
const RANGES: [(u32, Script); 81] = {
    use Script::*;
    [
        (0x0080, Latin1Signs), (0x00C0, Latin1), (0x0100, LatinExtended), (0x0250, Phonetic), (0x0300, Combining),
        (0x0370, Greek), (0x0400, CyrillicOther), (0x0410, Cyrillic), (0x0450, CyrillicOther), (0x0530, Armenian),
        (0x0590, Hebrew), (0x0600, Arabic), (0x0650, ArabicOther), (0x0700, Rare), (0x0900, Devanagari),
        (0x0980, Bengali), (0x0A00, Gurmukhi), (0x0A80, Gujarati), (0x0B00, Oriya), (0x0B80, Tamil), (0x0C00, Telugu),
        (0x0C80, Kannada), (0x0D00, Malayalam), (0x0D80, Sinhala), (0x0E00, Thai), (0x0E80, Lao), (0x0F00, Tibetan),
        (0x1000, Myanmar), (0x10A0, Georgian), (0x1100, Rare), (0x1200, Ethiopic), (0x13A0, Rare), (0x1780, Khmer),
        (0x1800, Mongolian), (0x18B0, Rare), (0x1E00, LatinAdditional), (0x1F00, GreekOther), (0x2000, Joiners),
        (0x2010, Punctuation), (0x2070, SmallSigns), (0x2190, Arrows), (0x2200, Mathematics), (0x2300, Technical),
        (0x2500, Boxes), (0x25A0, Shapes), (0x2600, Symbols), (0x27C0, Mathematics), (0x2800, Rare),
        (0x3000, CjkPunctuation), (0x3040, Hiragana), (0x30A0, Katakana), (0x3100, Rare), (0x3400, CjkRare),
        (0x4E00, Cjk), (0xA000, Rare), (0xAC00, Hangul), (0xD7B0, Rare), (0xF900, CjkRare), (0xFB00, Presentation),
        (0xFE00, Variation), (0xFE10, Presentation), (0xFF00, Fullwidth), (0xFFF0, Rare), (0x1D400, LettersAsSigns),
        (0x1D800, Rare), (0x1F000, Pictures), (0x1F1E0, Flags), (0x1F200, Pictures), (0x1F300, Emoji), (0x1F3F0, Skin),
        (0x1F400, Emoji), (0x1F440, EmojiPeople), (0x1F4B0, Emoji), (0x1F600, Faces), (0x1F650, Pictures),
        (0x1F680, Transport), (0x1F700, Pictures), (0x1F900, NewEmoji), (0x1FA00, NewestEmoji), (0x1FB00, Pictures),
        (0x1FC00, Rare),
    ]
};

/// The script of every code point below 0x20000, by the code point divided by 16. 8 KiB stay in the first cache.
static SCRIPT_OF: [Script; 0x2000] = {
    let mut table = [RANGES[0].1; 0x2000];
    let mut range = 0;
    let mut i = 0;
    while i < table.len() {
        while range + 1 < RANGES.len() && RANGES[range + 1].0 <= (i as u32) << 4 {
            range += 1;
        }
        table[i] = RANGES[range].1;
        i += 1;
    }
    table
};

/// The script of a character outside ASCII. The ideographs and tags beyond 0x20000 are as rare as each other.
pub(super) fn script_of(character: u32) -> Script {
    SCRIPT_OF.get((character >> 4) as usize).copied().unwrap_or(Script::Rare)
}
