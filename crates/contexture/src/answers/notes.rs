//! Notes, and what the scan for secrets and hidden characters found.

use super::record::{Show, answers};
use crate::ops::NoteAnswer;
use crate::requests::Word;
use contexture_core::Note;
use contexture_core::safety::{Action, HiddenMatch, HiddenText, Report, SecretMatch, Secrets, Severity};

impl Show<NoteAnswer> for Note {
    fn show(&self) -> NoteAnswer {
        self.into()
    }
}

answers! {
    /// Secrets and hidden characters that were found, and what was done about them.
    pub struct SafetyAnswer of Report {
        /// What is done with secrets
        policy: Word<Secrets> = |report| report.secrets_policy.into(),
        /// What is done with hidden characters
        hidden_text: Word<HiddenText> = |report| report.hidden_policy.into(),
        secrets: Vec<SecretRow>,
        hidden: Vec<HiddenRow>,
    }

    /// A secret that was found. Its value is never shown.
    pub struct SecretRow of SecretMatch {
        path: String,
        line: u64,
        rule: String,
        severity: Word<Severity>,
        /// Names the secret in `safety.allow`
        fingerprint: String,
        /// What was done with it
        #[serde(skip_serializing_if = "Option::is_none")]
        action: Option<Word<Action>> = |secret| Some(secret.action.show()),
    }

    /// Hidden characters in one line.
    pub struct HiddenRow of HiddenMatch {
        path: String,
        line: u64,
        code_points: Vec<String> = |hidden| hidden.code_points.iter().map(|code| format!("U+{:04X}", *code as u32)).collect(),
        count: u64,
    }
}
