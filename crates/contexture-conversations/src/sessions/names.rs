//! Names of session files: `{channel}_{chat_id}.json`, safe on every file system and readable backwards.
//!
//! Pure text. What a name must not hold is written as `%XX`, byte by byte, and `%` itself too; so is `_` in a channel, for the
//! first `_` of a name ends the channel.

use super::error::{Fault, SessionError};

/// Leaves room in the 255 bytes of a file name for `.damaged-N`, and for the lock's name.
const MAX_BYTES: usize = 200;

/// The name of the file of a conversation, without a folder.
pub fn file_name(channel: &str, chat_id: &str) -> Result<String, SessionError> {
    let mut name = String::with_capacity(channel.len() + chat_id.len() + 6);
    for (what, value, dividing) in [("channel", channel, true), ("chat id", chat_id, false)] {
        let refuse = |why| Fault::Name { what, value: value.chars().take(80).collect(), why };
        if value.is_empty() {
            return Err(refuse("it is empty").into());
        }
        for c in value.chars() {
            // A dot in front hides the file, and `..` leads out of the folder.
            if unsafe_in_names(c) || (dividing && c == '_') || (c == '.' && name.is_empty()) {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| name += &format!("%{byte:02X}"));
            } else {
                name.push(c);
            }
        }
        if name.len() > MAX_BYTES {
            return Err(refuse("the name would be longer than 200 bytes").into());
        }
        name += if dividing { "_" } else { ".json" };
    }
    Ok(name)
}

/// The channel and the chat id of a file's name. A name that nobody here made is all channel.
pub fn of_file_name(name: &str) -> (String, String) {
    let stem = name.strip_suffix(".json").unwrap_or(name);
    let (channel, chat_id) = stem.split_once('_').unwrap_or((stem, ""));
    (plain(channel), plain(chat_id))
}

/// Path separators and what Windows refuses, what cannot be seen, and our own escape.
fn unsafe_in_names(c: char) -> bool {
    c.is_control()
        || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '%')
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

fn plain(escaped: &str) -> String {
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| byte == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(code) => {
                bytes.push(code);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| escaped.into())
}
