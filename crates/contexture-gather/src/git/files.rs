//! Git's own files, read as a stranger's: inside their folder, regular, of bounded size, without waiting for a writer.

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::SystemTime;

pub enum GitFile {
    /// Its bytes, and when it was written.
    File(Vec<u8>, Option<SystemTime>),
    Nothing,
    /// A link that leads out, a pipe, too large, not readable.
    Odd,
}

/// The file `name` below the folder `dir`, if it has at most `cap` bytes.
pub fn read(dir: &Path, name: &str, cap: u64) -> GitFile {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::custom_flags(
        &mut options,
        (rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY).bits() as i32,
    );
    let opened = Dir::open_ambient_dir(dir, ambient_authority()).and_then(|dir| dir.open_with(name, &options));
    let file = match opened {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return GitFile::Nothing;
        }
        Err(_) => return GitFile::Odd,
    };
    let modified = match file.metadata() {
        // Deleting or packing a branch may leave a folder of its name behind.
        Ok(data) if data.is_dir() => return GitFile::Nothing,
        Ok(data) if data.is_file() && data.len() <= cap => data.modified().ok().map(|time| time.into_std()),
        _ => return GitFile::Odd,
    };
    let mut bytes = Vec::new();
    match file.take(cap).read_to_end(&mut bytes) {
        Ok(_) => GitFile::File(bytes, modified),
        Err(_) => GitFile::Odd,
    }
}
