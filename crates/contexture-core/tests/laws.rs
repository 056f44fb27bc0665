//! The laws of `compile`, over random projects: totals are the count of the bytes, every item is accounted for, a file's
//! block depends on that file alone, and a reader that knows only CommonMark gets every path and byte back.
#![allow(clippy::unwrap_used)]

use contexture_core::check::check;
use contexture_core::{
    Api, Block, Body, CompileError, Compiled, ContentHash, Counter, Forgetful, Format, History, InProcess, Item,
    ItemKind, Level, Meter, Options, Piece, RequestOptions, Snapshot, Strategy as How, StrategyMode, StrategySource,
    Tokenizer, Tools, Tree, Wish, WrittenSummary, compile, may_summarize,
};
use contexture_testkit::{hand_over, item, recover, screened};
use proptest::prelude::*;
use std::sync::Arc;

/// Text that means harm: fences of both kinds, headings, our own frames, every line end, tags.
fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "```",
        "````",
        "~~~",
        "~~~~~~~",
        "`",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "    ",
        "\t",
        "/",
        "// x",
        "## Files\n\n",
        "### `a.rs`\n\n",
        "```rust no-final-newline\n",
        "---\n",
        "</file>",
        "</file-0000",
        "<file path=\"x\">",
        "]]>",
        "<!--",
        "fn main() {}\n",
        "héllo",
        "漢字",
        "👍",
        "\u{2028}",
        "\u{200b}",
        "\u{0}",
        "\u{1b}[31m",
        "(context excluded)",
        "ERROR: file not found: x",
        "{\"v\":1",
        "x",
        "=====\n",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|parts| parts.concat())
}

fn hostile_name() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b.rs",
        "`",
        "``",
        "\n",
        "\r",
        "\t",
        " ",
        "\"",
        "\\",
        "<b>",
        "#",
        "*",
        "[x](y)",
        "é",
        "名",
        "\u{202e}",
        "\u{7f}",
        "\u{10ff80}",
        "-",
        "'",
        "&",
    ]);
    prop::collection::vec(piece, 1..6).prop_map(|parts| parts.concat())
}

prop_compose! {
    fn project()(
        files in prop::collection::btree_map(hostile_name(), (hostile_text(), 0..12u8, prop::option::of(hostile_text())), 0..6),
        said in prop::collection::vec(hostile_text(), 0..3),
    ) -> Snapshot {
        let mut items: Vec<Item> = files.iter().map(|(path, (text, wish, written))| {
            let view = match wish { 0 => Some(Level::None), 1 => Some(Level::Summary), 2 => Some(Level::Name), 3 => Some(Level::Diff), _ => None };
            let wish = Wish { view, auto_aggregate: *wish != 4, force_full: *wish == 5, ..Wish::default() };
            let plain = item(ItemKind::File, path, text);
            // A quarter of a large file has room for what was written.
            let size = if written.is_some() { 4_096 } else { plain.size };
            Item { wish, size, written: written.as_deref().map(written_summary), ..plain }
        }).collect();
        items.extend(said.iter().enumerate().map(|(n, text)| item(ItemKind::Discussion, &format!("discussion/{n}"), text)));
        Snapshot { items, ..Snapshot::default() }
    }
}

fn written_summary(text: &str) -> Arc<WrittenSummary> {
    let (by, hash) = ("some/model".into(), ContentHash::of(text));
    Arc::new(WrittenSummary { text: text.into(), by, tier: 2, hash })
}

fn options() -> impl Strategy<Value = Options> {
    (0..3u8, 0..2u8, 0..3u8, 0..2u8, any::<bool>()).prop_map(|(format, mode, history, tree, line_numbers)| Options {
        strategy: How {
            mode: if mode == 0 { StrategyMode::OwnView } else { StrategyMode::Summarize },
            name: "auto",
            source: StrategySource::Default,
        },
        format: [Format::Markdown, Format::Xml, Format::Json][format as usize],
        history: [History::With, History::Without, History::Only][history as usize],
        tree: [Tree::None, Tree::Selected][tree as usize],
        line_numbers,
        ..Options::default()
    })
}

fn made(snapshot: &Snapshot, options: &Options, tokenizer: Tokenizer) -> Compiled {
    compile(&screened(snapshot), options, &Tools { meter: Meter::new(&tokenizer, &Forgetful), code: &InProcess })
        .expect("no budget")
}

