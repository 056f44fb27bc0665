//! The documentation of the libraries: whatever an outsider can reach says what it is for, and no link leads nowhere.
//!
//! Takes what rustdoc says of the workspace; gives an error that lists every public item of the libraries without a sentence. Fields and
//! variants may speak for themselves. All packages are named, so that what lints compiled of their dependencies is used again.

use crate::proc;
use std::process::Stdio;

/// The crates that outsiders use.
const LIBRARIES: &[&str] = &["contexture-syntax", "contexture-core", "contexture-gather"];

/// What rustdoc writes before the kind of an item.
const MISSING: &str = "missing documentation for a";

pub fn run() -> Result<(), String> {
    let flags = "-W missing_docs -D rustdoc::broken_intra_doc_links -D rustdoc::private_intra_doc_links";
    let mut command = proc::cargo();
    command.args(["doc", "--workspace", "--lib", "--no-deps", "--message-format", "short"]).env("RUSTDOCFLAGS", flags);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start `{}`: {error}", proc::words(&command)))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let errors: Vec<&str> = said.lines().filter(|line| line.contains("error")).collect();
        return Err(format!("`{}` failed: {}\n  {}", proc::words(&command), output.status, errors.join("\n  ")));
    }
    // Not all crates are documented: a run that misses nothing anywhere did not look.
    if !said.contains(MISSING) {
        return Err(format!("rustdoc no longer says `{MISSING}`: change xtask/src/docs.rs"));
    }
    let missing = undocumented(&said);
    if missing.is_empty() {
        println!("public items of {} say what they are for", LIBRARIES.join(", "));
        Ok(())
    } else {
        Err(format!("public items without documentation: {}\n  {}", missing.len(), missing.join("\n  ")))
    }
}

/// The lines about items of the libraries, without fields and variants.
fn undocumented(said: &str) -> Vec<&str> {
    let of_library = |line: &str| {
        let file = line.strip_prefix("crates/").and_then(|rest| rest.split('/').next());
        file.is_some_and(|name| LIBRARIES.contains(&name))
    };
    let needs_words = |line: &&str| {
        line.split_once(MISSING).is_some_and(|(_, kind)| !kind.ends_with("struct field") && !kind.ends_with("variant"))
    };
    said.lines().filter(|line| of_library(line)).filter(needs_words).collect()
}

#[cfg(test)]
mod tests {
    use super::undocumented;

    #[test]
    fn items_of_libraries_are_told_and_fields_are_not() {
        let said = "crates/contexture-core/src/a.rs:1:1: warning: missing documentation for a struct\n\
                    crates/contexture-core/src/a.rs:2:5: warning: missing documentation for a struct field\n\
                    crates/contexture-core/src/a.rs:4:5: warning: missing documentation for a variant\n\
                    crates/contexture-gather/src/b.rs:4:5: warning: missing documentation for an associated function\n\
                    crates/contexture-server/src/c.rs:1:1: warning: missing documentation for a function\n\
                    warning: `contexture-core` (lib doc) generated 3 warnings\n";
        assert_eq!(
            undocumented(said),
            [
                "crates/contexture-core/src/a.rs:1:1: warning: missing documentation for a struct",
                "crates/contexture-gather/src/b.rs:4:5: warning: missing documentation for an associated function",
            ]
        );
    }
}
