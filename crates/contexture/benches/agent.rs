//! Times and memory of an agent's context, for `cargo xtask bench agent`: one line of JSON for each case.
//!
//! Everything is measured in this process, after the vocabulary is loaded: an agent loads it once. Memory is the most that was
//! allocated while a context was built, above what was allocated before.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use contexture::agent::{LlmMessage, LlmRole, Now, Session, Spoken, Tokenizer, WorkspaceContext, append, import_file};
use peak_alloc::PeakAlloc;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() {
    Tokenizer::O200k.load();
    let folder = tempfile::tempdir().unwrap();
    typical(folder.path());
    for share in [1, 2, 4] {
        large(folder.path(), 500 * share, 12_500 * share);
    }
    appended(folder.path());
    stored(folder.path());
}

/// Some text of prose and code, different for each number.
fn text(number: usize, words: usize) -> String {
    const WORDS: [&str; 16] = [
        "the",
        "parser",
        "returns",
        "`None`",
        "when",
        "a",
        "token",
        "cannot",
        "be",
        "read,",
        "so",
        "fn main() {}",
        "we",
        "check 42",
        "each",
        "result.\n",
    ];
    (0..words).map(|nth| format!("{} ", WORDS[(number.wrapping_mul(31) + nth * 7) % WORDS.len()])).collect::<String>()
        + &number.to_string()
}

fn workspace(root: &Path, skills: usize) -> PathBuf {
    let folder = root.join(format!("workspace-{skills}"));
    fs::create_dir_all(folder.join("memory")).unwrap();
    fs::write(folder.join("SOUL.md"), text(1, 150)).unwrap();
    fs::write(folder.join("AGENTS.md"), text(2, 400)).unwrap();
    fs::write(folder.join("TOOLS.md"), text(3, 400)).unwrap();
    let memories: String = (0..100).map(|nth| format!("- {}\n", text(nth, 12).replace('\n', ""))).collect();
    fs::write(folder.join("memory/MEMORY.md"), format!("# Memory\n\n## Notes\n{memories}")).unwrap();
    for nth in 0..skills {
        let skill = folder.join(format!("skills/skill-{nth:05}"));
        fs::create_dir_all(&skill).unwrap();
        let said = format!(
            "---\nname: skill-{nth:05}\ndescription: {}\n---\n{}",
            text(nth, 12).replace(['\n', ':'], " "),
            text(nth, 300)
        );
        fs::write(skill.join("SKILL.md"), said).unwrap();
    }
    settle(&folder);
    folder
}

/// Makes files old enough to be trusted: what was written a moment ago is read again.
fn settle(folder: &Path) {
    let hour = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            settle(&entry.path());
        } else {
            fs::File::options().append(true).open(entry.path()).unwrap().set_modified(hour).unwrap();
        }
    }
}

fn session(messages: usize) -> Session {
    let spoken = |nth: usize| {
        let role = if nth.is_multiple_of(2) { LlmRole::User } else { LlmRole::Assistant };
        Spoken { message: Arc::new(LlmMessage::new(role, text(nth, 40))), at: None, line: nth + 1 }
    };
    Session { messages: (0..messages).map(spoken).collect(), ..Session::default() }
}

fn builder(folder: &Path) -> WorkspaceContext {
    WorkspaceContext::new(folder).clock(|| Now { day: "2026-11-16".into(), zone: "UTC".into() })
}

/// The middle of some runs: milliseconds, and the most bytes that it held.
fn measure<T>(runs: usize, mut run: impl FnMut() -> T) -> (f64, usize) {
    let mut times = Vec::with_capacity(runs);
    let mut peaks = Vec::with_capacity(runs);
    for _ in 0..runs {
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let start = Instant::now();
        let made = black_box(run());
        times.push(start.elapsed().as_secs_f64() * 1e3);
        peaks.push(MEMORY.peak_usage().saturating_sub(before));
        drop(made);
    }
    times.sort_by(f64::total_cmp);
    peaks.sort_unstable();
    (times[times.len() / 2], peaks[peaks.len() / 2])
}

