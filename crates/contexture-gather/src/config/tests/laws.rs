//! Laws that hold for any input.

use super::super::edit::*;
use super::*;
use contexture_core::{Level, Slice, SymbolMode};
use proptest::prelude::*;

/// Text with everything that notations trip over.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z./*]{1,8}",
        "(\\PC|[\"'\\\\\n\r\t#=\\[\\]{},.]){1,8}",
        Just("\"\"\"".to_owned()),
        Just("a\u{0}\u{7f}\u{85}\u{2028}\u{feff}é𝄞".to_owned()),
    ]
}

/// Values both notations have. Fractions have at most 15 digits, which every JSON reader gives back exactly.
fn node() -> impl Strategy<Value = Node> {
    let plain = prop_oneof![
        any::<bool>().prop_map(|flag| Data::Bool(flag).into()),
        any::<i64>().prop_map(|number| Data::Int(number).into()),
        (-4_000_000_000_000i64..4_000_000_000_000).prop_map(|n| Data::Float(n as f64 / 1000.0).into()),
        words().prop_map(|text| Data::Text(text).into()),
    ];
    plain.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|list| Data::List(list).into()),
            prop::collection::btree_map(words(), inner, 0..4)
                .prop_map(|map| Data::Map(map.into_iter().map(|(key, node)| Field::new(key, node)).collect()).into()),
        ]
    })
}

fn extra() -> impl Strategy<Value = Vec<Field>> {
    prop::collection::btree_map(words().prop_map(|word| format!("x{word}")), node(), 0..3)
        .prop_map(|map| map.into_iter().map(|(key, node)| Field::new(key, node)).collect())
}

fn slice() -> impl Strategy<Value = EntrySlice> {
    let text = || prop::option::of(words());
    let lines = prop::collection::vec(words(), 0..3);
    (1u64..1 << 40, 0u64..1000, text(), text(), text(), lines, text(), extra()).prop_map(
        |(start_line, more, tag, comment, content_hash, anchor_lines, fingerprint, extra)| {
            let end_line = start_line + more;
            let slice = Slice { start_line, end_line, tag, comment, content_hash, anchor_lines, fingerprint };
            EntrySlice { slice, extra }
        },
    )
}

fn entry() -> impl Strategy<Value = PathEntry> {
    let mode = prop_oneof![Just(SymbolMode::Def), Just(SymbolMode::Sig), Just(SymbolMode::Hide)];
    let level = prop::option::of((0..Level::ALL.len()).prop_map(|index| Level::ALL[index]));
    let moment = prop::option::of((0i64..4_000_000_000_000).prop_map(|n| Data::Float(n as f64 / 1000.0).into()));
    (
        words(),
        any::<[bool; 5]>(),
        level,
        prop::collection::btree_map(words(), mode, 0..3),
        prop::collection::vec(slice(), 0..2),
        moment,
        prop::option::of(1u8..=4),
        extra(),
    )
        .prop_map(|(path, flags, view_mode, ast_mask, custom_slices, injected_at, tier, extra)| PathEntry {
            path,
            auto_aggregate: flags[0],
            force_full: flags[1],
            view_mode,
            selected: flags[2],
            ast_signatures: flags[3],
            ast_definitions: flags[4],
            ast_mask,
            custom_slices,
            injected_at,
            tier,
            extra,
        })
}

/// A file with sections in any order and notation, comments between.
fn document() -> impl Strategy<Value = String> {
    let comment = prop_oneof![Just(""), Just("# note\n"), Just("\n"), Just("\n# [project]\n# name = \"x\"\n")];
    let section = prop_oneof![
        Just("[project]\nname = 'a' # n\nsummary_only=true\n"),
        Just("[project] # head\n"),
        Just("project = { name = \"a\", persona = \"p\" }\n"),
        Just("project.name = \"a\"\nproject.summary_only = false\n"),
    ];
    let files = prop_oneof![
        Just("[files]\n  paths = [ 'a', # x\n\n  # above\n  { path = \"b\", z = 1.0 } ]\n  exclude = []\n"),
        Just("[[files.paths]]\npath = \"a\" # x\n# above\n[[files.paths]]\npath = \"b\"\nz = 1.0\n"),
        Just("[files]\n"),
        Just(""),
    ];
    let rest = prop_oneof![
        Just("[presets.\"a b\"]\nfiles = [\n'x',\n]\n[personas.p]\ntier = 1\n[output]\nkeep = 2\n"),
        Just("[budget]\nmax_tokens = 5\n[presets.a]\ndescription = '''\nx\n# max_tokens = 1\n[y]'''"),
        Just(""),
    ];
    (comment.clone(), section, comment.clone(), files, comment, rest, any::<bool>()).prop_map(
        |(c1, section, c2, files, c3, rest, crlf)| {
            let text = [c1, section, c2, files, c3, rest].concat();
            if crlf { text.replace('\n', "\r\n") } else { text }
        },
    )
}

fn setting() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        words().prop_map(|text| ("project.name", text)),
        prop_oneof![Just("auto"), Just("full")].prop_map(|word| ("project.strategy", word.to_owned())),
        any::<bool>().prop_map(|flag| ("project.summary_only", flag.to_string())),
        (1..i64::MAX).prop_map(|number| ("budget.max_tokens", number.to_string())),
        words().prop_map(|text| ("personas.p.context_preset", text)),
        words().prop_map(|text| ("presets.\"a b\".description", text)),
        prop::collection::vec("[a-z]{1,30}", 0..6).prop_map(|list| ("files.exclude", format!("{list:?}"))),
        prop::collection::vec("[a-c]{1,30}", 0..6).prop_map(|list| ("files.paths", format!("{list:?}"))),
    ]
}

