//! A document as part of a conversation: what a person shows before asking.
//!
//! Takes the blocks of a document and its pictures; gives the parts of a message. Static parts stand first, then pictures, then the rest.

use super::Talk;
use crate::count::{FRAME, IMAGE, Meter};
use crate::providers::writing::Paper;
use crate::types::{Body, Format, Image, ImageSource, Item, ItemKind, Message, Options, Output, Role, Text, Tokens};
use std::sync::Arc;

/// The pictures of a document in a request. What a provider cannot show stands in the document by its path alone.
#[derive(Default)]
pub struct Pictures {
    /// Each with its path.
    pub shown: Vec<(String, Image)>,
    pub refused: Vec<RefusedPicture>,
}

/// A picture that the provider would refuse.
pub struct RefusedPicture {
    /// The place in the snapshot.
    pub index: usize,
    pub why: String,
    pub hint: &'static str,
}

pub fn pictures<'a>(shown: impl Iterator<Item = (usize, &'a Item)>, format: Format) -> Pictures {
    let mut refused = Vec::new();
    let picture = |(index, item): (usize, &'a Item)| {
        let Body::Image { media_type, pixels, data } = &item.body else { return None };
        if item.kind != ItemKind::Screenshot {
            return None;
        }
        let why = match format.api() {
            // It is not read then, whoever wants it shown.
            Some(api) if api.provider().pictures.types.is_empty() => Some(format!("`{api}` is shown no pictures")),
            Some(api) if data.is_some() && !api.provider().pictures.types.contains(media_type) => {
                Some(format!("`{api}` takes no {media_type}"))
            }
            _ => None,
        };
        if let Some(why) = why {
            refused.push(RefusedPicture { index, why, hint: "describe it in words, or leave it out" });
            return None;
        }
        let data = data.as_ref()?;
        let image = Image { media_type: (*media_type).to_owned(), source: ImageSource::Data(data.clone()) };
        image.is_shown(format.api()).then_some((index, item, *pixels, data.len(), image))
    };
    let all: Vec<_> = shown.filter_map(picture).collect();
    let (mut pictures, many) = (Pictures { shown: Vec::new(), refused }, all.len());
    for (index, item, pixels, size, image) in all {
        match format.api().and_then(|api| api.refuses_picture(pixels, size, pictures.shown.len(), many)) {
            Some(why) => pictures.refused.push(RefusedPicture { index, why, hint: "scale it down, or leave it out" }),
            None => pictures.shown.push((item.path.clone(), image)),
        }
    }
    pictures
}

impl Talk {
    /// A conversation of one message: a document, with the tokens of its static part and of all of it, and what is asked of it.
    pub fn about(document: &Output, tokens: (Tokens, Tokens), pictures: Vec<Image>, options: &Options) -> Self {
        let (fixed, rest) = document.blocks.split_at(document.prefix_blocks);
        let paper = Paper {
            fixed_tokens: tokens.0.0,
            rest_tokens: tokens.1.0.saturating_sub(tokens.0.0),
            fixed: fixed.to_vec(),
            pictures,
            rest: rest.to_vec(),
        };
        let said = |text: &Option<Text>| text.clone().filter(|text| !text.trim().is_empty());
        let system = said(&options.request.system);
        let message = said(&options.request.message).map(|text| Arc::new(Message::new(Role::User, text)));
        let system = system.map(|text| super::SystemText { layer: crate::types::Layer::System, text, turns: false });
        Self { system: system.into_iter().collect(), current: message, paper: Some(paper), ..Self::default() }
    }
}

/// What a request says around a document, in tokens: the document itself is apart.
pub fn around(pictures: usize, options: &Options, meter: &Meter<'_>) -> Tokens {
    let text =
        |text: &Option<Text>| text.as_ref().filter(|text| !text.trim().is_empty()).map(|text| meter.words(text).0);
    let system = text(&options.request.system).map_or(0, |tokens| FRAME + tokens);
    let message = text(&options.request.message).unwrap_or(0);
    Tokens(system + FRAME + message + pictures as u64 * IMAGE)
}
