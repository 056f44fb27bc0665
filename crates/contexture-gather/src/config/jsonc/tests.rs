//! Members put into texts of every shape, and taken out again.
#![allow(clippy::unwrap_used)]

use super::*;
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::json;

fn value() -> Value {
    json!({"command": "contexture", "args": ["mcp"]})
}

fn parsed(text: &str) -> Value {
    read(text).unwrap().root.unwrap().into()
}

fn with(text: &str) -> String {
    put(text, "servers", "ours", &value()).unwrap()
}

#[test]
fn nothing_else_changes() {
    let texts = [
        "",
        "{}",
        "{\n  \"a\": 1\n}\n",
        "{\n\t// Why.\n\t\"a\": 1, // note\n}\n",
        "{\"a\": 1, \"servers\": {\"b\": {}}}",
        "{\n    \"servers\": {\n        \"b\": {\"x\": [1, 2]} // b\n    },\n    \"c\": null\n}\n",
        "// Only a comment.\n",
        "{\n  \"servers\": {\n    \"ours\": {\"command\": \"old\"},\n    \"b\": 1\n  }\n}\n",
    ];
    let all: Vec<String> = texts.iter().map(|text| format!("{text}\n=>\n{}\n", with(text))).collect();
    assert_snapshot!(all.join("----\n"), @r#"
    =>
    {
      "servers": {
        "ours": {
          "command": "contexture",
          "args": ["mcp"]
        }
      }
    }

    ----
    {}
    =>
    {
      "servers": {
        "ours": {
          "command": "contexture",
          "args": ["mcp"]
        }
      }
    }
    ----
    {
      "a": 1
    }

    =>
    {
      "a": 1,
      "servers": {
        "ours": {
          "command": "contexture",
          "args": ["mcp"]
        }
      }
    }

    ----
    {
    	// Why.
    	"a": 1, // note
    }

    =>
    {
    	// Why.
    	"a": 1, // note
    	"servers": {
    		"ours": {
    			"command": "contexture",
    			"args": ["mcp"]
    		}
    	},
    }

    ----
    {"a": 1, "servers": {"b": {}}}
    =>
    {"a": 1, "servers": {"b": {}, "ours": {"command":"contexture","args":["mcp"]}}}
    ----
    {
        "servers": {
            "b": {"x": [1, 2]} // b
        },
        "c": null
    }

    =>
    {
        "servers": {
            "b": {"x": [1, 2]}, // b
            "ours": {
                "command": "contexture",
                "args": ["mcp"]
            }
        },
        "c": null
    }

    ----
    // Only a comment.

    =>
    // Only a comment.
    {
      "servers": {
        "ours": {
          "command": "contexture",
          "args": ["mcp"]
        }
      }
    }

    ----
    {
      "servers": {
        "ours": {"command": "old"},
        "b": 1
      }
    }

    =>
    {
      "servers": {
        "ours": {
          "command": "contexture",
          "args": ["mcp"]
        },
        "b": 1
      }
    }
    "#);
}

#[test]
fn what_was_put_is_taken_out_to_the_byte() {
    for text in [
        "{\"servers\": {}}",
        "{\"servers\": {\"b\": 1}}",
        "{\n  \"servers\": {\n    \"b\": 1\n  }\n}\n",
        "{\r\n  \"servers\": {\r\n    \"b\": 1, // note\r\n  },\r\n}\r\n",
        "\u{feff}{\n\t\"servers\": {\n\t\t/* x */ \"b\": {\n\t\t}\n\t}\n}",
    ] {
        assert_eq!(remove(&with(text), "servers", "ours").unwrap(), text);
        assert_eq!(remove(text, "servers", "ours").unwrap(), text);
        assert_eq!(with(&with(text)), with(text));
    }
}

#[test]
fn what_cannot_be_understood_is_refused_where_it_is() {
    let refused = |text: &str| {
        let problem = put(text, "servers", "ours", &value()).unwrap_err();
        format!("{}: {}", problem.at, problem.cause)
    };
    let texts = [
        "{",
        "[]",
        "{\"a\" 1}",
        "{\"a\": }",
        "{\"a\": 1 \"b\": 2}",
        "{\"a\": nul}",
        "{\"a\": \"x}",
        "{} x",
        "{\"servers\": []}",
        "{\"servers\": {}, \"servers\": {}}",
        "{ /* }",
        "{'a': 1}",
        "{\"servers\": {\"ours\": 1, \"ours\": 2}}",
        "{\"a\": [1 2]}",
        "{,}",
    ];
    assert_snapshot!(texts.map(|text| format!("{text} => {}", refused(text))).join("\n"), @r#"
    { => 0: unterminated object
    [] => 0: the file must be an object
    {"a" 1} => 5: expected colon after the string or word in object property
    {"a": } => 6: unexpected close brace
    {"a": 1 "b": 2} => 7: expected comma
    {"a": nul} => 6: unexpected token
    {"a": "x} => 6: unterminated string literal
    {} x => 3: text cannot contain more than one JSON value
    {"servers": []} => 12: `servers` must be an object
    {"servers": {}, "servers": {}} => 16: duplicate key: `servers`
    { /* } => 2: unterminated comment block
    {'a': 1} => 1: single-quoted strings are not allowed
    {"servers": {"ours": 1, "ours": 2}} => 24: duplicate key: `ours`
    {"a": [1 2]} => 8: expected comma
    {,} => 1: unexpected token in object
    "#);
    let deep = format!("{{\"a\": {}", "[".repeat(100_000));
    assert!(refused(&deep).contains("nesting depth"));
}

fn space() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", " ", "\n", "\n  ", "\t", " // note\n", " /* c */ ", "\r\n  "]).prop_map(str::to_owned)
}

/// Members as somebody could have written them.
fn members(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let member = (space(), "[a-z]{1,3}", space(), inner, space())
        .prop_map(|(before, name, colon, value, after)| format!("{before}\"{name}\":{colon}{value}{after}"));
    (prop::collection::vec(member, 0..4), space(), any::<bool>()).prop_map(|(members, end, comma)| {
        let comma = if comma && !members.is_empty() { "," } else { "" };
        format!("{}{comma}{end}", members.join(","))
    })
}

proptest! {
    #[test]
    fn any_text_is_taken(text in "[\\[\\]{}\",:/*a1é數 \n\\\\]{0,40}") {
        let _ = put(&text, "servers", "ours", &value());
        let _ = remove(&text, "servers", "ours");
    }

    #[test]
    fn any_layout_is_kept(
        outer in members(prop::sample::select(vec!["1", "\"x\"", "[1, 2,]", "{}"]).prop_map(str::to_owned)),
        inner in members(Just("{\"x\": null}".to_owned())),
    ) {
        let comma = if outer.trim_end().ends_with(',') || parsed(&format!("{{{outer}}}")) == json!({}) { "" } else { "," };
        for text in [format!("{{{outer}}}"), format!("{{{outer}{comma}\"servers\": {{{inner}}}}}")] {
            // Names may come twice; that is refused, not guessed.
            let Ok(new) = put(&text, "servers", "ours", &value()) else { continue };
            let whole = parsed(&new);
            prop_assert_eq!(&whole["servers"]["ours"], &value());
            let back = remove(&new, "servers", "ours").unwrap();
            let kept = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            if text.contains("servers") {
                prop_assert_eq!(kept(&back), kept(&text));
            }
        }
    }
}
