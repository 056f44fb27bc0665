//! Reads the frames of tracebacks and the places that compilers report.
//!
//! Takes the text of a task; gives a [`Frame`] for each place of a source that a line names in one of the known forms. Reads
//! only the text: whether the project has such a file is for the ranking to find out.

use super::terms::{self, Term};

/// One line of a traceback, or one place that a compiler reports.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// With `/`, as another machine may have it.
    pub path: String,
    pub function: Option<Term>,
    /// From 1. It may be of another version of the file.
    pub line: Option<u32>,
    /// 1 where the error was raised, less the farther from it.
    pub near: f32,
}

/// The most frames of one trace: those nearest to the error. A recursion that never ends repeats itself.
const MOST: usize = 64;
/// The most traces of a text.
const TRACES: usize = 8;
/// Longer lines are data.
const LONGEST: usize = 2000;
/// Longer paths are not paths.
const LONGEST_PATH: usize = 400;
/// How near a warning is to the error.
const WARNING: f32 = 0.5;

/// Where in a trace the error was raised.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Raised {
    First,
    Last,
    /// At each of them: a list of messages. The number is how near.
    Here(f32),
}

/// What a line says.
#[derive(Debug)]
struct Place<'t> {
    raised: Raised,
    path: &'t str,
    line: Option<u32>,
    function: Option<Term>,
    /// The function called there, which the frame before is in.
    callee: Option<Term>,
}

impl<'t> Place<'t> {
    fn new(raised: Raised, (path, line): (&'t str, Option<u32>), function: &str) -> Self {
        Self { raised, path, line, function: name(function), callee: None }
    }
}

/// The frames of one trace, in the order of the text.
#[derive(Default)]
struct Trace {
    first: Vec<Frame>,
    last: Vec<Frame>,
    /// Ruby once wrote its traces to terminals with the error last, and numbered the lines.
    is_numbered_ruby: bool,
}

pub fn read(text: &str) -> Vec<Frame> {
    let mut traces = vec![Trace::default()];
    let mut messages = Vec::new();
    let mut above = "";
    for line in text.lines() {
        let line = line.trim_matches([' ', '\t', '\r', '>']);
        if line.is_empty() || line.len() > LONGEST {
            continue;
        }
        let begins = line.starts_with("Caused by") || line.contains("(most recent call last)");
        if begins && traces.len() < TRACES {
            traces.push(Trace::default());
        }
        let Some(trace) = traces.last_mut() else { break };
        if let Some(place) = place_of(line, above) {
            let near = if let Raised::Here(near) = place.raised { near } else { 0.0 };
            let path = place.path.replace('\\', "/");
            let path = path.trim_start_matches("./").to_owned();
            let frame = Frame { path, function: place.function, line: place.line, near };
            if place.callee.is_some()
                && let Some(before) = trace.first.last_mut()
            {
                before.function = place.callee;
            }
            match place.raised {
                Raised::First => trace.first.push(frame),
                Raised::Last => trace.last.push(frame),
                Raised::Here(_) if messages.len() < MOST => messages.push(frame),
                Raised::Here(_) => {}
            }
            trace.is_numbered_ruby |= line.contains(": from ") && line.starts_with(|c: char| c.is_ascii_digit());
        }
        above = line;
    }
    let mut all = Vec::new();
    for mut trace in traces {
        if !trace.is_numbered_ruby {
            trace.first.reverse();
        }
        for mut frames in [trace.last, trace.first] {
            frames.drain(..frames.len().saturating_sub(MOST));
            let count = frames.len() as f32;
            for (index, frame) in frames.iter_mut().enumerate() {
                frame.near = (index + 1) as f32 / count;
            }
            all.extend(frames);
        }
    }
    all.extend(messages);
    all
}

/// What a line says, with the line above it: some languages write the function there.
fn place_of<'t>(line: &'t str, above: &str) -> Option<Place<'t>> {
    if let Some(rest) = line.strip_prefix("File ") {
        return python(rest);
    }
    if let Some(rest) = line.strip_prefix("at ") {
        return called_at(rest, above);
    }
    if let Some(rest) = line.strip_prefix('#') {
        return numbered(rest);
    }
    if let Some((_, rest)) = line.split_once("panicked at ") {
        // Older versions of Rust write the message before the place.
        let rest = if rest.starts_with('\'') { rest.rsplit_once(", ").map_or(rest, |(_, place)| place) } else { rest };
        return Some(Place::new(Raised::First, place(rest.trim_end_matches(':'))?, ""));
    }
    if let Some(rest) = line.strip_prefix("--> ").or_else(|| line.strip_prefix("-- ")) {
        return Some(Place::new(Raised::Here(1.0), place(rest.trim())?, ""));
    }
    go(line, above)
        .or_else(|| ruby(line))
        .or_else(|| notebook(line))
        .or_else(|| php_error(line))
        .or_else(|| message(line))
}

