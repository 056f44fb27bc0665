//! Walks a tree along the nodes that a query file names, and writes down definitions and what a skeleton may leave out.
//!
//! Takes a tree, its text and the rules of its language; gives a [`Structure`]. The walk has a stack of its own, so depth
//! costs memory, not stack, and it is limited. What no rule names is never entered.

mod docs;
mod frame;

use crate::cuts::Cuts;
use crate::exports::Exports;
use crate::language::{DocPlace, Grammar, Language, MarkPlace, Nested};
use crate::names::{is_loud, is_quoted, split_name};
use crate::parse::{DEEPEST, Refusal};
use crate::query::{Captures, Flag, Pattern, Role};
use crate::structure::{Def, Span, Structure, SymbolKind, Visibility};
use crate::text::{adjacent, begins_line, column, trimmed};
use crate::visibility::{DefDraft, NamedVisibilities, follow_types, of_section, visibility};
use crate::words::Words;
use docs::docstring;
use frame::{Body, Code, Frame, FrameRole, Wrap};
use tree_sitter::{Node, Tree};

pub(crate) fn extract(language: &Language, compiled: &Grammar, tree: &Tree, text: &str) -> Result<Structure, Refusal> {
    let mut walk = Walk {
        language,
        compiled,
        text,
        defs: Vec::new(),
        cuts: Cuts::new(language, text),
        frames: Vec::new(),
        words: Words::of(text, &compiled.rules.words),
        exports: Exports::default(),
        exporting: false,
        named: NamedVisibilities::default(),
    };
    let mut cursor = tree.walk();
    walk.frames.push(Frame { kind: cursor.node().kind_id(), ..Frame::new(span(cursor.node(), text)) });
    if cursor.goto_first_child() {
        'nodes: loop {
            if walk.frames.len() > DEEPEST {
                return Err(Refusal::TooDeep);
            }
            if let Some(frame) = walk.visit(cursor.node()) {
                let barren = frame.barren;
                walk.frames.push(frame);
                if !barren && cursor.goto_first_child() {
                    continue;
                }
                walk.leave();
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() || walk.frames.len() < 2 {
                    break 'nodes;
                }
                walk.leave();
            }
        }
    }
    while !walk.frames.is_empty() {
        walk.leave();
    }
    walk.exports.finish(&mut walk.defs, text);
    walk.named.finish(&mut walk.defs, text);
    follow_types(&mut walk.defs, text);
    Ok(Structure { defs: walk.defs, cuts: walk.cuts.finish(), errors: tree.root_node().has_error() })
}

struct Walk<'a> {
    language: &'a Language,
    compiled: &'a Grammar,
    text: &'a str,
    defs: Vec<Def>,
    cuts: Cuts<'a>,
    frames: Vec<Frame>,
    words: Words<'a>,
    exports: Exports<'a>,
    /// Whether the node that is being visited is an export.
    exporting: bool,
    named: NamedVisibilities<'a>,
}

