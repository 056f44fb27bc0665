//! Names of outputs: which namespaces are allowed, how a number is written, which names are ours.
//!
//! Pure text. A namespace is compared literally, so `a.b` and `a+b` mean themselves.

use super::OutputError;

/// What an output may be. `prune` deletes nothing else, so a picture named `a_001.png` is safe beside the outputs.
pub const EXTENSIONS: [&str; 5] = ["md", "xml", "json", "jsonl", "txt"];

/// 64 characters of four bytes with a number of twenty digits would not fit the 255 bytes of a file name.
const MAX_BYTES: usize = 200;

/// The number in the name of an output of this namespace, if this is a name that [`publish`](super::publish) could have
/// issued: exact namespace, three digits at least and no superfluous zeros, a known extension.
pub fn own_output(name: &str, namespace: &str) -> Option<u64> {
    let (digits, extension) = numbered(name, namespace)?;
    let number = digits.parse().ok().filter(|&number| number > 0)?;
    (EXTENSIONS.contains(&extension) && digits == digits_of(number)).then_some(number)
}

/// The number of a name that merely looks like an output (`a_7.md`, `a_0007.pdf`). Such a name is not ours to delete, but
/// people and older tools count it, so new numbers start above it.
pub(super) fn looks_like(name: &str, namespace: &str) -> Option<u64> {
    numbered(name, namespace)?.0.parse().ok()
}

pub(super) fn file_name(namespace: &str, number: u64, extension: &str) -> String {
    format!("{namespace}_{}.{extension}", digits_of(number))
}

pub(crate) fn check_namespace(namespace: &str) -> Result<(), OutputError> {
    let why = if namespace.is_empty() {
        "it is empty"
    } else if namespace.chars().count() > 64 || namespace.len() > MAX_BYTES {
        "it is longer than 64 characters or 200 bytes"
    } else if namespace.starts_with('.') {
        "it starts with a dot"
    } else if namespace.contains(['/', '\\']) {
        "it has a path separator"
    } else if namespace.chars().any(char::is_control) {
        "it has a control character"
    } else if cfg!(windows) && namespace.contains([':', '<', '>', '"', '|', '?', '*']) {
        "it has a character that Windows forbids in file names"
    } else {
        return Ok(());
    };
    Err(OutputError::Namespace { namespace: namespace.into(), why })
}

fn digits_of(number: u64) -> String {
    format!("{number:03}")
}

/// Splits `{namespace}_{digits}.{extension}`. Digits hold no underscore, so `a` never claims an output of `a_b` or `a_001`.
fn numbered<'a>(name: &'a str, namespace: &str) -> Option<(&'a str, &'a str)> {
    let (digits, extension) = name.strip_prefix(namespace)?.strip_prefix('_')?.split_once('.')?;
    // `parse` would take a leading `+` as well.
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some((digits, extension))
}
