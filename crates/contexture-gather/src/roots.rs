//! The folders a run may read from, and the only way to open a file: below one of them.
//!
//! Takes paths as people write them; gives a [`RootedPath`] inside a root, or the reason why not. Opening goes through a
//! descriptor of the root and may not leave it (`openat2` with `RESOLVE_BENEATH` on Linux), so a link that is swapped
//! between a check and the opening gains nothing. Any error on the way is a refusal.

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use contexture_core::Failure;
use std::cmp::Ordering;
use std::fs::{File, FileType, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

/// The folders a run may read from, the project first.
pub struct Roots {
    all: Vec<Root>,
}

/// One folder, opened: files below it are opened through it.
pub struct Root {
    /// Canonical.
    pub path: PathBuf,
    dir: Dir,
    /// What stands before paths of this root when there are several; empty for the only one.
    pub label: String,
}

/// A path inside a root. `rel` has only normal components; it is empty for the root itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootedPath {
    /// The number of the root, as [`Roots::iter`] has it.
    pub root: usize,
    pub rel: PathBuf,
}

/// By root, then bytewise: the order of paths in every output. (`Path` itself compares by component: `a/b` before `a-b`.)
impl Ord for RootedPath {
    fn cmp(&self, other: &Self) -> Ordering {
        match self.root.cmp(&other.root) {
            Ordering::Equal => bytewise(&self.rel, &other.rel),
            order => order,
        }
    }
}

impl PartialOrd for RootedPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

pub fn bytewise(a: &Path, b: &Path) -> Ordering {
    a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes())
}

impl Roots {
    /// Opens the folders. The first is the project; the others were added by hand.
    pub fn open(paths: &[PathBuf]) -> Result<Self, (PathBuf, io::Error)> {
        let mut all: Vec<Root> = Vec::new();
        for path in paths {
            let canonical = path.canonicalize().map_err(|error| (path.clone(), error))?;
            if all.iter().any(|root| root.path == canonical) {
                continue;
            }
            let dir = Dir::open_ambient_dir(&canonical, ambient_authority()).map_err(|error| (path.clone(), error))?;
            all.push(Root { path: canonical, dir, label: String::new() });
        }
        if all.len() > 1 {
            let mut used: Vec<String> = Vec::new();
            for root in &mut all {
                let name = root
                    .path
                    .file_name()
                    .map_or_else(|| "root".into(), |name| crate::names::display_path(Path::new(name)));
                let mut label = name.clone();
                for number in 2.. {
                    if !used.contains(&label) {
                        break;
                    }
                    label = format!("{name}-{number}");
                }
                used.push(label.clone());
                root.label = label;
            }
        }
        Ok(Self { all })
    }

