//! `cargo xtask fuzz [TARGET…] [--seconds N]`: the fuzz targets, each for ten minutes.
//!
//! Takes names of targets, all when there are none; gives a line for each, and an error when one failed. The inputs begin
//! with the fixtures of the languages. It needs `cargo-fuzz` (`cargo install cargo-fuzz`). The laws themselves are in
//! `contexture_testkit::laws`, where the property tests find them too. Grammars are C code without instruments.

use crate::proc;
use contexture_syntax::{LANGUAGES, language_of};
use std::fs;
use std::path::Path;

const TARGETS: [&str; 3] = ["symbols", "skeleton", "slices"];

/// What no input may need: more is a hang.
const SECONDS_PER_INPUT: u32 = 20;
const LONGEST_INPUT: u32 = 16 * 1024;

pub fn run(args: &[String]) -> Result<(), String> {
    let mut seconds = 600;
    let mut targets: Vec<&str> = Vec::new();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if word == "--seconds" {
            let number = words.next().and_then(|number| number.parse().ok());
            seconds = number.ok_or("`--seconds` wants a number")?;
        } else if TARGETS.contains(&word.as_str()) {
            targets.push(word);
        } else {
            return Err(format!("no fuzz target is called `{word}`, there are: {}", TARGETS.join(", ")));
        }
    }
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    let folder = proc::root().join("target/fuzz");
    for target in targets {
        fuzz(target, seconds, &folder)?;
        println!("{target}: {seconds} seconds, nothing found");
    }
    Ok(())
}

fn fuzz(target: &str, seconds: u32, folder: &Path) -> Result<(), String> {
    let corpus = folder.join("corpus").join(target);
    seed(target, &corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    let found = folder.join("found").join(target);
    fs::create_dir_all(&found).map_err(|error| format!("{}: {error}", found.display()))?;
    let mut command = proc::cargo();
    // Fuzzing needs switches of the compiler that are not stable.
    command.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", folder.join("build"));
    command.args(["fuzz", "run", "--sanitizer", "none", target]).arg(&corpus).arg("--");
    command.arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-timeout={SECONDS_PER_INPUT}"));
    command.arg(format!("-max_len={LONGEST_INPUT}"));
    command.arg(format!("-artifact_prefix={}/", found.display()));
    command.args(["-print_final_stats=1", "-verbosity=0"]);
    proc::show(&mut command)
}

/// The fixture of every language as a first input.
fn seed(target: &str, corpus: &Path) -> std::io::Result<()> {
    fs::create_dir_all(corpus)?;
    for entry in fs::read_dir(proc::root().join("crates/contexture-syntax/fixtures"))? {
        let path = entry?.path();
        let text = fs::read(&path)?;
        let name = path.file_name().unwrap_or_default();
        let language = language_of(&name.to_string_lossy(), &String::from_utf8_lossy(&text));
        let number = LANGUAGES.iter().position(|one| Some(one) == language).unwrap_or(0) as u8;
        let input = match target {
            // Lines, and where the old text ends: in the middle, of two that are the same.
            "slices" => [&[10, 5, 128], text.as_slice(), text.as_slice()].concat(),
            _ => [&[number], text.as_slice()].concat(),
        };
        fs::write(corpus.join(name), input)?;
    }
    Ok(())
}
