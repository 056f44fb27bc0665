//! A file named by hand (`-o FILE`): the whole new content or the whole old one, at any moment.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::{OutputError, doing};
use super::fault::step;
use super::folder;
use super::temp::{self, Temp, pour};

/// The system's own limit on links in a path.
const MAX_LINKS: u32 = 40;

/// Writes the file durably and gives its size. A link is followed, permissions and (if we may) the owner of an existing file
/// are kept, and a write-protected file is refused although a rename could replace it. A device, a pipe or a socket cannot
/// be replaced and is written straight through.
pub fn write_atomic(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<u64, OutputError> {
    put(path, Access::Usual, write)
}

/// The same for what nobody else is to read: a new file belongs to its owner alone.
pub fn write_private(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<u64, OutputError> {
    put(path, Access::Private, write)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Usual,
    Private,
}

fn put(path: &Path, access: Access, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<u64, OutputError> {
    if let Some(stream) = standard_stream(path) {
        let stream = stream.map_err(|error| doing("open", path, error))?;
        return pour(&stream, path, write);
    }
    let old = match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Err(OutputError::IsFolder(path.into())),
        Ok(meta) => {
            // Opened without truncation: for a regular file only to ask whether we may write to it.
            let file = OpenOptions::new().write(true).open(path).map_err(|error| doing("write to", path, error))?;
            if !meta.is_file() {
                return pour(&file, path, write);
            }
            Some(meta)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(doing("look at", path, error)),
    };
    let path = follow(path).map_err(|error| doing("follow", path, error))?;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !dir.is_dir() {
        return Err(OutputError::NoFolder(dir.into()));
    }
    if path.file_name().is_none() {
        return Err(OutputError::IsFolder(path));
    }
    let mut temp = Temp::create(dir, &path)?;
    if let Some(old) = old {
        // Before the content comes, so that a private file is private at every moment.
        keep_owner(temp.file(), &old);
        step("keep the permissions", || temp.file().set_permissions(old.permissions()))
            .map_err(|error| doing("keep the permissions of", &path, error))?;
    } else if access == Access::Private {
        make_private(temp.file()).map_err(|error| doing("protect", &path, error))?;
    }
    let bytes = temp.fill(write)?;
    step("name the file", || temp.name_over(&path)).map_err(|error| doing("replace", &path, error))?;
    folder::sync(dir)?;
    drop(temp);
    sweep_beside(dir);
    Ok(bytes)
}

/// Where the chain of links ends, also if nothing is there yet.
pub fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink()) {
            return Ok(path);
        }
        // An absolute target replaces the path, a relative one is read from the link's folder.
        path = path.parent().unwrap_or(Path::new("")).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many links"))
}

fn sweep_beside(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    let temps: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(temp::is_temp))
        .map(|e| e.path())
        .collect();
    temp::sweep(&temps);
}

/// Our own stream under its name as a file. It may lead to a regular file that the shell goes on writing to: replacing that
/// file or opening it anew at its start would lose what others wrote, so the stream itself is written.
#[cfg(unix)]
fn standard_stream(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;
    let own = match path.to_str()? {
        "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => io::stdout().as_fd().try_clone_to_owned(),
        "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => io::stderr().as_fd().try_clone_to_owned(),
        _ => return None,
    };
    Some(own.map(File::from))
}

#[cfg(not(unix))]
fn standard_stream(_path: &Path) -> Option<io::Result<File>> {
    None
}

#[cfg(unix)]
fn make_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o600))
}

/// Elsewhere a file inherits the rights of its folder.
#[cfg(not(unix))]
fn make_private(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Only the superuser may give files away; for everybody else the new file is their own, as with any editor.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _old: &fs::Metadata) {}
