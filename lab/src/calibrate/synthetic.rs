//! Text of kinds that few projects keep in files: base64, hexadecimal, emoji, log lines, white space, rulers.
//!
//! Takes nothing; gives the same texts on every machine. Part of them is held out like files are.

use super::corpus::Sample;

/// Texts of each kind: enough that the few slots they use are well known.
const TEXTS: u64 = 80;
/// Bytes of a text: four times the smallest file that is measured.
const SIZE: usize = 4096;

type Make = fn(&mut Dice) -> String;

pub fn samples() -> Vec<Sample> {
    let kinds: [(&'static str, Make); 7] = [
        ("base64", base64),
        ("hex", hex),
        ("uuid", uuid),
        ("emoji", emoji),
        ("log lines", log),
        ("white space", whitespace),
        ("rulers", rulers),
    ];
    let texts = kinds.into_iter().flat_map(|(kind, make)| (0..TEXTS).map(move |number| (kind, make, number)));
    texts
        .map(|(kind, make, number)| {
            let mut dice = Dice(number + 1);
            let mut text = String::new();
            while text.len() < SIZE {
                text += &make(&mut dice);
            }
            Sample { kind, text, held_out: number.is_multiple_of(4) }
        })
        .collect()
}

/// A small generator of numbers (SplitMix64), so that the same text comes out everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    fn letters(&mut self, alphabet: &str, len: u64) -> String {
        let all: Vec<char> = alphabet.chars().collect();
        (0..len).map(|_| *self.pick(&all)).collect()
    }
}

fn base64(dice: &mut Dice) -> String {
    let line = dice.letters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 76);
    line + if dice.0 & 1 == 0 { "\n" } else { "" }
}

fn hex(dice: &mut Dice) -> String {
    let len = *dice.pick(&[8, 32, 40, 64]);
    dice.letters("0123456789abcdef", len) + "\n"
}

fn uuid(dice: &mut Dice) -> String {
    let parts: Vec<String> = [8, 4, 4, 4, 12].iter().map(|len| dice.letters("0123456789abcdef", *len)).collect();
    parts.join("-") + *dice.pick(&["\n", "\",\n  \"", ", "])
}

fn emoji(dice: &mut Dice) -> String {
    let one = |from: u32, count: u64, dice: &mut Dice| {
        char::from_u32(from + dice.below(count) as u32).unwrap_or('x').to_string()
    };
    let mut text = match dice.below(10) {
        0 => one(0x1F300, 0x50, dice),
        1 => one(0x1F400, 0xFD, dice),
        2..=4 => one(0x1F600, 0x45, dice),
        5 => one(0x1F680, 0x45, dice),
        6 => one(0x1F910, 0x60, dice),
        7 => one(0x2600, 0x60, dice) + "\u{FE0F}",
        8 => (*dice.pick(&["👩‍💻", "👨‍👩‍👧", "👍🏽", "🙋🏼‍♀️", "🏳️‍🌈", "❤️", "✅", "✨", "🔥", "👋🏿"])).to_owned(),
        _ => one(0x1F1E6, 26, dice) + &one(0x1F1E6, 26, dice),
    };
    text += *dice.pick::<&str>(&["", "", "", " ", "\n", " great work ", " thanks! "]);
    text
}

/// Parts in changing order and number: a fixed layout would let the fit put the cost of one part on another.
fn log(dice: &mut Dice) -> String {
    let mut parts: Vec<String> = (0..1 + dice.below(6)).map(|_| log_part(dice)).collect();
    parts.insert(0, moment(dice));
    let between = *dice.pick(&[" ", " ", " ", " - ", " | ", "\t", ": "]);
    parts.join(between) + "\n"
}

fn moment(dice: &mut Dice) -> String {
    let [month, day, hour] = [12, 28, 24].map(|limit| 1 + dice.below(limit));
    let [minute, second, milli] = [60, 60, 1000].map(|limit| dice.below(limit));
    match dice.below(6) {
        0 => format!("2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z"),
        1 => format!("2025-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"),
        2 => format!("{}/{day:02}/{month:02} {hour:02}:{minute:02}:{second:02},{milli:03}", 2020 + dice.below(7)),
        3 => format!("Jan {day} {hour:02}:{minute:02}:{second:02}"),
        4 => format!("[{day:02}/Feb/2024:{hour:02}:{minute:02}:{second:02} +0000]"),
        _ => format!("{}.{milli:03}", 1_700_000_000 + dice.below(90_000_000)),
    }
}

fn log_part(dice: &mut Dice) -> String {
    let word =
        *dice.pick(&["server", "pool", "scheduler", "auth", "cache", "http", "kernel", "storage", "queue", "parser"]);
    let number = dice.below(100_000);
    match dice.below(11) {
        0 => (*dice.pick(&["INFO", "DEBUG", "WARN", "ERROR", "info", "warning", "[error]", "TRACE"])).to_owned(),
        1 => format!("[{word}]"),
        2 => format!("{word}[{number}]:"),
        3 => format!("{word}={number}"),
        4 => format!("{word}.{}", dice.pick(&["client", "worker", "session", "main"])),
        5 => format!("10.{}.{}.{}:{number}", dice.below(256), dice.below(256), dice.below(256)),
        6 => format!("\"GET /{word}/{number} HTTP/1.1\" {} {number}", dice.pick(&[200, 201, 304, 404, 500])),
        7 => format!("id={}", dice.letters("0123456789abcdef", 8)),
        8 => format!("took {}.{}ms", dice.below(900), dice.below(10)),
        9 => format!("/var/lib/{word}/data-{number}.db"),
        _ => (*dice.pick(&[
            "request finished",
            "connection closed by peer",
            "retrying after timeout",
            "job started",
            "user logged in",
            "cache miss for key",
            "failed to open file: no such file or directory",
        ]))
        .to_owned(),
    }
}

fn whitespace(dice: &mut Dice) -> String {
    let indent =
        if dice.below(3) == 0 { "\t".repeat(dice.below(9) as usize) } else { " ".repeat(dice.below(60) as usize) };
    let cells: Vec<String> = (0..dice.below(4))
        .map(|_| {
            let len = 1 + dice.below(5);
            dice.letters("0123456789", len) + &" ".repeat(1 + dice.below(20) as usize)
        })
        .collect();
    indent + &cells.concat() + &"\n".repeat(1 + dice.below(3) as usize)
}

fn rulers(dice: &mut Dice) -> String {
    let sign = dice.pick(&["-", "=", "*", "#", "/", "_", ".", "~"]).repeat(3 + dice.below(120) as usize);
    sign + *dice.pick(&["\n", "\n", " section\n", "\n\nsome words here\n"])
}
