//! Sessions: our own files whole and damaged, and what other programs write, in the shapes they write it.
#![allow(clippy::unwrap_used)]

mod agents;
mod chats;
mod exports;
mod hostile;
mod laws;
mod ours;
mod processes;
mod store;

use contexture_conversations::sessions::import::read;
use contexture_conversations::sessions::{ImportOptions, Imported, SessionError, Spoken};
use contexture_core::{ImageSource, Message, MessagePart};
use std::fmt::Write;
use std::sync::Arc;

fn import(text: impl AsRef<[u8]>) -> Imported {
    read(text.as_ref(), &ImportOptions::default()).unwrap()
}

fn fails(text: impl AsRef<[u8]>, options: &ImportOptions) -> String {
    told(&read(text.as_ref(), options).unwrap_err())
}

fn told(error: &SessionError) -> String {
    format!("{error}\n{}", error.hint())
}

/// What a person would check: who says what, in short, and what was left out.
fn listing(imported: &Imported) -> String {
    let session = &imported.session;
    let mut out = format!("{} {} {:?}\n", imported.format, session.chat_id, session.title.as_deref().unwrap_or(""));
    for Spoken { message, at, line } in &session.messages {
        write!(out, "{line:>2} {} {}", at.as_deref().unwrap_or("-"), message.role).unwrap();
        if let Some(answers) = &message.answers {
            write!(out, "({answers})").unwrap();
        }
        if let Some(name) = &message.name {
            write!(out, "[{name}]").unwrap();
        }
        for part in &message.parts {
            match part {
                MessagePart::Text(text) => write!(out, " {:?}", text.chars().take(80).collect::<String>()).unwrap(),
                MessagePart::Image(image) => match &image.source {
                    ImageSource::Data(data) => write!(out, " <{} {}>", image.media_type, &**data).unwrap(),
                    ImageSource::Url(url) => write!(out, " <{} {url}>", image.media_type).unwrap(),
                    ImageSource::Gone { bytes } => write!(out, " <{} gone {bytes}>", image.media_type).unwrap(),
                },
            }
        }
        for call in &message.calls {
            write!(out, " -> {}({}) {}", call.name, call.id, &*call.arguments).unwrap();
        }
        out.push('\n');
    }
    for (what, count) in &imported.skipped {
        writeln!(out, "skipped {count}: {what}").unwrap();
    }
    for note in &imported.notes {
        writeln!(out, "note: {note}").unwrap();
    }
    out
}

fn spoken(message: Message, at: Option<&str>) -> Spoken {
    Spoken { message: Arc::new(message), at: at.map(Into::into), line: 0 }
}

fn messages(imported: &Imported) -> Vec<&Message> {
    imported.session.messages.iter().map(|spoken| &*spoken.message).collect()
}
