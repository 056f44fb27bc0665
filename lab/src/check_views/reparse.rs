//! The judge of every file: a skeleton parses with no more errors than its source, and outline and symbols name the same.
//!
//! Takes files with what the library said; gives counts and the first offenders. ERROR and MISSING nodes are counted by the
//! grammar, which knows nothing of cuts.

use super::ours::Reading;
use std::path::{Path, PathBuf};

/// One file of a corpus.
pub struct File {
    pub package: String,
    pub path: PathBuf,
    pub bytes: u64,
    pub reading: Result<Reading, String>,
}

/// The figures of one language over all its files.
#[derive(Default)]
pub struct Figures {
    pub files: usize,
    pub bytes: u64,
    pub read: usize,
    pub read_bytes: u64,
    pub skeleton_bytes: u64,
    pub with_errors: usize,
    /// Path and a sentence each.
    pub worse: Vec<(PathBuf, String)>,
    pub outline_differs: Vec<(PathBuf, String)>,
    pub refused: Vec<(PathBuf, String)>,
}

pub fn judge(files: &[File]) -> Figures {
    let mut figures = Figures::default();
    for file in files {
        figures.files += 1;
        figures.bytes += file.bytes;
        match &file.reading {
            Ok(reading) => one(&mut figures, &file.path, file.bytes, reading),
            Err(cause) => figures.refused.push((file.path.clone(), cause.clone())),
        }
    }
    figures
}

fn one(figures: &mut Figures, path: &Path, bytes: u64, reading: &Reading) {
    figures.read += 1;
    figures.read_bytes += bytes;
    figures.skeleton_bytes += reading.skeleton.len() as u64;
    figures.with_errors += usize::from(reading.errors > 0);
    if reading.skeleton_errors > reading.errors {
        let told = format!("{} errors in the skeleton, {} in the source", reading.skeleton_errors, reading.errors);
        figures.worse.push((path.to_path_buf(), told));
    }
    if !reading.outline_agrees {
        figures.outline_differs.push((path.to_path_buf(), "outline and symbols name different things".to_owned()));
    }
}
