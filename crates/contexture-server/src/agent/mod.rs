//! An agent's context, for programs that run agents.
//!
//! A [`WorkspaceContext`] is made once and kept. Each call of [`build_context`](ContextBuilder::build_context) reads again only
//! what changed in the workspace, counts only messages it has not counted, and gives the messages of the next request:
//!
//! ```no_run
//! use contexture_server::agent::{ContextBuilder, Session, WorkspaceContext};
//!
//! # async fn turn() -> Result<(), Box<dyn std::error::Error>> {
//! let context = WorkspaceContext::new("workspace").max_tokens(16_000);
//! let mut session = Session::default();
//! for message in context.build_context(&session, "What is on my list today?").await? {
//!     println!("{}: {}", message.role, &*message.text());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! `build` gives more than the messages: what every layer takes, a reason for everything shown and left out, notes, and the
//! bytes of a request. See `examples/agent_loop.rs` for an agent that runs.

mod builder;
mod counts;
pub mod openai;
mod schemas;

pub(crate) use builder::Assembled;
pub use builder::{Context, MAX_TOKENS, Now, WorkspaceContext, timestamp};
pub use contexture_core::{Call as LlmToolCall, Format, Message as LlmMessage, Role as LlmRole, Tokenizer, ToolSchema};
pub use contexture_gather::layers::{State, Workspace};
pub use contexture_gather::sessions::{Appended, Session, SessionError, Spoken, append, import_file, read_file};
pub use schemas::{SchemaError, tool_schemas};

use contexture_core::OverBudget;
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
    /// There is no message, and the session does not end with one that could be answered.
    #[error("nothing to answer: there is no message, and the session does not end with one of a user or a tool")]
    NothingToAnswer,
    #[error("the work was given up: a thread of it panicked")]
    GivenUp,
}

/// Builds the messages of an agent's next request.
///
/// An agent's loop asks once for each request: with the new message of a user, or with an empty one after the results of tools
/// were added to the session. The same session, message and files give the same messages.
pub trait ContextBuilder: Send + Sync {
    /// The messages in the order a model reads them: system, bootstrap, memory, skills, tools, history, current message.
    ///
    /// Never blocks the thread that awaits it: files are read and tokens counted on threads of their own. A session that already
    /// ends with `message` is not told it twice.
    fn build_context<'a>(
        &'a self,
        session: &'a Session,
        message: &'a str,
    ) -> Pending<'a, Result<Vec<LlmMessage>, ContextError>>;
}
