//! The catalog of language models (`contexture_core::models`): windows, limits and prices, with dates and sources, and the
//! budget that follows from a model's window.
//!
//! Takes a model's name, a buffer and the counter in use; gives the room for a document. Knows nothing of personas, flags or
//! settings, and never asks a provider: what is in no row of a provider, nor among the others here, is unknown.

#[cfg(test)]
mod tests;

use crate::count::estimate::STATED_ERROR_PERCENT;
use crate::count::{Family, Tokenizer};
use crate::types::Api;
use std::sync::LazyLock;

/// A line of a provider's `models`: the columns in the order of these fields, but without the provider, separated by spaces; `-` where the
/// page names no such limit; then those of the [`Price`], where it is known. "1M" and "128K" of a page are taken as thousands and millions: the smaller reading.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// As its interface names it, without a date at the end.
    pub name: &'static str,
    /// Who serves it under that name.
    pub provider: &'static str,
    /// Tokens of input and answer together.
    pub window: u64,
    /// Tokens of input alone, where the provider limits them apart from the window.
    pub input: Option<u64>,
    /// The most tokens of an answer, where the provider says so.
    pub output: Option<u64>,
    /// The counter that fits it; an estimate where no public vocabulary is known to be its own.
    pub tokenizer: Tokenizer,
    /// When the source was read: `2026-11-16`.
    pub checked: &'static str,
    /// The page that says so.
    pub source: &'static str,
    pub price: Option<Price>,
}

/// How a window is divided. `budget` is what a document may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WindowShares {
    pub model: &'static str,
    /// Tokens, as the three below.
    pub window: u64,
    /// Kept free for the answer.
    pub answer: u64,
    /// Kept free because somebody wished so.
    pub buffer: u64,
    /// What is taken off because the counter only estimates, in percent.
    pub margin: u64,
    pub budget: u64,
}

/// An answer is not kept more than a quarter of the window free: some models may answer with all of it, and then nothing would be
/// left to ask with.
const ANSWER_SHARE: u64 = 4;

/// Models whose makers have no API of their own here.
const OTHERS: [(&str, &str); 2] = [
    (
        "zai",
        "GLM-4.6  202752  -  -  estimate  2026-11-16  https://inference.readthedocs.io/en/v2.10.0/models/builtin/llm/glm-4.6.html  0.6  2.2  0.11  -  2026-11-16  https://pypi.org/project/litellm/1.106.2/",
    ),
    (
        "qwen",
        "Qwen3-Coder-480B-A35B-Instruct  262144  -  -  estimate  2026-11-16  https://huggingface.co/Qwen/Qwen3-Coder-480B-A35B-Instruct/blob/1cde64a875f8ac283e14a27f3e9d5cc2defc03c0/README.md",
    ),
];

/// Who serves models, with the table of them.
fn vendors() -> impl Iterator<Item = (&'static str, &'static str)> {
    Api::ALL.iter().map(|api| (api.provider().vendor, api.provider().models)).chain(OTHERS)
}

/// Every model, sorted by name.
pub fn all() -> &'static [Model] {
    static ALL: LazyLock<Vec<Model>> = LazyLock::new(|| {
        let tables = vendors().map(|(vendor, models)| parse(vendor, models));
        let mut all = tables.collect::<Result<Vec<_>, _>>().unwrap_or_default().concat();
        all.sort_by_key(|model| model.name);
        all
    });
    &ALL
}

/// The model of this name, or of this name without the date or number of a version at its end.
pub fn find(name: &str) -> Option<&'static Model> {
    let same = |model: &&Model| model.name.eq_ignore_ascii_case(name);
    all().iter().find(same).or_else(|| all().iter().find(|model| is_version(model.name, name)))
}

impl Model {
    /// The room for a document. `answer` is what a person set as the longest answer; it is taken as it is, as far as the model can.
    pub fn room(&self, answer: Option<u64>, buffer: u64, counter: Tokenizer) -> WindowShares {
        let most = self.output.unwrap_or(self.window);
        let wanted = answer.map_or((self.window / ANSWER_SHARE).min(most), |answer| answer.min(most));
        // What the provider takes no input for is free for the answer anyway.
        let kept = self.input.map_or(0, |input| self.window.saturating_sub(input));
        let answer = wanted.max(kept);
        let margin = margin(counter);
        let left = self.window.saturating_sub(answer).saturating_sub(buffer);
        let budget = left.saturating_sub((left.saturating_mul(margin)).div_ceil(100));
        WindowShares { model: self.name, window: self.window, answer, buffer, margin, budget }
    }
}

/// By how many percent the true count may be above what this counter says, of the true count.
pub const fn margin(counter: Tokenizer) -> u64 {
    match counter {
        Tokenizer::O200k | Tokenizer::Cl100k => 0,
        Tokenizer::Estimate(Family::Generic) => GENERIC_MARGIN,
        Tokenizer::Estimate(Family::Claude) => CLAUDE_MARGIN,
        Tokenizer::Estimate(Family::Gemini) => GEMINI_MARGIN,
    }
}