    /// Every root with its number, as a [`RootedPath`] has it.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Root)> {
        self.all.iter().enumerate()
    }

    /// The folder of the project, canonical: the first that was opened. There must be one.
    pub fn project(&self) -> &Path {
        &self.all[0].path
    }

    /// The root that a place is in.
    pub fn root(&self, place: &RootedPath) -> &Root {
        &self.all[place.root]
    }

    /// The place as an absolute path, which says nothing about whether it may be read.
    pub fn absolute(&self, place: &RootedPath) -> PathBuf {
        self.root(place).path.join(&place.rel)
    }

    /// How a place is shown: relative to its root.
    pub fn display_path(&self, place: &RootedPath) -> String {
        let label = &self.root(place).label;
        let path = crate::names::display_path(&place.rel);
        if label.is_empty() { path } else { format!("{label}/{path}") }
    }

    /// Finds the place a person means: relative to `base` (itself inside a root), absolute, or with a root's label in front.
    /// Links are not followed here; whether the place may be read is decided when it is opened.
    pub fn locate(&self, base: &RootedPath, path: &Path) -> Result<RootedPath, Failure> {
        if path.is_absolute() {
            return self.locate_absolute(path);
        }
        let below_base = normalize(&base.rel, path);
        if self.all.len() > 1
            && let Some(Component::Normal(first)) = path.components().next()
            && let Some(root) = self.all.iter().position(|root| first == root.label.as_str())
        {
            let inside = below_base.as_ref().map(|rel| RootedPath { root: base.root, rel: rel.clone() });
            // A folder of the project that has a root's name goes first.
            if inside.as_ref().is_none_or(|place| self.absolute(place).symlink_metadata().is_err()) {
                let rel = normalize(Path::new(""), &path.components().skip(1).collect::<PathBuf>());
                return rel.map(|rel| RootedPath { root, rel }).ok_or(Failure::OutsideRoots);
            }
        }
        match below_base {
            Some(rel) => Ok(RootedPath { root: base.root, rel }),
            // `../other` may still lead into another root.
            None => self.locate_absolute(&self.absolute(base).join(path)),
        }
    }

    fn locate_absolute(&self, path: &Path) -> Result<RootedPath, Failure> {
        let lexical = normalize(Path::new("/"), path.strip_prefix("/").unwrap_or(path));
        let candidates = lexical.into_iter().map(|path| Path::new("/").join(path)).chain(canonical_parent(path));
        for candidate in candidates {
            for (root, known) in self.iter() {
                if let Ok(rel) = candidate.strip_prefix(&known.path) {
                    return Ok(RootedPath { root, rel: rel.to_owned() });
                }
            }
        }
        Err(Failure::OutsideRoots)
    }

    /// Opens a regular file for reading, without ever waiting for a writer or leaving the root.
    pub fn open_file(&self, place: &RootedPath) -> Result<(File, Metadata), Failure> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        options.custom_flags((rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY).bits() as i32);
        let dir = &self.root(place).dir;
        let rel = if place.rel.as_os_str().is_empty() { Path::new(".") } else { &place.rel };
        let file = match dir.open_with(rel, &options) {
            Ok(file) => file,
            Err(error) => self.open_resolved(place, &options).ok_or_else(|| self.refusal(place, &error))?,
        };
        let file = file.into_std();
        match file.metadata() {
            Ok(data) if data.is_file() => Ok((file, data)),
            Ok(data) => Err(Failure::NotAFile(special(data.file_type()))),
            Err(error) => Err(failure(&error)),
        }
    }

    /// Opens a folder to look at what stands in it, without leaving the root.
    pub fn open_folder(&self, place: &RootedPath) -> io::Result<Dir> {
        let rel = if place.rel.as_os_str().is_empty() { Path::new(".") } else { &place.rel };
        self.root(place).dir.open_dir(rel)
    }

    /// A link with an absolute target inside a root is legal, but its target must be named from the root to be opened.
    fn open_resolved(&self, place: &RootedPath, options: &OpenOptions) -> Option<cap_std::fs::File> {
        let resolved = self.absolute(place).canonicalize().ok()?;
        let inside = self.iter().find_map(|(_, root)| Some((root, resolved.strip_prefix(&root.path).ok()?)));
        let (root, rel) = inside?;
        root.dir.open_with(rel, options).ok()
    }

    /// Why an opening failed, told apart for people: a link that leads outside is not a missing file.
    fn refusal(&self, place: &RootedPath, error: &io::Error) -> Failure {
        match self.absolute(place).canonicalize() {
            Ok(resolved) if !self.all.iter().any(|root| resolved.starts_with(&root.path)) => Failure::OutsideRoots,
            _ => failure(error),
        }
    }

    /// The existing path that is most like a mistyped one.
    pub fn near(&self, path: &str) -> Option<String> {
        let place = self.locate(&RootedPath { root: 0, rel: PathBuf::new() }, Path::new(path)).ok()?;
        let folder = RootedPath { root: place.root, rel: place.rel.parent()?.to_owned() };
        let name = place.rel.file_name()?.to_string_lossy().into_owned();
        let listing = std::fs::read_dir(self.absolute(&folder)).ok()?;
        // Enough for any folder that people keep by hand.
        let others: Vec<String> =
            listing.flatten().take(10_000).map(|other| other.file_name().to_string_lossy().into_owned()).collect();
        let near = crate::config::nearest(&name, others.iter().map(String::as_str))?;
        Some(self.display_path(&RootedPath { root: place.root, rel: folder.rel.join(near) }))
    }

    /// The name a place has after following links, when that is inside a root.
    pub(crate) fn real_path(&self, place: &RootedPath) -> Option<RootedPath> {
        let resolved = self.absolute(place).canonicalize().ok()?;
        self.iter().find_map(|(root, known)| {
            Some(RootedPath { root, rel: resolved.strip_prefix(&known.path).ok()?.to_owned() })
        })
    }
}

pub fn failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Failure::NotFound,
        io::ErrorKind::PermissionDenied => Failure::PermissionDenied,
        // The text of an error may hold a path of this machine; its kind does not. The kinds that std has no name for:
        kind => Failure::Unreadable(match error.raw_os_error().map(rustix::io::Errno::from_raw_os_error) {
            Some(rustix::io::Errno::MFILE | rustix::io::Errno::NFILE) => "too many open files".into(),
            Some(rustix::io::Errno::LOOP) => "a loop of links".into(),
            Some(rustix::io::Errno::NAMETOOLONG) => "the name is too long".into(),
            Some(rustix::io::Errno::IO) => "input/output error".into(),
            _ => kind.to_string(),
        }),
    }
}

fn special(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "a special file" }
}

/// `base/path` with `.` and `..` resolved by name; `None` when that would leave the root.
fn normalize(base: &Path, path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in base.components().chain(path.components()) {
        match part {
            Component::Normal(name) => out.push(name),
            Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    Some(out)
}

/// The path with its folder made canonical and its last name kept, so that a link itself can be named.
fn canonical_parent(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?;
    Some(path.parent()?.canonicalize().ok()?.join(name))
}
