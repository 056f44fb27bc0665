//! What steps cost in real tokens, asked for when it matters.

use super::Ladders;
use super::ladder::{After, Step};
use crate::shape::{self, ExtentPart};
use crate::types::{Body, Level, printable};
use contexture_syntax::{self as syntax, Language, Lines, Structure, SymbolExtent};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tokens of the line above a passage that is not the only one of its file.
const RULE: f64 = 8.0;

pub struct Prices<'a> {
    ladders: Ladders<'a>,
    sources: BTreeMap<u32, Option<SourceText<'a>>>,
    /// A step that is too large for a level is asked for again at the next.
    prices: BTreeMap<(u32, ExtentPart), f64>,
}

/// A text with what it defines.
struct SourceText<'a> {
    language: &'static Language,
    text: &'a str,
    structure: Arc<Structure>,
    lines: Lines,
}

impl<'a> Prices<'a> {
    pub fn new(ladders: Ladders<'a>) -> Self {
        Self { ladders, sources: BTreeMap::new(), prices: BTreeMap::new() }
    }

    /// The qualified name of a symbol.
    pub fn name(&mut self, item: u32, at: u32) -> Option<String> {
        let source = self.source(item)?;
        let names = syntax::qualified_names(source.language, &source.structure, source.text);
        names.into_iter().nth(at as usize)
    }

    fn source(&mut self, item: u32) -> Option<&SourceText<'a>> {
        let (free, tools) = (&self.ladders.free[item as usize], self.ladders.tools);
        let made = self.sources.entry(item).or_insert_with(|| {
            let Body::Text { text, .. } = &free.item.body else { return None };
            let language = shape::language_of(free.item, text)?;
            let structure = tools.code.structure(language, text, free.item.hash.as_ref()).ok()?;
            Some(SourceText { language, text, structure, lines: Lines::of(text) })
        });
        made.as_ref()
    }

    pub fn of(&mut self, step: &Step) -> f64 {
        if let Some(price) = self.prices.get(&(step.item, step.part)) {
            return *price;
        }
        let price = self.count(step);
        self.prices.insert((step.item, step.part), price);
        price
    }

    fn count(&mut self, step: &Step) -> f64 {
        let Ladders { free, steps, options, tools, writer } = self.ladders;
        let free = &free[step.item as usize];
        let count = |text: &str| tools.meter.words(text).0 as f64;
        let heading = |label: &str| format!("### `{}`{label}\n\n", printable(&free.item.path));
        let symbol = match step.part {
            ExtentPart::Name if free.top == Level::Name => {
                let view = shape::view(free.item, free.top, &free.nature, options, tools);
                return writer.item(free.item, view, free.why.clone()).pick.tokens.0 as f64;
            }
            ExtentPart::Name => return count(&heading("")),
            ExtentPart::Frame => return count(&heading(" (masked)")) - count(&heading("")) + 6.0,
            ExtentPart::Signature(at) => (at, false),
            ExtentPart::Whole(at) => (at, true),
            ExtentPart::Passage(at) => {
                let lines = free.passages.get(at as usize).copied();
                let view = shape::passages(free.item, lines.as_slice(), options);
                let alone = writer.item(free.item, view, free.why.clone()).pick.tokens;
                return alone.0 as f64 + RULE;
            }
            ExtentPart::Summary | ExtentPart::Outline | ExtentPart::Skeleton | ExtentPart::Full => {
                return f64::from(step.cost);
            }
        };
        let def = |source: &&SourceText<'_>| source.structure.defs.get(symbol.0 as usize).cloned();
        let Some((source, def)) = self.source(step.item).and_then(|source| Some((source, def(&source)?))) else {
            return f64::from(step.cost);
        };
        let (at, whole) = symbol;
        let price = |how| {
            let excerpt = syntax::excerpt_of(source.language, &def, source.text, &source.lines, how);
            count(&shape::Form::of(free.item).cut(&excerpt).unwrap_or(excerpt))
        };
        if !whole {
            return price(SymbolExtent::Signature);
        }
        // A signature that had a step of its own, or came with the skeleton, is there already.
        let is_before = |part: ExtentPart| part == ExtentPart::Signature(at) || part == ExtentPart::Skeleton;
        let had = matches!(step.after, After::Step(before) if is_before(steps[before as usize].part));
        price(SymbolExtent::Whole) - if had { price(SymbolExtent::Signature) } else { 0.0 }
    }
}
