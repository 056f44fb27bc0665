//! How large a picture is, by the header of its file.

use std::fmt;

/// How large a picture is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
}

impl fmt::Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {} pixels", self.width, self.height)
    }
}

impl Pixels {
    /// Of a PNG, JPEG, GIF or WebP; `None` for bytes that have no size where such a file has it.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (width, height) = png(bytes).or_else(|| gif(bytes)).or_else(|| webp(bytes)).or_else(|| jpeg(bytes))?;
        (width > 0 && height > 0).then_some(Self { width, height })
    }

    pub(crate) fn longer(self) -> u32 {
        self.width.max(self.height)
    }
}

fn be(bytes: &[u8], at: usize, many: usize) -> Option<u32> {
    Some(bytes.get(at..at + many)?.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

fn le(bytes: &[u8], at: usize, many: usize) -> Option<u32> {
    Some(bytes.get(at..at + many)?.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    let is_one = bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.get(12..16) == Some(b"IHDR");
    if is_one { Some((be(bytes, 16, 4)?, be(bytes, 20, 4)?)) } else { None }
}

fn gif(bytes: &[u8]) -> Option<(u32, u32)> {
    let is_one = bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a");
    if is_one { Some((le(bytes, 6, 2)?, le(bytes, 8, 2)?)) } else { None }
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    if !bytes.starts_with(b"RIFF") || bytes.get(8..12) != Some(b"WEBP") {
        return None;
    }
    match bytes.get(12..16)? {
        b"VP8X" => Some((le(bytes, 24, 3)? + 1, le(bytes, 27, 3)? + 1)),
        b"VP8L" if bytes.get(20) == Some(&0x2f) => {
            let packed = le(bytes, 21, 4)?;
            Some(((packed & 0x3fff) + 1, (packed >> 14 & 0x3fff) + 1))
        }
        b"VP8 " if bytes.get(23..26) == Some(b"\x9d\x01\x2a") => {
            Some((le(bytes, 26, 2)? & 0x3fff, le(bytes, 28, 2)? & 0x3fff))
        }
        _ => None,
    }
}

/// The size stands in the first frame, behind any number of other segments.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    if !bytes.starts_with(b"\xff\xd8") {
        return None;
    }
    let mut at = 2;
    loop {
        if bytes.get(at) != Some(&0xff) {
            return None;
        }
        match bytes.get(at + 1)? {
            0xff => at += 1,
            0x01 | 0xd0..=0xd7 => at += 2,
            0xc4 | 0xc8 | 0xcc => at += 2 + be(bytes, at + 2, 2)? as usize,
            0xc0..=0xcf => return Some((be(bytes, at + 7, 2)?, be(bytes, at + 5, 2)?)),
            // Data, or the end, and no frame before it.
            0xd8..=0xda | 0x00 => return None,
            _ => at += 2 + be(bytes, at + 2, 2)? as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Option<(u32, u32)> {
        Pixels::read(bytes).map(|pixels| (pixels.width, pixels.height))
    }

    #[test]
    fn the_header_says_how_large_it_is() {
        assert_eq!(read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x23\x28\0\0\0\x02"), Some((9_000, 2)));
        assert_eq!(read(b"GIF89a\x03\0\x04\0"), Some((3, 4)));
        assert_eq!(read(b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x09\0\0\x13\0\0"), Some((10, 20)));
        assert_eq!(read(b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x09\xc0\x04\x00"), Some((10, 20)));
        assert_eq!(read(b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x0a\0\x14\0"), Some((10, 20)));
        assert_eq!(read(b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x0b\x08\0\x14\0\x0a\x01"), Some((10, 20)));
    }

    #[test]
    fn a_signature_is_no_picture() {
        let some: [&[u8]; 6] = [
            b"\x89PNG\r\n\x1a\n",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\x02",
            b"GIF89a",
            b"RIFF\0\0\0\0WEBP",
            b"\xff\xd8\xff\xe0",
            b"\xff\xd8\xff\xda\0\x02\xff\xc0\0\x0b\x08\0\x14\0\x0a",
        ];
        for bytes in some {
            assert_eq!(read(bytes), None, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(start in 0usize..5, bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let starts: [&[u8]; 5] = [b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8L", b"GIF87a"];
            Pixels::read(&[starts[start], &bytes].concat());
        }
    }
}
