//! What steps cost in real tokens, asked for when it matters.

use super::Ladders;
use super::ladder::{After, Step};
use crate::shape::{self, ExtentPart};
use crate::types::{Body, Level, printable};
use contexture_syntax::{self as syntax, Language, Lines, Structure, SymbolExtent, SymbolKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tokens of the line above a passage that is not the only one of its file.
const RULE: f64 = 8.0;
/// Tokens of a gap mark.
const GAP: f64 = 6.0;
/// A symbol's share of the heading of its file, the class around it, and the constants and imports it names. A signature names
/// none, and most have neighbors.
const SHARE: f64 = 10.0;
const SIGNATURE_SHARE: f64 = 0.0;

pub struct Prices<'a> {
    ladders: Ladders<'a>,
    sources: BTreeMap<u32, Option<SourceText<'a>>>,
    /// A step that is too large for a level is asked for again at the next.
    prices: BTreeMap<(u32, ExtentPart), f64>,
}

pub struct SymbolPlace {
    pub kind: SymbolKind,
    /// Of its name, and its last.
    pub lines: (usize, usize),
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

    /// What a symbol is, and where it stands.
    pub fn place(&mut self, item: u32, at: u32) -> Option<SymbolPlace> {
        let source = self.source(item)?;
        let def = source.structure.defs.get(at as usize)?;
        let last = source.lines.line(def.whole.end.max(def.whole.start + 1) - 1);
        Some(SymbolPlace { kind: def.kind, lines: (source.lines.line(def.name.start), last) })
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

    /// What a part of a symbol costs with all that comes with it; `None` for other steps.
    pub fn of_symbol(&mut self, step: &Step) -> Option<f64> {
        let around = match (step.after, step.part) {
            (After::Last, _) => 0.0,
            (_, ExtentPart::Signature(_)) => SIGNATURE_SHARE,
            _ => SHARE,
        };
        match step.part {
            ExtentPart::Signature(_)
            | ExtentPart::Hunks(_)
            | ExtentPart::Brief(_)
            | ExtentPart::Doc(_)
            | ExtentPart::Whole(_) => Some(self.of(step) + around),
            _ => None,
        }
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
        let Ladders { free, options, tools, writer, .. } = self.ladders;
        let free = &free[step.item as usize];
        let count = |text: &str| tools.meter.words(text).0 as f64;
        let symbol = match step.part {
            ExtentPart::Name if free.top == Level::Name => {
                let view = shape::view(free.item, free.top, &free.nature, options, tools);
                return writer.item(free.item, view, free.why.clone()).pick.tokens.0 as f64;
            }
            ExtentPart::Name => {
                return count(&format!("- `{}` (not shown, 100 lines)\n\n", printable(&free.item.path)));
            }
            ExtentPart::Signature(at) => (at, SymbolExtent::Signature),
            ExtentPart::Hunks(at) => (at, SymbolExtent::Hunks),
            ExtentPart::Brief(at) => (at, SymbolExtent::Brief),
            ExtentPart::Doc(at) | ExtentPart::Whole(at) => (at, SymbolExtent::Whole),
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
        let hunks = |at: u32| free.hunks.get(&at).map_or(&[][..], Vec::as_slice);
        let def = |source: &&SourceText<'_>| source.structure.defs.get(symbol.0 as usize).cloned();
        let Some((source, def)) = self.source(step.item).and_then(|source| Some((source, def(&source)?))) else {
            return f64::from(step.cost);
        };
        let how = symbol.1;
        let price = |how| {
            let mut part = syntax::part_of(source.language, &def, source.text, &source.lines, how);
            if how == SymbolExtent::Hunks {
                part.push_str(&syntax::part_of_rows(source.text, &source.lines, hunks(symbol.0)));
            }
            GAP + count(&shape::TextForm::of(free.item).cut(&part).unwrap_or(part))
        };
        // What the step before it shows of the symbol is there already.
        let before = match (step.part, step.after) {
            (ExtentPart::Doc(_), _) => price(SymbolExtent::Brief),
            (ExtentPart::Brief(_) | ExtentPart::Whole(_), After::Last) if !hunks(symbol.0).is_empty() => {
                price(SymbolExtent::Hunks)
            }
            (_, After::Step(_) | After::Last) => price(SymbolExtent::Signature),
            (_, After::Nothing | After::All) => 0.0,
        };
        price(how) - before
    }
}
