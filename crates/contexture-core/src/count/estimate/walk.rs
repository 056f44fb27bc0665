//! Cuts a text into the pieces a byte-pair tokenizer would start from, in one pass, and names the slots each piece costs.
//!
//! Takes a text and a [`Sink`]; gives the sink every slot once per piece. Allocates nothing, knows no cost, looks at most one
//! piece ahead, so the work is linear in the bytes.

use super::slots::*;

/// Receives what the walk finds: a single slot, or a run of `len` like bytes.
pub trait Sink {
    fn one(&mut self, slot: usize);
    fn run(&mut self, run: ByteRun, len: usize);
    /// Two neighbouring bytes, both by their [`NUMBER`].
    fn pair(&mut self, left: u8, right: u8);
}

pub fn walk(text: &str, sink: &mut impl Sink) {
    let bytes = text.as_bytes();
    // A loop of its own, because without branches it costs little beside the search for the pieces.
    for (left, right) in bytes.iter().zip(bytes.iter().skip(1)) {
        sink.pair(NUMBER[*left as usize], NUMBER[*right as usize]);
    }
    let mut before = Before::Nothing;
    let mut mixed = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match CLASS[byte as usize] {
            Class::Lower | Class::Upper => {
                let context = word_context(before, &mut mixed);
                let end = word(bytes, at, context, sink);
                before = Before::Word(end - at);
                at = end;
            }
            Class::Digit => {
                let end = at + bytes.iter().skip(at).take_while(|byte| byte.is_ascii_digit()).count();
                // Three digits at most make a token in both public vocabularies.
                sink.run(ByteRun { first: DIGITS, len: 1 }, (end - at).div_ceil(3));
                if before == Before::Space {
                    sink.one(DIGITS_SPACED);
                }
                before = Before::Digit;
                at = end;
            }
            Class::Space => {
                let count = repeated(bytes, at, b' ');
                // The last space of a run goes with the word or sign after it.
                sink.run(SPACES, count - 1);
                (before, mixed) = (Before::Space, 0);
                at += count;
            }
            Class::Tab => {
                let count = repeated(bytes, at, b'\t');
                sink.run(TABS, count);
                (before, mixed) = (Before::Tab, 0);
                at += count;
            }
            Class::Line => {
                let (end, breaks) = lines(bytes, at, sink);
                let run = match before {
                    Before::Sign | Before::OneSign => NEWLINES_AFTER_SIGN,
                    Before::Space | Before::Tab => NEWLINES_SPACED,
                    Before::Nothing | Before::Word(_) | Before::Digit | Before::Script => NEWLINES,
                };
                sink.run(run, breaks);
                (before, mixed) = (Before::Nothing, 0);
                at = end;
            }
            Class::Sign => {
                if !matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=') {
                    mixed = 0;
                }
                (at, before) = signs(bytes, at, before == Before::Space, sink);
            }
            Class::Wide => {
                at = wide(bytes, at, before, sink);
                (before, mixed) = (Before::Script, 0);
            }
        }
    }
}

/// What the last piece was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Word(usize),
    Digit,
    Space,
    Tab,
    OneSign,
    Sign,
    Script,
}

/// Where a word stands. `mixed` measures how much the run looks like base64 or hexadecimal: letters after digits and short
/// humps raise it, whole words lower it. At 3 the letters count as random; the threshold lets `sha256sum` and `x86_64` pass.
fn word_context(before: Before, mixed: &mut u32) -> usize {
    match before {
        Before::Digit => *mixed = (*mixed + 2).min(8),
        Before::Word(len) if len <= 3 => *mixed = (*mixed + 1).min(8),
        Before::Word(len) if len > 5 => *mixed = mixed.saturating_sub(1),
        _ => {}
    }
    match before {
        _ if *mixed >= 3 => RANDOM,
        Before::Space => SPACED,
        Before::OneSign => JOINED,
        Before::Word(_) => HUMP,
        Before::Nothing | Before::Digit | Before::Tab | Before::Sign | Before::Script => BARE,
    }
}

/// One word: capitals, then small letters. A capital after a small letter begins the next word.
fn word(bytes: &[u8], at: usize, context: usize, sink: &mut impl Sink) -> usize {
    let mut end = at;
    while bytes.get(end).is_some_and(u8::is_ascii_uppercase) {
        end += 1;
    }
    let capitals = end - at;
    let mut small = small_letters(bytes, end);
    end += small;
    while let Some((script, width)) = latin(bytes, end) {
        sink.one(SCRIPT + script as usize * SCRIPT_SLOTS);
        let more = small_letters(bytes, end + width);
        end += width + more;
        small += 1 + more;
    }
    match capitals {
        0 => sink.run(lower(context), small),
        1 => sink.run(capitalised(context), 1 + small),
        _ => {
            sink.run(upper(context), capitals);
            sink.run(upper_tail(context), small);
        }
    }
    end
}

/// A Latin letter outside ASCII, which continues a word.
fn latin(bytes: &[u8], at: usize) -> Option<(Script, usize)> {
    if *bytes.get(at)? < 0xC3 {
        return None;
    }
    let (character, width) = decode(bytes, at);
    let script = script_of(character);
    matches!(script, Script::Latin1 | Script::LatinExtended | Script::LatinAdditional).then_some((script, width))
}

