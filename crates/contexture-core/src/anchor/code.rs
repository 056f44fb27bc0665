//! Bytes and small numbers as text that needs no quoting: base64 with `-` and `_`, without padding.
//!
//! Takes bytes, gives text, and back. Text that is not of this kind gives `None`.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(super) fn to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = group.iter().fold(0u32, |word, byte| (word << 8) | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..=group.len() {
            text.push(char::from(LETTERS[(word >> (18 - 6 * place)) as usize & 63]));
        }
    }
    text
}

pub(super) fn to_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.as_bytes().chunks(4) {
        let mut word = 0u32;
        for letter in group {
            word = (word << 6) | LETTERS.iter().position(|known| known == letter)? as u32;
        }
        word <<= 6 * (4 - group.len());
        let whole = group.len().checked_sub(1).filter(|whole| *whole > 0)?;
        bytes.extend_from_slice(word.to_be_bytes().get(1..=whole)?);
    }
    Some(bytes)
}

/// Writes and reads the parts of a fingerprint one after the other.
#[derive(Default)]
pub(super) struct BytesWriter(pub Vec<u8>);

impl BytesWriter {
    /// Seven bits a byte, the lowest first; the high bit says that more follow.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// The lowest `count` bytes.
    pub fn fixed(&mut self, number: u64, count: usize) {
        self.0.extend_from_slice(&number.to_le_bytes()[..count.min(8)]);
    }
}

pub(super) struct BytesReader<'a>(pub &'a [u8]);

impl BytesReader<'_> {
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            number |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub fn fixed(&mut self, count: usize) -> Option<u64> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte)))
    }

    /// A count of things that take at least `each` bytes: never more than there are bytes for.
    pub fn count(&mut self, each: usize) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count.checked_mul(each)? <= self.0.len()).then_some(count)
    }
}
