//! Reads the table of a group: `[case]`, then one step per line.
//!
//! | step | meaning |
//! |---|---|
//! | `contexture ARGS`, `NAME=VALUE contexture ARGS` | runs the program in the project folder |
//! | `… < FILE`, `… <<< TEXT` | with a file, or with a text, as standard input |
//! | `$id = contexture ARGS` | keeps what is printed: `$id` means it in later steps and in the record |
//! | `$id = POST …` | keeps the field `id` of the answer |
//! | `write PATH TEXT`, `remove PATH`, `git ARGS` | changes the project |
//! | `start serve ARGS`, `start mcp ARGS` | starts a server for the rest of the case |
//! | `POST PATH JSON`, `GET PATH` | asks `serve` |
//! | `LIST PATH` | asks `serve` for its OpenAPI document; only paths and methods are recorded |
//! | `CALL METHOD JSON` | asks `mcp` |
//!
//! Words are split at spaces. Single quotes keep a word together; in them, `\n`, `\0`, `\'` and `\\` mean what they mean in Rust.

pub struct Case<'a> {
    pub name: &'a str,
    /// The lines as they are written in the table.
    pub steps: Vec<&'a str>,
}

pub fn parse(table: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case> = Vec::new();
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            assert!(cases.iter().all(|case| case.name != name), "two cases are called `{name}`");
            cases.push(Case { name, steps: Vec::new() });
        } else {
            cases.last_mut().unwrap_or_else(|| panic!("a step before the first case: {line}")).steps.push(line);
        }
    }
    cases
}

pub fn words(step: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    let mut letters = step.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            ' ' if !is_quoted => words.extend(word.take()),
            '\\' if is_quoted => word.get_or_insert_default().push(match letters.next() {
                Some('n') => '\n',
                Some('0') => '\0',
                Some(same @ ('\'' | '\\')) => same,
                other => panic!("unknown escape {other:?}: {step}"),
            }),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    assert!(!is_quoted, "a quote is not closed: {step}");
    words.extend(word);
    words
}
