//! Bytes into text, or into what they seem to be instead.
//!
//! Takes the bytes of one file; gives a [`Decoded`]. Never fails: bytes that are no text are named by type, text in a
//! damaged or foreign encoding is decoded as well as it goes, with a remark.

use contexture_core::Text;
use encoding_rs::{UTF_16BE, UTF_16LE};

pub struct Decoded {
    pub kind: DecodedKind,
    /// What a person should know, such as replaced bytes.
    pub remark: Option<String>,
}

pub enum DecodedKind {
    Text(Text),
    Binary(&'static str),
}

/// How far a NUL byte is looked for. Text with a NUL later than this is rare, and then it is still valid UTF-8.
const SNIFF: usize = 64 * 1024;

pub fn decode(bytes: Vec<u8>) -> Decoded {
    if let Some(decoded) = decode_marked(&bytes) {
        return decoded;
    }
    let head = &bytes[..bytes.len().min(SNIFF)];
    if memchr::memchr(0, head).is_some() {
        return match unmarked_utf16(head) {
            Some(encoding) => foreign(encoding, &bytes),
            None => binary(head),
        };
    }
    match String::from_utf8(bytes) {
        Ok(plain) => text(plain, None),
        Err(error) => {
            let bytes = error.as_bytes();
            let head = &bytes[..bytes.len().min(SNIFF)];
            if is_noise(head) { binary(head) } else { lossy(bytes) }
        }
    }
}

/// Text that says by its first bytes how it is encoded.
fn decode_marked(bytes: &[u8]) -> Option<Decoded> {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => match std::str::from_utf8(rest) {
            Ok(plain) => Some(text(plain.to_owned(), Some("byte order mark removed".into()))),
            Err(_) => Some(lossy(rest)),
        },
        [0xff, 0xfe, 0, 0, rest @ ..] if rest.len().is_multiple_of(4) => Some(utf32(rest, u32::from_le_bytes)),
        [0, 0, 0xfe, 0xff, rest @ ..] if rest.len().is_multiple_of(4) => Some(utf32(rest, u32::from_be_bytes)),
        [0xff, 0xfe, rest @ ..] => Some(foreign(UTF_16LE, rest)),
        [0xfe, 0xff, rest @ ..] => Some(foreign(UTF_16BE, rest)),
        _ => None,
    }
}

fn text(text: String, remark: Option<String>) -> Decoded {
    Decoded { kind: DecodedKind::Text(text.into()), remark }
}

fn foreign(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> Decoded {
    let (decoded, replaced) = encoding.decode_without_bom_handling(bytes);
    let damage = if replaced { ", damaged parts replaced" } else { "" };
    text(decoded.into_owned(), Some(format!("decoded from {}{damage}", encoding.name())))
}

fn utf32(bytes: &[u8], read: fn([u8; 4]) -> u32) -> Decoded {
    let decoded = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|unit| char::from_u32(read(*unit)).unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    text(decoded, Some("decoded from UTF-32".into()))
}

fn lossy(bytes: &[u8]) -> Decoded {
    let mut replaced = 0usize;
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            out.push(char::REPLACEMENT_CHARACTER);
            replaced += 1;
        }
    }
    text(out, Some(format!("not valid UTF-8: {replaced} places replaced by U+FFFD")))
}

/// UTF-16 without a mark: mostly ASCII, so every other byte is zero.
fn unmarked_utf16(head: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let pairs = head.as_chunks::<2>().0;
    let sample = &pairs[..pairs.len().min(2048)];
    if sample.len() < 2 {
        return None;
    }
    let zeros = |place: usize| sample.iter().filter(|pair| pair[place] == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    // Nine in ten: text of one alphabet, with a few signs from elsewhere. Binary formats are not so regular.
    let most = sample.len() * 9 / 10;
    let looks_typed =
        |place: usize| sample.iter().all(|pair| pair[place] >= 0x20 || matches!(pair[place], 9 | 10 | 12 | 13 | 0));
    if second >= most.max(1) && first == 0 && looks_typed(0) {
        Some(UTF_16LE)
    } else if first >= most.max(1) && second == 0 && looks_typed(1) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Text in any encoding has hardly any control characters; compressed or compiled bytes have about one in ten.
fn is_noise(head: &[u8]) -> bool {
    let control =
        head.iter().filter(|&&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x08 | 0x0c | 0x1b)).count();
    control * 100 > head.len() || infer::get(head).is_some_and(|kind| kind.matcher_type() != infer::MatcherType::Text)
}

fn binary(head: &[u8]) -> Decoded {
    let what = infer::get(head).map_or("unknown type", |kind| kind.mime_type());
    Decoded { kind: DecodedKind::Binary(what), remark: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn show(bytes: &[u8]) -> String {
        let decoded = decode(bytes.to_vec());
        let kind = match decoded.kind {
            DecodedKind::Text(text) => format!("text {:?}", &*text),
            DecodedKind::Binary(what) => format!("binary {what}"),
        };
        format!("{kind} | {}", decoded.remark.unwrap_or_default())
    }

    #[test]
    fn encodings_are_told_apart() {
        let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        let lines = [
            show(b""),
            show("héllo\r\n".as_bytes()),
            show(b"\xef\xbb\xbfbom"),
            show(&[b"\xff\xfe".as_slice(), &utf16("hi\n", u16::to_le_bytes)].concat()),
            show(&[b"\xfe\xff".as_slice(), &utf16("hi\n", u16::to_be_bytes)].concat()),
            show(&utf16("using System;\r\n", u16::to_le_bytes)),
            show(&utf16("using System;\r\n", u16::to_be_bytes)),
            show(b"\xff\xfe\0\0h\0\0\0i\0\0\0"),
            show(b"caf\xe9 au lait\n"),
            show(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
            show(b"\0asm\x01\0\0\0"),
            show(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"),
            show(b"text with a \0 in it"),
        ];
        insta::assert_snapshot!(lines.join("\n"), @r#"
        text "" | 
        text "héllo\r\n" | 
        text "bom" | byte order mark removed
        text "hi\n" | decoded from UTF-16LE
        text "hi\n" | decoded from UTF-16BE
        text "using System;\r\n" | decoded from UTF-16LE
        text "using System;\r\n" | decoded from UTF-16BE
        text "hi" | decoded from UTF-32
        text "caf� au lait\n" | not valid UTF-8: 1 places replaced by U+FFFD
        binary image/png | 
        binary application/wasm | 
        binary application/pdf | 
        binary unknown type | 
        "#);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(2000)))]
        #[test]
        fn any_bytes_decode(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
            decode(bytes);
        }

        #[test]
        fn valid_text_is_kept_as_it_is(text in "[^\u{0}\u{feff}]{0,200}") {
            match decode(text.clone().into_bytes()).kind {
                DecodedKind::Text(decoded) => prop_assert_eq!(&*decoded, text.as_str()),
                DecodedKind::Binary(_) => prop_assert!(false, "taken for binary"),
            }
        }
    }
}
