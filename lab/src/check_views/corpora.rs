//! Brings the packages of `packages` to `target/check-views/corpora/<language>/<package>/` and lists the files there.
//!
//! Takes rows of the table; gives folders of regular files, sorted lists of them. Packages come through the machine's own
//! `apt-get`, `cargo`, `npm` and `pip`, so no address is written here. Nothing fetched is ever run or committed: crates are
//! only fetched, npm packages packed, wheels unzipped, Debian sources unpacked without their build.

use super::packages::{From, LANGUAGES, Language, PACKAGES, Package};
use crate::proc;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes sure that every package of the asked languages is there. Gives one line per package that could not be had, because
/// a registry without one package must not stop the judges from working on the others.
pub fn setup(home: &Path, asked: &[&Language]) -> Vec<String> {
    let wanted = |package: &&Package| {
        asked
            .iter()
            .any(|language| package.languages.contains(&language.key) && !folder(home, language.key, package).is_dir())
    };
    let mut missing = Vec::new();
    for package in PACKAGES.iter().filter(wanted) {
        eprintln!("corpus {} {}: fetching", package.name, package.version);
        if let Err(cause) = bring(home, package) {
            missing.push(format!("corpus `{}` is not there: {cause}", package.name));
        }
    }
    missing
}

/// The packages of a language that are there, each with its files in order of their path.
pub fn files(home: &Path, language: &Language) -> Result<Vec<(&'static str, Vec<PathBuf>)>, String> {
    let mut found = Vec::new();
    for package in PACKAGES.iter().filter(|package| package.languages.contains(&language.key)) {
        let folder = folder(home, language.key, package);
        if folder.is_dir() {
            found.push((package.name, regular_files(&folder)?));
        }
    }
    Ok(found)
}

/// All regular files below a folder, links not followed, in order of their path.
pub fn regular_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
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
    found.sort_unstable();
    Ok(found)
}

fn folder(home: &Path, language: &str, package: &Package) -> PathBuf {
    home.join("corpora").join(language).join(file_name(package))
}

/// The name of a package as one folder: npm's scopes have a slash.
fn file_name(package: &Package) -> String {
    package.name.trim_start_matches('@').replace('/', "-")
}

/// Unpacks one package and copies what belongs to its languages. The language's folder appears by a rename at the end, so
/// that an interrupted run leaves no half corpus behind.
fn bring(home: &Path, package: &Package) -> Result<(), String> {
    let scratch = home.join("scratch").join(file_name(package));
    remove(&scratch)?;
    make(&scratch)?;
    let unpacked = match package.from {
        From::DebianSource => debian_source(home, &scratch, package)?,
        From::DebianBinary => debian_binary(home, &scratch, package)?,
        From::Crate => fetched_crate(&scratch, package)?,
        From::Npm => npm(&scratch, package)?,
        From::Wheel => wheel(&scratch, package)?,
    };
    let all = regular_files(&unpacked)?;
    for language in LANGUAGES.iter().filter(|language| package.languages.contains(&language.key)) {
        let target = folder(home, language.key, package);
        let part = target.with_extension("part");
        remove(&part)?;
        make(&part)?;
        for file in &all {
            let relative = file.strip_prefix(&unpacked).unwrap_or(file);
            let text = format!("/{}", relative.to_string_lossy());
            let asked = package.only.is_empty() || package.only.iter().any(|only| text.contains(only));
            if asked && !generated(&text) && belongs(file, language) {
                let copy = part.join(relative);
                make(copy.parent().unwrap_or(&part))?;
                fs::copy(file, &copy).map_err(|error| format!("cannot copy to `{}`: {error}", copy.display()))?;
            }
        }
        remove(&target)?;
        fs::rename(&part, &target).map_err(|error| format!("cannot rename `{}`: {error}", part.display()))?;
    }
    remove(&scratch)
}

/// Minified and bundled files are no sources: one line of 100 kB says nothing about lines.
fn generated(path: &str) -> bool {
    path.contains(".min.") || path.contains("/node_modules/")
}

fn belongs(file: &Path, language: &Language) -> bool {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some(ending) => language.endings.contains(&ending),
        None => {
            let mut head = Vec::new();
            let read = fs::File::open(file).and_then(|file| file.take(64).read_to_end(&mut head));
            let line = String::from_utf8_lossy(head.split(|byte| *byte == b'\n').next().unwrap_or_default());
            let program = line.strip_prefix("#!").and_then(|line| line.trim().rsplit(['/', ' ']).next());
            read.is_ok() && program.is_some_and(|program| language.shebangs.contains(&program))
        }
    }
}

/// The upstream archive of a Debian source package.
fn debian_source(home: &Path, scratch: &Path, package: &Package) -> Result<PathBuf, String> {
    apt_get(home, scratch, package, &["source", "--download-only", "--only-source", "--tar-only"])?;
    let archives = regular_files(scratch)?;
    let archives = archives.iter().filter(|path| path.to_string_lossy().contains(".tar."));
    let archive = archives.max_by_key(|path| path.metadata().map_or(0, |facts| facts.len()));
    untar(archive.ok_or("no archive came with the source package")?, &scratch.join("unpacked"))
}

fn debian_binary(home: &Path, scratch: &Path, package: &Package) -> Result<PathBuf, String> {
    apt_get(home, scratch, package, &["download"])?;
    let archive = regular_files(scratch)?.pop().ok_or("apt-get downloaded nothing")?;
    let unpacked = scratch.join("unpacked");
    proc::capture(Command::new("dpkg").arg("-x").arg(&archive).arg(&unpacked))?;
    Ok(unpacked)
}

