//! An agent's context, for programs that run agents.
//!
//! A model knows only what a request tells it. Before each request an agent has to put together who it is, where it runs, what it
//! remembers, what it can do, what was said, and what it is to answer, all of that under a limit of tokens. This module does it:
//!
//! | layer | from | where it is missing |
//! |---|---|---|
//! | system | `SOUL.md` and `AGENTS.md` | a built-in text |
//! | bootstrap | day, zone, workspace, platform, number of tools | |
//! | memory | what of `memory/MEMORY.md` matters for the message | left out |
//! | skills | `skills/*/SKILL.md`: what each does; the whole text of one that the message names as `$name` | left out |
//! | tools | `TOOLS.md`, schemas of the caller | a built-in text |
//! | history | a [`Session`], repaired: every call has its result | |
//! | current message | the caller | the end of the session is answered |
//!
//! # A turn
//!
//! A [`WorkspaceContext`] is made once and kept. Each call of [`build_context`](ContextBuilder::build_context) reads again only
//! what changed in the workspace, counts only messages it has not counted, and gives the messages of the next request:
//!
//! ```no_run
//! use contexture::agent::{ContextBuilder, LlmMessage, LlmRole, Session, Spoken, WorkspaceContext};
//! use contexture::agent::{append, openai, read_file, timestamp};
//! use std::path::Path;
//!
//! # async fn send(_: String) -> Result<String, Box<dyn std::error::Error>> { Ok(String::new()) }
//! # async fn turn() -> Result<(), Box<dyn std::error::Error>> {
//! let context = WorkspaceContext::new("workspace").max_tokens(16_000);
//! let file = Path::new("workspace/sessions/terminal_1.json");
//! let mut session = read_file(file)?.map_or_else(Session::default, |read| read.session);
//!
//! // The list of messages goes into a request, by whatever client the program has.
//! let question = "What is on my list today?";
//! let messages = context.build_context(&session, question).await?;
//! let body = format!("{{\"model\":\"small\",\"messages\":{}}}", openai::messages_json(&messages));
//! let answer = openai::answer(&send(body).await?)?;
//!
//! // What was said is added to the session: on disk, and in memory.
//! let spoken = [LlmMessage::new(LlmRole::User, question), answer].map(Spoken::from);
//! append(file, &spoken, &timestamp())?;
//! session.messages.extend(spoken);
//! # Ok(())
//! # }
//! ```
//!
//! The program in `examples/agent_loop` is such an agent as a whole: it stores first, calls tools and can be stopped at any time.
//!
//! # Tools
//!
//! Where the answer has [`calls`](LlmMessage::calls), run each, add the answer and an [`LlmMessage::result`] for each call to the
//! session, and build again with an empty message: the session then ends with what is to be answered. Give the schemas of the tools
//! to [`WorkspaceContext::tools`], so that they are counted; [`tool_schemas`] reads them as any API has them.
//!
//! Results are paired with calls by id. A session that somebody stopped in the middle, or whose ids are empty or used twice, is
//! repaired in what is sent, and stays as it is on disk.
//!
//! # Secrets
//!
//! What looks like a secret is masked in every layer before it is counted or sent, and told in [`Context::notes`] and [`Context::safety`].
//! [`WorkspaceContext::safety`] sets another policy, or lets single secrets through by their fingerprints. Sessions and files stay as they are.
//!
//! # The limit
//!
//! [`max_tokens`](WorkspaceContext::max_tokens) is for all that is sent: texts, calls, schemas and the frame of each message, counted
//! with the [`Tokenizer`] of the model. When there is too much, the oldest turns go first, then the least relevant memories. System,
//! bootstrap and current message are never cut: if they alone are too much, the error says how much they need.
//!
//! ```
//! use contexture::agent::{ContextError, Session, WorkspaceContext};
//!
//! let context = WorkspaceContext::new("no-such-folder").max_tokens(10);
//! match context.build(&Session::default(), Some("Hello")) {
//!     Err(ContextError::OverLimit(over)) => assert!(over.needed.0 > 10 && over.budget.0 == 10),
//!     other => panic!("{other:?}"),
//! }
//! ```
//!
//! # What providers cache
//!
//! The same session, message and files give the same bytes, and a conversation that grows continues the bytes of its last request:
//! there is no time of day in them, lists are sorted, and when old turns have to go, some more go with them, so that the next requests
//! need no cut. What is chosen for each message, memories above all, breaks this off where it stands;
//! [`near_message`](WorkspaceContext::near_message) puts it behind the history.
//!
//! # Without async
//!
//! [`WorkspaceContext::build`] does the same on the thread that calls it, and gives a [`Context`]: besides the messages what every
//! layer takes, a reason for everything shown and left out, notes about what is missing or broken in the workspace, and with
//! [`format`](WorkspaceContext::format) the body of a whole request for OpenAI, Anthropic or Gemini.

