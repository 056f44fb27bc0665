//! The gate: what is clean stays as it is, what is masked is true to its hash and its lines, policies do what they say.

use super::super::{Action, Clean, Fingerprint, HiddenText, Safety, Secrets, Unknown, screen};
use super::scan;
use crate::anchor;
use crate::types::{Body, Call, ContentHash, ItemKind, Message, Role, Thought};
use crate::{Api, CompileError, Forgetful, InProcess, Item, Meter, Options, Snapshot, Tokenizer, Tools, compile};
use contexture_testkit as _;
use std::sync::{Arc, Mutex};

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

fn snapshot(items: Vec<Item>) -> Snapshot {
    Snapshot { items, ..Snapshot::default() }
}

fn text_of(item: &Item) -> &str {
    match &item.body {
        Body::Text { text, .. } => text,
        _ => "",
    }
}

fn tools() -> Tools<'static> {
    Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess }
}

#[test]
fn masked_text_has_its_own_hash_and_clean_text_keeps_its_own() {
    let before = [Item::file("a.py", "x = 1\n"), Item::file("b.py", &format!("a\ntoken = '{SECRET}'\n"))];
    let screened = screen(snapshot(before.to_vec()), &Safety::default(), &Unknown);
    assert_eq!(screened.items[0].hash, before[0].hash);
    assert_eq!(text_of(&screened.items[1]), "a\ntoken = '[REDACTED:github-pat]'\n");
    assert_eq!(screened.items[1].hash, Some(ContentHash::of(text_of(&screened.items[1]))));
    let found = &screened.report().secrets;
    assert_eq!((found.len(), found[0].line, found[0].action), (1, 2, Action::Redacted));
    assert!(screened.notes.iter().any(|note| note.path.as_deref() == Some("b.py")));
    assert!(!format!("{:?}", screened.report()).contains(SECRET));
}

#[test]
fn policies_do_what_they_say() {
    let text = format!("token = '{SECRET}'\u{202e}\n");
    let with = |secrets, hidden| {
        let safety = Safety { secrets, hidden, ..Safety::default() };
        let screened = screen(snapshot(vec![Item::file("a.txt", &text)]), &safety, &Unknown);
        let compiled = compile(&screened, &Options::default(), &tools());
        (text_of(&screened.items[0]).to_owned(), compiled.map(|compiled| compiled.output.text()))
    };
    let (shown, compiled) = with(Secrets::Warn, HiddenText::Off);
    assert!(shown.contains(SECRET) && compiled.is_ok_and(|text| text.contains(SECRET)));
    assert_eq!(with(Secrets::Redact, HiddenText::Escape).0, "token = '[REDACTED:github-pat]'<U+202E>\n");
    assert_eq!(with(Secrets::Redact, HiddenText::Strip).0, "token = '[REDACTED:github-pat]'\n");
    assert_eq!(with(Secrets::Off, HiddenText::Off).0, text);
    let denied = |result: Result<String, CompileError>| match result {
        Err(CompileError::Denied(denied)) => denied.to_string(),
        other => panic!("{other:?}"),
    };
    let told = denied(with(Secrets::Deny, HiddenText::Warn).1);
    assert!(told.starts_with("a.txt:1: github-pat, fingerprint ") && !told.contains(SECRET), "{told}");
    assert_eq!(denied(with(Secrets::Redact, HiddenText::Deny).1), "a.txt:1: 1 invisible character: U+202E");
}

#[test]
fn a_slice_with_a_secret_is_found_by_what_it_was() {
    let text = format!("one\ntwo\ntoken = '{SECRET}'\nfour\nfive\n");
    let slice = anchor::make(&text, 2, 3, Some("keys"), None).unwrap();
    let moved = format!("zero\n{text}");
    let mut marked = Item::file("a.py", &moved);
    marked.wish.slices = vec![slice];
    marked.wish.view = Some(crate::Level::Custom);
    let screened = screen(snapshot(vec![marked]), &Safety::default(), &Unknown);
    let located = screened.items[0].located.as_ref().unwrap();
    assert_eq!((located[0].outcome, located[0].lines), (anchor::Outcome::Moved, Some((3, 4))));
    let compiled = compile(&screened, &Options::default(), &tools()).unwrap().output.text();
    assert!(
        compiled.contains("lines 3-4 (moved from 2-3): keys\ntwo\ntoken = '[REDACTED:github-pat]'\n"),
        "{compiled}"
    );
}

