//! Providers of language models, one file each: whatever depends on the API is a field of its row.
//!
//! A row ([`Provider`]) is data with date and source: where the server is, what a request may have, which pictures its models are
//! shown, what its cache keeps, models with their windows, and prices. A [`Dialect`] is how requests are written, checked and taken apart;
//! providers that speak the same one share it and differ in their rows alone. Code outside this module does not match on [`Api`]; one is named
//! only where a file format or a program belongs to it.
//!
//! Takes names and requests; never calls a provider. A new one is a variant and its word in `types/api.rs`, two lines here, and its file;
//! a dialect of its own also has a reader of its answers on the sending side ([`Answers`]).

mod anthropic;
pub mod catalog;
pub mod check;
mod deepseek;
mod gemini;
mod minimax;
mod openai;
mod pictures;
mod responses;
pub mod reuse;
pub(crate) mod writing;

pub use openai::message_json;
pub(crate) use openai::write_list;
pub use pictures::Pictures;

use crate::count::Tokenizer;
use crate::types::Api;
use check::{Object, Rules, Violations};
use reuse::Layout;
use writing::{Rope, Writing};

impl Api {
    /// What is known of it.
    pub fn provider(self) -> &'static Provider {
        match self {
            Self::Anthropic => &anthropic::PROVIDER,
            Self::OpenAi => &openai::PROVIDER,
            Self::Responses => &responses::PROVIDER,
            Self::Gemini => &gemini::PROVIDER,
            Self::DeepSeek => &deepseek::PROVIDER,
            Self::MiniMax => &minimax::PROVIDER,
        }
    }
}

/// Everything that is known of one API.
#[derive(Debug)]
pub struct Provider {
    pub api: Api,
    /// Who serves it, as settings and tables of models also call it.
    pub vendor: &'static str,
    pub dialect: &'static Dialect,
    pub home: Home,
    /// The counter for requests to models that are not in the table.
    pub tokenizer: Tokenizer,
    pub pictures: Pictures,
    /// The member that takes the longest answer.
    pub(crate) answer_limit: &'static str,
    /// Why `temperature` and `top_p` are left out of requests, where they are.
    pub no_temperature: Option<&'static str>,
    /// Whether a model's `reasoning_content` before a call goes back with it.
    pub returns_reasoning: bool,
    pub(crate) rules: Rules,
    /// A line for each family of models, as [`reuse`] describes them.
    pub(crate) cache: &'static str,
    /// A line for each model with its price, sorted by name in byte order, as [`catalog`] describes them.
    pub(crate) models: &'static str,
}

/// A provider's own server. As documented by each of them, looked up in November 2026.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Home {
    /// As their own libraries are given it: OpenAI's with a version, Anthropic's and Google's without.
    pub base_url: &'static str,
    /// Variables with the key, the first that is set wins.
    pub key_names: &'static [&'static str],
    /// The header that takes the key; `None` for `Authorization: Bearer`. Never the address, which logs and errors of others show.
    pub key_header: Option<&'static str>,
    /// Other headers that every request has, in lower case.
    pub headers: &'static [(&'static str, &'static str)],
}

/// How requests and answers of an API are written.
#[derive(Debug)]
pub struct Dialect {
    pub answers: Answers,
    /// Behind the base URL.
    pub path: &'static str,
    /// Where plain text is continued, if it is at all.
    pub text_path: Option<&'static str>,
    /// What a base URL without a version lacks, where libraries add it.
    pub version: Option<&'static str>,
    /// The members that ask for an answer in pieces.
    pub stream: &'static str,
    /// Whether the address names the model, and says how the answer is to come.
    pub in_address: bool,
    /// The member that marks a block for the cache, with the comma before it.
    pub(crate) mark: &'static str,
    pub(crate) write: fn(&Writing<'_>, &mut Rope),
    pub(crate) check: fn(&Object, &mut Violations),
    pub(crate) layout: Layout,
}

/// The forms that answers have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answers {
    Messages,
    Chat,
    Responses,
    Gemini,
}