fn signs(bytes: &[u8], at: usize, spaced: bool, sink: &mut impl Sink) -> (usize, Before) {
    let Some(&first) = bytes.get(at) else { return (at, Before::Sign) };
    let class = |at: usize| bytes.get(at).map(|byte| CLASS[*byte as usize]);
    let after = class(at + 1);
    let letter = matches!(after, Some(Class::Lower | Class::Upper));
    let table = match (spaced, letter) {
        (true, _) => SIGN_SPACED,
        (false, true) => SIGN_JOINED,
        (false, false) => SIGN,
    };
    sink.one(table + (NUMBER[first as usize] & 31) as usize);
    let mut previous = first;
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        if CLASS[byte as usize] != Class::Sign {
            break;
        }
        let same = if byte == previous { repeated(bytes, end, byte) } else { 0 };
        if same > 0 {
            sink.run(SAME_SIGN, same);
        }
        end += same.max(1);
        previous = byte;
    }
    (end, if end == at + 1 && !spaced { Before::OneSign } else { Before::Sign })
}

/// Line ends; a carriage return is counted apart from the breaks.
fn lines(bytes: &[u8], at: usize, sink: &mut impl Sink) -> (usize, usize) {
    let mut end = at;
    let mut breaks = 0;
    while let Some(byte @ (b'\n' | b'\r')) = bytes.get(end) {
        if *byte == b'\n' {
            breaks += 1;
        } else {
            sink.one(RETURN);
        }
        end += 1;
    }
    (end, breaks)
}

/// A run of characters of one script.
fn wide(bytes: &[u8], at: usize, before: Before, sink: &mut impl Sink) -> usize {
    let (character, width) = decode(bytes, at);
    let script = script_of(character);
    let mut position = usize::from(before == Before::Space);
    let mut end = at + width;
    sink.one(SCRIPT + script as usize * SCRIPT_SLOTS + position);
    position = 2;
    while bytes.get(end).is_some_and(|byte| *byte >= 0x80) {
        let (character, width) = decode(bytes, end);
        if script_of(character) != script {
            break;
        }
        sink.one(SCRIPT + script as usize * SCRIPT_SLOTS + position);
        position = (position + 1).min(SCRIPT_SLOTS - 1);
        end += width;
    }
    end
}

/// The character that begins at `at`, and its width. The bytes come from a `str`; anything else would read as a rare
/// character, never fail.
fn decode(bytes: &[u8], at: usize) -> (u32, usize) {
    let tail = |n: usize| bytes.get(at + n).map_or(0, |byte| u32::from(byte & 0x3F));
    match bytes.get(at).copied().unwrap_or(0) {
        byte @ 0xF0.. => (u32::from(byte & 7) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4),
        byte @ 0xE0.. => (u32::from(byte & 15) << 12 | tail(1) << 6 | tail(2), 3),
        byte => (u32::from(byte & 31) << 6 | tail(1), 2),
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// How many small letters stand at `at`, eight at a time: the end of a word is the branch a processor guesses worst.
fn small_letters(bytes: &[u8], at: usize) -> usize {
    leading(bytes, at, |eight| {
        let low = eight & !HIGH;
        let from_a = low + (0x80 - b'a' as u64) * ONES;
        let above_z = low + (0x7F - b'z' as u64) * ONES;
        from_a & !above_z & !eight & HIGH
    })
}

/// How often `byte` stands at `at` in a row.
fn repeated(bytes: &[u8], at: usize, byte: u8) -> usize {
    leading(bytes, at, |eight| {
        let differs = eight ^ (u64::from(byte) * ONES);
        !(((differs & !HIGH) + !HIGH) | differs) & HIGH
    })
}

/// The length of the run at `at`; `belongs` sets the highest bit of every byte that belongs to it.
fn leading(bytes: &[u8], at: usize, belongs: impl Fn(u64) -> u64) -> usize {
    let rest = bytes.get(at..).unwrap_or(&[]);
    let mut count = 0;
    let (eights, last) = rest.as_chunks::<8>();
    for eight in eights {
        let here = ((!belongs(u64::from_le_bytes(*eight)) & HIGH).trailing_zeros() / 8) as usize;
        count += here;
        if here < 8 {
            return count;
        }
    }
    let mut padded = [0xFF; 8];
    padded.iter_mut().zip(last).for_each(|(to, from)| *to = *from);
    count + ((!belongs(u64::from_le_bytes(padded)) & HIGH).trailing_zeros() / 8) as usize
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Space,
    Tab,
    Line,
    Sign,
    Wide,
}

static CLASS: [Class; 256] = {
    let mut table = [Class::Sign; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b' ' => Class::Space,
            b'\t' => Class::Tab,
            b'\n' | b'\r' => Class::Line,
            0x80.. => Class::Wide,
            _ => Class::Sign,
        };
        byte += 1;
    }
    table
};

/// Letters are 1 to 26 whatever their case, signs 32 to 63 in the order of their codes; a control character counts as the
/// last one, `~`. All else is 0.
static NUMBER: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    let mut sign = 32;
    while byte < 128 {
        table[byte as usize] = match CLASS[byte as usize] {
            Class::Lower | Class::Upper => byte & 31,
            Class::Sign if byte.is_ascii_punctuation() => {
                sign += 1;
                sign - 1
            }
            Class::Sign => 63,
            Class::Digit | Class::Space | Class::Tab | Class::Line | Class::Wide => 0,
        };
        byte += 1;
    }
    table
};
