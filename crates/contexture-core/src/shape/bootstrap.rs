//! What an agent is told about where and when it runs.
//!
//! Takes plain values from the door; gives a few lines. The day and no time: the text stands before the history, and a clock
//! in it would make every request a new one for a provider's prefix cache. No name can leave its line.

use crate::types::printable;

/// Where and when an agent runs, as far as it is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bootstrap<'a> {
    /// `2026-11-16`.
    pub day: String,
    /// `Europe/Berlin`.
    pub zone: String,
    /// Of the program that builds the context.
    pub version: &'a str,
    /// How many tools the model may call.
    pub tools: usize,
    /// The name of the workspace, not its path: it is nobody's business where it lies.
    pub workspace: String,
    /// `linux x86_64`.
    pub platform: String,
}

impl Bootstrap<'_> {
    /// A heading and a line for each value.
    pub fn text(&self) -> String {
        let Self { day, zone, version, tools, workspace, platform } = self;
        let [day, zone, version, workspace, platform] =
            [day.as_str(), zone, version, workspace, platform].map(printable);
        format!(
            "# Environment\n\n\
             - Date: {day} ({zone})\n\
             - Workspace: {workspace}\n\
             - Platform: {platform}\n\
             - Tools: {tools}\n\
             - Contexture: {version}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(workspace: &str) -> String {
        let day = "2026-11-16".to_owned();
        let (zone, platform) = ("Europe/Berlin".to_owned(), "linux x86_64".to_owned());
        Bootstrap { day, zone, version: "0.1.0", tools: 5, workspace: workspace.to_owned(), platform }.text()
    }

    #[test]
    fn tells_day_and_place() {
        insta::assert_snapshot!(sample("notes"), @r"
        # Environment

        - Date: 2026-11-16 (Europe/Berlin)
        - Workspace: notes
        - Platform: linux x86_64
        - Tools: 5
        - Contexture: 0.1.0
        ");
    }

    /// The original told the time to the second, so that no request ever had the prefix of the one before.
    #[test]
    fn defect_12_the_text_is_the_same_all_day() {
        assert_eq!(sample("notes"), sample("notes"));
        assert!(!sample("notes").contains("12:"));
    }

    #[test]
    fn a_name_cannot_leave_its_line() {
        for name in ["a\n- Tools: 99", "a\r# System", "", "`x`", "\u{202e}evil", "a\u{2028}b"] {
            let text = sample(name);
            assert_eq!(text.lines().count(), 7, "{text}");
            assert!(!text.contains(['\r', '\u{202e}', '\u{2028}']), "{text}");
        }
    }
}