/// `"a.py", line 3, in f`, and `a.py:3, in f(x)` of newer notebooks.
fn python(rest: &str) -> Option<Place<'_>> {
    let function = |rest: &str| rest.rsplit_once(" in ").map_or("", |(_, name)| name.trim()).to_owned();
    if let Some((path, rest)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        let line = rest.split_once("line ").and_then(|(_, number)| leading_number(number));
        return Some(Place::new(Raised::Last, (path, line), &function(rest)));
    }
    let (at, call) = rest.split_once(", in ")?;
    Some(Place::new(Raised::Last, place(at)?, call.split('(').next().unwrap_or("")))
}

/// `a.py in f(x)` of notebooks.
fn notebook(line: &str) -> Option<Place<'_>> {
    let (path, call) = line.split_once(" in ")?;
    let (name, _) = call.split_once('(')?;
    let is_one = path.contains('.') && !path.contains(' ') && !name.contains(' ');
    is_one.then(|| Place::new(Raised::Last, (path, None), name))
}

/// What follows `at`: `f (a.js:3:1)` and `a.js:3:1` of JavaScript, `a.B.f(B.java:3)` of Java, `N.C.M(args) in a.cs:line 12` of C#,
/// and `a.rs:3:1` of Rust, where the line above has the function.
fn called_at<'t>(rest: &'t str, above: &str) -> Option<Place<'t>> {
    if let Some((call, at)) = rest.rsplit_once(" in ")
        && let Some((path, line)) = at.rsplit_once(":line ")
    {
        let function = call.split('(').next().unwrap_or("");
        return Some(Place::new(Raised::First, (path, leading_number(line)), function));
    }
    if let Some((call, at)) = rest.split_once('(')
        && !call.trim_end().ends_with(['/', '\\'])
    {
        // Logs of Java add the name of the archive.
        let at = at.strip_suffix(')').or_else(|| Some(at.split_once(')')?.0))?;
        let call = call.split(" [as ").next().unwrap_or(call).trim();
        // The constructor of a Java class has the name of the class.
        let call = call.strip_suffix(".<init>").unwrap_or(call);
        // `lambda$f$0` is in `f`.
        let call = call.rsplit_once("lambda$").map_or(call, |(_, rest)| rest.split('$').next().unwrap_or(rest));
        return Some(Place::new(Raised::First, place(at)?, call.rsplit(['.', ' ']).next().unwrap_or("")));
    }
    let at = place(rest.strip_prefix("async ").unwrap_or(rest))?;
    let function = above.split_once(": ").filter(|(number, _)| is_number(number)).map_or("", |(_, function)| function);
    Some(Place::new(Raised::First, at, rust_name(function)))
}

/// `alloc::vec::Vec<T>::push::h0123456789abcdef`, `a::b::{{closure}}`: the name of the function.
fn rust_name(path: &str) -> &str {
    let is_function = |part: &&str| {
        let is_hash =
            part.len() == 17 && part.starts_with('h') && part[1..].bytes().all(|byte| byte.is_ascii_hexdigit());
        !is_hash && !part.starts_with(['{', '<'])
    };
    path.rsplit("::").find(is_function).unwrap_or("")
}

