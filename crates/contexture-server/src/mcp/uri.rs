//! Addresses of resources: what they name, and how they are written.
//!
//! `contexture://file/PATH?view=VIEW`, `contexture://preset/NAME`, `contexture://loom/TREE/NODE`. Takes and gives percent signs
//! as RFC 3986 has them. Whether a path may be read is not decided here.

use contexture_core::Level;

#[derive(PartialEq, Eq, Debug)]
pub enum Address {
    File { path: String, view: Option<Level> },
    Preset(String),
    Node { tree: String, node: String },
}

const SCHEME: &str = "contexture://";

/// `None` for what is no address of ours.
pub fn parse(uri: &str) -> Option<Address> {
    let rest = uri.strip_prefix(SCHEME)?;
    let (place, query) = rest.split_once('?').map_or((rest, None), |(place, query)| (place, Some(query)));
    let (kind, name) = place.split_once('/')?;
    if name.is_empty() || place.contains('#') {
        return None;
    }
    match (kind, query) {
        ("file", query) => Some(Address::File { path: decoded(name)?, view: view(query)? }),
        ("preset", None) => Some(Address::Preset(decoded(name)?)),
        ("loom", None) => {
            let (tree, node) = name.split_once('/')?;
            let (tree, node) = (decoded(tree)?, decoded(node)?);
            (!tree.is_empty() && !node.is_empty()).then_some(Address::Node { tree, node })
        }
        _ => None,
    }
}

/// The outer `None` is a query that cannot be understood.
fn view(query: Option<&str>) -> Option<Option<Level>> {
    match query {
        None | Some("") => Some(None),
        Some(query) => Level::parse(&decoded(query.strip_prefix("view=")?)?).map(Some),
    }
}

pub fn file(path: &str) -> String {
    format!("{SCHEME}file/{}", encoded(path))
}

pub fn preset(name: &str) -> String {
    format!("{SCHEME}preset/{}", encoded(name))
}

fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Once and strictly: what is no percent sign with two digits, no UTF-8, or hides a NUL, is no name.
pub fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        bytes.push(u8::try_from(high * 16 + low).ok().filter(|byte| *byte != 0)?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_none_of_ours_is_none() {
        for uri in [
            "",
            "contexture:",
            "contexture://",
            "contexture://file",
            "contexture://file/",
            "contexture://file/%",
            "contexture://file/%0",
            "contexture://file/%zz",
            "contexture://file/%00",
            "contexture://file/%ff",
            "contexture://file/a?view=none%20",
            "contexture://file/a?x=1",
            "contexture://file/a#b",
            "contexture://preset/a?view=full",
            "contexture://loom/a",
            "contexture://loom//b",
            "contexture://other/a",
            "file:///etc/passwd",
            "CONTEXTURE://file/a",
            "contexture://file/%+41",
        ] {
            assert_eq!(parse(uri), None, "{uri}");
        }
    }

    #[test]
    fn slashes_may_be_written_both_ways() {
        let path = || Address::File { path: "src/a b.rs".into(), view: Some(Level::Outline) };
        assert_eq!(parse("contexture://file/src/a%20b.rs?view=outline"), Some(path()));
        assert_eq!(parse("contexture://file/src%2Fa%20b.rs?view=outline"), Some(path()));
    }

    proptest! {
        #[test]
        fn a_written_path_is_read_back(path in "[^\\x00]{1,40}") {
            prop_assert_eq!(parse(&file(&path)), Some(Address::File { path, view: None }));
        }

        #[test]
        fn any_text_is_taken(uri in ".{0,60}") {
            let _ = parse(&uri);
            let _ = parse(&format!("{SCHEME}file/{uri}"));
        }
    }
}