fn report(case: &str, (time, peak): (f64, usize), texts: usize) {
    println!("{{\"case\":\"{case}\",\"ms\":{time:.3},\"peak\":{peak},\"texts\":{texts}}}");
}

/// All bytes below a folder.
fn bytes(folder: &Path) -> usize {
    let mut sum = 0;
    for entry in fs::read_dir(folder).unwrap().flatten() {
        sum += if entry.path().is_dir() { bytes(&entry.path()) } else { entry.metadata().unwrap().len() as usize };
    }
    sum
}

/// The least any such program must do: read the files and count each text once.
fn limit(folder: &Path, session: &Session) -> (f64, usize) {
    fn read(folder: &Path, into: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() {
                read(&entry.path(), into)
            } else {
                into.push(fs::read_to_string(entry.path()).unwrap())
            }
        }
    }
    use contexture_core::Counter;
    measure(21, || {
        let mut texts = Vec::new();
        read(folder, &mut texts);
        let said = session.messages.iter().map(|spoken| Tokenizer::O200k.count(&spoken.message.text())).sum::<u64>();
        said + texts.iter().map(|text| Tokenizer::O200k.count(text)).sum::<u64>()
    })
}

/// Five files, twenty skills, fifty messages.
fn typical(root: &Path) {
    let (folder, session) = (workspace(root, 20), session(50));
    let message = Some("Which parser returns `None` when a token cannot be read?");
    let texts = bytes(&folder) + session.messages.iter().map(|spoken| spoken.message.text().len()).sum::<usize>();
    report("typical: limit", limit(&folder, &session), texts);
    for (name, tokens) in [("typical: 4,000 tokens", 4_000), ("typical: 100,000 tokens", 100_000)] {
        report(name, measure(51, || builder(&folder).max_tokens(tokens).build(&session, message).unwrap()), texts);
    }
    let kept = builder(&folder).max_tokens(100_000);
    kept.build(&session, message).unwrap();
    report("typical: builder that is kept", measure(51, || kept.build(&session, message).unwrap()), texts);
}

fn large(root: &Path, skills: usize, messages: usize) {
    let (folder, session) = (workspace(root, skills), session(messages));
    let texts = bytes(&folder) + session.messages.iter().map(|spoken| spoken.message.text().len()).sum::<usize>();
    let message = Some("Which parser returns `None` when a token cannot be read?");
    report(
        &format!("large: {skills} skills, {messages} messages"),
        measure(5, || builder(&folder).max_tokens(8_000).build(&session, message).unwrap()),
        texts,
    );
    let all = builder(&folder).max_tokens(100_000_000).max_messages(usize::MAX);
    report(
        &format!("large: {skills} skills, {messages} messages, all shown"),
        measure(3, || all.clone().max_messages(usize::MAX - 1).build(&session, message).unwrap()),
        texts,
    );
}

/// One message more in a session of ten thousand, all of it shown.
fn appended(root: &Path) {
    let (folder, mut session) = (workspace(root, 20), session(10_000));
    let context = builder(&folder).max_tokens(100_000_000).max_messages(1_000_000);
    let message = Some("And now?");
    let first = measure(1, || context.build(&session, message).unwrap());
    report("10,000 messages: first", first, 0);
    let next = measure(11, || {
        let nth = session.messages.len();
        session.messages.push(Spoken {
            message: Arc::new(LlmMessage::new(LlmRole::User, text(nth, 40))),
            at: None,
            line: 0,
        });
        context.build(&session, message).unwrap()
    });
    report("10,000 messages: one more", next, 0);
}

/// A session of ten thousand messages on disk: read, and added to.
fn stored(root: &Path) {
    let path = root.join("sessions/bench_1.json");
    append(&path, &session(10_000).messages, "2026-11-16T00:00:00Z").unwrap();
    report("10,000 messages: read from disk", measure(5, || import_file(&path, &Default::default()).unwrap()), 0);
    let one = session(1).messages;
    report(
        "10,000 messages: one added on disk",
        measure(5, || append(&path, &one, "2026-11-16T00:00:00Z").unwrap()),
        0,
    );
}
