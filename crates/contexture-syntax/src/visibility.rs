//! Who may use a definition: by the rule of its language.

use crate::language::VisibilityRule;
use crate::structure::{Def, Span, SymbolKind, Visibility};
use crate::text::first_words;
use std::collections::BTreeMap;

/// What is known of a definition before it is written down.
pub(crate) struct DefDraft {
    pub kind: SymbolKind,
    /// The kind of what it stands in.
    pub above: Option<SymbolKind>,
    pub whole: Span,
    pub head: Span,
    pub name: Span,
}

pub(crate) fn visibility(rule: VisibilityRule, draft: &DefDraft, text: &str) -> Visibility {
    let DefDraft { kind, above, whole, head, name: named } = *draft;
    let name = named.of(text);
    if name.starts_with('#') {
        return Visibility::Private;
    }
    // Its head has words of other definitions, and it is seen by whoever sees those.
    if kind == SymbolKind::Impl {
        return Visibility::Public;
    }
    match rule {
        VisibilityRule::Underscore if name.starts_with('_') && !(name.len() > 4 && name.ends_with("__")) => {
            Visibility::Private
        }
        VisibilityRule::Underscore => Visibility::Public,
        VisibilityRule::Capital if name.starts_with(char::is_uppercase) || kind == SymbolKind::Namespace => {
            Visibility::Public
        }
        VisibilityRule::Capital => Visibility::Private,
        VisibilityRule::Sections { words } => match above {
            Some(SymbolKind::Class) => Visibility::Private,
            Some(above) if above.has_methods() => Visibility::Public,
            _ => {
                let mut said = first_words(text, head.start, named.start);
                match said.any(|word| words.contains(&word)) {
                    true => Visibility::Private,
                    false => Visibility::Public,
                }
            }
        },
        VisibilityRule::Words { words, members, rest } => {
            let before = first_words(text, head.start, named.start);
            // `private(set)` says who may write, not who may read.
            let next = before.clone().skip(1).chain([""]);
            let before = before.zip(next).filter(|(_, next)| *next != "set").map(|(word, _)| word);
            let attributes = first_words(text, whole.start, head.start);
            let found = words.iter().find(|(word, _)| match word.strip_prefix('#') {
                None if *word == "_" => name.starts_with('_') && name.len() > 1,
                Some(word) => attributes.clone().any(|other| other == word),
                None => before.clone().any(|other| other == *word),
            });
            match (found, above) {
                (Some((_, visibility)), _) => *visibility,
                // What an interface asks for and what an enumeration lists can be used by whoever sees it.
                (None, Some(SymbolKind::Trait | SymbolKind::Interface | SymbolKind::Protocol)) => Visibility::Public,
                (None, Some(SymbolKind::Variant)) => Visibility::Public,
                (None, _) if matches!(kind, SymbolKind::Variant | SymbolKind::Namespace) => Visibility::Public,
                (None, Some(above)) if above.has_methods() => members,
                (None, _) => rest,
            }
        }
    }
}

/// What a word that opens a section of a class says of what follows.
pub(crate) fn of_section(word: &str) -> Option<Visibility> {
    match word.trim().trim_end_matches(':').trim_end() {
        // What `module_function` makes is called on the module.
        "public" | "signals" | "Q_SIGNALS" | "module_function" => Some(Visibility::Public),
        "protected" => Some(Visibility::Internal),
        "private" => Some(Visibility::Private),
        _ => None,
    }
}

/// What is said of definitions behind them, by their names: `private :a`.
#[derive(Default)]
pub(crate) struct NamedVisibilities<'a> {
    /// By what they stand in, their name, and whether they are called on the type itself.
    names: BTreeMap<(Option<u32>, &'a str, bool), Visibility>,
}

impl<'a> NamedVisibilities<'a> {
    pub fn set(&mut self, parent: Option<u32>, name: &'a str, word: &str) {
        let Some(visibility) = of_section(word.split_once('_').map_or(word, |(word, _)| word)) else { return };
        let name = name.trim_start_matches(':');
        // `private_class_method` is for those of the type, be they written `def self.f` or in a block for it.
        for own in [word.contains('_'), false] {
            self.names.insert((parent, name, own), visibility);
        }
    }

    pub fn finish(&self, defs: &mut [Def], text: &str) {
        for def in defs.iter_mut().filter(|_| !self.names.is_empty()) {
            let before = text.get(..def.name.start as usize).unwrap_or("");
            let visibility = self.names.get(&(def.parent, def.name.of(text), before.ends_with('.')));
            def.visibility = visibility.copied().unwrap_or(def.visibility);
        }
    }
}

/// What is written for a type of the file is seen by whoever sees the type.
pub(crate) fn follow_types(defs: &mut [Def], text: &str) {
    if defs.iter().all(|def| def.kind != SymbolKind::Impl) {
        return;
    }
    let types = defs.iter().filter(|def| def.kind != SymbolKind::Impl && def.kind.has_methods());
    let known: BTreeMap<&str, Visibility> = types.map(|def| (def.name.of(text), def.visibility)).collect();
    for def in defs.iter_mut().filter(|def| def.kind == SymbolKind::Impl) {
        def.visibility = known.get(def.name.of(text)).copied().unwrap_or(def.visibility);
    }
}
