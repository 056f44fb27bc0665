//! The fields of a document that is asked for, as the list of operations tells them. What reads them is [`crate::wire::request`]; a test
//! holds the two together.

use super::may;
use crate::http::calls::{Field, Kind};
use contexture_core::safety::Secrets;

const VIEWS: Kind = Kind::Word(&["full", "skeleton", "outline", "summary", "masked", "custom", "diff", "name", "none"]);
const FORMATS: Kind =
    Kind::Word(&["md", "xml", "json", "messages", "anthropic", "openai", "responses", "gemini", "deepseek", "minimax"]);

pub const FIELDS: &[Field] = &[
    may("paths", Kind::Texts, "files, folders and globs; else the composition, or all"),
    may("listed", Kind::Texts, "files that a program listed"),
    may("preset", Kind::Text, "a named composition"),
    may("composition", Kind::Entries, "entries in place of the project's own"),
    may("persona", Kind::Text, "a named way of working"),
    may("tier", Kind::Number, "1 to 4"),
    may("strategy", Kind::Word(&["auto", "summarize", "full"]), "how files are shown that nobody set"),
    may("view", VIEWS, "of every file"),
    may("focus", Kind::Texts, "in full, the rest in less"),
    may("mask", Kind::Object, "symbols with `def`, `sig` or `hide`"),
    may("include", Kind::Texts, "globs"),
    may("exclude", Kind::Texts, "globs"),
    may("budget", Kind::Number, "tokens"),
    may("model", Kind::Text, "whose window is the budget"),
    may("query", Kind::Text, "the task"),
    may("retrieve", Kind::Number, "tokens of passages from outside the composition"),
    may("tokenizer", Kind::Text, "who counts"),
    may("format", FORMATS, "of the document"),
    may("history", Kind::Word(&["with", "without", "only"]), "the discussion"),
    may("tree", Kind::Word(&["none", "selected", "full"]), "the section of names"),
    may("line_numbers", Kind::Flag, "before each line"),
    may("diff", Kind::Text, "the section of changes, against this revision"),
    may("log", Kind::Number, "the section of so many commits"),
    may("base", Kind::Text, "the revision of the view `diff`"),
    may("embed", Kind::Flag, "pictures as data"),
    may("message", Kind::Text, "the question behind the document"),
    may("max_answer", Kind::Number, "tokens of the answer"),
    may("temperature", Kind::Real, "from 0 to 2"),
    may("no_marks", Kind::Flag, "without marks for the provider's cache"),
    may("no_written", Kind::Flag, "without summaries by models"),
    may("strict", Kind::Flag, "fail where something is lost"),
    may("secrets", Kind::Word(Secrets::WORDS), "what becomes of secrets"),
];

#[cfg(test)]
mod tests {
    use super::{FIELDS, Kind};
    use crate::wire::request;
    use contexture_core::{Format, Level};
    use serde_json::{Value, json};

    #[test]
    fn every_field_of_a_request_is_listed() {
        let listed: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
        let read = request::to_json(&crate::ops::Request::default());
        // Where a document goes and what is to be explained of it is the operation's matter.
        let read = read.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        let read: Vec<&str> = read.filter(|name| !["target", "explain"].contains(name)).collect();
        assert_eq!(listed, read);
    }

    #[test]
    fn every_listed_word_is_understood_and_no_kind_is_another() {
        for field in FIELDS {
            let values: Vec<Value> = match field.kind {
                Kind::Word(words) => words.iter().map(|word| json!(word)).collect(),
                Kind::Text => vec![json!("x")],
                Kind::Texts | Kind::Entries => vec![json!([]), json!(["x"])],
                Kind::Number => vec![json!(1)],
                Kind::Real => vec![json!(0.5)],
                Kind::Flag => vec![json!(true)],
                Kind::Object => vec![json!({"x": "def"})],
                Kind::Run | Kind::Request | Kind::Objects => vec![json!("no field has this kind")],
            };
            for value in values.iter().chain([&Value::Null]) {
                let read = request::from_json(&json!({field.name: value}));
                assert!(read.is_ok(), "{}: {value}: {read:?}", field.name);
            }
            let wrong = request::from_json(&json!({field.name: {"x": 7}}));
            assert!(wrong.is_err(), "{}", field.name);
        }
        let words = |name: &str| match FIELDS.iter().find(|field| field.name == name).map(|field| field.kind) {
            Some(Kind::Word(words)) => words.to_vec(),
            _ => Vec::new(),
        };
        assert_eq!(words("view").len(), Level::ALL.len());
        assert_eq!(words("format"), Format::ALL.map(Format::as_str));
    }
}
