//! `cargo xtask docs [PACKAGE…]`: whatever an outsider can reach of the libraries says what it is for, and no link leads nowhere.
//!
//! Takes names of libraries, all when there are none, and what rustdoc reports of the workspace; gives a line for each library, or an
//! error that lists every public item without a sentence. Fields and variants may speak for themselves. All packages are documented
//! at once, so that what lints compiled of their dependencies is used again.

use crate::proc;
use std::process::Stdio;
use xtask::packages::{CONVERSATIONS, CORE, GATHER, LIBRARY, PROVIDERS, SYNTAX};

/// The crates that outsiders use.
const LIBRARIES: &[&str] = &[SYNTAX, CORE, GATHER, CONVERSATIONS, PROVIDERS, LIBRARY];

pub fn run(args: &[String]) -> Result<(), String> {
    if let Some(word) = args.iter().find(|word| !LIBRARIES.contains(&word.as_str())) {
        return Err(format!("no library is called `{word}`, there are: {}", LIBRARIES.join(", ")));
    }
    let flags = "-W missing_docs -D rustdoc::broken_intra_doc_links -D rustdoc::private_intra_doc_links";
    let mut command = proc::cargo();
    command
        .args(["doc", "--workspace", "--lib", "--no-deps", "--message-format", "json,json-diagnostic-short"])
        .env("RUSTDOCFLAGS", flags);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start `{}`: {error}", proc::words(&command)))?;
    let report = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let errors: Vec<String> = report.lines().filter_map(rendered).filter(|line| line.contains(": error")).collect();
        let cause =
            if errors.is_empty() { String::from_utf8_lossy(&output.stderr).into_owned() } else { errors.join("\n  ") };
        return Err(format!("`{}` failed: {}\n  {cause}", proc::words(&command), output.status));
    }
    let chosen = LIBRARIES.iter().filter(|library| args.is_empty() || args.iter().any(|word| word == *library));
    let mut missing = Vec::new();
    for library in chosen {
        let found = undocumented(&report, library)?;
        println!("{library}: public items without documentation: {}", found.len());
        missing.extend(found);
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("public items without documentation: {}\n  {}", missing.len(), missing.join("\n  ")))
    }
}

/// The public items of a library that lack a sentence, from cargo's messages. They are known by the name of the lint, which is no prose; a
/// compiler that does not know it any more did not look.
fn undocumented(report: &str, library: &str) -> Result<Vec<String>, String> {
    if let Some(line) = report.lines().find(|line| line.contains(r#""code":"unknown_lints""#)) {
        return Err(format!(
            "rustdoc does not know a lint, change xtask/src/docs.rs: {}",
            rendered(line).unwrap_or_default()
        ));
    }
    let folder = format!("crates/{library}/");
    let of_lint = report.lines().filter(|line| line.contains(r#""code":"missing_docs""#)).filter_map(rendered);
    let needs_words = |line: &String| !line.ends_with("struct field") && !line.ends_with("variant");
    Ok(of_lint.filter(|line| line.starts_with(&folder)).filter(needs_words).collect())
}

/// `FILE:LINE:COLUMN: warning: …` of a message of cargo.
fn rendered(message: &str) -> Option<String> {
    let (_, rest) = message.split_once(r#""rendered":""#)?;
    let (text, _) = rest.split_once(r#"\n""#)?;
    Some(text.replace(r#"\""#, "\"").replace(r"\\", r"\"))
}

#[cfg(test)]
mod tests {
    use super::{run, undocumented};

    fn message(code: &str, rendered: &str) -> String {
        format!(
            r#"{{"reason":"compiler-message","message":{{"rendered":"{rendered}\n","code":{{"code":"{code}","explanation":null}}}}}}"#
        )
    }

    #[test]
    fn items_of_a_library_are_listed_and_fields_are_not() {
        let core = |place: &str, kind: &str| {
            message(
                "missing_docs",
                &format!("crates/contexture-core/src/a.rs:{place}: warning: missing documentation for a {kind}"),
            )
        };
        let report = [
            core("1:1", "struct"),
            core("2:5", "struct field"),
            core("4:5", "variant"),
            message(
                "missing_docs",
                "crates/contexture-gather/src/b.rs:4:5: warning: missing documentation for an associated function",
            ),
            message("dead_code", "crates/contexture-core/src/a.rs:9:1: warning: function `a` is never used"),
        ]
        .join("\n");
        let core = undocumented(&report, "contexture-core").expect("known lints");
        assert_eq!(core, ["crates/contexture-core/src/a.rs:1:1: warning: missing documentation for a struct"]);
        assert_eq!(undocumented(&report, "contexture-gather").expect("known lints").len(), 1);
    }

    #[test]
    fn a_workspace_that_lacks_nothing_passes() {
        let report = r#"{"reason":"compiler-artifact","fresh":true}"#;
        assert_eq!(undocumented(report, "contexture-core"), Ok(Vec::new()));
    }

    #[test]
    fn a_lint_that_is_gone_is_an_error() {
        let report = message("unknown_lints", "warning: unknown lint: `missing_docs`");
        let error = undocumented(&report, "contexture-core").expect_err("nothing was looked at");
        assert!(error.ends_with("unknown lint: `missing_docs`"), "{error}");
    }

    #[test]
    fn an_unknown_library_is_named_with_the_known_ones() {
        let error = run(&["contexture-cor".to_owned()]).expect_err("unknown");
        assert!(error.starts_with("no library is called `contexture-cor`, there are: contexture-syntax, "), "{error}");
    }
}
