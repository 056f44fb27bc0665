//! How large a picture is, by the header of its file, and what an API takes of it.

use super::Api;
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

    fn longer(self) -> u32 {
        self.width.max(self.height)
    }
}

/// What an API takes of pictures. As of 2026-11; where its pages name no limit there is none.
struct Limits {
    side: u32,
    /// The longer side where there are more than so many pictures.
    of_many: (usize, u32),
    /// Bytes of base64.
    data: usize,
    count: usize,
}

fn limits(api: Api) -> Limits {
    let free = Limits { side: u32::MAX, of_many: (usize::MAX, u32::MAX), data: usize::MAX, count: usize::MAX };
    match api {
        Api::Anthropic | Api::MiniMax => Limits { side: 8_000, of_many: (20, 2_000), data: 5 << 20, count: 100 },
        Api::OpenAi | Api::Responses => Limits { count: 500, ..free },
        Api::Gemini => Limits { count: 3_000, ..free },
        Api::DeepSeek => free,
    }
}

impl Api {
    /// Why it would refuse the picture with this number, of so many.
    pub(crate) fn refuses_picture(self, pixels: Pixels, data: usize, nth: usize, of: usize) -> Option<String> {
        let limits = limits(self);
        if pixels.longer() > limits.side {
            return Some(format!("{pixels}, `{self}` takes {} a side", limits.side));
        }
        if data > limits.data {
            return Some(format!("{data} bytes as base64, `{self}` takes {}", limits.data));
        }
        if nth >= limits.count {
            return Some(format!("`{self}` takes {} pictures", limits.count));
        }
        let (many, side) = limits.of_many;
        (of.min(limits.count) > many && pixels.longer() > side)
            .then(|| format!("{pixels}, `{self}` takes {side} a side where there are more than {many} pictures"))
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

    #[test]
    fn each_api_has_its_limits() {
        let refused = |api: Api, side: u32, data: usize, nth: usize, of: usize| {
            api.refuses_picture(Pixels { width: side, height: 10 }, data, nth, of).unwrap_or_default()
        };
        assert_eq!(refused(Api::Anthropic, 8_000, 5 << 20, 0, 20), "");
        assert_eq!(refused(Api::Anthropic, 9_000, 9, 0, 1), "9000 × 10 pixels, `anthropic` takes 8000 a side");
        assert_eq!(refused(Api::Anthropic, 9, 5_242_881, 0, 1), "5242881 bytes as base64, `anthropic` takes 5242880");
        assert_eq!(
            refused(Api::Anthropic, 2_001, 9, 0, 21),
            "2001 × 10 pixels, `anthropic` takes 2000 a side where there are more than 20 pictures"
        );
        assert_eq!(refused(Api::Anthropic, 9, 9, 100, 101), "`anthropic` takes 100 pictures");
        assert_eq!(refused(Api::OpenAi, 9_000, 9, 0, 21), "");
        assert_eq!(refused(Api::OpenAi, 9, 9, 500, 501), "`openai` takes 500 pictures");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(start in 0usize..5, bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let starts: [&[u8]; 5] = [b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8L", b"GIF87a"];
            Pixels::read(&[starts[start], &bytes].concat());
        }
    }
}
