//! The list of operations: every answer has a schema, and the panel's types are made from this list.

use super::client::Served;
use serde_json::Value;

/// What the panel's types are made from; see `web/scripts/types.mjs`.
const PANEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");

#[test]
fn every_answer_has_a_schema() {
    let list: Value = Served::start().get("/openapi.json").json();
    let paths = list["paths"].as_object().unwrap();
    assert!(paths.len() > 60, "{}", paths.len());
    let mut without = Vec::new();
    for (path, methods) in paths.iter().filter(|(path, _)| path.starts_with("/api/") && *path != "/api/events") {
        let answer = &methods.as_object().unwrap().values().next().unwrap()["responses"]["200"]["content"];
        let schema = answer.as_object().and_then(|kinds| kinds.values().next()).map(|kind| &kind["schema"]);
        if schema.is_none_or(|schema| schema.as_object().is_none_or(|schema| schema.is_empty())) {
            without.push(path.as_str());
        }
    }
    assert_eq!(without, [""; 0], "operations whose answer has no schema");
}

#[test]
fn the_panel_has_the_list_of_the_server() {
    let list: Value = Served::start().get("/openapi.json").json();
    let text = serde_json::to_string_pretty(&list).unwrap() + "\n";
    if std::env::var("INSTA_UPDATE").is_ok_and(|word| word == "always") {
        std::fs::write(PANEL, &text).unwrap();
    }
    let known = std::fs::read_to_string(PANEL).unwrap_or_default();
    assert!(
        known == text,
        "web/openapi.json is stale: run `INSTA_UPDATE=always cargo nextest run -p contexture-server --test http openapi`, then `npm run types` in web/"
    );
}
