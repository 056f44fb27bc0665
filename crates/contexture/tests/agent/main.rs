//! The builder of agents' contexts, as a program that runs agents uses it.
#![allow(clippy::unwrap_used)]

mod defects;
mod rereading;
mod waiting;

use contexture::agent::{
    Context, ContextBuilder, ContextError, Format, LlmMessage, LlmRole, LlmToolCall, Now, Session, Spoken,
    WorkspaceContext, openai, tool_schemas,
};
use contexture_core::Api;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A workspace in a folder of its own.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        files.iter().for_each(|(path, text)| folder.write(path, text));
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file that looks as if it had been there for a while: what was written just now is read again in any case.
    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let aged = SystemTime::now() - Duration::from_secs(60);
        fs::File::options().write(true).open(&path).unwrap().set_modified(aged).unwrap();
    }

    /// A builder for it, on a day that stays.
    fn context(&self) -> WorkspaceContext {
        WorkspaceContext::new(self.path()).clock(|| Now { day: "2026-11-16".into(), zone: "UTC".into() })
    }
}

/// Something in every layer.
fn full() -> Folder {
    Folder::new(&[
        ("SOUL.md", "I am Oda.\n"),
        ("AGENTS.md", "Answer briefly.\n"),
        ("TOOLS.md", "## now\nTells the day.\n"),
        ("memory/MEMORY.md", "- likes green tea\n"),
        ("skills/brew/SKILL.md", "---\nname: brew\ndescription: Brews tea.\n---\nBoil water.\n"),
    ])
}

fn session(messages: Vec<LlmMessage>) -> Session {
    let spoken = |message| Spoken { message: Arc::new(message), at: None, line: 0 };
    Session { messages: messages.into_iter().map(spoken).collect(), ..Session::default() }
}

fn user(text: &str) -> LlmMessage {
    LlmMessage::new(LlmRole::User, text)
}

fn assistant(text: &str) -> LlmMessage {
    LlmMessage::new(LlmRole::Assistant, text)
}

fn call(id: &str) -> LlmToolCall {
    LlmToolCall { id: id.into(), name: "now".into(), arguments: "{}".into() }
}

fn calling(ids: &[&str]) -> LlmMessage {
    LlmMessage::calling("", ids.iter().map(|id| call(id)).collect())
}

/// Role and text of each message; of calls and results their ids.
fn shown(messages: &[LlmMessage]) -> Vec<String> {
    let one = |message: &LlmMessage| {
        let ids: Vec<&str> = message.calls.iter().map(|call| &*call.id).chain(message.answers.as_deref()).collect();
        let text = message.text();
        format!("{} {}", message.role, if ids.is_empty() { text.to_string() } else { ids.join(",") })
    };
    messages.iter().map(one).collect()
}

/// Without the layers of the system.
fn talk(context: &Context) -> Vec<String> {
    shown(&context.messages).into_iter().filter(|line| !line.starts_with("system")).collect()
}

