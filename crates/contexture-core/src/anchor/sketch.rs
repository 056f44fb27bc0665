//! How alike two lines are, when of one only a sketch was kept.
//!
//! Takes a line, gives 64 bits; two of them give an estimate of the share of three-byte pieces the lines have in common.
//! White space does not count.

use super::lines::mix;

/// 16 smallest hashes, 4 bits of each: an estimate within about 0.12 (one standard deviation) of the true share.
const PARTS: u32 = 16;
/// Pieces beyond this are not looked at: the beginning of a line of a megabyte says enough.
const LONGEST: usize = 512;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sketch(pub u64);

impl Sketch {
    pub fn of(line: &str) -> Self {
        let bytes: Vec<u8> = line.bytes().filter(|byte| !byte.is_ascii_whitespace()).take(LONGEST).collect();
        let mut least = [u64::MAX; PARTS as usize];
        let mut take = |piece: &[u8]| {
            let code = piece.iter().fold(piece.len() as u64, |code, byte| (code << 8) | u64::from(*byte));
            for (part, least) in least.iter_mut().enumerate() {
                *least = (*least).min(mix(code ^ ((part as u64 + 1) << 40)));
            }
        };
        match bytes.len() {
            0..3 => take(&bytes),
            _ => bytes.windows(3).for_each(take),
        }
        Self(least.iter().fold(0, |sketch, least| (sketch << 4) | (least & 15)))
    }

    /// From 0, nothing in common, to 100, the same pieces.
    pub fn likeness(self, other: Self) -> i32 {
        let differing = self.0 ^ other.0;
        let same = (0..PARTS).filter(|part| (differing >> (4 * part)) & 15 == 0).count() as i32;
        // One in sixteen parts agrees by chance.
        ((same * 16 - 16) * 100 / (15 * 16)).max(0)
    }
}
