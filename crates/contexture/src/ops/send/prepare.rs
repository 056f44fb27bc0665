//! Compiles the request for one model, checks it as its API would, and predicts its tokens, its cost and what the cache reuses.

use super::super::document::{self, CompiledDocument};
use super::super::model_choice::{self, ModelChoice, Rates};
use super::super::open::{Door, Opened};
use super::super::{ErrorKind, OpError};
use super::attempt::program_texts;
use super::{PreparedSend, Sender};
use crate::requests::{DocumentRequest, SendRequest, Via, Word};
use contexture_core::check::check;
use contexture_core::models;
use contexture_core::reuse::{self, Reuse};
use contexture_core::{Counter, Format};
use contexture_gather::runs::{KeptBody, Runs, SentRequest};
use std::path::Path;

/// Who is asked, as this request and its persona have it.
pub(super) fn allowed_models(
    door: &Door,
    request: &SendRequest,
    sender: &Sender<'_>,
) -> Result<Vec<ModelChoice>, OpError> {
    let (_, config) = door.open_project()?;
    let persona = model_choice::persona(&config, &request.request)?;
    let preferred = persona.map(|persona| persona.preferred_models.as_slice()).unwrap_or_default();
    let models = model_choice::choose_models(request.provider.map(Word::get), request.model(), preferred)?;
    let is_program = models.first().is_some_and(|choice| choice.via == Via::GeminiCli);
    if is_program && (request.base_url.is_some() || sender.is_own_key) {
        return Err(OpError::usage(
            "`gemini-cli` takes neither `--base-url` nor `--key-env`: it has its own server and key",
        )
        .hint("`--provider gemini` asks Google's API in place of the program"));
    }
    Ok(models)
}

