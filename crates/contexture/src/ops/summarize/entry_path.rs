//! Which file of which project an entry was asked for.
//!
//! The store is shared by all projects of a user, and many have a `src/main.rs`. So what is kept as path of an entry is the name of
//! the project, a colon and the path; a colon in the name is written as a dash. Who finds an entry by content does not care.

pub fn entry_path(project: &str, path: &str) -> String {
    format!("{}:{path}", project.replace(':', "-"))
}

/// The path in this project; `None` where the entry is of another one, or nobody knows of which.
pub fn path_in<'a>(project: &str, entry: &'a str) -> Option<&'a str> {
    let (of, path) = entry.split_once(':')?;
    let plain = project.chars().map(|c| if c == ':' { '-' } else { c });
    of.chars().eq(plain).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_do_not_see_each_others_paths() {
        let entry = entry_path("app", "src/a:b.rs");
        assert_eq!(path_in("app", &entry), Some("src/a:b.rs"));
        assert_eq!(path_in("ap", &entry), None);
        assert_eq!(path_in("a:b", &entry_path("a:b", "c")), Some("c"));
        assert_eq!(path_in("app", "src/main.rs"), None);
    }
}
