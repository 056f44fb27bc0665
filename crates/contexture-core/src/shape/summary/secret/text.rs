//! A whole text with what looks like a secret masked, for those who hand it to a model.
//!
//! Takes a path and a text; gives the text line by line, as long as it was. The values of a configuration are judged by their
//! keys, as in its summary; of any other text, what the line says decides. Blocks of private keys lose everything inside.

use super::{MASK, mask_line, mask_statements, mask_words};
use crate::kind::{FileKind, kind_of};

/// Cost: linear.
pub fn mask_text(path: &str, text: &str) -> String {
    let by_key = is_configuration(kind_of(path, text));
    let mut shown = String::with_capacity(text.len());
    let mut is_key = false;
    for line in crate::types::lines(text) {
        let bare = line.trim_end_matches(['\n', '\r']);
        let end = line.get(bare.len()..).unwrap_or("");
        let begins = bare.contains("-----BEGIN ") && bare.contains("PRIVATE KEY");
        let ends = bare.contains("-----END ");
        if is_key && !ends {
            shown.push_str(MASK);
        } else if by_key && !begins && !ends {
            shown.push_str(&mask_words(&mask_statements(&mask_line(bare))));
        } else {
            shown.push_str(&mask_words(&mask_statements(bare)));
        }
        is_key = (is_key || begins) && !ends;
        shown.push_str(end);
    }
    shown
}

/// Whether a file says things as keys with values.
pub fn is_configuration(kind: FileKind) -> bool {
    use FileKind::*;
    match kind {
        Toml | Yaml | Json | Ini | Env => true,
        Headed { .. } | Csv { .. } => false,
        Code(_) | Markdown | Restructured | Text | Html | Css | Xml | Sql | Jsonl | Notebook => false,
        Makefile | Dockerfile | Unknown => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_secret_keys_are_masked_and_lines_stay_lines() {
        insta::assert_snapshot!(mask_text("a.toml", "[db]\nhost = \"h\"\npassword = \"hunter2\"\r\nport = 5432\n"), @r#"
        [db]
        host = "h"
        password = ***
        port = 5432
        "#);
        insta::assert_snapshot!(mask_text("a.yaml", "api_key: abc\ntls: |\n  -----BEGIN RSA PRIVATE KEY-----\n  MIIEow\n  x\n  -----END RSA PRIVATE KEY-----\nname: n\n"), @"
        api_key: ***
        tls: |
          -----BEGIN RSA PRIVATE KEY-----
        ***
        ***
          -----END RSA PRIVATE KEY-----
        name: n
        ");
        insta::assert_snapshot!(mask_text("a.json", "{\"db\": {\"password\": \"hunter2\"}, \"n\": 1}"), @r#"{"db": ***"#);
        insta::assert_snapshot!(mask_text("a.py", "def f(password: str):\n    token = \"s3cr3t-value\"\n    return password"), @r#"
        def f(password: str):
            token = "***"
            return password
        "#);
    }

    #[test]
    fn nothing_is_lost_of_texts_without_secrets() {
        let text = "# Title\n\nSome words, a `code`, and a list:\r\n- one\n- two\n\n\n";
        assert_eq!(mask_text("a.md", text), text);
        assert_eq!(mask_text("a.toml", ""), "");
    }
}
