//! What a request of ten megabytes takes for each API, for `cargo xtask bench requests`: one line of JSON for each.
//!
//! The floor is measured in the same process, in turns with the rest: the bytes of the texts copied once, and the texts escaped as one
//! JSON string by `serde_json`. Tokens are counted by a counter that costs nothing; what they take is told by other benchmarks.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)]

use contexture_core::{
    Api, Base, Body, ContentHash, Counter, Forgetful, Format, InProcess, Item, ItemId, ItemKind, Meter, Options,
    RequestOptions, SelectedBy, Snapshot, Tools, Wish, compile,
};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const BYTES: usize = 10_000_000;
const FILES: usize = 500;
const ROUNDS: usize = 41;

struct Free;

impl Counter for Free {
    fn name(&self) -> &str {
        "free"
    }
    fn exact(&self) -> bool {
        false
    }
    fn count(&self, text: &str) -> u64 {
        text.len() as u64 / 4
    }
    fn joins(&self, _: &str, _: &str) -> bool {
        true
    }
}

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(2).build_global().unwrap();
    let snapshot = project();
    let screened = contexture_testkit::screened(&snapshot);
    let text = |item: &Item| match &item.body {
        Body::Text { text, .. } => text.to_string(),
        _ => String::new(),
    };
    let texts: String = snapshot.items.iter().map(text).collect();
    let tools = Tools { meter: Meter::new(&Free, &Forgetful), code: &InProcess };
    let mut times: Vec<(&str, Vec<Duration>)> =
        ["copy", "escape"].into_iter().chain(Api::WORDS.iter().copied()).map(|name| (name, Vec::new())).collect();
    for _ in 0..ROUNDS {
        for (name, times) in &mut times {
            let started = Instant::now();
            match *name {
                "copy" => drop(black_box(black_box(&texts).clone())),
                "escape" => drop(black_box(serde_json::to_string(black_box(&texts)).unwrap())),
                api => {
                    let request = RequestOptions { model: Some("m".into()), ..RequestOptions::default() };
                    let format = Format::Request(Api::parse(api).unwrap());
                    let options = Options { format, request, ..Options::default() };
                    black_box(compile(black_box(&screened), &options, &tools).unwrap());
                }
            }
            times.push(started.elapsed());
        }
    }
    for (name, mut times) in times {
        times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!("{}", serde_json::json!({"case": name, "best": ms(times[0]), "median": ms(times[times.len() / 2])}));
    }
}

/// Files of code, with quotes, tabs and line ends as code has them.
fn project() -> Snapshot {
    let line = |nth: usize| format!("\tlet value_{nth} = read(\"part {nth}\", options).expect(\"it is there\");\n");
    let file = |nth: usize| {
        let mut text = String::new();
        for line_nth in 0.. {
            if text.len() >= BYTES / FILES {
                break;
            }
            text.push_str(&line(nth * 1_000 + line_nth));
        }
        let path = format!("src/file_{nth:03}.txt");
        Item {
            id: ItemId(path.as_str().into()),
            kind: ItemKind::File,
            path,
            selected_by: SelectedBy::Path,
            hash: Some(ContentHash::of(&text)),
            size: text.len() as u64,
            body: Body::Text { text: text.into(), base: Base::NotAsked },
            modified: 0,
            wish: Wish::default(),
            written: None,
            located: None,
        }
    };
    Snapshot { items: (0..FILES).map(file).collect(), ..Snapshot::default() }
}
