//! Pictures of a composition: found like files, checked by what they are, never by their name alone.

use crate::config::PathEntry;
use crate::eligibility::BadPattern;
use crate::roots::{RootedPath, Roots};
use crate::select::{SelectOptions, select};
use base64::Engine;
use contexture_core::{Body, ContentHash, Image, ImageSource, Item, ItemKind, Note, Pixels, Topic};
use std::io::Read;
use std::path::Path;

/// Providers refuse larger pictures; the smallest of their limits is 5 MB.
const CAP: u64 = 5 * 1024 * 1024;

pub struct Pictures<'a> {
    pub base: RootedPath,
    pub paths: &'a [String],
    /// Whether the data goes into the document, or only a link.
    pub embed: bool,
    pub threads: usize,
}

pub fn screenshots(roots: &Roots, wanted: &Pictures<'_>) -> Result<(Vec<Item>, Vec<Note>), BadPattern> {
    if wanted.paths.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let entries: Vec<PathEntry> = wanted.paths.iter().map(|path| PathEntry::new(path.as_str())).collect();
    let selection = select(
        roots,
        &SelectOptions {
            named: &[],
            listed: &[],
            composition: Some(&entries),
            base: wanted.base.clone(),
            include: &[],
            exclude: &[],
            threads: wanted.threads,
            output_dir: None,
            own_output: &|_| false,
            full_tree: false,
            around: false,
        },
    )?;
    let mut notes = selection.notes;
    let mut items = Vec::new();
    for (place, chosen) in selection.files {
        let path = roots.display_path(&place);
        let picture = match chosen.failure {
            Some(failure) => Err(failure.to_string()),
            None => read(roots, &place, wanted.embed),
        };
        match picture {
            Ok((body, hash, size)) => {
                let item = Item::new(format!("screenshots/{path}"), ItemKind::Screenshot, path, body);
                items.push(Item { hash: Some(hash), size, ..item });
            }
            Err(cause) => notes.push(Note::new(Topic::Unread, format!("screenshot left out: {cause}")).at(path)),
        }
    }
    Ok((items, notes))
}

fn read(roots: &Roots, place: &RootedPath, embed: bool) -> Result<(Body, ContentHash, u64), String> {
    let (file, data) = roots.open_file(place).map_err(|failure| failure.to_string())?;
    let (media_type, pixels, bytes) = check_picture(file, data.len())?;
    let data = embed.then(|| base64::engine::general_purpose::STANDARD.encode(&bytes).into());
    Ok((Body::Image { media_type, pixels, data }, ContentHash::of(&bytes), bytes.len() as u64))
}

/// A picture that a person names, for a message. `Err` says what is wrong with it.
pub fn picture(path: &Path) -> Result<Image, String> {
    // Before it is opened: a pipe would wait for a writer.
    let data = std::fs::metadata(path).map_err(|error| error.kind().to_string())?;
    if !data.is_file() {
        return Err("not a regular file".into());
    }
    let file = std::fs::File::open(path).map_err(|error| error.kind().to_string())?;
    let (media_type, _, bytes) = check_picture(file, data.len())?;
    let data: String = base64::engine::general_purpose::STANDARD.encode(&bytes);
    Ok(Image { media_type: media_type.into(), source: ImageSource::Data(data.into()) })
}

/// The bytes of a picture, if it is one that providers take.
fn check_picture(file: impl Read, size: u64) -> Result<(&'static str, Pixels, Vec<u8>), String> {
    if size > CAP {
        return Err(format!("{size} bytes, more than {CAP}"));
    }
    let mut bytes = Vec::with_capacity(size as usize);
    file.take(CAP).read_to_end(&mut bytes).map_err(|error| error.kind().to_string())?;
    let media_type = match infer::get(&bytes).map(|kind| kind.mime_type()) {
        Some(known @ ("image/png" | "image/jpeg" | "image/gif" | "image/webp")) => known,
        Some(other) => return Err(format!("{other} is no picture a provider takes (png, jpeg, gif, webp)")),
        None => return Err("not a picture".into()),
    };
    // Eight bytes that look like one are none: a picture says how large it is.
    let pixels = Pixels::read(&bytes).ok_or_else(|| format!("not a picture: {media_type} without its size"))?;
    Ok((media_type, pixels, bytes))
}
