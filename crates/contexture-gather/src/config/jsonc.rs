//! JSON as people write it, with comments and commas at the end, changed without touching any other byte.
//!
//! Takes a text and a path of keys; gives new text. An edit replaces, inserts or cuts the bytes of one member, and is then
//! proved: the new text is read again and must say the same as before but for that member. Touches no file.

use super::error::{Problem, clip};
use serde_json::{Map, Value};

/// Deeper than any settings file, and far from the end of a stack.
const DEEPEST: usize = 100;

/// A value and where it stands.
struct Node {
    span: (usize, usize),
    kind: Kind,
}

enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar(Value),
}

struct Member {
    name: String,
    /// Where its name begins.
    at: usize,
    value: Node,
    /// Behind the comma that follows it.
    comma: Option<usize>,
}

impl Node {
    fn value(&self) -> Value {
        match &self.kind {
            Kind::Object(members) => {
                members.iter().map(|member| (member.name.clone(), member.value.value())).collect::<Map<_, _>>().into()
            }
            Kind::Array(items) => items.iter().map(Self::value).collect(),
            Kind::Scalar(value) => value.clone(),
        }
    }
}

/// Puts a value under a section, in the place of what is there. A missing section is made.
pub(super) fn put(text: &str, section: &str, name: &str, value: &Value) -> Result<String, Problem> {
    let nl = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let before = read(text)?;
    let Some(root) = &before else {
        let mut whole = Map::new();
        whole.insert(section.into(), Value::Object([(name.to_owned(), value.clone())].into_iter().collect()));
        let written = pretty(&whole.into(), "", "  ", nl);
        let gap = if text.is_empty() || text.ends_with('\n') || text.starts_with('\u{feff}') { "" } else { nl };
        return proved(text, format!("{text}{gap}{written}{nl}"), section, name, Some(value));
    };
    let members = object(root, "")?;
    let unit = unit(text, members);
    let new = match one(members, section)? {
        None => {
            let inner = Value::Object([(name.to_owned(), value.clone())].into_iter().collect());
            insert(text, root, members, section, &inner, &unit, nl)
        }
        Some(found) => {
            let inside = object(&found.value, section)?;
            match one(inside, name)? {
                Some(old) if old.value.value() == *value => return Ok(text.to_owned()),
                Some(old) => splice(text, old.value.span, &pretty(value, indent(text, old.at), &unit, nl)),
                None => insert(text, &found.value, inside, name, value, &unit, nl),
            }
        }
    };
    proved(text, new, section, name, Some(value))
}

/// What stands under a section by this name.
pub(super) fn get(text: &str, section: &str, name: &str) -> Result<Option<Value>, Problem> {
    let Some(root) = read(text)? else { return Ok(None) };
    let Some(found) = one(object(&root, "")?, section)? else { return Ok(None) };
    Ok(one(object(&found.value, section)?, name)?.map(|member| member.value.value()))
}

/// Cuts a member out of a section. A missing one is no error.
pub(super) fn remove(text: &str, section: &str, name: &str) -> Result<String, Problem> {
    let Some(root) = read(text)? else { return Ok(text.to_owned()) };
    let Some(found) = one(object(&root, "")?, section)? else { return Ok(text.to_owned()) };
    let members = object(&found.value, section)?;
    let Some(place) = members.iter().position(|member| member.name == name) else { return Ok(text.to_owned()) };
    one(members, name)?;
    let member = &members[place];
    let mut end = member.comma.unwrap_or(member.value.span.1);
    let line = text[..member.at].trim_end_matches([' ', '\t']);
    let above = line.strip_suffix('\n').map(|above| above.strip_suffix('\r').unwrap_or(above).len());
    let mut start = above.unwrap_or(member.at);
    if above.is_none() {
        // In one line with others: the space that set it apart goes too.
        end += text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
    }
    let previous = place.checked_sub(1).map(|previous| &members[previous]);
    if let (Some(comma), None) = (previous.and_then(|previous| previous.comma), member.comma) {
        // The comma before it was there for its sake.
        if above.is_none() {
            start = comma;
        }
        let new = cut(&cut(text, (start, end)), (comma - 1, comma));
        return proved(text, new, section, name, None);
    }
    let mut new = cut(text, (start, end));
    if members.len() == 1 {
        // What is left of an object with nothing in it.
        let (from, to) = (found.value.span.0 + 1, found.value.span.1 - 1 - (end - start));
        if new[from..to].trim().is_empty() {
            new = cut(&new, (from, to));
        }
    }
    proved(text, new, section, name, None)
}

