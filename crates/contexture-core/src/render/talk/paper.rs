//! A document as part of a conversation: what a person shows before asking.
//!
//! Takes the blocks of a document and its pictures; gives the parts of a message. Static parts stand first, then pictures, then the rest.

use super::Talk;
use crate::count::{FRAME, IMAGE, Meter};
use crate::model::{Block, Body, Image, ImageSource, Item, ItemKind, Message, Output, Role, Text, Tokens};
use crate::options::{Format, Options};
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Paper {
    pub fixed: Vec<Block>,
    pub pictures: Vec<Image>,
    pub rest: Vec<Block>,
    /// Of `fixed` and of `rest`.
    pub fixed_tokens: u64,
    pub rest_tokens: u64,
}

/// The pictures of a document that go with it as pictures. What a provider cannot show stands in the document by its path alone.
pub fn pictures<'a>(shown: impl Iterator<Item = &'a Item>, format: Format) -> Vec<Image> {
    let picture = |item: &Item| match &item.body {
        Body::Image { media_type, data: Some(data) } if item.kind == ItemKind::Screenshot => {
            Some(Image { media_type: (*media_type).to_owned(), source: ImageSource::Data(data.clone()) })
        }
        _ => None,
    };
    shown.filter_map(picture).filter(|image| image.is_shown(format.api())).collect()
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
        let system = system.map(|text| super::SystemText { layer: crate::model::Layer::System, text, turns: false });
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
