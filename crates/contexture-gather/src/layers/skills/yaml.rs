//! YAML of a frontmatter, and the YAML that people write by hand.
//!
//! Takes the lines between `---` and `---`; gives a map, and the lines that had to be put into quotes to be read. Depth,
//! size and aliases are bounded by the parser.

use serde_json::{Map, Value};
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy};

pub struct Matter {
    pub fields: Map<String, Value>,
    /// Lines of the file.
    pub quoted: Vec<usize>,
}

/// `above` is how many lines of the file stand before these. An error comes with its line and its cause.
pub fn read(lines: &[&str], above: usize) -> Result<Matter, (usize, String)> {
    let first = match parse(&lines.concat()) {
        Ok(fields) => return Ok(Matter { fields, quoted: Vec::new() }),
        Err(error) => error,
    };
    let (text, quoted) = quote(lines);
    if !quoted.is_empty()
        && let Ok(fields) = parse(&text)
    {
        return Ok(Matter { fields, quoted: quoted.into_iter().map(|index| above + index + 1).collect() });
    }
    let (line, cause) = first;
    Err((above + line.clamp(1, lines.len().max(1)), cause))
}

/// The map, or the line in the text and the cause.
fn parse(text: &str) -> Result<Map<String, Value>, (usize, String)> {
    let options = serde_saphyr::options! {
        // Fields that matter here lie three levels deep at most.
        budget: serde_saphyr::budget! { max_depth: 32, max_nodes: 20_000, max_aliases: 100 },
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        // A skill named `on` is not named `true`.
        strict_booleans: true,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    };
    match serde_saphyr::from_str_with_options::<Value>(text, options) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err((1, "not a list of `key: value`".to_owned())),
        Err(error) => {
            let line = error.location().map_or(1, |location| location.line() as usize);
            let told = error.without_snippet().to_string();
            // The parser names the line in the frontmatter; people see the line in the file.
            let cause = told.split(" at line ").next().unwrap_or_default().lines().next().unwrap_or_default();
            Err((line, cause.to_owned()))
        }
    }
}

/// Puts values into quotes that are no YAML as they stand: `description: Use this: always`. Lines that go on below such a
/// value belong to it. Gives the text, with as many lines, and the indices of what was quoted.
fn quote(lines: &[&str]) -> (String, Vec<usize>) {
    let mut text = String::new();
    let mut quoted = Vec::new();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        let line = line.trim_end();
        let indent = line.len() - line.trim_start().len();
        index += 1;
        let Some((key, value)) = split(line).filter(|(_, value)| needs_quotes(value)) else {
            text.push_str(line);
            text.push('\n');
            continue;
        };
        quoted.push(index - 1);
        let mut whole = value.to_owned();
        let mut taken = 0;
        while let Some(next) = lines.get(index).filter(|next| next.len() - next.trim_start().len() > indent) {
            whole.push(' ');
            whole.push_str(next.trim());
            index += 1;
            taken += 1;
        }
        text.push_str(key);
        text.push_str(": ");
        // A JSON string is a YAML string.
        text.push_str(&Value::String(whole).to_string());
        text.push_str(&"\n".repeat(taken + 1));
    }
    (text, quoted)
}

/// A key with the white space before it, and its value on the same line.
fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(": ")?;
    let name = key.trim_start();
    let is_key =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    is_key.then(|| (key, value.trim())).filter(|(_, value)| !value.is_empty())
}

fn needs_quotes(value: &str) -> bool {
    let ends = |sign: char| value.len() > 1 && value.ends_with(sign);
    match value.chars().next() {
        Some(sign @ ('"' | '\'')) => !ends(sign),
        Some('[') => !ends(']'),
        Some('{') => !ends('}'),
        Some('|' | '>') => false,
        Some('@' | '`' | '%' | '*' | '&' | '!' | ',' | ']' | '}') => true,
        _ => value.contains(": ") || value.ends_with(':') || value.contains(":\t"),
    }
}