fn block_text(block: &Block) -> String {
    block.pieces.iter().map(Piece::as_str).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(contexture_testkit::cases(600)))]

    #[test]
    fn the_total_is_the_count_of_the_bytes(snapshot in project(), options in options()) {
        for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k, Tokenizer::Estimate(contexture_core::Family::Generic)] {
            let compiled = made(&snapshot, &options, tokenizer);
            prop_assert_eq!(compiled.measured.0, tokenizer.count(&compiled.output.text()));
            prop_assert_eq!(compiled.prefix.0, tokenizer.count(&compiled.output.static_prefix()));
        }
    }

    /// A request holds the document to the byte, whoever reads it, and its provider takes it.
    #[test]
    fn a_request_holds_the_document(
        snapshot in project(),
        options in options(),
        api in prop::sample::select(Api::ALL.to_vec()),
        asked in prop::option::of(hostile_text()),
        model in prop::sample::select(vec!["claude-opus-5", "gpt-5.6", "m"]),
    ) {
        let document = made(&snapshot, &Options { format: Format::Markdown, ..options.clone() }, Tokenizer::O200k);
        let said = asked.clone().filter(|text| !text.trim().is_empty()).unwrap_or_default();
        let request = RequestOptions { model: Some(model.into()), message: asked.map(Into::into), ..RequestOptions::default() };
        let options = Options { format: Format::Request(api), request, ..options };
        // Of nothing at all no request is made.
        if document.output.text().trim().is_empty() && said.is_empty() {
            let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
            prop_assert!(matches!(compile(&screened(&snapshot), &options, &tools), Err(CompileError::Refused(_))));
            return Ok(());
        }
        let compiled = made(&snapshot, &options, Tokenizer::O200k);
        let body = compiled.output.text();
        hand_over(api.as_str(), &body);
        let violations = check(api, &body);
        prop_assert!(violations.is_empty(), "{violations:?}\n{body}");
        let value: serde_json::Value = serde_json::from_str(&body).unwrap();
        let content = match api {
            Api::Responses => value["input"][0]["content"].clone(),
            Api::Gemini => value["contents"][0]["parts"].clone(),
            _ => value["messages"][0]["content"].clone(),
        };
        let texts = match &content {
            serde_json::Value::String(text) => text.clone(),
            parts => parts.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()).collect(),
        };
        prop_assert_eq!(texts, document.output.text() + &said);
        // Every block of the document is one of the request, of the same item.
        let items = |compiled: &Compiled| compiled.output.blocks.iter().filter_map(|block| block.item.clone()).collect::<Vec<_>>();
        prop_assert_eq!(items(&compiled), items(&document));
    }

    #[test]
    fn every_item_is_in_the_plan_once_with_a_reason(snapshot in project(), options in options()) {
        let plan = made(&snapshot, &options, Tokenizer::O200k).plan;
        let mut seen: Vec<String> = plan.picks.iter().map(|pick| pick.path.clone()).chain(plan.left_out.iter().map(|left| left.path.clone())).collect();
        let mut all: Vec<String> = snapshot.items.iter().map(|item| item.path.clone()).collect();
        seen.sort();
        all.sort();
        prop_assert_eq!(seen, all);
        prop_assert!(plan.picks.iter().all(|pick| !pick.why.to_string().is_empty()));
        prop_assert!(plan.left_out.iter().all(|left| !left.why.to_string().is_empty()));
    }

    #[test]
    fn the_document_is_prefix_and_suffix(snapshot in project(), options in options()) {
        let output = made(&snapshot, &options, Tokenizer::O200k).output;
        prop_assert_eq!(output.static_prefix() + &output.dynamic_suffix(), output.text());
        prop_assert_eq!(output.prefix_bytes(), output.static_prefix().len());
    }

    #[test]
    fn the_prefix_knows_nothing_of_the_discussion(snapshot in project(), more in hostile_text()) {
        let options = Options::default();
        let before = made(&snapshot, &options, Tokenizer::O200k).output.static_prefix();
        let mut longer = snapshot.clone();
        longer.items.push(item(ItemKind::Discussion, "discussion/z", &more));
        prop_assert_eq!(made(&longer, &options, Tokenizer::O200k).output.static_prefix(), before);
    }

    #[test]
    fn editing_one_file_changes_no_other_block(snapshot in project(), edit in hostile_text(), which in any::<prop::sample::Index>(), options in options()) {
        let files = snapshot.items.iter().filter(|item| item.kind == ItemKind::File).count();
        prop_assume!(files > 0);
        let which = which.index(files);
        let mut edited = snapshot.clone();
        let old = edited.items[which].clone();
        edited.items[which] = Item { wish: old.wish.clone(), ..item(ItemKind::File, &old.path, &edit) };
        let (a, b) = (made(&snapshot, &options, Tokenizer::O200k).output, made(&edited, &options, Tokenizer::O200k).output);
        prop_assert_eq!(a.blocks.len(), b.blocks.len());
        for (left, right) in a.blocks.iter().zip(&b.blocks) {
            if left.item.as_ref() != Some(&old.id) {
                prop_assert_eq!(block_text(left), block_text(right));
            }
        }
    }

    #[test]
    fn a_reader_gets_every_path_and_byte_back(snapshot in project(), tree in 0..2u8) {
        let options = Options { tree: [Tree::None, Tree::Selected][tree as usize], ..Options::default() };
        let compiled = made(&snapshot, &options, Tokenizer::O200k);
        let document = compiled.output.text();
        let recovered = recover(&document);
        let shown: Vec<&Item> = snapshot.items.iter().filter(|item| item.kind == ItemKind::File && item.wish.auto_aggregate).collect();
        prop_assert_eq!(recovered.len(), shown.len(), "{}", document);
        for (got, item) in recovered.iter().zip(shown) {
            prop_assert_eq!(&got.path, &item.path);
            let full = item.wish.force_full && item.wish.view != Some(Level::None) || item.wish.view.is_none();
            if let (true, Body::Text { text, .. }) = (full, &item.body) {
                prop_assert_eq!(got.text.as_deref(), Some(&**text));
            }
        }
    }

    #[test]
    fn what_a_model_wrote_reads_back_and_is_looked_up(snapshot in project(), options in options()) {
        let options = Options { format: Format::Markdown, history: History::With, ..options };
        let compiled = made(&snapshot, &options, Tokenizer::O200k);
        let recovered = recover(&compiled.output.text());
        let files = compiled.plan.picks.iter().filter(|pick| pick.kind == ItemKind::File);
        for (got, pick) in recovered.iter().zip(files) {
            let Some(written) = &pick.written else { continue };
            let item = snapshot.items.iter().find(|item| item.id == pick.item).unwrap();
            prop_assert!(may_summarize(item, &options));
            prop_assert_eq!(pick.level, Level::Summary);
            prop_assert!(pick.reason().ends_with("; summary written by some/model"));
            prop_assert_eq!(got.text.as_deref().map(|text| text.trim_end_matches('\n')), Some(written.text.trim_matches(['\n', '\r', ' ', '\t'])));
        }
    }

    #[test]
    fn a_document_about_our_documents_reads_back(snapshot in project()) {
        let first = made(&snapshot, &Options::default(), Tokenizer::O200k).output.text();
        let outer = Snapshot { items: vec![item(ItemKind::File, "inner.md", &first)], ..Snapshot::default() };
        let second = made(&outer, &Options::default(), Tokenizer::O200k).output.text();
        let recovered = recover(&second);
        prop_assert_eq!(recovered.len(), 1);
        prop_assert_eq!(recovered[0].text.as_deref(), Some(first.as_str()));
    }

    #[test]
    fn json_documents_are_json(snapshot in project(), tree in 0..2u8) {
        let options = Options { format: Format::Json, tree: [Tree::None, Tree::Selected][tree as usize], ..Options::default() };
        let text = made(&snapshot, &options, Tokenizer::O200k).output.text();
        let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
        let files = value["files"].as_array().map_or(0, Vec::len);
        prop_assert_eq!(files, snapshot.items.iter().filter(|item| item.kind == ItemKind::File && item.wish.auto_aggregate).count());
    }

    #[test]
    fn a_tag_cannot_be_closed_from_inside(snapshot in project()) {
        let options = Options { format: Format::Xml, ..Options::default() };
        let output = made(&snapshot, &options, Tokenizer::O200k).output;
        for block in &output.blocks {
            let [Piece::Frame(head), Piece::Body(text), Piece::Frame(tail)] = block.pieces.as_slice() else { continue };
            let close = tail.trim();
            let open = close.replace("</", "<").replace('>', "");
            prop_assert!(head.starts_with(&open));
            prop_assert!(!text.contains(close), "{} in {:?}", close, text);
        }
    }
}

#[test]
fn a_budget_that_is_too_small_is_an_error_with_both_numbers() {
    let snapshot = Snapshot { items: vec![item(ItemKind::File, "a.txt", &"word ".repeat(50))], ..Snapshot::default() };
    let options = Options { budget: Some(contexture_core::Tokens(5)), ..Options::default() };
    let over = compile(
        &screened(&snapshot),
        &options,
        &Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess },
    )
    .expect_err("too small")
    .over_budget()
    .unwrap();
    assert_eq!(over.budget.0, 5);
    let exactly = Options { budget: Some(over.needed), ..Options::default() };
    assert!(
        compile(
            &screened(&snapshot),
            &exactly,
            &Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess }
        )
        .is_ok()
    );
}
