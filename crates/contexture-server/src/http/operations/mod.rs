//! Every operation with its name, its request, its answer and what it does: one list for the router, the checks and the OpenAPI list.
//!
//! What a row of the tables does is a translation of an operation of [`contexture::ops`] and nothing more.

mod table;
mod table_loom;

use super::Call;
use crate::transport::answer::HttpError;
use contexture::answers::{ErrorAnswer, Versioned, to_value, versioned};
use contexture::ops::OpError;
use contexture::requests;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

pub struct Operation {
    /// The path after `/api/`.
    pub name: &'static str,
    pub about: &'static str,
    /// Schema of the body.
    pub request: Describe,
    /// Schema of the answer.
    pub answer: Describe,
    pub run: Handler,
}

/// Describes a type, and the types in it by reference.
pub type Describe = fn(&mut SchemaGenerator) -> Schema;

/// Reads the request; what it gives does the work.
pub type Answering = Box<dyn Fn(Value) -> Result<Work, OpError> + Send + Sync>;
pub type Work = Box<dyn FnOnce(&Call<'_>) -> Result<String, HttpError> + Send>;
/// Reads the request; what it gives does the work and hands out lines of JSON.
pub type Streaming = Box<dyn Fn(Value) -> Result<Stream, OpError> + Send + Sync>;
pub type Stream = Box<dyn FnOnce(&Call<'_>, &mut dyn FnMut(String)) -> Result<(), OpError> + Send>;

pub enum Handler {
    Answer(Answering),
    /// The same for operations whose work is worth nothing without its answer: they stop when no one waits for them any more.
    Look(Answering),
    /// Lines of JSON, while they come.
    Stream(Streaming),
}

/// All of them, in the order of the list.
pub fn all() -> &'static [Operation] {
    static ALL: OnceLock<Vec<Operation>> = OnceLock::new();
    ALL.get_or_init(|| table::operations().into_iter().chain(table_loom::operations()).collect())
}

pub fn find(name: &str) -> Option<&'static Operation> {
    all().iter().find(|operation| operation.name == name)
}

/// What a body is read into.
trait Request: DeserializeOwned + JsonSchema + Send + 'static {}
impl<T: DeserializeOwned + JsonSchema + Send + 'static> Request for T {}

/// What an operation answers.
trait Reply: Serialize + JsonSchema + 'static {}
impl<T: Serialize + JsonSchema + 'static> Reply for T {}

/// An operation with a typed request and a typed answer.
fn answers<Q: Request, A: Reply>(
    name: &'static str,
    about: &'static str,
    run: impl Fn(&Call<'_>, Q) -> Result<A, HttpError> + Send + Sync + 'static,
) -> Operation {
    let run = Handler::Answer(answering(name, move |call, request| run(call, request).map(versioned)));
    operation::<Q>(name, about, |generator| generator.subschema_for::<Versioned<A>>(), run)
}

/// The same for one that only looks.
fn looks<Q: Request, A: Reply>(
    name: &'static str,
    about: &'static str,
    run: impl Fn(&Call<'_>, Q) -> Result<A, HttpError> + Send + Sync + 'static,
) -> Operation {
    let run = Handler::Look(answering(name, move |call, request| run(call, request).map(versioned)));
    operation::<Q>(name, about, |generator| generator.subschema_for::<Versioned<A>>(), run)
}

/// One whose answer is not an object of ours, and so has no version: a list, a schema, a stored slice.
fn gives<Q: Request, A: Reply>(
    name: &'static str,
    about: &'static str,
    run: fn(&Call<'_>, Q) -> Result<A, HttpError>,
) -> Operation {
    operation::<Q>(name, about, |generator| generator.subschema_for::<A>(), Handler::Look(answering(name, run)))
}

type StreamOperation<Q, E> = fn(&Call<'_>, Q, &mut dyn FnMut(E)) -> Result<(), OpError>;

/// One that answers with typed events. The last line may be an error.
fn streams<Q: Request, E: Reply>(name: &'static str, about: &'static str, run: StreamOperation<Q, E>) -> Operation {
    let stream = Handler::Stream(Box::new(move |body| {
        let request = requests::read::<Q>(body).map_err(|cause| refused(name, &cause))?;
        Ok(Box::new(move |call, tell| run(call, request, &mut |event| tell(to_value(versioned(event)).to_string()))))
    }));
    let line = |generator: &mut SchemaGenerator| {
        let event = generator.subschema_for::<Versioned<E>>();
        json_schema!({"anyOf": [event, generator.subschema_for::<Versioned<ErrorAnswer>>()]})
    };
    operation::<Q>(name, about, line, stream)
}

fn operation<Q: JsonSchema>(name: &'static str, about: &'static str, answer: Describe, run: Handler) -> Operation {
    Operation { name, about, request: |generator| generator.subschema_for::<Q>(), answer, run }
}

/// Reads the request, then runs the operation and writes its answer. What cannot be read waits for no turn.
fn answering<Q: Request, A: Serialize>(
    name: &'static str,
    run: impl Fn(&Call<'_>, Q) -> Result<A, HttpError> + Send + Sync + 'static,
) -> Answering {
    let run = Arc::new(run);
    Box::new(move |body| {
        let request = requests::read::<Q>(body).map_err(|cause| refused(name, &cause))?;
        let run = Arc::clone(&run);
        Ok(Box::new(move |call| {
            serde_json::to_string(&run(call, request)?).map_err(|error| OpError::failed(error.to_string()).into())
        }))
    })
}

/// What is wrong with a body.
pub fn refused(name: &str, cause: &str) -> OpError {
    OpError::usage(format!("`{name}`: {cause}")).hint("`GET /openapi.json` lists every field")
}
