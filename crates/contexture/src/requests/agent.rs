//! An agent's context, and the conversations it is made of.

use super::document::shown_path;
use super::{PathFormat, TokenCount, Word};
use contexture_conversations::sessions::ImportOptions;
use contexture_core::safety::Secrets;
use contexture_core::{Format, Keyword, Role, Tokenizer};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The context of an agent's next call. It is serialized as manifests have it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct AgentRequest {
    /// The current message [default: continue from the end of the session]
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            short,
            value_name = "TEXT",
            help = "The current message; `-` reads standard input [default: the end of the session]"
        )
    )]
    #[serde(serialize_with = "text_or_empty")]
    pub message: Option<String>,
    /// Folder with SOUL.md, AGENTS.md, memory and skills [default: agent.workspace]
    #[cfg_attr(feature = "cli", arg(long, value_name = "DIR"))]
    #[serde(serialize_with = "shown_path")]
    pub workspace: Option<PathBuf>,
    /// The conversation so far: a file, or the name of a session of the workspace
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    #[serde(serialize_with = "shown_path")]
    pub session: Option<PathBuf>,
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub conversation: ConversationChoice,
    /// Fit the context into this many tokens [default: 4000]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", visible_alias = "budget"))]
    pub max_tokens: Option<TokenCount>,
    /// Fit the context into the window of this model; --max-tokens wins
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub model: Option<String>,
    /// Tokens for all memories together [default: 2000]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub memory_tokens: Option<TokenCount>,
    /// Show at most this many memories [default: agent.max_memory_entries]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub max_memories: Option<usize>,
    /// Show at most this many messages [default: agent.max_history_messages]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub max_messages: Option<usize>,
    /// Put memories and requested skills next to the message, after the cached part
    #[cfg_attr(feature = "cli", arg(long = "near-message"))]
    #[serde(rename(serialize = "near_message"))]
    pub near: bool,
    /// Schemas of tools, in the shape of any provider
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(skip_serializing)]
    pub tools: Option<JsonObjects>,
    /// JSON file with schemas of tools, in the shape of any provider
    #[cfg_attr(feature = "cli", arg(long = "tools", value_name = "FILE"))]
    #[serde(skip_deserializing, rename(serialize = "tools"), serialize_with = "shown_path")]
    pub tools_file: Option<PathBuf>,
    /// Also read AGENTS.md from the repository of this folder down to it
    #[cfg_attr(feature = "cli", arg(long, value_name = "DIR"))]
    #[serde(serialize_with = "shown_path")]
    pub agents_from: Option<PathBuf>,
    /// Write messages, the body of a request, or a document to read
    #[cfg_attr(feature = "cli", arg(long, value_name = "F", default_value = "messages"))]
    #[serde(skip_serializing)]
    pub format: Option<Word<AgentFormat>>,
    #[doc = help!(tokenizer)]
    #[cfg_attr(feature = "cli", arg(long, value_name = "T", help = help!(tokenizer)))]
    #[serde(skip_serializing)]
    pub tokenizer: Option<Word<Tokenizer>>,
    #[doc = help!(secrets)]
    #[cfg_attr(feature = "cli", arg(long, value_name = "POLICY", help = help!(secrets)))]
    pub secrets: Option<Word<Secrets>>,
    #[doc = help!(no_manifest)]
    #[cfg_attr(feature = "cli", arg(long, help = help!(no_manifest)))]
    #[serde(skip_serializing)]
    pub no_manifest: bool,
}

fn text_or_empty<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text.as_deref().unwrap_or_default())
}

/// A format that an agent's context can be written in: those of paths but continuous text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentFormat(pub Format);

impl AgentFormat {
    const COUNT: usize = PathFormat::ALL.len() - 1;
}

impl Keyword for AgentFormat {
    const ALL: &'static [Self] = &{
        let mut all = [Self(Format::Messages); Self::COUNT];
        let mut at = 0;
        while at < all.len() {
            all[at] = Self(PathFormat::ALL[at].0);
            at += 1;
        }
        all
    };

    const WORDS: &'static [&'static str] = PathFormat::WORDS.split_at(Self::COUNT).0;

    fn as_str(self) -> &'static str {
        self.0.as_str()
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.as_str() == word)
    }
}