/// Compiles the request for one of them, and looks at it as its API would.
pub(super) fn prepare_for(door: &Door, request: &SendRequest, choice: &ModelChoice) -> Result<PreparedSend, OpError> {
    let format = match choice.via {
        Via::Api(api) => Format::Request(api),
        Via::GeminiCli => Format::Markdown,
    };
    // A program is told the model as a word; its window is not ours to fill unless it is known.
    let is_filled = |name: &String| choice.via != Via::GeminiCli || models::find(name).is_some();
    let model = choice.model.clone().filter(is_filled);
    let document_request = DocumentRequest { format: Some(format.into()), model, ..request.request.clone() };
    let (opened, mut document) = document::compile_strict(door, &document_request)?;
    if request.provider.is_none() && request.model().is_none() {
        let persona = model_choice::persona(&opened.config, &document_request)?;
        let note = persona.and_then(|persona| model_choice::unknown_providers_note(&persona.preferred_models));
        document.compiled.notes.extend(note);
    }
    if let Via::Api(api) = choice.via {
        let found = check(api, &document.compiled.output.text());
        if let Some(first) = found.first() {
            let message = format!("`{api}` would refuse the request: {first}");
            return Err(OpError::of(ErrorKind::Verification, message).hint(first.hint));
        }
    }
    let model = choice.model.clone();
    let past = door.env.data_dir.as_deref().and_then(|dir| Runs::look(dir).ok().flatten());
    let server = request.base_url.as_deref();
    let learnt = match (&past, &model) {
        (Some(runs), Some(model)) => {
            runs.token_counts(choice.via.as_str(), server, model, document.tokenizer).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    let measured = match choice.via {
        Via::Api(_) => document.compiled.measured.0,
        // The question and the system text go in beside the document.
        Via::GeminiCli => {
            let (system, prompt) = program_texts(&opened, &document.compiled.output.text());
            opened.tokenizer.count(&system) + opened.tokenizer.count(&prompt)
        }
    };
    let (expected, learnt) = calibrate(measured, &learnt);
    let reuse = predict_reuse(past.as_ref(), &opened, &document, choice, server);
    Ok(PreparedSend {
        reuse: reuse.map(|reuse| scale_reuse(reuse, measured, expected)),
        expected,
        learnt,
        rates: model.as_deref().and_then(Rates::of),
        via: choice.via,
        document,
        model,
        opened,
        document_request,
        server: request.base_url.clone(),
    })
}

/// Fewer answers may be chance.
const ANSWERS: usize = 3;
/// What a server counts otherwise than we do by more than this is no count of the same text.
const BELIEVABLE: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// A count, times the middle one of the ratios between what the server counted and what we did, and from how many answers that was
/// learnt. The middle one, so that an odd figure among others decides nothing.
fn calibrate(count: u64, learnt: &[(u64, u64)]) -> (u64, usize) {
    let ratios = learnt.iter().filter(|(ours, _)| *ours > 0).map(|(ours, theirs)| *theirs as f64 / *ours as f64);
    let mut ratios: Vec<f64> = ratios.filter(|ratio| BELIEVABLE.contains(ratio)).collect();
    ratios.sort_by(f64::total_cmp);
    match ratios.get(ratios.len() / 2) {
        Some(middle) if ratios.len() >= ANSWERS => ((count as f64 * middle).round() as u64, ratios.len()),
        Some(_) | None => (count, 0),
    }
}

/// Parts of what we count, as parts of what is expected: all figures of one request are of one counter.
fn scale_reuse(reuse: Reuse, measured: u64, expected: u64) -> Reuse {
    let ratio = expected as f64 / measured.max(1) as f64;
    let part = |tokens: u64, most: u64| ((tokens as f64 * ratio).round() as u64).min(most);
    let tokens = part(reuse.tokens, expected);
    Reuse { tokens, written: part(reuse.written, expected - tokens), of: expected, ..reuse }
}

/// What the cache finds again of the newest request to this model that was kept, and what it keeps anew: all, where there was none.
fn predict_reuse(
    past: Option<&Runs>,
    opened: &Opened,
    document: &CompiledDocument,
    choice: &ModelChoice,
    server: Option<&str>,
) -> Option<Reuse> {
    let Via::Api(api) = choice.via else { return None };
    let before = past.and_then(|runs| last_request_body(runs, opened.roots.project(), choice, server));
    let body = document.compiled.output.text();
    let count = |text: &str| opened.tokenizer.count(text);
    let read = |body| reuse::Request::read(api, body, &count).ok();
    let earlier = before.as_deref().and_then(read);
    let earlier: Vec<&reuse::Request<'_>> = earlier.iter().collect();
    Some(reuse::predict(reuse::rule(api, choice.model.as_deref())?, &earlier, &read(&body)?))
}

/// The newest request to this model of this server. Older ones than these are forgotten by every cache.
fn last_request_body(runs: &Runs, project: &Path, choice: &ModelChoice, server: Option<&str>) -> Option<String> {
    let is_like = |sent: &SentRequest| {
        sent.error.is_none()
            && sent.provider == choice.via.as_str()
            && sent.server.as_deref() == server
            && Some(&sent.model) == choice.model.as_ref()
    };
    let last = runs.list(project, 20).ok()?.into_iter().find(|run| run.sent.as_ref().is_some_and(is_like))?;
    String::from_utf8(runs.kept_body(project, last.number, KeptBody::Request).ok()??).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calibration_needs_several_plausible_answers() {
        assert_eq!(calibrate(1000, &[]), (1000, 0));
        assert_eq!(calibrate(1000, &[(100, 120), (100, 120)]), (1000, 0));
        assert_eq!(calibrate(1000, &[(100, 120), (100, 110), (100, 130)]), (1200, 3));
        assert_eq!(calibrate(1000, &[(100, 120), (100, 110), (8000, 100), (0, 5), (1, 90)]), (1000, 0));
        assert_eq!(calibrate(1000, &[(100, 120), (8000, 100), (100, 110), (8000, 100), (100, 130)]), (1200, 3));
    }

    #[test]
    fn scaled_reuse_never_exceeds_the_expected_total() {
        let part = |tokens, written, measured, expected| {
            let reuse = Reuse { tokens, of: measured, written, difference: None };
            let Reuse { tokens, of, written, .. } = scale_reuse(reuse, measured, expected);
            (tokens, written, of)
        };
        assert_eq!(part(800, 200, 1000, 1000), (800, 200, 1000));
        assert_eq!(part(800, 200, 1000, 600), (480, 120, 600));
        assert_eq!(part(800, 0, 1000, 1500), (1200, 0, 1500));
        assert_eq!(part(1100, 50, 1000, 1000), (1000, 0, 1000));
        assert_eq!(part(5, 5, 0, 0), (0, 0, 0));
    }
}