/// A new member behind the last one.
fn insert(text: &str, at: &Node, members: &[Member], name: &str, value: &Value, unit: &str, nl: &str) -> String {
    let outer = indent(text, at.span.0);
    let key = Value::from(name);
    let Some(last) = members.last() else {
        let inner = format!("{outer}{unit}");
        let member = format!("{nl}{inner}{key}: {}{nl}{outer}", pretty(value, &inner, unit, nl));
        // Comments in an empty object stay before it.
        let inside = &text[at.span.0 + 1..at.span.1 - 1];
        let kept = inside.trim_end();
        return splice(text, (at.span.0 + 1 + kept.len(), at.span.1 - 1), &member);
    };
    let inner = indent(text, last.at);
    let is_lines = text[..last.at].trim_end_matches([' ', '\t']).ends_with('\n');
    let after = last.comma.unwrap_or(last.value.span.1);
    // A comment behind the last member stays with it, so the new one begins where that line ends.
    let rest = &text[after..at.span.1 - 1];
    let place = if is_lines {
        rest.find('\n').map_or(after, |end| after + rest[..end].trim_end_matches('\r').len())
    } else {
        after
    };
    let written = if is_lines {
        format!("{nl}{inner}{key}: {}", pretty(value, inner, unit, nl))
    } else {
        format!(" {key}: {value}")
    };
    let comma = if last.comma.is_some() { "," } else { "" };
    let new = splice(text, (place, place), &format!("{written}{comma}"));
    match last.comma {
        Some(_) => new,
        None => splice(&new, (last.value.span.1, last.value.span.1), ","),
    }
}

/// The new text, if it says what the old one said but for one member.
fn proved(old: &str, new: String, section: &str, name: &str, value: Option<&Value>) -> Result<String, Problem> {
    let apart = |text: &str| -> Result<(Value, Option<Value>), Problem> {
        let mut whole = read(text)?.map_or_else(|| Value::Object(Map::new()), |root| root.value());
        let taken = whole.get_mut(section).and_then(Value::as_object_mut).and_then(|members| members.remove(name));
        // A section that was made for it counts as none.
        let is_empty = whole.get(section).and_then(Value::as_object).is_some_and(Map::is_empty);
        if let (true, Some(root)) = (is_empty, whole.as_object_mut()) {
            root.remove(section);
        }
        Ok((whole, taken))
    };
    let ((before, _), (after, taken)) = (apart(old)?, apart(&new)?);
    if before == after && taken.as_ref() == value {
        return Ok(new);
    }
    let cause = format!("`{}` cannot be changed here without changing something else", clip(name));
    Err(Problem::new(0, name, cause).hint("edit the file by hand"))
}

fn object<'a>(node: &'a Node, name: &str) -> Result<&'a [Member], Problem> {
    match &node.kind {
        Kind::Object(members) => Ok(members),
        Kind::Array(_) | Kind::Scalar(_) => {
            let what = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
            Err(Problem::new(node.span.0, name, format!("{what} must be an object")).hint("edit the file by hand"))
        }
    }
}

fn one<'a>(members: &'a [Member], name: &str) -> Result<Option<&'a Member>, Problem> {
    let mut found = members.iter().filter(|member| member.name == name);
    match (found.next(), found.next()) {
        (_, Some(second)) => Err(Problem::new(second.at, name, format!("duplicate key: `{}`", clip(name)))
            .hint("each key may stand once; remove or rename one of the two")),
        (found, None) => Ok(found),
    }
}

