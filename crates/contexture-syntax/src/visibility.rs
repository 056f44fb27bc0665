//! Who may use a definition: by the rule of its language.

use crate::language::VisibilityRule;
use crate::structure::{Def, Kind, Span, Visibility};
use crate::text::first_words;
use std::collections::BTreeMap;

/// What is known of a definition before it is written down.
pub(crate) struct Seen {
    pub kind: Kind,
    /// The kind of what it stands in.
    pub above: Option<Kind>,
    pub whole: Span,
    pub head: Span,
    pub name: Span,
}

pub(crate) fn visibility(rule: VisibilityRule, seen: &Seen, text: &str) -> Visibility {
    let Seen { kind, above, whole, head, name: named } = *seen;
    let name = named.of(text);
    if name.starts_with('#') {
        return Visibility::Private;
    }
    // Its head has words of other definitions, and it is seen by whoever sees those.
    if kind == Kind::Impl {
        return Visibility::Public;
    }
    match rule {
        VisibilityRule::Underscore if name.starts_with('_') && !(name.len() > 4 && name.ends_with("__")) => {
            Visibility::Private
        }
        VisibilityRule::Underscore => Visibility::Public,
        VisibilityRule::Capital if name.starts_with(char::is_uppercase) || kind == Kind::Namespace => {
            Visibility::Public
        }
        VisibilityRule::Capital => Visibility::Private,
        VisibilityRule::Sections { words } => match above {
            Some(Kind::Class) => Visibility::Private,
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
                (None, Some(Kind::Trait | Kind::Interface | Kind::Protocol)) => Visibility::Public,
                (None, Some(Kind::Variant)) => Visibility::Public,
                (None, _) if matches!(kind, Kind::Variant | Kind::Namespace) => Visibility::Public,
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
pub(crate) struct Said<'a> {
    /// By what they stand in, their name, and whether they are called on the type itself.
    names: BTreeMap<(Option<u32>, &'a str, bool), Visibility>,
}

impl<'a> Said<'a> {
    pub fn say(&mut self, parent: Option<u32>, name: &'a str, word: &str) {
        let Some(said) = of_section(word.split_once('_').map_or(word, |(said, _)| said)) else { return };
        let name = name.trim_start_matches(':');
        // `private_class_method` is for those of the type, be they written `def self.f` or in a block for it.
        for own in [word.contains('_'), false] {
            self.names.insert((parent, name, own), said);
        }
    }

    pub fn finish(&self, defs: &mut [Def], text: &str) {
        for def in defs.iter_mut().filter(|_| !self.names.is_empty()) {
            let before = text.get(..def.name.start as usize).unwrap_or("");
            let said = self.names.get(&(def.parent, def.name.of(text), before.ends_with('.')));
            def.visibility = said.copied().unwrap_or(def.visibility);
        }
    }
}

/// What is written for a type of the file is seen by whoever sees the type.
pub(crate) fn follow_types(defs: &mut [Def], text: &str) {
    if defs.iter().all(|def| def.kind != Kind::Impl) {
        return;
    }
    let types = defs.iter().filter(|def| def.kind != Kind::Impl && def.kind.has_methods());
    let known: BTreeMap<&str, Visibility> = types.map(|def| (def.name.of(text), def.visibility)).collect();
    for def in defs.iter_mut().filter(|def| def.kind == Kind::Impl) {
        def.visibility = known.get(def.name.of(text)).copied().unwrap_or(def.visibility);
    }
}
