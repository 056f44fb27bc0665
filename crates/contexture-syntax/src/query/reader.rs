//! The text of a query file, read into patterns. An error names the line.

use super::*;

/// Patterns deeper than this are a mistake.
const DEEPEST: usize = 12;

pub(super) struct QueryReader<'a> {
    pub(super) rest: &'a str,
    pub(super) query: &'a str,
    pub(super) grammar: &'a Language,
}

impl<'a> QueryReader<'a> {
    /// Skips white space and comments; false at the end.
    pub(super) fn skip(&mut self) -> bool {
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix(';') {
                Some(comment) => self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest),
                None => return !self.rest.is_empty(),
            }
        }
    }

    fn take(&mut self, mark: char) -> bool {
        self.skip();
        self.rest.strip_prefix(mark).map(|rest| self.rest = rest).is_some()
    }

    fn word(&mut self) -> &'a str {
        self.skip();
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn wrong<T>(&self, what: &str) -> Result<T, String> {
        let line = self.query[..self.query.len() - self.rest.len()].lines().count();
        Err(format!("line {line}: {what}"))
    }

    /// One pattern or a list of alternatives, with the capture behind it.
    pub(super) fn shapes(&mut self, depth: usize) -> Result<Vec<Shape>, String> {
        if depth > DEEPEST {
            return self.wrong("patterns are nested too deep");
        }
        let mut shapes = Vec::new();
        if self.take('[') {
            while !self.take(']') {
                if self.rest.is_empty() {
                    return self.wrong("`[` is not closed");
                }
                let mut more = self.shapes(depth + 1)?;
                self.capture(&mut more)?;
                shapes.extend(more);
            }
        } else if self.take('(') {
            shapes.push(self.shape(depth)?);
        } else if self.take('"') {
            shapes.push(Shape { kinds: vec![self.token()?], ..Shape::default() });
        } else if self.take('_') {
            shapes.push(Shape::default());
        } else {
            return self.wrong("a pattern was expected");
        }
        Ok(shapes)
    }

    /// What stands between the parentheses.
    fn shape(&mut self, depth: usize) -> Result<Shape, String> {
        let kinds = match self.word() {
            "_" => Vec::new(),
            "" => return self.wrong("a node kind was expected"),
            word => vec![self.kind(word, true)?],
        };
        let mut shape = Shape { kinds, ..Shape::default() };
        loop {
            if self.take(')') {
                return Ok(shape);
            }
            if self.take('=') {
                let end = self.rest.find([' ', '\n', ')']).unwrap_or(self.rest.len());
                let (text, rest) = self.rest.split_at(end);
                shape.texts.push(text.to_owned());
                self.rest = rest;
                continue;
            }
            if self.take('!') {
                if self.take('"') {
                    shape.lacks.push(self.token()?);
                } else {
                    let field = self.word();
                    shape.without.push(self.field(field)?);
                }
                continue;
            }
            let mut first = self.take('.');
            if first && self.take(')') {
                if let Some(child) = shape.children.last_mut() {
                    child.last = true;
                }
                return Ok(shape);
            }
            let mut after = Vec::new();
            if let Some(before) = shape.children.last().filter(|_| first) {
                after.clone_from(&before.shapes);
                first = false;
            }
            self.skip();
            let field = match self.rest.find(|c: char| !c.is_alphanumeric() && c != '_') {
                Some(end) if end > 0 && self.rest[end..].starts_with(':') => {
                    let word = self.word();
                    self.take(':');
                    Some(self.field(word)?)
                }
                _ => None,
            };
            let mut shapes = self.shapes(depth + 1)?;
            let grammar = self.grammar;
            let token = shapes.iter().flat_map(|shape| &shape.kinds).any(|kind| !grammar.node_kind_is_named(*kind));
            let optional = self.take('?');
            let every = self.take('+');
            self.capture(&mut shapes)?;
            let names = shapes.iter().any(Shape::captures_name);
            shape.children.push(Child { field, optional, first, last: false, after, every, token, shapes, names });
        }
    }

    /// The capture behind a part of a pattern, if there is one.
    fn capture(&mut self, shapes: &mut [Shape]) -> Result<(), String> {
        if !self.take('@') {
            return Ok(());
        }
        let word = self.word();
        if let Some(kind) = SymbolKind::from_word(word) {
            for shape in shapes {
                shape.defines = Some(Role::Define(kind));
                // Its name is what was captured in it, else all of it.
                if !shape.captures_name() {
                    shape.capture = Some(Capture::Name);
                }
            }
            return Ok(());
        }
        let is_body = word == "anonymous";
        let capture = if is_body { Some(Capture::Body) } else { Capture::from_word(word) };
        let Some(capture) = capture else {
            return self.wrong(&format!("unknown capture in a pattern: `@{word}`"));
        };
        for shape in shapes {
            shape.capture = Some(capture);
            if is_body {
                shape.defines = Some(Role::Anonymous);
            }
        }
        Ok(())
    }

    pub(super) fn role(&mut self) -> Result<Role, String> {
        if !self.take('@') {
            return self.wrong("a pattern says by its capture what it is");
        }
        Ok(match self.word() {
            "inside" => Role::Inside,
            "block" => Role::Block,
            "comment" => Role::Comment,
            "attribute" => Role::Attribute,
            "wrapper" => Role::Wrapper,
            "decorated" => Role::Decorated,
            "anonymous" => Role::Anonymous,
            "section" => Role::Section,
            "export" => Role::Export,
            "said" => Role::Said,
            "word" => Role::Word,
            "preface" => Role::Preface,
            word => match SymbolKind::from_word(word) {
                Some(kind) => Role::Define(kind),
                None => return self.wrong(&format!("unknown capture on a pattern: `@{word}`")),
            },
        })
    }

    /// A node without a name of its own, behind the quote that its text begins with.
    fn token(&mut self) -> Result<u16, String> {
        let Some((word, rest)) = self.rest.split_once('"') else { return self.wrong("a string is not closed") };
        self.rest = rest;
        self.kind(word, false)
    }

    fn kind(&self, word: &str, named: bool) -> Result<u16, String> {
        match self.grammar.id_for_node_kind(word, named) {
            0 => self.wrong(&format!("the grammar has no node `{word}`")),
            id => Ok(id),
        }
    }

    fn field(&self, word: &str) -> Result<u16, String> {
        match self.grammar.field_id_for_name(word) {
            Some(id) => Ok(id.get()),
            None => self.wrong(&format!("the grammar has no field `{word}`")),
        }
    }
}