/// What follows `#`: `0 a.php(46): C->f()` of PHP, `1 0x12 in f (args) at a.c:3` of gdb, `1 0x12 in f a.c:3:1` of sanitizers.
fn numbered(rest: &str) -> Option<Place<'_>> {
    let (number, rest) = rest.split_once(' ')?;
    if !is_number(number) {
        return ruby(rest);
    }
    let rest = rest.trim_start();
    if let Some((at, call)) = rest.split_once("): ") {
        let (path, line) = at.rsplit_once('(')?;
        let line = line.parse().ok()?;
        let callee = name(call.split('(').next().unwrap_or("").rsplit(['>', ':', '\\']).next().unwrap_or(""));
        return Some(Place { callee, ..Place::new(Raised::First, (path, Some(line)), "") });
    }
    let rest = match rest.strip_prefix("0x").and_then(|rest| rest.split_once(" in ")) {
        Some((_, call)) => call,
        None => rest,
    };
    let (call, at) = match rest.rsplit_once(" at ") {
        Some((call, at)) => (call, place(at)?),
        None => {
            let (call, at) = rest.rsplit_once(' ')?;
            (call, place(at)?)
        }
    };
    let call = call.split('(').next().unwrap_or("").trim();
    let call = call.strip_suffix('>').and_then(|call| call.rsplit_once('<')).map_or(call, |(call, _)| call);
    Some(Place::new(Raised::First, at, call.rsplit("::").next().unwrap_or("")))
}

/// `/a/b.go:12 +0x1d`, where the line above has the function: `pkg.(*T).f(...)` or `created by pkg.f in goroutine 1`.
fn go<'t>(line: &'t str, above: &str) -> Option<Place<'t>> {
    let (at, offset) = line.split_once(' ').unwrap_or((line, ""));
    let at = place(at).filter(|(path, _)| path.ends_with(".go") && (offset.is_empty() || offset.starts_with("+0x")))?;
    let call = above.strip_prefix("created by ").unwrap_or(above);
    let call = call.split(" in goroutine").next().unwrap_or(call);
    let call = if call.ends_with(')') { call.rsplit_once('(').map_or(call, |(call, _)| call) } else { call };
    let call = call.trim_end_matches("[...]");
    // `f.func1.2` is a function without a name inside of `f`.
    let is_name = |part: &&str| !is_number(part.strip_prefix("func").unwrap_or(part));
    let function = if call.contains(' ') { "" } else { call.rsplit('.').find(is_name).unwrap_or("") };
    Some(Place::new(Raised::First, at, function))
}

/// `` a.rb:3:in `f' `` and `a.rb:3:in 'C#f'`, with `from` or a number before them.
fn ruby(line: &str) -> Option<Place<'_>> {
    let (at, call) = line.split_once(":in ")?;
    let at = at
        .rsplit_once("from ")
        .filter(|(before, _)| before.bytes().all(|byte| byte.is_ascii_digit() || b": ".contains(&byte)))
        .map_or(at, |(_, at)| at);
    let call = call.strip_prefix(['`', '\''])?.split('\'').next()?;
    let last = call.rsplit(['#', '.', ' ']).next().unwrap_or("");
    Some(Place::new(Raised::First, place(at)?, last))
}

/// `message in a.php:3`, which comes before the trace, and `message in a.php on line 3`.
fn php_error(line: &str) -> Option<Place<'_>> {
    let (message, at) = line.rsplit_once(" in ")?;
    let at = match at.split_once(" on line ") {
        Some((path, line)) => (path, Some(leading_number(line)?)),
        None => place(at)?,
    };
    // After a trace, the first place is repeated.
    (at.0.ends_with(".php") && !message.ends_with("thrown")).then(|| Place::new(Raised::First, at, ""))
}

