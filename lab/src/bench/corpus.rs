//! The corpora: package sources from PyPI, fetched once, and samples of them for the curve.
//!
//! Takes the bench folder under `target/`; gives folders whose content is fixed by version and SHA-256. Nothing fetched is
//! ever run or committed. The index is asked by `curl` directly, because `pip download` of a source package starts its build.

use super::limit;
use crate::proc;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// A source package: name, version, SHA-256 of its archive, files in it.
struct Source(&'static str, &'static str, &'static str, usize);

/// numpy 1.24 is the last line without a vendored build system, so its 2,258 files are numpy's own (later ones have 8,000).
/// The others are there to have 30,000 text files of several kinds side by side.
const SOURCES: &[Source] = &[
    Source("numpy", "1.24.4", "80f5e3a4e498641401868df4208b74581206afbee7cf7b8329daae82676d9463", 2_258),
    Source("django", "5.2.8", "23254866a5bb9a2cfa6004e8b809ec6246eba4b58a7589bc2772f1bcc8456c7f", 6_890),
    Source("scipy", "1.16.3", "01e87659402762f43bd2fee13370553a17ada367d42e7487800bf2916535aecb", 5_256),
    Source("sympy", "1.14.0", "d3d3fe8df1e5a0b42f0e7bdf50541697dbe7d23746e894990c030e2b05e72517", 1_977),
    Source("pandas", "2.3.3", "e05e1af93b977f7eafa636d043f9f94c7ee3ac81af99c13508215942e64c993b", 1_590),
    Source("matplotlib", "3.10.7", "a06ba7e2a2ef9131c79c49e63dad355d2d878413a0376c1727c8b9335ff731c7", 4_428),
    Source("salt", "3007.9", "1f770d6b9ca5568f926d98edfcd26dce71c04f6094243db912857953e3d4a56d", 6_566),
    Source("ansible", "12.2.0", "0563dfd33ebd28caf6ccdc7a6d22a7fdafbd9c9c42fefcae5179616a53a35211", 44_068),
];

/// The points of the curve.
pub const SIZES: [usize; 4] = [1_000, 3_000, 10_000, 30_000];

/// The folder of a named package, fetched and unpacked when it is not there yet.
pub fn package(bench: &Path, name: &str) -> Result<PathBuf, String> {
    let source = SOURCES.iter().find(|source| source.0 == name).ok_or_else(|| format!("unknown corpus: `{name}`"))?;
    let Source(name, version, _, files) = source;
    let folder = bench.join("corpora").join(name);
    if folder.is_dir() {
        return Ok(folder);
    }
    println!("corpus {name} {version}: fetching");
    let archive = fetch(bench, source)?;
    let fresh = bench.join("corpora").join(format!("{name}.part"));
    remove(&fresh)?;
    make(&fresh)?;
    proc::capture(Command::new("tar").arg("-xzf").arg(&archive).arg("--strip-components=1").arg("-C").arg(&fresh))?;
    let found = regular_files(&fresh)?.len();
    if found != *files {
        return Err(format!("corpus `{name}` is not the one expected: {found} files instead of {files}"));
    }
    border(&fresh)?;
    rename(&fresh, &folder)?;
    Ok(folder)
}

/// A sample of `size` text files from all packages, as hard links under their own names.
///
/// The order is by the hash of the path, so that every sample has the same mixture and the smaller ones are inside the larger:
/// what differs between two points of the curve is the number of files alone.
pub fn sample(bench: &Path, size: usize) -> Result<PathBuf, String> {
    let folder = bench.join("corpora").join(format!("mixed-{size}"));
    if folder.is_dir() {
        return Ok(folder);
    }
    println!("corpus mixed-{size}: linking");
    let corpora = bench.join("corpora");
    let mut found = Vec::new();
    for source in SOURCES {
        found.extend(candidates(&package(bench, source.0)?, &corpora));
    }
    found.sort_unstable();
    if found.len() < size {
        return Err(format!("not enough text files for a sample: {} of {size}", found.len()));
    }
    let fresh = corpora.join(format!("mixed-{size}.part"));
    remove(&fresh)?;
    for (_, relative) in found.iter().take(size) {
        let target = fresh.join(relative);
        make(target.parent().unwrap_or(&fresh))?;
        fs::hard_link(corpora.join(relative), &target)
            .map_err(|error| format!("cannot link `{}`: {error}", target.display()))?;
    }
    border(&fresh)?;
    rename(&fresh, &folder)?;
    Ok(folder)
}

/// The text files of one package with the hash of their path. Files with a leading dot, ignore files among them, stay out:
/// tools differ in what they make of them, and a sample must have the same files for all.
fn candidates(folder: &Path, corpora: &Path) -> Vec<([u8; 32], PathBuf)> {
    let found = Mutex::new(Vec::new());
    limit::walk(folder, |path| {
        let Ok(relative) = path.strip_prefix(corpora) else { return };
        let hidden = relative.iter().any(|part| part.as_encoded_bytes().first() == Some(&b'.'));
        if !hidden && starts_as_text(&path) {
            let hash = Sha256::digest(relative.as_os_str().as_encoded_bytes()).into();
            if let Ok(mut found) = found.lock() {
                found.push((hash, relative.to_path_buf()));
            }
        }
    });
    found.into_inner().unwrap_or_default()
}

fn starts_as_text(path: &Path) -> bool {
    let mut head = Vec::with_capacity(limit::SNIFF);
    let read = fs::File::open(path).and_then(|file| file.take(limit::SNIFF as u64).read_to_end(&mut head));
    read.is_ok() && limit::is_text(&head)
}

/// The archive on disk, its hash checked. The address comes from the package index that pip is set to use.
fn fetch(bench: &Path, Source(name, version, sha256, _): &Source) -> Result<PathBuf, String> {
    let file = format!("{name}-{version}.tar.gz");
    let archive = bench.join("archives").join(&file);
    if !archive.is_file() {
        make(&bench.join("archives"))?;
        let index = index();
        let page =
            proc::capture(Command::new("curl").args(["-fsSL", "--max-time", "120"]).arg(format!("{index}/{name}/")))?;
        let link = page.split('"').find(|part| part.contains(&format!("/{file}")));
        let link = link
            .and_then(|link| link.split('#').next())
            .ok_or_else(|| format!("not in the index `{index}`: `{file}`"))?;
        let part = archive.with_extension("part");
        let address = if link.starts_with("http") { link.to_owned() } else { format!("{index}/{name}/{link}") };
        proc::capture(Command::new("curl").args(["-fsSL", "--max-time", "600", "-o"]).arg(&part).arg(address))?;
        rename(&part, &archive)?;
    }
    let bytes = fs::read(&archive).map_err(|error| format!("cannot read `{}`: {error}", archive.display()))?;
    let mut found = String::with_capacity(64);
    for byte in Sha256::digest(&bytes) {
        // Writing to a string cannot fail.
        let _ = write!(found, "{byte:02x}");
    }
    if found == *sha256 {
        Ok(archive)
    } else {
        Err(format!("archive `{}` has another hash: {found}; remove it and run again", archive.display()))
    }
}

/// The package index: the one that is set, else the one that pip itself knows.
fn index() -> String {
    let own = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)";
    let set = std::env::var("PIP_INDEX_URL").ok();
    let set = set.or_else(|| proc::capture(Command::new("pip").args(["config", "get", "global.index-url"])).ok());
    let set = set.filter(|url| !url.trim().is_empty());
    let set = set.or_else(|| proc::capture(Command::new("python3").args(["-c", own])).ok());
    set.unwrap_or_default().trim().trim_end_matches('/').to_owned()
}

/// A git repository without a commit: it ends the search for ignore files above, and makes those inside count for the tools
/// that read them only in a repository.
fn border(folder: &Path) -> Result<(), String> {
    proc::capture(Command::new("git").args(["init", "--quiet"]).arg(folder)).map(drop)
}

fn regular_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut open = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(next) = open.pop() {
        let entries = fs::read_dir(&next).map_err(|error| format!("cannot list `{}`: {error}", next.display()))?;
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    Ok(found)
}

/// Removes a file or folder; one that is not there is no error.
pub fn remove(path: &Path) -> Result<(), String> {
    let result = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove `{}`: {error}", path.display()))
        }
        _ => Ok(()),
    }
}

pub fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make `{}`: {error}", folder.display()))
}

fn rename(from: &Path, to: &Path) -> Result<(), String> {
    fs::rename(from, to).map_err(|error| format!("cannot rename `{}`: {error}", from.display()))
}