/// The white space before what stands first on the line of `at`.
fn indent(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// How far one level is set in: as the first member of the file is.
fn unit(text: &str, members: &[Member]) -> String {
    let first = members.first().map(|member| indent(text, member.at)).unwrap_or_default();
    if first.is_empty() { "  ".into() } else { first.to_owned() }
}

fn pretty(value: &Value, outer: &str, unit: &str, nl: &str) -> String {
    let inner = format!("{outer}{unit}");
    match value {
        Value::Object(members) if !members.is_empty() => {
            let line = |(name, value): (&String, &Value)| {
                format!("{inner}{}: {}", Value::from(name.as_str()), pretty(value, &inner, unit, nl))
            };
            format!("{{{nl}{}{nl}{outer}}}", members.iter().map(line).collect::<Vec<_>>().join(&format!(",{nl}")))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(Value::to_string).collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

fn splice(text: &str, (start, end): (usize, usize), new: &str) -> String {
    [&text[..start], new, &text[end..]].concat()
}

fn cut(text: &str, span: (usize, usize)) -> String {
    splice(text, span, "")
}

/// `None` where there is nothing but white space and comments.
fn read(text: &str) -> Result<Option<Node>, Problem> {
    let mut reader = Reader { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    reader.space()?;
    if reader.at == text.len() {
        return Ok(None);
    }
    let node = reader.node(0)?;
    reader.space()?;
    if reader.at < text.len() { Err(reader.problem("something stands behind the end")) } else { Ok(Some(node)) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn problem(&self, cause: &str) -> Problem {
        Problem { at: self.at, key: None, cause: cause.to_owned(), hint: None }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// White space and comments.
    fn space(&mut self) -> Result<(), Problem> {
        loop {
            self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\r', '\n']).len();
            if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                match self.rest().find("*/") {
                    Some(end) => self.at += end + 2,
                    None => return Err(self.problem("a comment has no end")),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn node(&mut self, depth: usize) -> Result<Node, Problem> {
        if depth > DEEPEST {
            return Err(self.problem("nested too deep"));
        }
        let start = self.at;
        let kind = match self.rest().bytes().next() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Kind::Scalar(self.string()?.into()),
            Some(_) => self.word()?,
            None => return Err(self.problem("a value is missing")),
        };
        Ok(Node { span: (start, self.at), kind })
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Problem> {
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        loop {
            self.space()?;
            if self.eat("}") {
                return Ok(Kind::Object(members));
            }
            if members.last().is_some_and(|last| last.comma.is_none()) {
                return Err(self.problem("`,` or `}` is missing"));
            }
            let at = self.at;
            if !self.rest().starts_with('"') {
                return Err(self.problem("a name in quotes or `}` is missing"));
            }
            let name = self.string()?;
            self.space()?;
            if !self.eat(":") {
                return Err(self.problem("`:` is missing"));
            }
            self.space()?;
            let value = self.node(depth + 1)?;
            self.space()?;
            let comma = self.eat(",").then_some(self.at);
            members.push(Member { name, at, value, comma });
        }
    }

    fn array(&mut self, depth: usize) -> Result<Kind, Problem> {
        self.at += 1;
        let (mut items, mut is_open) = (Vec::new(), true);
        loop {
            self.space()?;
            if self.eat("]") {
                return Ok(Kind::Array(items));
            }
            if !is_open {
                return Err(self.problem("`,` or `]` is missing"));
            }
            items.push(self.node(depth + 1)?);
            self.space()?;
            is_open = self.eat(",");
        }
    }

    fn string(&mut self) -> Result<String, Problem> {
        let mut is_escaped = false;
        for (at, byte) in self.rest().bytes().enumerate().skip(1) {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    let word = &self.rest()[..=at];
                    let text = serde_json::from_str(word).map_err(|_| self.problem("no string of JSON"))?;
                    self.at += at + 1;
                    return Ok(text);
                }
                b'\n' => break,
                _ => {}
            }
        }
        Err(self.problem("a string has no end"))
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Kind, Problem> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let length = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
        let value = serde_json::from_str(&self.rest()[..length]).map_err(|_| self.problem("no value of JSON"))?;
        self.at += length;
        Ok(Kind::Scalar(value))
    }
}

#[cfg(test)]
mod tests;
