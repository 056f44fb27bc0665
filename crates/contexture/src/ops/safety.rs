//! Which policy holds for what leaves.
//!
//! Takes the settings and what was asked for; gives a [`Safety`]. Masks what a request itself says: its words go into manifests and to
//! programs besides the document.

use super::OpError;
use super::open::Door;
use crate::requests::DocumentRequest;
use contexture_core::safety::{HiddenText, Report, Safety, Secrets, TextKind};
use contexture_gather::config::{Config, Persona};
use serde_json::Value;

/// The policy of a run: what was asked for, then the settings.
pub(super) fn policy(config: &Config, asked: Option<Secrets>) -> Safety {
    Safety { secrets: asked.unwrap_or(config.safety.secrets), ..config.safety.clone() }
}

/// A request whose own words may be written down, and what was found in them.
pub(super) fn mask_request(safety: &Safety, request: &DocumentRequest) -> (DocumentRequest, Report) {
    let mut report = Report::new(safety);
    let mut clean = request.clone();
    let words =
        [("message", &mut clean.message), ("query", &mut clean.query), ("instructions", &mut clean.instructions)];
    for (name, said) in words {
        let masked = said.as_ref().and_then(|text| safety.text(name, text, TextKind::Data, &mut report));
        *said = masked.or_else(|| said.take());
    }
    (clean, report)
}

/// The same of what a persona says.
pub(super) fn mask_persona(safety: &Safety, persona: &Persona, report: &mut Report) -> Persona {
    let said = persona.system_prompt.as_ref();
    let masked = said.and_then(|text| safety.text("system prompt", text, TextKind::Data, report));
    Persona { system_prompt: masked.or_else(|| persona.system_prompt.clone()), ..persona.clone() }
}

/// What an agent is told that no document holds, such as records and lists. Under `deny` nothing of it leaves.
pub fn mask_answer(door: &Door, mut value: Value) -> Result<Value, OpError> {
    let safety = policy(&super::config_of(door)?, None);
    if safety.secrets == Secrets::Deny {
        let mut report = Report::new(&safety);
        for_each_string(&mut value, &mut |text| drop(safety.text("", text, TextKind::Data, &mut report)));
        if report.is_denied() {
            return Err(OpError::Denied(Box::new(report)));
        }
    }
    mask_json(&safety, &mut value);
    Ok(value)
}

/// Whether a name holds no secret. It is asked for hints, whatever the policy is: nobody has to be helped to a secret.
pub(super) fn has_no_secret(name: &str) -> bool {
    contexture_core::safety::scan(name, TextKind::Data).is_empty()
}

/// Names that may be told: one that holds a secret can be told only masked, and then it names nothing.
pub fn names_without_secrets(door: &Door, mut names: Vec<String>) -> Result<Vec<String>, OpError> {
    let safety = policy(&super::config_of(door)?, None);
    if matches!(safety.secrets, Secrets::Redact | Secrets::Deny) {
        names.retain(|name| {
            let mut report = Report::new(&safety);
            safety.text("", name, TextKind::Data, &mut report);
            report.secrets.is_empty()
        });
    }
    Ok(names)
}

/// What is written down about a run: no string of it holds a secret that was masked elsewhere.
pub(super) fn mask_json(safety: &Safety, value: &mut Value) {
    if safety.secrets != Secrets::Redact {
        return;
    }
    let mut report = Report::new(safety);
    for_each_string(value, &mut |text| {
        if let Some(masked) = safety.text("", text, TextKind::Data, &mut report) {
            *text = masked;
        }
    });
}

/// A name below this length holds no secret; nearly all names of members are shorter, and there are very many of them.
const LONG_NAME: usize = 20;

/// Every string of a value, names of members included.
fn for_each_string(value: &mut Value, take: &mut dyn FnMut(&mut String)) {
    let mut due = vec![value];
    while let Some(value) = due.pop() {
        match value {
            Value::String(text) => take(text),
            Value::Array(values) => due.extend(values),
            Value::Object(members) => {
                if members.keys().any(|name| name.len() >= LONG_NAME) {
                    let named = |(mut name, value): (String, Value), take: &mut dyn FnMut(&mut String)| {
                        if name.len() >= LONG_NAME {
                            take(&mut name);
                        }
                        (name, value)
                    };
                    *members = std::mem::take(members).into_iter().map(|member| named(member, take)).collect();
                }
                due.extend(members.iter_mut().map(|(_, value)| value));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// What a denied run says: every finding with its place, rule and fingerprint.
pub(super) fn denied(report: &Report) -> String {
    let is_secret = report.secrets_policy == Secrets::Deny && !report.secrets.is_empty();
    let is_hidden = report.hidden_policy == HiddenText::Deny && !report.hidden.is_empty();
    let count =
        |many: u64, one: &str, more: &str| if many == 1 { format!("a {one}") } else { format!("{many} {more}") };
    let mut what = Vec::new();
    let mut rows = String::new();
    if is_secret {
        what.push(count(report.secrets.len() as u64, "possible secret", "possible secrets"));
        report.secrets.iter().for_each(|found| rows.push_str(&format!("\n  {found}")));
    }
    if is_hidden {
        what.push(count(report.hidden_count(), "hidden character", "hidden characters"));
        report.hidden.iter().for_each(|found| rows.push_str(&format!("\n  {found}")));
    }
    format!("blocked by policy, nothing was written or sent: {}{rows}", what.join(" and "))
}

pub(super) fn denied_hints(report: &Report) -> Vec<String> {
    let first = report.secrets.first().filter(|_| report.secrets_policy == Secrets::Deny);
    match first {
        Some(first) => vec![
            format!(
                "`[safety] allow = [\"{}\"]` in your settings lets one through by its fingerprint",
                first.fingerprint
            ),
            "`--secrets redact` masks them and goes on".into(),
        ],
        None => vec!["`safety.hidden_text = \"strip\"` takes them out, `\"escape\"` writes them out".into()],
    }
}