/// Which conversation of a file, and how much of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default)]
pub struct ConversationChoice {
    /// In a conversation with branches, end with the message of this id
    #[cfg_attr(feature = "cli", arg(long, value_name = "ID"))]
    pub leaf: Option<String>,
    /// In a file with several conversations, an id or a title [default: the newest]
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub conversation: Option<String>,
    /// Show the messages before a compaction instead of its summary
    #[cfg_attr(feature = "cli", arg(long))]
    pub full_log: bool,
}

impl From<&ConversationChoice> for ImportOptions {
    fn from(choice: &ConversationChoice) -> Self {
        let ConversationChoice { leaf, conversation, full_log } = choice.clone();
        Self { leaf, full_log, conversation }
    }
}

/// A conversation of another program, to read as one of ours.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionImportRequest {
    /// The content of its file
    pub text: String,
    #[serde(flatten)]
    pub choice: ConversationChoice,
}

/// A message to add to a session file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SessionAppendRequest {
    /// The session file; created if it does not exist
    pub file: PathBuf,
    /// Who speaks: user, assistant, tool or system
    // A word of the command line may be that of another program, as `human`.
    #[cfg_attr(feature = "cli", arg(long, value_name = "ROLE"))]
    #[schemars(with = "Word<Role>")]
    pub role: String,
    /// The text of the message
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "TEXT", help = "The text of the message; `-` reads standard input")
    )]
    pub content: String,
    /// For a tool's result, the id of its call
    #[cfg_attr(feature = "cli", arg(long, value_name = "ID"))]
    pub tool_call_id: Option<String>,
    /// For an assistant, its calls: [{"id": …, "name": …, "arguments": …}]
    #[cfg_attr(feature = "cli", arg(long, value_name = "JSON"))]
    pub tool_calls: Option<JsonObjects>,
}

/// A list of objects as JSON text. A JSON body has the list itself.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(inline, description = "", extend("type" = "array", "items" = json!({"type": "object"})))]
pub struct JsonObjects(pub String);

impl From<&str> for JsonObjects {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl<'de> Deserialize<'de> for JsonObjects {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|list| Self(list.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::{AgentRequest, SessionImportRequest};
    use crate::requests::read;
    use serde_json::json;

    #[test]
    fn a_manifest_has_the_request_in_its_own_shape() {
        let tools = json!([{"name": "read"}]);
        let body =
            json!({"session": "s.json", "leaf": "a", "near": true, "tools": tools, "max_tokens": 800, "format": "md"});
        let request: AgentRequest = read(body).unwrap();
        assert_eq!(request.tools.as_ref().map(|tools| tools.0.as_str()), Some(r#"[{"name":"read"}]"#));
        let written = serde_json::to_value(AgentRequest { tools_file: Some("t.json".into()), ..request }).unwrap();
        assert_eq!(
            written,
            json!({
                "message": "", "workspace": null, "session": "s.json", "leaf": "a", "full_log": false,
                "conversation": null, "max_tokens": 800, "model": null, "memory_tokens": null, "max_messages": null,
                "max_memories": null, "near_message": true, "tools": "t.json", "agents_from": null, "secrets": null,
            })
        );
    }

    #[test]
    fn fields_that_are_flattened_are_known_and_others_are_not() {
        let wrong = |body| read::<SessionImportRequest>(body).unwrap_err();
        assert!(read::<SessionImportRequest>(json!({"text": "", "full_log": true})).unwrap().choice.full_log);
        assert_eq!(wrong(json!({"text": "", "leef": "a"})), "the field `leef` is not known; did you mean `leaf`?");
        assert_eq!(wrong(json!({"text": "", "full_log": 1})), "the field `full_log` is to be true or false");
        assert_eq!(
            read::<AgentRequest>(json!({"tools_file": "x"})).unwrap_err(),
            "the field `tools_file` is not known"
        );
    }
}
