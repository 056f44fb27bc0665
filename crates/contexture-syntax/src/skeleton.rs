//! The skeleton: the text without its bodies.

use crate::language::Language;
use crate::parse;
use crate::parts::{SymbolExtent, whole_spans};
use crate::structure::{Cut, Mark, Span, Structure};
use crate::symbols::Lines;
use crate::text::begins_line;

/// The text with every cut replaced by its mark. Everything else is the source, byte for byte.
pub fn skeleton(language: &Language, structure: &Structure, text: &str) -> String {
    cut(language, &structure.cuts, text, Span::new(0, text.len()))
}

/// The same with what is shown kept: nothing is cut that would take a part of a whole definition or of a signature. `shown`
/// has an entry for each of [`Structure::defs`].
pub fn skeleton_with(language: &Language, structure: &Structure, text: &str, shown: &[SymbolExtent]) -> String {
    let mut kept: Vec<Span> = whole_spans(structure, text, &Lines::of(text), shown);
    let told = structure.defs.iter().zip(shown).filter(|(_, shown)| **shown == SymbolExtent::Signature);
    kept.extend(told.map(|(def, _)| def.head).filter(|head| structure.is_cut(*head)));
    kept.sort();
    let mut kept = kept.into_iter().peekable();
    let mut cuts = structure.cuts.clone();
    cuts.retain(|cut| {
        while kept.next_if(|span| span.end <= cut.span.start).is_some() {}
        kept.peek().is_none_or(|span| cut.span.end <= span.start)
    });
    self::cut(language, &cuts, text, Span::new(0, text.len()))
}

/// A part of the text with the cuts in it replaced.
pub(crate) fn cut(language: &Language, cuts: &[Cut], text: &str, part: Span) -> String {
    let mut out = String::with_capacity(part.len());
    let mut at = part.start;
    let first = cuts.partition_point(|cut| cut.span.start < part.start);
    for cut in cuts.iter().skip(first).take_while(|cut| cut.span.end <= part.end) {
        out.push_str(Span { start: at, end: cut.span.start }.of(text));
        out.push_str(mark(language, cut.mark));
        at = cut.span.end;
    }
    out.push_str(Span { start: at, end: part.end }.of(text));
    out
}

fn mark(language: &Language, mark: Mark) -> &'static str {
    match mark {
        Mark::Body => language.marks.body,
        Mark::Gap => language.marks.gap,
        Mark::Value => language.marks.value,
    }
}

/// Takes back the cuts that would take one half of a condition of the preprocessor and leave the other.
pub(crate) fn untear(text: &str, cuts: &mut Vec<Cut>) {
    cuts.retain(|cut| {
        let inner = cut.span.of(text);
        let mut open = 0_usize;
        for at in memchr::memchr_iter(b'#', inner.as_bytes()) {
            if !begins_line(text, cut.span.start + Span::new(0, at).end) {
                continue;
            }
            let word = inner.get(at + 1..).unwrap_or("").trim_start_matches([' ', '\t']);
            if word.starts_with("if") {
                open += 1;
            } else if word.starts_with("el") && open == 0 {
                return false;
            } else if word.starts_with("endif") {
                let Some(less) = open.checked_sub(1) else { return false };
                open = less;
            }
        }
        open == 0
    });
}

/// Where the source does not parse, a cut can make it worse: the parser finds its way back at other places. The result is
/// parsed again, and the cuts that make it worse are searched by halves and taken back.
pub(crate) fn mend(language: &Language, text: &str, structure: &mut Structure) {
    let errors = |cuts: &[Cut]| {
        parse::errors(language, &cut(language, cuts, text, Span::new(0, text.len()))).unwrap_or(usize::MAX)
    };
    let after = errors(&structure.cuts);
    if after == 0 {
        return;
    }
    let before = parse::errors(language, text).unwrap_or(usize::MAX);
    if after <= before {
        return;
    }
    let all = std::mem::take(&mut structure.cuts);
    let (first, second) = all.split_at(all.len() / 2);
    let mut open = vec![second, first];
    for _ in 0..TRIES {
        let Some(part) = open.pop() else { break };
        if errors(&[&structure.cuts, part].concat()) <= before {
            structure.cuts.extend_from_slice(part);
        } else if part.len() > 1 {
            let (first, second) = part.split_at(part.len() / 2);
            open.extend([second, first]);
        }
    }
}

/// How often a skeleton is parsed to find the cuts that hurt: enough to find two among a thousand.
const TRIES: usize = 20;