#[test]
fn the_layers_are_in_order() {
    let said = session(vec![user("Hello"), assistant("Hello!")]);
    let context = full().context().build(&said, Some("Which tea?")).unwrap();
    let all = shown(&context.messages);
    let starts = [
        "system I am Oda.\n\nAnswer briefly.",
        "system # Environment\n\n- Date: 2026-11-16 (UTC)",
        "system Relevant memories:\n- likes green tea",
        "system Available skills:\n- brew: Brews tea.",
        "system Available tools:\n## now\nTells the day.",
        "user Hello",
        "assistant Hello!",
        "user Which tea?",
    ];
    assert_eq!(all.len(), starts.len());
    assert!(all.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{all:#?}");
    assert_eq!((context.layers.is_empty(), context.notes.is_empty()), (false, true));
}

#[test]
fn an_empty_folder_and_none_at_all_have_defaults() {
    let folder = Folder::new(&[]);
    for path in [folder.path().to_owned(), folder.path().join("none")] {
        let context = WorkspaceContext::new(path).build(&Session::default(), Some("Hello")).unwrap();
        assert_eq!(context.messages.last(), Some(&user("Hello")));
        assert!(!context.notes.is_empty());
    }
}

#[test]
fn without_a_message_the_session_end_is_answered() {
    let context = full().context();
    let said =
        vec![user("Which day?"), calling(&["a", "b"]), LlmMessage::result("a", "x"), LlmMessage::result("b", "y")];
    let wanted = ["user Which day?", "assistant a,b", "tool a", "tool b"];
    for message in [None, Some(""), Some(" \n")] {
        assert_eq!(talk(&context.build(&session(said.clone()), message).unwrap()), wanted);
    }
    let ends_with_user = session(vec![user("One"), assistant("1"), user("Two")]);
    assert_eq!(talk(&context.build(&ends_with_user, None).unwrap()), ["user One", "assistant 1", "user Two"]);
    let answered = session(vec![user("Which day?"), assistant("Monday")]);
    for nothing in [answered, Session::default(), session(vec![LlmMessage::result("a", "x")])] {
        assert_eq!(context.build(&nothing, None).unwrap_err(), ContextError::NothingToAnswer);
    }
}

/// An agent that works for long on one question: the question must not fall out of the newest messages.
#[test]
fn a_long_row_of_calls_keeps_its_question() {
    let mut said = vec![user("Old"), assistant("Old"), user("Which day?")];
    for nth in 0..60 {
        let id = format!("call-{nth}");
        said.extend([calling(&[&id]), LlmMessage::result(id.clone(), "x")]);
    }
    let context = full().context().max_tokens(20_000).build(&session(said), None).unwrap();
    let talk = talk(&context);
    assert!(talk.contains(&"user Which day?".to_owned()), "{talk:#?}");
    assert_eq!(talk.last().unwrap(), "tool call-59");
}

#[test]
fn equal_texts_are_not_confused() {
    let context = full().context();
    let said = vec![user("yes"), assistant("Sure?"), user("yes"), assistant("Really?")];
    let wanted = ["user yes", "assistant Sure?", "user yes", "assistant Really?", "user yes"];
    assert_eq!(talk(&context.build(&session(said.clone()), Some("yes")).unwrap()), wanted);
    let stored_first = [said, vec![user("yes")]].concat();
    assert_eq!(talk(&context.build(&session(stored_first), Some("yes")).unwrap()), wanted);
    // What an assistant said is not what a person says.
    let echoed = session(vec![user("Say yes"), assistant("yes")]);
    assert_eq!(talk(&context.build(&echoed, Some("yes")).unwrap()), ["user Say yes", "assistant yes", "user yes"]);
}

#[test]
fn the_session_is_never_changed_by_building() {
    let said = session(vec![user("a"), calling(&["x", "x"]), LlmMessage::result("z", "orphan"), user("")]);
    let before = said.clone();
    full().context().build(&said, Some("b")).unwrap();
    assert_eq!(said, before);
}

#[test]
fn max_messages_limits_the_history() {
    let said: Vec<LlmMessage> =
        (0..100).flat_map(|nth| [user(&format!("q{nth}")), assistant(&format!("a{nth}"))]).collect();
    let context = full().context().max_tokens(100_000);
    let count = |context: WorkspaceContext| talk(&context.build(&session(said.clone()), Some("x")).unwrap()).len();
    // The current message, and not many fewer than there may be: the cut moves in steps.
    assert!((41..=51).contains(&count(context.clone())));
    assert!((9..=11).contains(&count(context.max_messages(10))));
}

#[test]
fn a_request_is_the_list_of_messages_in_its_body() {
    let tools = tool_schemas(r#"[{"name":"now","description":"Tells the day."}]"#).unwrap();
    let context = full().context().format(Format::Request(Api::OpenAi)).model("small").tools(tools);
    let said = session(vec![user("a"), calling(&["x"]), LlmMessage::result("x", "1"), assistant("b")]);
    let context = context.build(&said, Some("c")).unwrap();
    let messages = openai::messages_json(&context.messages);
    let body = context.output.text();
    assert!(body.ends_with(&format!("\"messages\":{messages}}}\n")), "{body}\n{messages}");
}

/// The question chooses what is remembered, also while its tools are called: else each result would change the prefix.
#[test]
fn while_tools_are_called_the_layers_stay() {
    let folder = full();
    let memories: String =
        (0..100).map(|nth| format!("- fact {nth} about thing{nth} and other{}\n", nth % 7)).collect();
    folder.write("memory/MEMORY.md", &memories);
    let context = folder.context();
    let mut said = vec![user("$brew thing42 other3")];
    let first = context.build(&session(said.clone()), Some("$brew thing42 other3")).unwrap().messages;
    said.extend([calling(&["a"]), LlmMessage::result("a", "thing77 other5 thing78")]);
    let second = context.build(&session(said), None).unwrap().messages;
    assert!(second.starts_with(&first), "{first:#?}\n{second:#?}");
    assert_eq!(second.len(), first.len() + 2);
}

/// A turn that is too long for the limit keeps its question, and of its calls the newest.
#[test]
fn a_turn_over_the_limit_keeps_its_question() {
    let mut said = vec![user("Old"), assistant("Old"), user("Which day?")];
    for nth in 0..20 {
        let id = format!("call-{nth}");
        said.extend([calling(&[&id]), LlmMessage::result(id.clone(), "word ".repeat(300))]);
    }
    let context = full().context().max_tokens(2_000).build(&session(said), None).unwrap();
    let talk = talk(&context);
    assert!(context.tokens.0 <= 2_000);
    assert_eq!((talk[0].as_str(), talk.last().unwrap().as_str()), ("user Which day?", "tool call-19"), "{talk:#?}");
}
