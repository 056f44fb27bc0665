//! An independent reader of our Markdown documents: it knows CommonMark's rules for headings and fenced code, the one rule
//! that a path is in a code span, in a level-three heading or at the beginning of an item of a list, and nothing of how documents are written.

/// What a reader gets back from a document.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Recovered {
    /// The path; quoted names are decoded, lone surrogates stand for bytes as U+10FF00 + byte.
    pub path: String,
    pub label: String,
    /// The text of the fence, if the block has one.
    pub text: Option<String>,
}

/// Every file of the document, in order. Sections other than `## Files…` are passed over.
pub fn recover(document: &str) -> Vec<Recovered> {
    let mut files: Vec<Recovered> = Vec::new();
    let mut in_files = false;
    let mut lines = Lines { rest: document };
    while let Some((line, _)) = lines.next() {
        if let Some(title) = heading(line, 2) {
            in_files = title == "Files" || title.starts_with("Files (");
            continue;
        }
        if let Some(title) = heading(line, 3).filter(|_| in_files) {
            let (path, label) = parse_title(title);
            files.push(Recovered { path, label, text: None });
            continue;
        }
        if let Some(title) = line.strip_prefix("- ").filter(|title| in_files && title.starts_with('`')) {
            let (path, label) = parse_title(title);
            files.push(Recovered { path, label, text: None });
            continue;
        }
        if let Some(fence) = opening_fence(line) {
            let text = lines.until_closed(&fence);
            let unended = fence.info.split_whitespace().any(|word| word == "no-final-newline");
            let text = if unended { text.strip_suffix('\n').expect("the newline that was added") } else { text };
            if let Some(file) = files.last_mut().filter(|file| in_files && file.text.is_none()) {
                file.text = Some(text.to_owned());
            }
        }
    }
    files
}

struct Lines<'a> {
    rest: &'a str,
}

impl<'a> Lines<'a> {
    /// A line without its end, and its end. CommonMark knows `\n`, `\r\n` and a lone `\r`.
    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        if self.rest.is_empty() {
            return None;
        }
        let at = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
        let end = if self.rest[at..].starts_with("\r\n") { 2 } else { usize::from(at < self.rest.len()) };
        let (line, tail) = self.rest.split_at(at);
        let (ending, rest) = tail.split_at(end);
        self.rest = rest;
        Some((line, ending))
    }

    fn until_closed(&mut self, fence: &Fence) -> &'a str {
        let start = self.rest;
        loop {
            let before = self.rest;
            let Some((line, _)) = self.next() else { panic!("a fence that nothing closes") };
            if closes(line, fence) {
                return &start[..start.len() - before.len()];
            }
        }
    }
}

fn heading(line: &str, level: usize) -> Option<&str> {
    let trimmed = line.trim_start_matches(' ');
    if line.len() - trimmed.len() > 3 {
        return None;
    }
    let rest = trimmed.strip_prefix(&"#".repeat(level))?;
    (!rest.starts_with('#') && (rest.is_empty() || rest.starts_with([' ', '\t']))).then(|| rest.trim())
}

struct Fence {
    mark: char,
    length: usize,
    info: String,
}

fn opening_fence(line: &str) -> Option<Fence> {
    let trimmed = line.trim_start_matches(' ');
    if line.len() - trimmed.len() > 3 {
        return None;
    }
    let mark = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = trimmed.chars().take_while(|c| *c == mark).count();
    let info = trimmed[length..].trim().to_owned();
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Fence { mark, length, info })
}

fn closes(line: &str, fence: &Fence) -> bool {
    let trimmed = line.trim_start_matches(' ');
    let run = trimmed.chars().take_while(|c| *c == fence.mark).count();
    line.len() - trimmed.len() <= 3 && run >= fence.length && trimmed[run..].trim_matches([' ', '\t']).is_empty()
}

fn parse_title(title: &str) -> (String, String) {
    let inner = title.strip_prefix('`').expect("a code span");
    let (name, label) = inner.split_once('`').expect("a closed code span");
    let path = if name.starts_with('"') { unquote(name) } else { name.to_owned() };
    (path, label.trim().trim_matches(['(', ')']).to_owned())
}

/// A JSON string, with lone surrogates U+DC80–U+DCFF allowed.
fn unquote(name: &str) -> String {
    let mut out = String::new();
    let mut units: Vec<u16> = Vec::new();
    let body = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).expect("a quoted name");
    let mut chars = body.chars();
    let flush = |units: &mut Vec<u16>, out: &mut String| {
        for unit in char::decode_utf16(units.drain(..)) {
            out.push(unit.unwrap_or_else(|lone| {
                char::from_u32(0x10FF00 + u32::from(lone.unpaired_surrogate() & 0xff)).expect("a private character")
            }));
        }
    };
    while let Some(c) = chars.next() {
        if c != '\\' {
            flush(&mut units, &mut out);
            out.push(c);
            continue;
        }
        match chars.next().expect("an escape") {
            'u' => {
                let hex: String = chars.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&hex, 16).expect("four hexadecimal digits"));
            }
            other => {
                flush(&mut units, &mut out);
                out.push(match other {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    same => same,
                });
            }
        }
    }
    flush(&mut units, &mut out);
    out
}