impl Walk<'_> {
    /// Notes what a node is; gives a frame when it is to be looked into.
    fn visit(&mut self, node: Node<'_>) -> Option<Frame> {
        let here = self.span(node);
        let mut entered = None;
        self.exporting = false;
        let parent = self.frames.last().map_or(0, |top| top.kind);
        for pattern in self.compiled.rules.of(node.kind_id()) {
            let is_member = || self.frames.last().is_some_and(|top| top.members);
            if !pattern.stands_in(parent) || pattern.is(Flag::Member) && !is_member() {
                continue;
            }
            match pattern.role {
                Role::Comment => {
                    if pattern.matches(node, self.text, |_| {}) {
                        self.comment(here);
                        return None;
                    }
                }
                Role::Attribute => {
                    if !pattern.matches(node, self.text, |_| {}) {
                        continue;
                    }
                    let top = self.frames.last_mut()?;
                    top.attributes.get_or_insert(here.start);
                    top.below_run.get_or_insert(here.start);
                    return None;
                }
                Role::Section => {
                    if let Some((said, top)) = of_section(here.of(self.text)).zip(self.frames.last_mut()) {
                        top.section = Some(said);
                    }
                    return None;
                }
                Role::Inside => entered = self.enter_inside(pattern, node, here),
                Role::Block => entered = Some(self.enter_block(node, here)),
                Role::Wrapper if self.frames.last().is_some_and(|top| top.in_body) && !self.words.any_in(here) => {}
                Role::Wrapper | Role::Decorated if !pattern.matches(node, self.text, |_| {}) => {}
                Role::Wrapper | Role::Decorated => entered = Some(self.enter_wrapper(pattern, node, here)),
                Role::Anonymous => {
                    let mut found = None;
                    pattern.matches(node, self.text, |one| found = Some(one));
                    if let Some(found) = found {
                        let mut frame = self.below(here);
                        self.enter_callable(&mut frame, &found, here);
                        entered = Some(frame);
                    }
                }
                Role::Define(kind) => entered = self.enter_definition(kind, pattern, node, here),
                Role::Export => {
                    // What a namespace exports is not exported by the file.
                    if self.frames.last().is_some_and(|top| top.def.is_none()) {
                        let (text, exports) = (self.text, &mut self.exports);
                        self.exporting |= pattern.matches(node, text, |found| {
                            exports.export(found.name.map(|name| span(name, text).of(text)));
                        });
                    }
                }
                Role::Said => {
                    let (text, named, parent) =
                        (self.text, &mut self.named, self.frames.last().and_then(|top| top.def));
                    pattern.matches(node, text, |found| {
                        if let (Some(word), Some(name)) = (found.scope, found.name) {
                            named.set(parent, span(name, text).of(text), span(word, text).of(text));
                        }
                    });
                }
                Role::Word | Role::Preface => {}
            }
            if entered.is_some() {
                break;
            }
        }
        if let Some(frame) = &mut entered {
            frame.kind = node.kind_id();
            if self.exporting && self.frames.last().is_some_and(|top| top.def == frame.def) {
                frame.section = Some(Visibility::Public);
            }
            if frame.in_body {
                let attributes = self.frames.last().and_then(|top| top.attributes).unwrap_or(here.start);
                frame.from =
                    self.doc_above(here.start).map_or(attributes, |doc| doc.start.min(attributes)).min(here.start);
            }
        }
        if let Some(top) = self.frames.last_mut() {
            top.run = None;
            top.attributes = None;
            top.below_run = None;
            // Only the comments right before a body belong to it.
            if let Some(own) = &mut top.body
                && !own.fixed
                && here.end <= own.start
            {
                own.from = own.start;
            }
        }
        entered
    }

    fn enter_inside(&mut self, pattern: &Pattern, node: Node<'_>, here: Span) -> Option<Frame> {
        let top = self.frames.last();
        let is_code = top.is_some_and(|top| top.in_body) && !pattern.is(Flag::Everywhere);
        if is_code && !self.words.any_in(here) {
            return None;
        }
        let section = top.and_then(|top| top.section).filter(|_| !pattern.is(Flag::Apart));
        let members = top.is_some_and(|top| top.members) && !pattern.is(Flag::Apart);
        let mut entered = None;
        pattern.matches(node, self.text, |found| {
            let said = found.open.map(|_| Visibility::Public);
            let section = said.or(found.closed.map(|_| Visibility::Private)).or(section);
            entered = Some(Frame { section, members, ..self.below(here) });
        });
        entered
    }

    fn enter_block(&mut self, node: Node<'_>, here: Span) -> Frame {
        let mut frame = self.below(here);
        let own = self.frames.last().and_then(|top| top.body).filter(|own| own.node == node.id());
        frame.role = FrameRole::Block { from: own.map_or(here.start, |own| own.from) };
        frame.barren = frame.in_body && !self.words.any_in(here);
        frame.section = self.frames.last().and_then(|top| top.section);
        frame
    }

    fn enter_wrapper(&self, pattern: &Pattern, node: Node<'_>, here: Span) -> Frame {
        let mut frame = self.below(here);
        let outer = self.frames.last().and_then(|top| top.wrap);
        let doc = outer.and_then(|outer| outer.doc).or_else(|| self.doc_above(here.start));
        let start = self.frames.last().and_then(|top| top.attributes).unwrap_or(here.start);
        let around = outer.map_or(Span { start, end: here.end }, |outer| outer.span);
        let begins_head = pattern.role == Role::Wrapper;
        let head = || outer.and_then(|outer| outer.head).unwrap_or_else(|| self.after_attributes(node));
        frame.wrap = Some(Wrap { span: around, head: begins_head.then(head), doc });
        frame.section = self.frames.last().and_then(|top| top.section);
        frame
    }

    fn enter_definition(&mut self, kind: SymbolKind, pattern: &Pattern, node: Node<'_>, here: Span) -> Option<Frame> {
        let mut all: Vec<Captures<'_>> = Vec::new();
        if !pattern.matches(node, self.text, |one| all.push(one)) {
            return None;
        }
        if pattern.is(Flag::Rest) {
            self.end_rest(self.doc_above(here.start).unwrap_or(here).start);
        }
        let mut defined = None;
        for found in &all {
            defined = self.define(kind, pattern, node, found).or(defined);
        }
        let defined = defined?;
        let top = self.frames.last_mut()?;
        if pattern.is(Flag::Rest) {
            top.def = defined.def;
            top.rest = true;
        }
        if pattern.is(Flag::Beside) {
            top.holds = true;
            top.kept.push(here);
            return None;
        }
        Some(Frame { filled: pattern.is(Flag::Filled), ..defined })
    }

    fn span(&self, node: Node<'_>) -> Span {
        span(node, self.text)
    }

    fn below(&self, span: Span) -> Frame {
        let mut frame = Frame::new(span);
        if let Some(top) = self.frames.last() {
            frame.def = top.def;
            frame.in_body = top.in_body;
            frame.same = top.same;
            // A grammar may put the comment above a first statement outside of the list of statements.
            frame.run = top.run;
        }
        frame
    }

    fn define(&mut self, kind: SymbolKind, pattern: &Pattern, node: Node<'_>, found: &Captures<'_>) -> Option<Frame> {
        let here = self.span(node);
        let top = self.frames.last()?;
        let mut parent = top.def;
        let mut again = None;
        let mut outer = parent.and_then(|index| self.defs.get(index as usize));
        let same = found.body.or(found.value).map(|body| body.id());
        if let Some(first) = outer.filter(|_| same.is_some() && same == top.same) {
            // `f = function g() {}` is one function. Where the names differ, both are told, side by side.
            if found.name.map(|node| self.span(node))?.of(self.text) == first.name.of(self.text) {
                return None;
            }
            again = parent;
            parent = first.parent;
            outer = parent.and_then(|index| self.defs.get(index as usize));
        }
        if pattern.is(Flag::Up) {
            parent = outer.and_then(|def| def.parent);
            outer = parent.and_then(|index| self.defs.get(index as usize));
        }
        let above = outer.map(|def| def.kind);
        // What stands in code is local, be it the code of a computed value or a block in a class.
        let in_body = top.in_body && !pattern.is(Flag::Up);
        let is_local = |def: &Def| match def.kind {
            kind if kind.is_callable() => true,
            kind if kind.is_value() => in_body || def.body.is_some(),
            kind => kind.has_methods() && in_body,
        };
        if kind.is_value()
            && !pattern.is(Flag::Everywhere)
            && outer.map_or(in_body && kind == SymbolKind::Variable, is_local)
        {
            return None;
        }
        let named = self.span(self.declared_name(found.name?));
        let named =
            Span { start: found.lead.map_or(named.start, |lead| self.span(lead).start.min(named.start)), ..named };
        let (scope, name) = match is_quoted(self.text, named) {
            true => (None, named),
            false => split_name(self.text, named, self.language.separator),
        };
        if name.is_empty() {
            return None;
        }
        let scope = found.scope.map(|node| self.span(node)).or(scope);
        let in_type = above.is_some_and(SymbolKind::has_methods);
        let kind = match kind {
            SymbolKind::Function if in_type || found.scope.is_some() => SymbolKind::Method,
            SymbolKind::Variable if in_type => SymbolKind::Field,
            SymbolKind::Constant if in_type && self.language.doc == DocPlace::String => SymbolKind::Field,
            SymbolKind::Variable if is_loud(name.of(self.text)) => SymbolKind::Constant,
            kind => kind,
        };
        let wrap = self.frames.last().and_then(|top| top.wrap);
        let attributes = self.frames.last().and_then(|top| top.attributes);
        let whole = match wrap {
            Some(wrap) => wrap.span,
            None => Span { start: attributes.unwrap_or(here.start).min(here.start), end: here.end },
        };
        // Where lines end a block, its node takes the empty ones behind it along.
        let whole =
            Span { end: whole.start.saturating_add(Span::new(0, whole.of(self.text).trim_end().len()).end), ..whole };
        let body = found.body.or(found.inner).map(|node| self.span(node));
        let value = found.value.map(|node| self.span(node));
        let head_start = wrap.and_then(|wrap| wrap.head).unwrap_or_else(|| self.after_attributes(node));
        let ends = match (found.end, found.body.or(found.inner).or(found.value)) {
            (Some(end), Some(body)) if end.start_byte() < body.start_byte() => Some(end),
            (end, body) => body.or(end),
        };
        let head_end = ends.map_or(here.end, |body| head_end(node, body, self.text));
        let head = trimmed(self.text, Span { start: head_start, end: head_end.max(head_start) });
        let docstring = match (self.language.doc, found.body) {
            (DocPlace::String, Some(body)) => docstring(body, self.text),
            _ => None,
        };
        let doc = match self.language.doc {
            DocPlace::String => docstring,
            DocPlace::Above => wrap.and_then(|wrap| wrap.doc).or_else(|| self.doc_above(here.start)),
        };
        let doc = doc.or_else(|| found.doc.map(|node| self.span(node)));
        let section = self.frames.last().and_then(|top| top.section).filter(|_| !pattern.is(Flag::Apart));
        let draft = DefDraft { kind, above, whole, head, name };
        let visibility = section.unwrap_or_else(|| visibility(self.language.visibility, &draft, self.text));
        let index = u32::try_from(self.defs.len()).ok()?;
        let top = self.frames.last()?;
        let exported = self.exporting || top.section.is_some() || found.open.is_some() || scope.is_some();
        if parent.is_none() && !exported && again.is_none_or(|first| self.exports.keeps(first)) {
            self.exports.keep(index);
        }
        self.defs.push(Def { kind, visibility, parent, name, scope, whole, head, body: body.or(value), doc });

        let mut frame = self.below(here);
        frame.def = Some(index);
        frame.holds = true;
        frame.same = same;
        // Names in a namespace are as hidden as the namespace is.
        let hidden = section.filter(|said| kind == SymbolKind::Namespace && *said == Visibility::Private);
        frame.section = found.open.map(|_| Visibility::Public).or(hidden);
        frame.members = found.members.is_some();
        // A value with a body is computed: what runs is left out as in a function.
        if kind.is_callable() || kind.is_value() && body.is_some() {
            self.enter_callable(&mut frame, found, whole);
            if let (Some(body), Some(doc)) = (&mut frame.body, docstring) {
                *body = Body { from: doc.end, fixed: true, ..*body };
            }
        } else if !kind.is_value() {
            frame.in_body = false;
        }
        Some(frame)
    }

    fn enter_callable(&mut self, frame: &mut Frame, found: &Captures<'_>, whole: Span) {
        let body = found.body.map(|node| self.span(node));
        frame.in_body = true;
        frame.role = FrameRole::Callable {
            body,
            inner: found.inner.map(|node| self.span(node)),
            value: found.value.map(|node| self.span(node)),
        };
        frame.body = found.body.or(found.value).map(|node| {
            let before = found.end.filter(|end| end.end_byte() <= node.start_byte());
            let preface = self.preface(node);
            let from = preface.unwrap_or(span(before.unwrap_or(node), self.text).start);
            let fixed = before.is_some() || preface.is_some();
            Body { node: node.id(), start: self.span(node).start, from, upto: self.span(node).end, fixed }
        });
        self.cuts.keep_if_hot(whole);
    }

    /// Where that ends which begins a body but is said of the function.
    fn preface(&self, body: Node<'_>) -> Option<u32> {
        if !self.compiled.rules.has_preface {
            return None;
        }
        let mut cursor = body.walk();
        let mut end = None;
        for child in body.children(&mut cursor).filter(Node::is_named) {
            let patterns = self.compiled.rules.of(child.kind_id());
            let is_preface =
                patterns.iter().any(|one| one.role == Role::Preface && one.matches(child, self.text, |_| {}));
            if is_preface {
                end = Some(trimmed(self.text, self.span(child)).end);
            } else if !child.is_extra() {
                break;
            }
        }
        end
    }

    /// Leaves the innermost frame: what it holds is now known.
    fn leave(&mut self) {
        if let Some(top) = self.frames.last() {
            self.end_rest(top.span.end);
        }
        let Some(mut frame) = self.frames.pop() else { return };
        if frame.filled
            && let Some(index) = frame.def.filter(|index| *index as usize + 1 == self.defs.len())
        {
            self.defs.pop();
            self.exports.forget(index);
            frame.holds = false;
        }
        let nested = self.language.nested == Nested::Keep;
        match frame.role {
            FrameRole::Look => {}
            FrameRole::Block { from } if frame.in_body && nested => {
                let code = Code { span: frame.span, from, kept: frame.holds.then_some(frame.kept) };
                match self.frames.last_mut() {
                    // Comments may follow that belong to it.
                    Some(top)
                        if top.body.is_some_and(|own| (own.start, own.upto) == (code.span.start, code.span.end)) =>
                    {
                        top.code = Some(code);
                    }
                    _ => self.cut(&code),
                }
            }
            FrameRole::Block { .. } => {}
            FrameRole::Callable { body, inner, value } => {
                if let Some(code) = frame.code {
                    let end = frame.body.map_or(code.span.end, |own| own.upto.max(code.span.end));
                    self.cut(&Code { span: Span { end, ..code.span }, ..code });
                }
                if let Some(body) = body.filter(|_| !nested) {
                    let (from, upto) = frame.body.map_or((body.start, body.end), |own| (own.from, own.upto));
                    self.cuts.body(Span { start: body.start, end: upto }, from);
                }
                if let Some(inner) = inner.filter(|_| !nested) {
                    self.cuts.gap(trimmed(self.text, inner));
                }
                if let Some(value) = value.filter(|_| !nested || frame.kept.is_empty()) {
                    let from = frame.body.map_or(value.start, |own| own.from.min(value.start));
                    self.cuts.value(Span { start: from, end: value.end });
                }
            }
        }
        if let Some(top) = self.frames.last_mut()
            && frame.holds
        {
            top.holds = true;
            top.kept.push(Span { start: frame.from, end: frame.span.end });
        }
    }

    /// Ends the definition that holds for the rest of the innermost frame, if there is one.
    fn end_rest(&mut self, end: u32) {
        let Some(top) = self.frames.last_mut().filter(|top| top.rest) else { return };
        top.rest = false;
        if let Some(def) = top.def.and_then(|index| self.defs.get_mut(index as usize)) {
            top.def = def.parent;
            def.whole = Span { end: end.max(def.whole.end), ..def.whole };
            def.whole = Span { start: def.whole.start, ..trimmed(self.text, def.whole) };
        }
    }

    fn cut(&mut self, code: &Code) {
        match &code.kept {
            Some(kept) => self.cuts.gaps(code.span, code.from, kept),
            None => self.cuts.body(code.span, code.from),
        }
    }

    fn comment(&mut self, here: Span) {
        let text = self.text;
        let own_line = self.language.marks.place == MarkPlace::OwnLine;
        let Some(top) = self.frames.last_mut() else { return };
        // A comment before the body but below the head is part of the body.
        if let Some(own) = &mut top.body
            && !own.fixed
            && here.end <= own.from
            && begins_line(text, here.start)
            // What replaces it must stand where a statement may stand.
            && column(text, here.start) == column(text, own.from)
        {
            own.from = here.start;
        }
        if let Some(own) = &mut top.body
            && here.start >= own.upto
            && (begins_line(text, here.start) || own_line)
        {
            own.upto = here.end;
        }
        // Comments behind and between attributes say less than the one above them.
        if top.attributes.is_some() && top.run.is_some() {
            return;
        }
        if !begins_line(text, here.start) {
            top.run = None;
            return;
        }
        top.below_run = None;
        top.run = match top.run {
            Some(run) if adjacent(text, run.end, here.start) => Some(Span { start: run.start, end: here.end }),
            _ => Some(here),
        };
    }

    fn doc_above(&self, start: u32) -> Option<Span> {
        let top = self.frames.last()?;
        let run = top.run?;
        adjacent(self.text, run.end, top.below_run.unwrap_or(start)).then(|| trimmed(self.text, run))
    }

    /// Where a definition begins behind attributes that stand in it, with or without a node of their own around them.
    fn after_attributes(&self, node: Node<'_>) -> u32 {
        let mut cursor = node.walk();
        let mut deeper = cursor.goto_first_child();
        while deeper {
            let child = cursor.node();
            match self.compiled.rules.of(child.kind_id()).first().map(|pattern| pattern.role) {
                Some(Role::Attribute | Role::Comment) => {
                    while deeper && !cursor.goto_next_sibling() {
                        deeper = cursor.goto_parent() && cursor.node() != node;
                    }
                }
                Some(Role::Inside) if child.start_byte() == node.start_byte() => deeper = cursor.goto_first_child(),
                _ => return self.span(child).start,
            }
        }
        self.span(node).start
    }

    /// The node that holds the name, behind pointers, arrays and parameters.
    fn declared_name<'t>(&self, mut node: Node<'t>) -> Node<'t> {
        for _ in 0..DEEPEST {
            if !self.compiled.declarators.contains(&node.kind_id()) {
                break;
            }
            match node.child_by_field_name("declarator").or_else(|| node.named_child(0)) {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }
}

/// Where the head before a body ends: comments between the two belong to the body.
fn head_end(node: Node<'_>, body: Node<'_>, text: &str) -> u32 {
    let start = span(body, text).start;
    let mut end = start;
    // Siblings are asked of the parent: asking a node for them searches from the root.
    let mut cursor = node.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let child = cursor.node();
        if child.id() == body.id() {
            return end;
        }
        if span(child, text).holds(span(body, text)) {
            end = start;
            more = cursor.goto_first_child();
            continue;
        }
        end = if child.is_extra() { end.min(span(child, text).start) } else { start };
        more = cursor.goto_next_sibling();
    }
    start
}

/// Where a node stands. A prepared text has the length of its source, but not its characters.
pub(crate) fn span(node: Node<'_>, text: &str) -> Span {
    Span::new(text.floor_char_boundary(node.start_byte()), text.floor_char_boundary(node.end_byte()))
}
