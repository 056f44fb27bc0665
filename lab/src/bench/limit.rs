//! The limit: the least work that any program with this task must do, to measure the others against.
//!
//! Takes a folder; walks it, reads every text file on two threads and writes their bytes one after the other in path order.
//! With `--count` it also counts the o200k tokens of each file on two threads. No framing, no hashing, no cache, no secrets:
//! whatever the product does beyond this is the cost that the ratios show. It runs as a process of its own.

use rayon::prelude::*;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

/// The speed targets are stated for two threads.
pub const THREADS: usize = 2;

/// A file with a NUL in its first 64 KiB is binary and not part of a document: the product's own rule.
pub const SNIFF: usize = 64 * 1024;

/// `limit DIR [--out FILE|-] [--sync] [--count] [--parse]`; without `--out` only `files`, `bytes` and `tokens` are printed.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut folder = None;
    let mut out = None;
    let (mut sync, mut count, mut parse) = (false, false, false);
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--out" => out = words.next(),
            "--sync" => sync = true,
            "--count" => count = true,
            "--parse" => parse = true,
            _ => folder = Some(word),
        }
    }
    let folder = Path::new(folder.ok_or("limit: folder missing")?);
    let texts = read(folder);
    if let Some(out) = out {
        write(&texts, out, sync).map_err(|error| format!("limit: cannot write `{out}`: {error}"))?;
    }
    if parse {
        let nodes = parsed(&texts)?;
        println!("{nodes}");
        return Ok(());
    }
    let tokens = if count { tokens(&texts)? } else { 0 };
    if out.is_none() {
        let bytes: usize = texts.iter().map(|(_, bytes)| bytes.len()).sum();
        println!("{} {bytes} {tokens}", texts.len());
    }
    Ok(())
}

/// True when the bytes look like text.
pub fn is_text(bytes: &[u8]) -> bool {
    memchr::memchr(0, bytes.get(..SNIFF).unwrap_or(bytes)).is_none()
}

/// The walk with the ignore rules of the product, on two threads.
pub fn walk(folder: &Path, visit: impl Fn(PathBuf) + Sync) {
    let walker = ignore::WalkBuilder::new(folder)
        .hidden(false)
        .require_git(false)
        .git_global(false)
        .add_custom_ignore_filename(".contextureignore")
        .filter_entry(|entry| entry.depth() == 0 || !is_private(entry.file_name()))
        .threads(THREADS)
        .build_parallel();
    walker.run(|| {
        Box::new(|entry| {
            if let Ok(entry) = entry
                && entry.file_type().is_some_and(|kind| kind.is_file())
            {
                visit(entry.into_path());
            }
            ignore::WalkState::Continue
        })
    });
}

/// The folders of git and of the product itself are never part of a document.
fn is_private(name: &OsStr) -> bool {
    name == ".git" || name == ".contexture"
}

/// Every text file below the folder, in path order. Unreadable files are left out, as they are by the peers.
fn read(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let (sender, receiver) = mpsc::channel();
    walk(folder, |path| {
        if let Ok(bytes) = fs::read(&path)
            && is_text(&bytes)
        {
            // The receiver outlives the walk, so sending cannot fail.
            let _ = sender.send((path, bytes));
        }
    });
    drop(sender);
    let mut texts: Vec<(PathBuf, Vec<u8>)> = receiver.into_iter().collect();
    texts.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    texts
}

/// One write per file: the files are large enough that a buffer in between would only copy once more.
fn write(texts: &[(PathBuf, Vec<u8>)], out: &str, sync: bool) -> io::Result<()> {
    // The standard output of Rust looks for line ends in all that passes; a duplicate of its descriptor as a file does not.
    let mut file = if out == "-" { File::create("/dev/stdout")? } else { File::create(out)? };
    for (_, bytes) in texts {
        file.write_all(bytes)?;
    }
    if sync {
        file.sync_all()?;
        if let Some(folder) = Path::new(out).parent() {
            File::open(folder)?.sync_all()?;
        }
    }
    Ok(())
}

/// Parses every file in a language of ours and does nothing with the trees but count the nodes; the largest come first.
fn parsed(texts: &[(PathBuf, Vec<u8>)]) -> Result<usize, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().map_err(|error| error.to_string())?;
    let mut order: Vec<(&contexture_syntax::Language, Cow<'_, str>)> = texts
        .iter()
        .filter_map(|(path, bytes)| {
            let text = String::from_utf8_lossy(bytes);
            let name = path.file_name()?.to_str()?;
            // Files without an ending are not among those that the product is asked for.
            name.contains('.').then_some(())?;
            Some((contexture_syntax::language_of(name, &text)?, text))
        })
        .collect();
    order.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    let nodes = |(language, text): &(&contexture_syntax::Language, Cow<'_, str>)| {
        let mut parser = tree_sitter::Parser::new();
        let grammar = language.grammar?();
        parser.set_language(&grammar).ok()?;
        Some(parser.parse(text.as_bytes(), None)?.root_node().descendant_count())
    };
    Ok(pool.install(|| order.par_iter().with_max_len(1).filter_map(nodes).sum()))
}

/// The sum of the counts per file. The largest files come first, so that no thread is left with a long one at the end.
fn tokens(texts: &[(PathBuf, Vec<u8>)]) -> Result<usize, String> {
    let bpe = tiktoken::get_encoding("o200k_base").ok_or("limit: no vocabulary: `o200k_base`")?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().map_err(|error| error.to_string())?;
    let mut order: Vec<&[u8]> = texts.iter().map(|(_, bytes)| bytes.as_slice()).collect();
    order.sort_by_key(|bytes| std::cmp::Reverse(bytes.len()));
    Ok(pool.install(|| {
        order
            .par_iter()
            .with_max_len(1)
            .map(|bytes| match String::from_utf8_lossy(bytes) {
                Cow::Borrowed(text) => bpe.count(text),
                Cow::Owned(text) => bpe.count(&text),
            })
            .sum()
    }))
}