/// Asks for the version of the table, or for the one that is offered now when security work has replaced it: then the
/// figures move a little, which is better than no corpus.
fn apt_get(home: &Path, scratch: &Path, package: &Package, words: &[&str]) -> Result<(), String> {
    let config = apt_config(home)?;
    let get = |what: String| {
        let mut command = Command::new("apt-get");
        command.env("APT_CONFIG", &config).current_dir(scratch).arg("-qq").args(words).arg(what);
        proc::capture(&mut command)
    };
    if get(format!("{}={}", package.name, package.version)).is_err() {
        get(package.name.to_owned())?;
        eprintln!("corpus {}: version {} is gone, took the one offered", package.name, package.version);
    }
    Ok(())
}

/// Settings under which `apt-get` works on lists of its own: the machine's sources with `deb-src` beside `deb`.
/// Neither the system's lists nor root's rights are touched.
fn apt_config(home: &Path) -> Result<PathBuf, String> {
    let apt = home.join("apt");
    let config = apt.join("apt.conf");
    if config.is_file() {
        return Ok(config);
    }
    for name in ["parts", "lists/partial", "cache/archives/partial", "state"] {
        make(&apt.join(name))?;
    }
    let mut sources = vec![PathBuf::from("/etc/apt/sources.list")];
    sources.extend(regular_files(Path::new("/etc/apt/sources.list.d")).unwrap_or_default());
    for (index, source) in sources.iter().enumerate() {
        let Ok(text) = fs::read_to_string(source) else { continue };
        let ending = match source.extension().and_then(|ending| ending.to_str()) {
            Some(ending @ ("list" | "sources")) => ending,
            _ => continue,
        };
        let lines = text.lines().map(|line| match line.split_once(' ') {
            Some(("Types:", _)) => "Types: deb deb-src".to_owned(),
            Some(("deb", rest)) => format!("{line}\ndeb-src {rest}"),
            _ => line.to_owned(),
        });
        write(&apt.join(format!("parts/{index}.{ending}")), &lines.collect::<Vec<_>>().join("\n"))?;
    }
    let root = apt.display();
    let text = format!(
        "Dir::Etc::sourcelist \"/dev/null\";\nDir::Etc::sourceparts \"{root}/parts\";\nDir::State \"{root}/state\";\n\
         Dir::State::lists \"{root}/lists\";\nDir::State::status \"/var/lib/dpkg/status\";\nDir::Cache \"{root}/cache\";\n\
         APT::Sandbox::User \"\";\n"
    );
    let fresh = apt.join("apt.conf.part");
    write(&fresh, &text)?;
    proc::capture(Command::new("apt-get").env("APT_CONFIG", &fresh).args(["update", "-qq"]))?;
    fs::rename(&fresh, &config).map_err(|error| format!("cannot rename `{}`: {error}", fresh.display()))?;
    Ok(config)
}

/// A crate through a manifest that depends on nothing else: `cargo` fetches it and says where it lies.
fn fetched_crate(scratch: &Path, package: &Package) -> Result<PathBuf, String> {
    let Package { name, version, .. } = package;
    make(&scratch.join("src"))?;
    write(&scratch.join("src/lib.rs"), "")?;
    let manifest = scratch.join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies.{name}]\n\
         version = \"={version}\"\ndefault-features = false\n\n[workspace]\n"
    );
    write(&manifest, &text)?;
    let run = |words: &[&str]| {
        proc::capture(Command::new("cargo").args(words).arg("--manifest-path").arg(&manifest).current_dir(scratch))
    };
    run(&["fetch", "--quiet"])?;
    let facts = run(&["metadata", "--format-version", "1", "--offline", "--quiet"])?;
    let facts: serde_json::Value =
        serde_json::from_str(&facts).map_err(|error| format!("`cargo metadata` is no JSON: {error}"))?;
    let packages = facts["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let found = packages.iter().find(|package| package["name"] == **name).and_then(|p| p["manifest_path"].as_str());
    let found = found.ok_or_else(|| format!("cargo did not fetch `{name}`"))?;
    Ok(Path::new(found).parent().unwrap_or(Path::new(found)).to_path_buf())
}

fn npm(scratch: &Path, package: &Package) -> Result<PathBuf, String> {
    let what = format!("{}@{}", package.name, package.version);
    proc::capture(Command::new("npm").args(["pack", "--silent", "--ignore-scripts"]).arg(what).current_dir(scratch))?;
    let archive = regular_files(scratch)?.pop().ok_or("npm packed nothing")?;
    untar(&archive, &scratch.join("unpacked"))
}

fn wheel(scratch: &Path, package: &Package) -> Result<PathBuf, String> {
    let what = format!("{}=={}", package.name, package.version);
    let mut pip = Command::new("pip");
    pip.args(["download", "--quiet", "--no-deps", "--only-binary=:all:"]).arg(what).current_dir(scratch);
    proc::capture(&mut pip)?;
    let archive = regular_files(scratch)?.pop().ok_or("pip downloaded nothing")?;
    let unpacked = scratch.join("unpacked");
    proc::capture(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&archive).arg(&unpacked))?;
    Ok(unpacked)
}

fn untar(archive: &Path, into: &Path) -> Result<PathBuf, String> {
    make(into)?;
    let mut tar = Command::new("tar");
    tar.args(["--strip-components=1", "--no-same-owner", "-xf"]).arg(archive).arg("-C").arg(into);
    proc::capture(&mut tar)?;
    Ok(into.to_path_buf())
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove `{}`: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make `{}`: {error}", folder.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}