/// `a.c:3:1: error: …`, `a.ts(3,1): error …`, `a.ts:3:1 - error …`, and of pytest `a.py:3: in f` and `a.py:3: KeyError`.
fn message(line: &str) -> Option<Place<'_>> {
    let ends = [": ", " - "].into_iter().filter_map(|end| line.find(end).map(|at| (at, at + end.len())));
    let (at, text) = ends.min().unwrap_or((line.len(), line.len()));
    let (head, text) = (line.get(..at)?.trim_end_matches(':'), line.get(text..).unwrap_or(""));
    if head.contains(' ') {
        return None;
    }
    let near = if text.starts_with("warning") || text.starts_with("note") { WARNING } else { 1.0 };
    if let Some((path, at)) = head.strip_suffix(')').and_then(|head| head.rsplit_once('(')) {
        let line = leading_number(at).filter(|_| is_number(&at.replace(',', "")))?;
        return Some(Place::new(Raised::Here(near), (source(path)?, Some(line)), ""));
    }
    let has_column = head.rsplit(':').nth(1).is_some_and(is_number);
    let at = place(head).filter(|(path, _)| source(path).is_some())?;
    if let Some(function) = text.strip_prefix("in ").filter(|_| !has_column) {
        return Some(Place::new(Raised::Last, at, function));
    }
    let is_error =
        text.split([':', ' ']).next().is_some_and(|word| word.ends_with("Error") || word.ends_with("Exception"));
    match is_error && !has_column {
        true => Some(Place::new(Raised::Last, at, "")),
        false => Some(Place::new(Raised::Here(near), at, "")),
    }
}

/// The path of a source in a known language.
fn source(path: &str) -> Option<&str> {
    contexture_syntax::language_of(path, "").map(|_| path)
}