#[test]
fn arguments_stay_json_and_sealed_thoughts_stay_whole() {
    let arguments = format!(r#"{{"password": "a\"{SECRET}\\", "b": "kT9#\"mWq2!x", "c": 1}}"#);
    let call = Call { id: "1".into(), name: "f".into(), arguments: arguments.as_str().into() };
    let thought = |seal: &str| Thought { by: Api::Anthropic, text: SECRET.into(), seal: seal.into(), call: None };
    let said = Message {
        thoughts: vec![thought("sealed"), thought("")],
        ..Message::calling(format!("it is {SECRET}"), vec![call])
    };
    let body = Body::Message(Arc::new(said));
    let made = Item { body, kind: ItemKind::Layer(crate::Layer::History), ..Item::file("session#1", "") };
    let screened = screen(snapshot(vec![made]), &Safety::default(), &Unknown);
    let Body::Message(masked) = &screened.items[0].body else { panic!() };
    assert_eq!(masked.role, Role::Assistant);
    let value: serde_json::Value = serde_json::from_str(&masked.calls[0].arguments).unwrap();
    assert_eq!(value["c"], 1);
    assert!(!masked.calls[0].arguments.contains(SECRET), "{}", &*masked.calls[0].arguments);
    assert_eq!(&*masked.text(), "it is [REDACTED:github-pat]");
    assert_eq!(&*masked.thoughts[0].text, SECRET);
    assert_eq!(&*masked.thoughts[1].text, "[REDACTED:github-pat]");
    assert_eq!(screened.items[0].hash, Some(masked.hash()));
    assert!(screened.report().secrets.iter().any(|found| found.action == Action::Sealed));
}

#[test]
fn names_and_notes_are_masked_too() {
    let mut given = snapshot(vec![Item::file(&format!("shots/{SECRET}.png"), "")]);
    given.paths = vec![format!("shots/{SECRET}.png")];
    given.notes = vec![crate::Note::new(crate::Topic::Unread, format!("cannot read {SECRET}")).at(SECRET)];
    let screened = screen(given, &Safety::default(), &Unknown);
    assert!(!format!("{screened:?}").contains(SECRET));
    assert_eq!(screened.items[0].path, "shots/[REDACTED:github-pat].png");
    assert_eq!(screened.report().secrets[0].line, 0);
}

#[test]
fn what_a_request_says_passes_the_gate_in_compile_itself() {
    let screened = screen(snapshot(vec![Item::file("a.py", "x = 1\n")]), &Safety::default(), &Unknown);
    let mut options = Options { format: crate::Format::Messages, ..Options::default() };
    options.request.message = Some(format!("is {SECRET} still good?").into());
    options.request.system = Some(format!("use {SECRET}").into());
    let compiled = compile(&screened, &options, &tools()).unwrap();
    assert!(!compiled.output.text().contains(SECRET));
    assert_eq!(compiled.safety.secrets.len(), 2);
    assert!(compiled.notes.iter().any(|note| note.path.as_deref() == Some("message")));
}

#[test]
fn a_token_cut_by_what_nobody_sees_is_masked_whole() {
    let (start, end) = SECRET.split_at(20);
    // The last is a variant behind a digit: it belongs there and is not told, but it cuts a key all the same.
    for code in ["\u{200b}", "\u{ad}", "\u{200b}\u{e0041}", "\u{fe0f}"] {
        let text = format!("a\nb = '{start}{code}{end}'\nprint('{SECRET}')\n");
        for hidden in [HiddenText::Warn, HiddenText::Strip, HiddenText::Escape, HiddenText::Off] {
            let known = Remembered::default();
            let safety = Safety { hidden, ..Safety::default() };
            let screened = screen(snapshot(vec![Item::file("a.py", &text)]), &safety, &known);
            let masked = text_of(&screened.items[0]);
            assert_eq!(masked, "a\nb = '[REDACTED:github-pat]'\nprint('[REDACTED:github-pat]')\n");
            let found = &screened.report().secrets;
            assert_eq!(found.iter().map(|found| found.line).collect::<Vec<_>>(), [2, 3]);
            assert!(found.iter().all(|found| found.fingerprint == Fingerprint::of(SECRET)));
            // Nothing but the names is clean.
            assert_eq!(known.0.lock().unwrap().len(), 1);
        }
    }
    let named =
        screen(snapshot(vec![Item::file(&format!("{start}\u{ad}{end}.png"), "")]), &Safety::default(), &Unknown);
    assert_eq!(named.items[0].path, "[REDACTED:github-pat].png");
    // An invisible character sets a token apart from a word as well.
    let text = format!("word\u{200b}{SECRET}\n");
    for (hidden, left) in [(HiddenText::Warn, "word\u{200b}"), (HiddenText::Strip, "word")] {
        let safety = Safety { hidden, ..Safety::default() };
        let screened = screen(snapshot(vec![Item::file("a.py", &text)]), &safety, &Unknown);
        assert_eq!(text_of(&screened.items[0]), format!("{left}[REDACTED:github-pat]\n"));
    }
}

#[derive(Default)]
struct Remembered(Mutex<Vec<ContentHash>>);

impl Clean for Remembered {
    fn is_clean(&self, key: &ContentHash) -> bool {
        self.0.lock().unwrap().contains(key)
    }
    fn put(&self, key: ContentHash) {
        self.0.lock().unwrap().push(key);
    }
}

#[test]
fn only_clean_texts_are_remembered() {
    let known = Remembered::default();
    let items = vec![
        Item::file("a.py", "x = 1\n"),
        Item::file("b.py", &format!("token = '{SECRET}'\n")),
        Item::file("c.py", "\u{202e}"),
    ];
    for _ in 0..2 {
        let screened = screen(snapshot(items.clone()), &Safety::default(), &known);
        assert_eq!((screened.report().secrets.len(), screened.report().hidden.len()), (1, 1));
        // The names, and the one clean file.
        assert_eq!(known.0.lock().unwrap().len(), 2);
    }
    assert!(scan("x = 1").is_empty());
}

#[test]
fn what_was_said_is_looked_at_whatever_its_hash_is() {
    let known = Remembered::default();
    let said = |content: &str| Item {
        body: Body::Said { role: None, content: content.into() },
        kind: ItemKind::Discussion,
        ..Item::file("discussion/1", "")
    };
    screen(snapshot(vec![said("hi")]), &Safety::default(), &known);
    let screened = screen(snapshot(vec![said(&format!("it is {SECRET}"))]), &Safety::default(), &known);
    assert!(!format!("{screened:?}").contains(SECRET));
    assert_eq!(screened.items[0].hash, Some(Item::said_hash(None, "it is [REDACTED:github-pat]")));
}

#[test]
fn what_is_allowed_or_was_not_looked_for_is_not_remembered_as_clean() {
    let known = Remembered::default();
    let items = vec![Item::file("b.py", &format!("token = '{SECRET}'\n"))];
    let allow = [Fingerprint::of(SECRET)].into();
    for safety in [
        Safety { allow, ..Safety::default() },
        Safety { secrets: Secrets::Off, ..Safety::default() },
        Safety { secrets: Secrets::Warn, hidden: HiddenText::Off, ..Safety::default() },
    ] {
        screen(snapshot(items.clone()), &safety, &known);
        // The names are.
        assert!(known.0.lock().unwrap().len() <= 1, "{safety:?}");
    }
}

#[test]
fn the_same_bytes_are_code_under_one_path_and_data_under_another() {
    let text = "connect(\n    password,\n    timeout_30s=True,\n)\n";
    let as_code = Item::file("connect.py", text);
    let as_data = Item::file("connect.txt", text);
    let masked = text.replace("timeout_30s=True", "[REDACTED:password-assignment]");
    // Whichever is scanned first: what is remembered of one says nothing about the other.
    for items in [vec![as_code.clone(), as_data.clone()], vec![as_data, as_code]] {
        let known = Remembered::default();
        for _ in 0..2 {
            for one in &items {
                let screened = screen(snapshot(vec![one.clone()]), &Safety::default(), &known);
                let expected = if one.path.ends_with(".py") { text } else { &masked };
                assert_eq!(text_of(&screened.items[0]), expected, "{}", one.path);
            }
        }
    }
}

#[test]
fn what_a_file_was_before_is_scanned_like_the_file() {
    let text = "connect(\n    password,\n    timeout_30s=True,\n)\n";
    let before = |path: &str| {
        let mut changed = Item::file(path, "x = 1\n");
        changed.body = Body::Text { text: "x = 1\n".into(), base: crate::Base::Known(text.into()) };
        let screened = screen(snapshot(vec![changed]), &Safety::default(), &Unknown);
        match &screened.items[0].body {
            Body::Text { base: crate::Base::Known(base), .. } => base.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(before("connect.py"), text);
    assert!(before("connect.txt").contains("[REDACTED:password-assignment]"));
}