/// Any other vocabulary than the one the estimate was fitted to. Against those of DeepSeek, Qwen, MiniMax, Kimi, GLM and Llama 3 the
/// estimate of four projects was at most 7 percent too low, of a fifth with its manual in a dozen languages 14 percent; half
/// as much again is kept. Text mostly in other scripts than Latin can need more (docs/tokens.md).
const GENERIC_MARGIN: u64 = 20;
/// The stated error, and 30 percent more tokens from Claude 4.7 on, which the factor of the family does not have:
/// 1 - 0.9 / 1.3 = 0.308. "Approximately 30% more" is Anthropic's own figure, on the page of `claude-haiku-5-5`.
const CLAUDE_MARGIN: u64 = 31;
/// The stated error, and 5 points for a factor that rests on half a megabyte of code and a vocabulary said to be Gemini's.
const GEMINI_MARGIN: u64 = STATED_ERROR_PERCENT as u64 + 5;

/// Whether `name` is `model` with a version at its end: `-20250805`, `-2025-08-07`, `-0813`, `-001`. Two digits or fewer are another
/// model: `claude-opus-4-5` is no version of `claude-opus-4`.
fn is_version(model: &str, name: &str) -> bool {
    let Some((start, end)) = name.split_at_checked(model.len()) else { return false };
    let Some(version) = end.strip_prefix('-') else { return false };
    let digits = version.bytes().filter(u8::is_ascii_digit).count();
    let plain = version.split('-').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    start.eq_ignore_ascii_case(model) && plain && (3..=8).contains(&digits)
}

/// Reads a table. An error names the line: the table is ours, so one wrong row makes all of it wrong.
fn parse(provider: &'static str, text: &'static str) -> Result<Vec<Model>, String> {
    let mut models: Vec<Model> = Vec::new();
    for (index, line) in text.trim().lines().enumerate() {
        let model = row(provider, line).ok_or_else(|| format!("line {}: not a row: `{line}`", index + 1))?;
        if models.last().is_some_and(|last| last.name >= model.name) {
            return Err(format!("line {}: not sorted, or twice: `{}`", index + 1, model.name));
        }
        models.push(model);
    }
    Ok(models)
}

fn row(provider: &'static str, line: &'static str) -> Option<Model> {
    let fields: Vec<&'static str> = line.split_ascii_whitespace().collect();
    let (model, price) = fields.split_at_checked(7)?;
    let &[name, window, input, output, tokenizer, checked, source] = model else { return None };
    let number = |field: &str| field.parse::<u64>().ok().filter(|number| *number > 0);
    let optional = |field: &str| if field == "-" { Some(None) } else { number(field).map(Some) };
    let model = Model {
        name,
        provider,
        window: number(window)?,
        input: optional(input)?,
        output: optional(output)?,
        tokenizer: Tokenizer::parse(tokenizer)?,
        checked,
        source,
        price: if price.is_empty() { None } else { Some(price_row(name, price)?) },
    };
    let within = |limit: Option<u64>| limit.is_none_or(|limit| limit <= model.window);
    let right = within(model.input) && within(model.output) && is_day(checked) && source.starts_with("https://");
    right.then_some(model)
}

/// `2026-11-16`.
fn is_day(day: &str) -> bool {
    let mut parts = day.split('-');
    let mut part = |width: usize, least: u32, most: u32| {
        parts
            .next()
            .filter(|part| part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|part| part.parse::<u32>().ok())
            .is_some_and(|number| (least..=most).contains(&number))
    };
    part(4, 2020, 2999) && part(2, 1, 12) && part(2, 1, 31) && parts.next().is_none()
}

/// US dollars for a million tokens. Prices for long requests, for batches and for other regions are not told here, and one that is not
/// known is never guessed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Price {
    pub model: &'static str,
    pub input: f64,
    /// Thoughts included.
    pub output: f64,
    /// Of the input, what the provider's cache finds again, and what it keeps; `-` where that costs what other input does.
    pub cached: f64,
    pub written: f64,
    /// When the source was read: `2026-11-16`.
    pub checked: &'static str,
    pub source: &'static str,
}

/// The price of the model of this name, or of this name without the date or number of a version at its end.
pub fn price(name: &str) -> Option<&'static Price> {
    find(name)?.price.as_ref()
}

impl Price {
    /// Of one request and its answer. `cached` and `written` are parts of `input`.
    pub fn cost(&self, input: u64, output: u64, cached: u64, written: u64) -> f64 {
        let plain = input.saturating_sub(cached).saturating_sub(written);
        let all = [(plain, self.input), (cached, self.cached), (written, self.written), (output, self.output)];
        all.iter().map(|(tokens, price)| *tokens as f64 * price / 1e6).sum()
    }
}

/// The columns behind those of a model, in the order of the fields.
fn price_row(model: &'static str, cells: &[&'static str]) -> Option<Price> {
    let [input, output, cached, written, checked, source] = *cells else { return None };
    let number = |cell: &str| cell.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    let input = number(input)?;
    let or_input = |cell: &str| if cell == "-" { Some(input) } else { number(cell) };
    let price = Price {
        model,
        input,
        output: number(output)?,
        cached: or_input(cached)?,
        written: or_input(written)?,
        checked,
        source,
    };
    (is_day(checked) && source.starts_with("https://")).then_some(price)
}
