//! Previews: parts of a document as it was rendered, and what changed since the last run.

use super::client::Served;
use serde_json::{Value, json};

fn sections(preview: &Value) -> Vec<(String, String)> {
    let text = preview["text"].as_str().unwrap();
    let at = |section: &Value, key: &str| section[key].as_u64().unwrap() as usize;
    let all = preview["sections"].as_array().unwrap();
    let part = |section: &Value| {
        (section["title"].as_str().unwrap().to_owned(), text[at(section, "start")..at(section, "end")].to_owned())
    };
    all.iter().map(part).collect()
}

#[test]
fn sections_are_those_of_the_renderer_in_every_format() {
    let served = Served::with(&[
        // Headings and fences inside of files are no sections.
        ("a.md", "## Files\n\n```\n### `b.rs`\n````\n"),
        ("b.rs", "fn b() {}\n"),
    ]);
    for format in ["md", "xml", "json", "messages", "anthropic", "openai", "gemini", "responses"] {
        let request = json!({"request": {"format": format, "tree": "selected", "message": "why?"}});
        let preview = served.ask("preview", &request).json();
        let found = sections(&preview);
        let titles: Vec<&str> = found.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(titles, ["Tree", "Files", "a.md", "b.rs"], "{format}");
        assert!(found[3].1.contains("fn b()") && !found[2].1.contains("fn b()"), "{format}: {found:?}");
        assert!(found[1].1.contains(&found[2].1) && found[1].1.contains(&found[3].1), "{format}: {found:?}");
        assert_eq!(preview["sections"][2]["item"], json!({"path": "a.md", "kind": "file", "view": "full"}));
    }
    let diff = served.ask("preview", &json!({"request": {"format": "xml"}})).json();
    let found = sections(&diff);
    assert!(found[0].1.starts_with("<files>") && found[0].1.ends_with("</files>\n"), "{found:?}");
}

#[test]
fn lines_that_changed_are_told() {
    let served = Served::start();
    let built = served.ask("build", &json!({})).json();
    served.write("src/main.rs", "fn main() {\n    let words = [\"a\", \"b\"];\n    for word in words {\n        println!(\"{word}\");\n    }\n}\n");
    let preview = served.ask("preview", &json!({})).json();
    let last = &preview["last"];
    assert_eq!((&last["run"], &last["same"]), (&built["run"], &json!(false)));
    let first = &last["first_difference"];
    assert_eq!(
        (&first["item"], &first["cause"], &first["exact"]),
        (&json!("src/main.rs"), &json!("content"), &json!(true))
    );
    assert_eq!(last["changed"][0]["path"], json!("src/main.rs"));
    let lines = &last["lines"];
    assert_eq!((&lines["added"], &lines["removed"]), (&json!(1), &json!(1)));
    let hunk = &lines["hunks"][0];
    let changed: Vec<&Value> = hunk["lines"].as_array().unwrap().iter().filter(|line| line[0] != " ").collect();
    assert_eq!(*changed[0], json!(["-", "    let words = [\"a\", \"b\", \"c\"];", 0]));
    assert_eq!(*changed[1], json!(["+", "    let words = [\"a\", \"b\"];", 0]));
    assert_eq!(hunk["item"], json!("src/main.rs"));
    // Its place is that of the first line that differs, and the numbers are those of the text.
    let text = preview["text"].as_str().unwrap();
    let byte = hunk["byte"].as_u64().unwrap() as usize;
    assert!(text[byte..].starts_with("    let words"), "{}", &text[byte..]);
    let number = text[..byte].matches('\n').count() as u64 + 1;
    assert_eq!(hunk["new_start"].as_u64().unwrap() + 3, number);
    assert_eq!(last["kept"]["exact"], json!(true));
}

#[test]
fn without_its_text_items_are_told() {
    let served = Served::start();
    let built = served.ask("build", &json!({})).json();
    std::fs::remove_file(served.folder.path().join("project").join(built["path"].as_str().unwrap())).unwrap();
    served.write("README.md", "# Other\n");
    let last = served.ask("preview", &json!({})).json()["last"].clone();
    assert_eq!(last["lines"], json!(null));
    assert_eq!((&last["changed"][0]["path"], &last["first_difference"]["exact"]), (&json!("README.md"), &json!(false)));
    // A file that was only edited is not taken for the run's.
    let again = served.ask("build", &json!({})).json();
    let file = served.folder.path().join("project").join(again["path"].as_str().unwrap());
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("Other", "Ozher")).unwrap();
    served.write("README.md", "# Third\n");
    assert_eq!(served.ask("preview", &json!({})).json()["last"]["lines"], json!(null));
}

#[test]
fn a_run_whose_files_are_unchanged_is_made_again_to_be_compared() {
    let served = Served::start();
    let built = served.ask("build", &json!({})).json();
    std::fs::remove_file(served.folder.path().join("project").join(built["path"].as_str().unwrap())).unwrap();
    let request = json!({"request": {"composition": ["**", {"path": "README.md", "auto_aggregate": false}]}});
    let last = served.ask("preview", &request).json()["last"].clone();
    assert_eq!(last["removed"][0]["path"], json!("README.md"));
    assert!(last["lines"]["removed"].as_u64().unwrap() > 3, "{last}");
    assert_eq!(last["lines"]["hunks"][0]["item"], json!("README.md"));
}

#[test]
fn many_lines_are_counted_and_not_told() {
    let long: String = (0..5_000).map(|n| format!("line {n}\n")).collect();
    let served = Served::with(&[("a.txt", &long), ("b.txt", &"y".repeat(5_000))]);
    served.ask("build", &json!({}));
    served.write("a.txt", &long.replace("line", "row"));
    served.write("b.txt", &"z".repeat(5_000));
    let lines = served.ask("preview", &json!({})).json()["last"]["lines"].clone();
    assert_eq!((lines["added"].as_u64(), lines["removed"].as_u64()), (Some(5_001), Some(5_001)));
    let told: usize =
        lines["hunks"].as_array().unwrap().iter().map(|hunk| hunk["lines"].as_array().unwrap().len()).sum();
    assert_eq!(told, 2_000);
    assert!(lines["left"]["lines"].as_u64().unwrap() > 8_000, "{}", lines["left"]);
}