fn settings(text: &str) -> BTreeMap<String, String> {
    let layer = layer::of_file(text, "x", |_| Origin::Default).unwrap();
    layer.found.iter().map(|found| (found.dotted_key(), found.node.to_string())).collect()
}

/// What the entries of a list say, in whichever notation they are.
fn composition(text: &str) -> Vec<PathEntry> {
    let layer = layer::of_file(text, "x", |_| Origin::Default).unwrap();
    let found = layer.found.iter().find(|found| found.dotted_key() == "files.paths");
    found.map(|found| super::super::entry::read_all(&found.node, "x").unwrap()).unwrap_or_default()
}

/// The words after every `#` that starts a comment of the fixture.
fn notes(text: &str) -> Vec<&str> {
    ["# head", "# note", "# n\n", "# above"].into_iter().filter(|note| text.contains(*note)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn entries_survive_toml(entry in entry()) {
        let text = entry.to_toml();
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(PathEntry::from_toml(&text).unwrap(), entry);
    }

    #[test]
    fn entries_survive_json(entry in entry()) {
        let text = serde_json::to_string(&entry.to_json()).unwrap();
        prop_assert_eq!(PathEntry::from_json(&serde_json::from_str(&text).unwrap()).unwrap(), entry);
    }

}

proptest! {
    // Each case edits and reads a file several times, so a third as many take as long.
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_set_key_is_read_back_and_nothing_else_changes(text in document(), (key, value) in setting()) {
        let before = settings(&text);
        let new = set_key(&text, key, &value).unwrap();
        let mut after = settings(&new);
        let known = known_key(key).unwrap().1;
        let expected = layer::parse_value(known, key, &value).unwrap();
        if key == "files.paths" {
            let wanted = super::super::entry::read_all(&expected, "x").unwrap();
            prop_assert_eq!(composition(&new), wanted);
            after.remove(key);
        } else {
            prop_assert_eq!(after.remove(key), Some(expected.to_string()));
            prop_assert_eq!(notes(&text), notes(&new));
        }
        let mut before = before;
        before.remove(key);
        prop_assert_eq!(before, after);
        // Again the same, nothing happens; and taking it out leaves the others.
        prop_assert_eq!(&set_key(&new, key, &value).unwrap(), &new);
        if let Ok(without) = unset_key(&new, key) {
            prop_assert!(!settings(&without).contains_key(key));
        }
        prop_assert_eq!(text.contains('\r'), !new.replace("\r\n", "").contains('\n') && text.contains('\r'));
    }

    #[test]
    fn a_composition_is_read_back(text in document(), list in prop::collection::vec(entry(), 0..4), keep in any::<[bool; 2]>()) {
        let mut wanted: Vec<PathEntry> =
            composition(&text).into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(entry, _)| entry).collect();
        wanted.extend(list);
        if keep[0] && !wanted.is_empty() {
            wanted.rotate_left(1);
        }
        let new = set_files(&text, &wanted).unwrap();
        prop_assert_eq!(composition(&new), wanted.clone());
        prop_assert_eq!(&set_files(&new, &wanted).unwrap(), &new);
        let preset = Preset { name: "a b".into(), description: None, files: wanted, screenshots: vec![], scope: Scope::Project };
        let saved = save_preset(&new, &preset).unwrap();
        let layer = layer::of_file(&saved, "x", |_| Origin::Default).unwrap();
        let config = merge::merge(Default::default(), layer, Default::default(), Default::default());
        prop_assert_eq!(config.preset("a b").unwrap(), &preset);
        let removed = remove_preset(&saved, "a b").unwrap();
        prop_assert!(!settings(&removed).keys().any(|key| key.starts_with("presets.\"a b\"")));
    }

    #[test]
    fn nothing_panics(text in "(\\PC|[\\[\\]{}=.\"'#,\n\r\t ]|project|name|files|paths|presets|path|true|1){0,40}", value in "\\PC{0,12}") {
        let _ = layer::of_file(&text, "x", |_| Origin::Default);
        let _ = parse_history(&text, "x");
        let _ = PathEntry::from_toml(&text);
        for key in KEYS {
            let _ = layer::parse_value(key, key.path, &value);
        }
        for new in [
            set_key(&text, "project.name", &value),
            unset_key(&text, "project.name"),
            set_key(&text, &value, &value),
            set_files(&text, &[PathEntry::new("a")]),
            remove_preset(&text, "path"),
        ].into_iter().flatten() {
            prop_assert!(toml_edit::Document::parse(new.as_str()).is_ok());
        }
    }
}

#[test]
fn large_files_take_linear_time() {
    let list: Vec<PathEntry> = (0..20_000).map(|n| PathEntry::new(format!("src/{n}.rs"))).collect();
    let text = set_files("", &list).unwrap();
    assert_eq!(composition(&text), list);
    let reversed: Vec<PathEntry> = list.into_iter().rev().collect();
    assert_eq!(composition(&set_files(&text, &reversed).unwrap()), reversed);
    let sections: String = (0..3_000).map(|n| format!("[presets.p{n}]\nfiles = []\n")).collect();
    assert!(set_key(&sections, "presets.p7.description", "x").unwrap().contains("description = \"x\""));
}