/// `path:3` and `path:3:1` as path and line.
fn place(text: &str) -> Option<(&str, Option<u32>)> {
    let (before, last) = text.rsplit_once(':')?;
    let last = leading_number(last).filter(|_| is_number(last))?;
    let (path, line) = match before.rsplit_once(':') {
        Some((path, line)) if is_number(line) => (path, leading_number(line)?),
        _ => (before, last),
    };
    let file = path.rsplit(['/', '\\']).next().unwrap_or("");
    let has_ending =
        file.rsplit_once('.').is_some_and(|(_, ending)| ending.starts_with(|c: char| c.is_ascii_alphabetic()));
    let is_path = !file.is_empty() && path.len() <= LONGEST_PATH && (has_ending || file.len() < path.len());
    is_path.then_some((path, Some(line)))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number that a text begins with.
fn leading_number(text: &str) -> Option<u32> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

/// A name without type arguments; `<module>`, `<anonymous>` and `{closure}` are not names.
fn name(function: &str) -> Option<Term> {
    let function = function.trim();
    let last = function.rsplit('.').next().unwrap_or("");
    let plain = last.split(['<', '[', '(']).next().unwrap_or("");
    let is_name = |c: char| c.is_alphanumeric() || "_?!=$~".contains(c);
    (!plain.is_empty() && plain.chars().all(is_name)).then(|| terms::exact(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Path, line, function and nearness of each frame, in the order of the text for messages and with the error last for traces.
    fn frames(text: &str) -> Vec<(String, u32, Option<Term>, f32)> {
        read(text).into_iter().map(|one| (one.path, one.line.unwrap_or(0), one.function, one.near)).collect()
    }

    fn frame(path: &str, line: u32, function: &str, near: f32) -> (String, u32, Option<Term>, f32) {
        (path.to_owned(), line, (!function.is_empty()).then(|| terms::exact(function)), near)
    }

    #[test]
    fn python_and_notebooks_raise_last() {
        let text = "Traceback (most recent call last):\n  File \"/a/app.py\", line 12, in <module>\n    main()\n  File \"/a/b.py\", line 3, in Parser.run\n    x\nKeyError";
        assert_eq!(frames(text), [frame("/a/app.py", 12, "", 0.5), frame("/a/b.py", 3, "run", 1.0)]);
        assert_eq!(frames("~/b.py in run(self, a)\n     12 x"), [frame("~/b.py", 0, "run", 1.0)]);
        assert_eq!(frames("File ~/lib/b.py:12, in run(self, a)"), [frame("~/lib/b.py", 12, "run", 1.0)]);
        let text =
            "tests/a.py:3: in test_a\n    run()\nsrc/b.py:9: in run\n    x\nE   KeyError\n\nsrc/c.py:40: KeyError";
        let third = 1.0 / 3.0;
        assert_eq!(
            frames(text),
            [
                frame("tests/a.py", 3, "test_a", third),
                frame("src/b.py", 9, "run", 2.0 * third),
                frame("src/c.py", 40, "", 1.0)
            ]
        );
    }

    #[test]
    fn javascript_java_and_csharp_raise_first() {
        let text = "TypeError: x\n    at Reader.parse (/a/read.js:3:1)\n    at new Store (C:\\b\\store.ts:7:2)\n    at async run (file:///c/run.mjs:1:1)\n    at /d/main.js:9:4";
        assert_eq!(
            frames(text),
            [
                frame("/d/main.js", 9, "", 0.25),
                frame("file:///c/run.mjs", 1, "run", 0.5),
                frame("C:/b/store.ts", 7, "Store", 0.75),
                frame("/a/read.js", 3, "parse", 1.0)
            ]
        );
        let text = "X\n\tat a.b.Store.lambda$load$0(Store.java:12) ~[classes!/:na]\n\tat a.Main.<init>(Main.java:3)\nCaused by: Y\n\tat a.Disk.read(Disk.java:5)\n\t... 3 more";
        assert_eq!(
            frames(text),
            [
                frame("Main.java", 3, "Main", 0.5),
                frame("Store.java", 12, "load", 1.0),
                frame("Disk.java", 5, "read", 1.0)
            ]
        );
        let text = "   at N.Store.Load[T](String path, Int32 n) in C:\\src\\Store.cs:line 12\n   at N.Program.Main() in /src/Program.cs:line 3";
        assert_eq!(frames(text), [frame("/src/Program.cs", 3, "Main", 0.5), frame("C:/src/Store.cs", 12, "Load", 1.0)]);
    }

    #[test]
    fn rust_names_the_function_above_the_place() {
        let text = "thread 'main' panicked at crates/a/src/lib.rs:12:5:\nindex out of bounds\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/0123/library/std/src/panicking.rs:645:5\n   4: <a::Store as a::Load>::load::{{closure}}\n             at ./crates/a/src/lib.rs:12:5\n   5: a::main::h0123456789abcdef\n             at ./src/main.rs:3:9";
        assert_eq!(
            frames(text),
            [
                frame("src/main.rs", 3, "main", 0.25),
                frame("crates/a/src/lib.rs", 12, "load", 0.5),
                frame("/rustc/0123/library/std/src/panicking.rs", 645, "rust_begin_unwind", 0.75),
                frame("crates/a/src/lib.rs", 12, "", 1.0)
            ]
        );
        assert_eq!(frames("thread 'x' panicked at 'a, b', src/a.rs:4:5"), [frame("src/a.rs", 4, "", 1.0)]);
    }

    #[test]
    fn go_names_the_function_above_the_place() {
        let text = "panic: x\n\ngoroutine 1 [running]:\nexample.com/a/store.(*Store).Load(0xc000, {0x1, 0x2})\n\t/a/store/store.go:12 +0x1d\nmain.Map[...](...)\n\t/a/map.go:7\nmain.main.func1.2()\n\t/a/main.go:3 +0x2b\ncreated by net/http.(*Server).Serve in goroutine 1\n\t/go/server.go:9 +0x1";
        assert_eq!(
            frames(text),
            [
                frame("/go/server.go", 9, "Serve", 0.25),
                frame("/a/main.go", 3, "main", 0.5),
                frame("/a/map.go", 7, "Map", 0.75),
                frame("/a/store/store.go", 12, "Load", 1.0)
            ]
        );
    }

    #[test]
    fn ruby_raises_first_unless_it_numbers_its_lines() {
        let text = "lib/a.rb:3:in `load!': no such file (IOError)\n\tfrom lib/b.rb:7:in 'Store#ready?'\n\tfrom bin/run:1:in `block (2 levels) in start'\n\tfrom bin/run:9:in `<main>'";
        assert_eq!(
            frames(text),
            [
                frame("bin/run", 9, "", 0.25),
                frame("bin/run", 1, "start", 0.5),
                frame("lib/b.rb", 7, "ready?", 0.75),
                frame("lib/a.rb", 3, "load!", 1.0)
            ]
        );
        let text =
            "Traceback (most recent call last):\n\t1: from bin/run:9:in `<main>'\nlib/a.rb:3:in `load': x (IOError)";
        assert_eq!(frames(text), [frame("bin/run", 9, "", 0.5), frame("lib/a.rb", 3, "load", 1.0)]);
        assert_eq!(frames("# ./lib/a.rb:3:in 'A.load'"), [frame("lib/a.rb", 3, "load", 1.0)]);
    }

    #[test]
    fn php_names_the_function_that_is_called() {
        let text = "PHP Fatal error:  Uncaught E: x in /a/Disk.php:5\nStack trace:\n#0 /a/Store.php(46): App\\Disk->read('x')\n#1 /a/index.php(3): App\\Store::load()\n#2 {main}\n  thrown in /a/Disk.php on line 5";
        let third = 1.0 / 3.0;
        assert_eq!(
            frames(text),
            [
                frame("/a/index.php", 3, "", third),
                frame("/a/Store.php", 46, "load", 2.0 * third),
                frame("/a/Disk.php", 5, "read", 1.0)
            ]
        );
    }

    #[test]
    fn debuggers_and_sanitizers_raise_first() {
        let text = "#0  store_load (path=0x0, n=3) at src/store.c:12\n#1  0x0000555 in ns::Main<int>::run (this=0x1) at ../src/main.cc:3\n#2 0x4f in start /a/start.c:7:3";
        let third = 1.0 / 3.0;
        let last = frames(text);
        assert_eq!(last[2], frame("src/store.c", 12, "store_load", 1.0));
        assert_eq!((last[1].0.as_str(), last[1].1), ("../src/main.cc", 3));
        assert_eq!(last[0], frame("/a/start.c", 7, "start", third));
    }

    #[test]
    fn messages_of_compilers_are_places() {
        let text = "src/a.c:3:1: error: x\n./b.go:4:2: undefined: y\nsrc/c.ts(5,6): error TS2322: z\nsrc/d.ts:7:8 - error TS1: z\nsrc/e.c:9:1: warning: w\nerror[E0308]: mismatched\n  --> src/f.rs:10:2\n";
        let places: Vec<(String, u32, f32)> = frames(text).into_iter().map(|one| (one.0, one.1, one.3)).collect();
        let place = |path: &str, line, near| (path.to_owned(), line, near);
        assert_eq!(
            places,
            [
                place("src/a.c", 3, 1.0),
                place("b.go", 4, 1.0),
                place("src/c.ts", 5, 1.0),
                place("src/d.ts", 7, 1.0),
                place("src/e.c", 9, WARNING),
                place("src/f.rs", 10, 1.0)
            ]
        );
    }

    #[test]
    fn other_text_has_no_frames() {
        for text in [
            "at 12:30:15 the server stopped (see 10:00)",
            "12:30:15: error: x",
            "see https://example.com:8080: it is down",
            "# Heading in a file",
            "#1 is the best",
            "#12 (comment): it is wrong",
            "a: 3",
            "at noon",
            "key: 12:3",
            "in 3 of 4 cases (12): x",
        ] {
            assert!(read(text).is_empty(), "{text}: {:?}", read(text));
        }
    }

    #[test]
    fn frames_are_bounded() {
        let many = "  File \"a.py\", line 3, in f\n".repeat(10_000);
        assert_eq!(read(&many).len(), MOST);
        let many = "Caused by: x\n\tat a.B.f(B.java:3)\n".repeat(10_000);
        assert!(read(&many).len() <= TRACES * MOST);
        assert!(read(&"a.c:3:1: error: x\n".repeat(10_000)).len() <= MOST);
        assert_eq!(read("src/a.c:99999999999999999999:1: error: x"), []);
    }
}