mod builder;
mod memory;
pub mod openai;
mod schemas;

pub use builder::{Context, MAX_TOKENS, Now, WorkspaceContext, timestamp};
pub use contexture_conversations::sessions::{
    Appended, ImportOptions, Imported, Session, SessionError, Spoken, append, file_name as session_file_name,
    import_file, read_file,
};
pub use contexture_core::check::Refused;
pub use contexture_core::safety::{Denied, HiddenText, Report, Safety, Secrets};
pub use contexture_core::{
    Call as LlmToolCall, Format, Image, ImageSource, LayerSize, Message as LlmMessage, MessagePart as LlmPart, Note,
    Output, OverBudget, Plan, Role as LlmRole, Tokenizer, Tokens, ToolSchema,
};
pub use schemas::{SchemaError, tool_schemas};

use contexture_core::CompileError;
use std::future::Future;
use std::pin::Pin;

/// What an async method gives where a trait must be usable as `dyn`.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Why there is no context.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ContextError {
    /// System, bootstrap and current message alone are over the limit.
    #[error("{0}")]
    OverLimit(OverBudget),
    /// The request would not be taken: tools of the same name, for example.
    #[error("{0}")]
    Refused(Refused),
    /// The policy is to deny, and secrets or invisible characters were found.
    #[error("blocked by policy: {0}")]
    Denied(Denied),
    /// There is no message, and the session does not end with one that could be answered.
    #[error("nothing to answer: there is no message, and the session does not end with one of a user or a tool")]
    NothingToAnswer,
    /// A clock of the caller panicked, or the system had no thread left.
    #[error("the work was given up: a thread of it panicked or could not be started")]
    GivenUp,
}

impl From<CompileError> for ContextError {
    fn from(error: CompileError) -> Self {
        match error {
            CompileError::OverBudget(over) => Self::OverLimit(over),
            CompileError::Refused(refused) => Self::Refused(refused),
            CompileError::Denied(denied) => Self::Denied(denied),
        }
    }
}

/// Builds the messages of an agent's next request.
///
/// An agent's loop asks once for each request: with the new message of a user, or with an empty one after the results of tools
/// were added to the session. The same session, message and files give the same messages.
///
/// The trait can be used as `dyn`, so that a program may put something else in its place, in tests for example:
///
/// ```
/// use contexture::agent::{ContextBuilder, ContextError, LlmMessage, LlmRole, Pending, Session};
///
/// struct Echo;
///
/// impl ContextBuilder for Echo {
///     fn build_context<'a>(
///         &'a self,
///         _: &'a Session,
///         message: &'a str,
///     ) -> Pending<'a, Result<Vec<LlmMessage>, ContextError>> {
///         Box::pin(async move { Ok(vec![LlmMessage::new(LlmRole::User, message)]) })
///     }
/// }
///
/// let builder: Box<dyn ContextBuilder> = Box::new(Echo);
/// # let _ = builder;
/// ```
pub trait ContextBuilder: Send + Sync {
    /// The messages in the order a model reads them: system, bootstrap, memory, skills, tools, history, current message.
    ///
    /// Never blocks the thread that awaits it: files are read and tokens counted on threads of their own, and any runtime will do. A
    /// session that already ends with `message`, as agents that store first have it, is not told it twice. With an empty message,
    /// the session must end with what is to be answered: a message of a user or the results of tools.
    fn build_context<'a>(
        &'a self,
        session: &'a Session,
        message: &'a str,
    ) -> Pending<'a, Result<Vec<LlmMessage>, ContextError>>;
}
