//! A text as the anchor sees it: lines with a key that white space cannot change, and hashes of runs of lines.
//!
//! Takes text; gives keys. Knows nothing of slices.

use crate::types;

/// One line without its end.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub text: &'a str,
    /// A hash of the line without white space; its lowest two bits are the [`weight class`](Line::mark).
    key: u64,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        let text = line.strip_suffix('\n').unwrap_or(line);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let (mut hash, mut letters) = (SEED, 0u32);
        for &byte in text.as_bytes().iter().filter(|byte| !byte.is_ascii_whitespace()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
            // The first byte of each character beyond ASCII counts as a letter.
            letters = letters.saturating_add(u32::from(byte.is_ascii_alphanumeric() || byte >= 0xc0));
        }
        let class = CLASSES.iter().filter(|least| letters >= **least).count() as u64;
        Self { text, key: (mix(hash) & !3) | class }
    }

    /// What a fingerprint keeps of a line: 22 bits of its hash, and 2 bits that say how much there is to tell it by.
    pub fn mark(&self) -> Mark {
        Mark(((self.key >> 40) as u32 & !3) | (self.key as u32 & 3))
    }
}

/// Letters and digits from which on a line is in class 1, 2, 3. Class 0 is blank or braces; class 1 is `else`, `end`,
/// `return`; class 2 is a short statement. The borders are a keyword, and a name with something done to it.
const CLASSES: [u32; 3] = [2, 8, 16];

/// A line as a fingerprint keeps it, in 24 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Mark(pub u32);

impl Mark {
    pub fn class(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// Lines as editors number them.
pub(super) fn read(text: &str) -> Vec<Line<'_>> {
    types::lines(text).map(Line::of).collect()
}

/// Hashes of all beginnings of a text, from which the hash of any run of lines follows at once.
pub(super) struct Runs {
    sums: Vec<u64>,
}

impl Runs {
    pub fn of(lines: &[Line<'_>]) -> Self {
        let mut sums = Vec::with_capacity(lines.len() + 1);
        let mut sum = 0;
        sums.push(sum);
        for line in lines {
            sum = add(times(sum, BASE), line.key % MODULUS);
            sums.push(sum);
        }
        Self { sums }
    }

    /// Of `len` lines from `start`, 0-based; `None` where there are not so many.
    pub fn hash(&self, start: usize, len: usize) -> Option<u64> {
        let (before, through) = (*self.sums.get(start)?, *self.sums.get(start.checked_add(len)?)?);
        Some(add(through, MODULUS - times(before, power(len))))
    }

    /// Where a run of `len` lines with this hash begins.
    pub fn find(&self, hash: u64, len: usize) -> Vec<usize> {
        let shift = power(len);
        let ends = self.sums.get(len..).unwrap_or_default();
        let windows = self.sums.iter().zip(ends).enumerate();
        windows
            .filter(|(_, (before, through))| add(**through, MODULUS - times(**before, shift)) == hash)
            .map(|(start, _)| start)
            .collect()
    }
}

/// Hashes of runs are polynomials modulo this Mersenne prime: wide enough that no two runs of real files meet, and its
/// arithmetic fits into 128 bits.
const MODULUS: u64 = (1 << 61) - 1;
/// Any large number does; it must stay the same for stored fingerprints to hold.
const BASE: u64 = 0x0123_4567_89ab_cdef;
const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    add((product & u128::from(MODULUS)) as u64, (product >> 61) as u64)
}

fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= MODULUS { sum - MODULUS } else { sum }
}

fn power(mut exponent: usize) -> u64 {
    let (mut result, mut base) = (1, BASE);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

/// Spreads every bit of the input over the whole result.
pub(super) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
