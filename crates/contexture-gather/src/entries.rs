//! A list of entries on its own, in TOML or JSON, as `preset save --from` takes it.

use crate::config::{ConfigError, PathEntry};

/// Reads `[…]` or `{"files": […]}` as JSON, else `files = […]` or `paths = […]` as TOML.
pub fn entries_from_text(text: &str, name: &str) -> Result<Vec<PathEntry>, ConfigError> {
    let failed = |line: Option<usize>, column: Option<usize>, cause: String| ConfigError {
        place: name.to_owned(),
        line,
        column,
        key: None,
        cause,
        hint: Some(
            "a list of paths or entries: `files = [\"src/**\", { path = \"README.md\", view_mode = \"summary\" }]`"
                .into(),
        ),
    };
    let named = |error: ConfigError| ConfigError { place: name.to_owned(), ..error };
    if text.trim_start().starts_with(['[', '{']) {
        let value: serde_json::Value = serde_json::from_str(text)
            .map_err(|error| failed(Some(error.line()), Some(error.column()), "not valid JSON".into()))?;
        let list = value.get("files").unwrap_or(&value).as_array();
        let list = list.ok_or_else(|| failed(None, None, "holds no list of entries".into()))?;
        return list.iter().map(|entry| PathEntry::from_json(entry).map_err(named)).collect();
    }
    let document: toml_edit::DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        failed(line, None, error.message().lines().next().unwrap_or_default().to_owned())
    })?;
    let list = document.get("files").or_else(|| document.get("paths")).and_then(toml_edit::Item::as_array);
    let list = list.ok_or_else(|| failed(None, None, "holds no list of entries".into()))?;
    list.iter().map(|entry| PathEntry::from_toml(&entry.to_string()).map_err(named)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_give_the_same_entries() {
        let toml =
            entries_from_text("files = [\"a\", { path = \"b\", view_mode = \"summary\", mine = 1 }]", "x").unwrap();
        let json =
            entries_from_text(r#"{"files": ["a", {"path": "b", "view_mode": "summary", "mine": 1}]}"#, "x").unwrap();
        assert_eq!(toml, json);
        assert_eq!(
            entries_from_text(
                &serde_json::to_string(&json.iter().map(PathEntry::to_json).collect::<Vec<_>>()).unwrap(),
                "x"
            )
            .unwrap(),
            json
        );
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["", "[", "{", "files = 3", "{}", "[3]", "= ="] {
            assert!(entries_from_text(text, "x").is_err(), "{text}");
        }
    }
}
