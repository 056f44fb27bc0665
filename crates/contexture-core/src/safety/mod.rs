//! Finds secrets and invisible characters in text, and takes them out before the text leaves.
//!
//! [`scan`] takes any text with its [`TextKind`] and gives [`Finding`]s; [`redact`] gives the text with a marker in place of each value. Time is linear in the
//! text, nothing panics, and nothing of a secret is in what is told about it. Pure: whoever has a policy, a memory of what was
//! scanned or a list of what is allowed hands it in.

mod address;
mod assignment;
mod block;
mod calls;
mod command;
mod distant;
mod header;
mod hidden;
mod names;
mod policy;
mod read;
mod redact;
mod report;
mod rows;
mod rules;
mod scan;
mod screen;
mod table;
#[cfg(test)]
mod tests;
mod text_kind;
mod value;
mod walk;

pub use hidden::{HiddenCharacter, hidden};
pub use policy::{HiddenText, Safety, Secrets};
pub use redact::{Redacted, redact};
pub use report::{Action, HiddenMatch, Report, SecretMatch};
pub use rules::VERSION;
pub use scan::{Finding, Fingerprint, Severity, scan};
pub use screen::{Clean, Denied, Screened, Unknown, screen};
pub use text_kind::TextKind;
