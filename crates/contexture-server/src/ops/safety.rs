//! Which policy holds for what leaves, and who set it.
//!
//! Takes the settings and what was asked for; gives a [`Safety`] and notes about what a project's own file weakened. Masks what a request
//! itself says: its words go into manifests and to programs besides the document.

use super::OpError;
use super::open::{Door, Request};
use contexture_core::safety::{Denied, HiddenText, Report, Safety, Secrets};
use contexture_core::{Note, Topic};
use contexture_gather::config::{Config, Origin, Persona};
use serde_json::Value;

/// The policy of a run: the flag, then the settings. A project may weaken it for itself, and that is told.
pub(super) fn policy(config: &Config, asked: Option<Secrets>) -> (Safety, Vec<Note>) {
    let safety = Safety { secrets: asked.unwrap_or(config.safety.secrets), ..config.safety.clone() };
    let mut notes = Vec::new();
    let mut tell = |key: &str, what: String, hint: &str| {
        if let Origin::Project { file, line } = config.origin(key) {
            notes.push(Note::new(Topic::Setting, format!("{file}:{line}: the project's own file {what}")).hint(hint));
        }
    };
    if asked.is_none() && matches!(safety.secrets, Secrets::Warn | Secrets::Off) {
        let what = match safety.secrets {
            Secrets::Warn => "lets secrets be shown",
            Secrets::Redact | Secrets::Deny | Secrets::Off => "has nobody look for secrets",
        };
        tell("safety.secrets", what.into(), "`--secrets redact` masks them");
    }
    if safety.hidden == HiddenText::Off {
        let hint = "CONTEXTURE_SAFETY_HIDDEN_TEXT=warn looks for them";
        tell("safety.hidden_text", "has nobody look for invisible characters".into(), hint);
    }
    if !safety.allow.is_empty() && safety.secrets != Secrets::Off {
        let many = safety.allow.len();
        let what = if many == 1 { "lets a secret through".into() } else { format!("lets {many} secrets through") };
        tell("safety.allow", what, "`contexture config --origins` shows which");
    }
    (safety, notes)
}

/// A request whose own words may be written down, and what was found in them.
pub(super) fn request(safety: &Safety, request: &Request) -> (Request, Report) {
    let mut report = Report::new(safety);
    let mut clean = request.clone();
    for (name, said) in [("message", &mut clean.message), ("query", &mut clean.query)] {
        let masked = said.as_ref().and_then(|text| safety.text(name, text, &mut report));
        *said = masked.or_else(|| said.take());
    }
    (clean, report)
}

/// The same of what a persona says.
pub(super) fn persona(safety: &Safety, persona: &Persona, report: &mut Report) -> Persona {
    let said = persona.system_prompt.as_ref();
    let masked = said.and_then(|text| safety.text("system prompt", text, report));
    Persona { system_prompt: masked.or_else(|| persona.system_prompt.clone()), ..persona.clone() }
}

/// What an agent is told that no document holds, such as records and lists. Under `deny` nothing of it leaves.
pub fn leaving(door: &Door, mut value: Value) -> Result<Value, OpError> {
    let (safety, _) = policy(&super::config_of(door)?, None);
    if safety.secrets == Secrets::Deny {
        let mut report = Report::new(&safety);
        each(&mut value, &mut |text| drop(safety.text("", text, &mut report)));
        if report.is_denied() {
            return Err(OpError::Denied(Box::new(report)));
        }
    }
    json(&safety, &mut value);
    Ok(value)
}

/// Whether a name holds no secret. It is asked for hints, whatever the policy is: nobody has to be helped to a secret.
pub(super) fn is_tellable(name: &str) -> bool {
    contexture_core::safety::scan(name).is_empty()
}

/// Names that may be told: one that holds a secret can be told only masked, and then it names nothing.
pub fn tellable(door: &Door, mut names: Vec<String>) -> Result<Vec<String>, OpError> {
    let (safety, _) = policy(&super::config_of(door)?, None);
    if matches!(safety.secrets, Secrets::Redact | Secrets::Deny) {
        names.retain(|name| {
            let mut report = Report::new(&safety);
            safety.text("", name, &mut report);
            report.secrets.is_empty()
        });
    }
    Ok(names)
}

/// What is written down about a run: no string of it holds a secret that was masked elsewhere.
pub(super) fn json(safety: &Safety, value: &mut Value) {
    if safety.secrets != Secrets::Redact {
        return;
    }
    let mut report = Report::new(safety);
    each(value, &mut |text| {
        if let Some(masked) = safety.text("", text, &mut report) {
            *text = masked;
        }
    });
}

/// A name below this length holds no secret; nearly all names of members are shorter, and there are very many of them.
const LONG_NAME: usize = 20;

/// Every string of a value, names of members included.
fn each(value: &mut Value, take: &mut dyn FnMut(&mut String)) {
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

impl From<Denied> for OpError {
    fn from(Denied(report): Denied) -> Self {
        Self::Denied(Box::new(report))
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
            format!("`[safety] allow = [\"{}\"]` lets one through by its fingerprint", first.fingerprint),
            "`--secrets redact` masks them and goes on".into(),
        ],
        None => vec!["`safety.hidden_text = \"strip\"` takes them out, `\"escape\"` writes them out".into()],
    }
}
