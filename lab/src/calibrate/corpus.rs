//! Real text from folders, each file with its kind.
//!
//! Takes folders; gives the UTF-8 files in them that are large enough, cut and limited per kind, in a stable order. Reads only.

use std::collections::BTreeMap;
use std::path::Path;

pub struct Sample {
    pub kind: &'static str,
    pub text: String,
    pub held_out: bool,
}

/// Below this a relative error says little; above this the rest of a file says nothing new.
const SMALLEST: usize = 1024;
const LARGEST: usize = 64 * 1024;
/// Files of one kind, the first by the hash of their path.
const PER_KIND: usize = 900;
/// One file in so many is kept from the fit and only measured.
const HELD_OUT: u64 = 4;

pub fn collect(folders: &[String]) -> Result<Vec<Sample>, String> {
    let mut kinds: BTreeMap<&str, BTreeMap<u64, Sample>> = BTreeMap::new();
    for folder in folders {
        for entry in ignore::WalkBuilder::new(folder).standard_filters(false).build() {
            let entry = entry.map_err(|cause| format!("cannot walk: `{folder}`: {cause}"))?;
            if !entry.file_type().is_some_and(|file| file.is_file()) {
                continue;
            }
            let name = entry.path().strip_prefix(folder).unwrap_or(entry.path()).to_string_lossy().into_owned();
            let Some(text) = read(entry.path()) else { continue };
            let Some(kind) = kind(&name, &text) else { continue };
            let hash = hash(&name);
            let files = kinds.entry(kind).or_default();
            files.insert(hash, Sample { kind, text, held_out: hash.is_multiple_of(HELD_OUT) });
            if files.len() > PER_KIND {
                files.pop_last();
            }
        }
    }
    Ok(kinds.into_values().flat_map(BTreeMap::into_values).collect())
}

fn read(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let mut text = String::from_utf8(bytes).ok()?;
    if text.len() < SMALLEST || text.contains('\0') {
        return None;
    }
    if text.len() > LARGEST {
        text.truncate(text.floor_char_boundary(LARGEST));
    }
    Some(text)
}

/// FNV-1a with a last mixing step: spreads paths, the same on every machine.
fn hash(name: &str) -> u64 {
    let sum = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (sum ^ (sum >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 7
}

/// The script decides, then the ending of the name.
fn kind(name: &str, text: &str) -> Option<&'static str> {
    let script = script(text);
    if script.is_some() {
        return script;
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let dense = text.len() / text.lines().count().max(1) > 300;
    Some(match ending {
        "js" | "cjs" | "mjs" | "css" if dense => "minified",
        "js" | "cjs" | "mjs" | "ts" | "cts" | "mts" | "tsx" => "javascript",
        "py" | "pyi" | "pyx" => "python",
        "rs" => "rust",
        "c" | "h" | "cpp" | "hpp" | "cc" => "c",
        "pl" | "pm" | "sh" | "asm" | "s" | "S" | "go" | "java" | "rb" | "f90" | "cmake" => "other code",
        "json" | "map" if dense => "json on one line",
        "json" => "json",
        "html" | "xml" | "svg" => "markup",
        "css" | "scss" => "css",
        "toml" | "yaml" | "yml" | "lock" | "cfg" | "ini" => "config",
        "pem" | "crt" => "certificates",
        "csv" | "data" => "tables",
        "po" => "translations",
        "log" => "log lines",
        "md" | "rst" | "txt" | "pod" => prose(name, text),
        _ => return None,
    })
}

/// English by its commonest words, other languages by their accents.
fn prose(name: &str, text: &str) -> &'static str {
    let words = text.split_whitespace().count().max(1);
    let common = |word: &&str| matches!(*word, "the" | "of" | "and" | "to" | "a" | "in" | "is");
    let english = text.split_whitespace().filter(common).count() * 100 / words;
    let accented = text.chars().filter(|letter| ('\u{C0}'..'\u{250}').contains(letter)).count() * 200 > text.len();
    match (accented, english) {
        (true, _) => "latin languages",
        (false, 7..) => "english prose",
        (false, 0..2) if name.contains("translations") => "latin languages",
        (false, _) => "notes and lists",
    }
}

/// The script of at least three tenths of the letters, if it is not Latin.
fn script(text: &str) -> Option<&'static str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut letters = 0;
    for letter in text.chars() {
        let script = match letter as u32 {
            0x41..=0x5A | 0x61..=0x7A | 0xC0..=0x24F => "latin",
            0x370..=0x3FF => "greek",
            0x400..=0x52F => "cyrillic",
            0x590..=0x5FF => "hebrew",
            0x600..=0x6FF => "arabic",
            0x900..=0x97F => "devanagari",
            0x980..=0xDFF => "other indic",
            0xE00..=0xE7F => "thai",
            0x3040..=0x30FF => "japanese",
            0x4E00..=0x9FFF => "chinese",
            0xAC00..=0xD7AF => "korean",
            0x530..=0x58F | 0x700..=0x8FF | 0xE80..=0x1FFF | 0x2C00..=0x2FFF | 0xA000..=0xABFF => "rare scripts",
            0x10000..=0x1EFFF => "rare scripts",
            _ => continue,
        };
        letters += 1;
        *counts.entry(script).or_default() += 1;
    }
    // Japanese is written with Chinese characters too; a tenth of kana tells.
    let count = |script: &str| counts.get(script).copied().unwrap_or(0);
    if count("japanese") * 10 > letters && (count("japanese") + count("chinese")) * 10 > letters * 3 {
        return Some("japanese");
    }
    let (script, most) = counts.iter().filter(|(script, _)| **script != "latin").max_by_key(|(_, count)| **count)?;
    (most * 10 > letters * 3).then_some(*script)
}
