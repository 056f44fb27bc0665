//! JSON by hand: exact bytes, no tree in between.

use serde_json::Value;

/// A text as a JSON string.
pub fn string(out: &mut String, text: &str) {
    out.push('"');
    escaped(out, text);
    out.push('"');
}

/// What stands before a text, and the text as a JSON string.
pub fn member(out: &mut String, before: &str, text: &str) {
    out.push_str(before);
    string(out, text);
}

/// The bytes that cannot stand in a JSON string as they are.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        special[byte] = true;
        byte += 1;
    }
    special[b'"' as usize] = true;
    special[b'\\' as usize] = true;
    special
};

/// The inside of a JSON string.
pub fn escaped(out: &mut String, text: &str) {
    // Code has a quote or a line end in some twenty bytes; what has more makes the text grow once more.
    out.reserve(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| SPECIAL[usize::from(byte)]) {
        let byte = rest.as_bytes()[at];
        out.push_str(&rest[..at]);
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            byte => out.push_str(&format!("\\u{byte:04x}")),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

/// Arguments as an object, which some APIs demand. What is none is kept as a text in one.
pub fn object(out: &mut String, arguments: &str) {
    match serde_json::from_str::<Value>(arguments) {
        Ok(value @ Value::Object(_)) => out.push_str(&value.to_string()),
        _ if arguments.trim().is_empty() => out.push_str("{}"),
        _ => {
            member(out, "{\"arguments\":", arguments);
            out.push('}');
        }
    }
}

/// A name of a tool as all APIs take it: letters, digits, `_` and `-`, at most 64.
pub fn tool_name(out: &mut String, name: &str) {
    out.push('"');
    out.extend(name.chars().take(64).map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }));
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_comes_back(text in any::<String>()) {
            let mut out = String::new();
            string(&mut out, &text);
            prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }

        #[test]
        fn arguments_are_always_an_object(text in any::<String>()) {
            let mut out = String::new();
            object(&mut out, &text);
            prop_assert!(serde_json::from_str::<Value>(&out).unwrap().is_object());
        }
    }

    #[test]
    fn an_object_stays_what_it_is() {
        let mut out = String::new();
        object(&mut out, r#"{"b": 1.50, "a": [true]}"#);
        assert_eq!(out, r#"{"b":1.5,"a":[true]}"#);
    }
}
