//! Answers of a model as nodes: a path goes out, what comes back is kept with the response it came in.

use super::{AssembledPath, Trees};
use crate::ops::OpError;
use crate::requests::{AssembleRequest, GenerateRequest, PathFormat, PathOptions, Word};
use contexture_conversations::loom::{AgentChange, NewNode};
use contexture_core::{Api, AuthorType, Format, LoomNode, Message, Note, RawResponse, Text, Topic, TreeMode};
use contexture_providers::{Answer, Endpoint, Key, ModelRequest, Policy, Unanswered, complete};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Nodes that a model's answers became, and the path that was sent.
pub struct GeneratedNodes {
    pub context: AssembledPath,
    pub nodes: Vec<LoomNode>,
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub notes: Vec<Note>,
}

/// Which key a door is to find in the environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyOf {
    /// A provider's.
    Provider(Api),
    /// The key for a server that the request names. Never a provider's: any address could be asked for it.
    NamedServer,
}

impl KeyOf {
    /// The variables that may hold it, the first one that is set counts.
    pub fn variables(self) -> &'static [&'static str] {
        match self {
            Self::Provider(api) => contexture_providers::home(api).key_names,
            Self::NamedServer => &["CONTEXTURE_API_KEY"],
        }
    }
}

impl Trees<'_> {
    /// Sends a path to a model and adds its answers as nodes.
    pub fn generate(&mut self, request: &GenerateRequest, key: Option<&Key>) -> Result<GeneratedNodes, OpError> {
        let agent = request.path.agent.as_deref().map(|name| self.loom.agent(name)).transpose()?;
        if let Some(agent) = agent.as_ref().filter(|agent| !agent.permissions.loom_generate) {
            let name = &agent.name;
            return Err(OpError::usage(format!("`{name}` may not generate"))
                .hint(format!("`contexture loom agent {name} --allow loom_aware,loom_generate` lets it")));
        }
        let model = request.path.model.clone();
        let model = model.or_else(|| super::assemble::model_of(agent.as_ref()?.model.as_deref()?));
        let Some(model) = model else {
            return Err(OpError::usage("no model is named").hint("`--model NAME` says which one answers"));
        };
        // What was written and not yet a node becomes one before anything can fail, so that the answer follows what it answers.
        let written = self.commit(&request.path)?;
        // Any model of any server will do; only a known one has a window that limits the path.
        let known = contexture_core::models::find(&model).is_some() || request.path.max_tokens.is_some();
        let path = PathOptions {
            node: written.map(|node| node.id).or_else(|| request.path.node.clone()),
            working: None,
            model: known.then(|| model.clone()),
            ..request.path.clone()
        };
        let format = Some(Word(PathFormat(Format::Request(Api::OpenAi))));
        let assembled = AssembleRequest { path, format, max_answer: Some(request.max_answer) };
        let context = self.assemble_for(&assembled, Some(&model))?;
        let body = body(&context, &model, request)?;
        let endpoint = match context.tree.mode {
            TreeMode::Dialogue => Endpoint::Chat,
            TreeMode::Buffer => Endpoint::Text,
        };
        let ask = ModelRequest {
            api: Api::OpenAi,
            model: &model,
            base_url: Some(&request.base_url),
            key,
            body: &body,
            endpoint,
            timeout: Duration::from_secs(request.timeout),
        };
        let answer = complete(&ask, &Policy::default(), &self.door.progress.cancel);
        let answer = answer.map_err(|Unanswered { error, .. }| error)?;
        self.keep(request, context, &model, agent.map(|agent| agent.name), answer)
    }

    /// The working buffer as a node at the end of the path.
    fn commit(&mut self, request: &PathOptions) -> Result<Option<LoomNode>, OpError> {
        let Some(text) = request.working.as_deref().filter(|text| !text.is_empty()) else { return Ok(None) };
        let (tree, walked) = self.walk(request)?;
        // Asked again after a failure, it is there already.
        if let Some(last) = walked.steps.last().map(|step| &step.node)
            && last.id == walked.leaf
            && last.author_type == AuthorType::Human
            && *last.message.text() == *text
        {
            return Ok(Some(last.clone()));
        }
        let message = Message::new(LoomNode::role(AuthorType::Human), text);
        let new = node(message, AuthorType::Human, AuthorType::Human.as_str(), &walked.leaf, request, true);
        let mut written = self.loom.add(&tree.id, vec![new])?;
        Ok(written.pop())
    }

    fn keep(
        &mut self,
        request: &GenerateRequest,
        context: AssembledPath,
        model: &str,
        author: Option<String>,
        answer: Answer,
    ) -> Result<GeneratedNodes, OpError> {
        let Answer { message, others, raw, model: answered, usage, latency, before: _, stop: _, first: _ } = answer;
        let (input_tokens, output_tokens) = (usage.input, usage.output);
        let choices: Vec<Message> = std::iter::once(message).chain(others).collect();
        let mut notes = Vec::new();
        if (choices.len() as u64) < request.n {
            let text = format!("the server gave {} of {} answers", choices.len(), request.n);
            notes.push(Note::new(Topic::Reduced, text));
        }
        let model = answered.unwrap_or_else(|| model.to_owned());
        // One answer goes on; of several, a person chooses.
        let move_path = choices.len() == 1;
        let author = match author {
            Some(author) => author,
            // Whoever answers is known by the name of its model.
            None => {
                if !self.agents()?.iter().any(|agent| agent.name == model) {
                    let kind = Some(AuthorType::Model);
                    self.loom.set_agent(AgentChange { name: model.clone(), kind, ..AgentChange::default() })?;
                }
                model.clone()
            }
        };
        let new = choices
            .into_iter()
            .map(|message| node(message, AuthorType::Model, &author, &context.leaf, &request.path, move_path));
        let new: Vec<NewNode> = new.collect();
        let response = RawResponse {
            node: String::new(),
            provider: "openai-compatible".into(),
            model,
            body: Text::from(raw),
            input_tokens,
            output_tokens,
            latency_ms: latency.as_millis().try_into().unwrap_or(u64::MAX),
            created: self.door.env.now.saturating_mul(1000),
        };
        let nodes = self.loom.add_answers(&context.tree.id, new, &response)?;
        Ok(GeneratedNodes { context, nodes, input_tokens, output_tokens, notes })
    }
}

fn node(
    message: Message,
    author_type: AuthorType,
    author: &str,
    parent: &str,
    request: &PathOptions,
    move_path: bool,
) -> NewNode {
    NewNode {
        message,
        author: author.to_owned(),
        author_type,
        primaries: vec![parent.to_owned()],
        contexts: Vec::new(),
        instructions: Vec::new(),
        move_path,
        path: request.path.clone(),
    }
}

/// The assembled request, with the wishes of this one.
fn body(context: &AssembledPath, model: &str, request: &GenerateRequest) -> Result<String, OpError> {
    let text = context.compiled.output.text();
    let mut body: Map<String, Value> =
        serde_json::from_str(&text).map_err(|error| OpError::failed(format!("the request is no JSON: {error}")))?;
    body.insert("model".into(), json!(model));
    // OpenAI's own server has given the name up that all others know.
    let is_openai = request.base_url.contains("://api.openai.com");
    let name =
        if is_openai && context.tree.mode == TreeMode::Dialogue { "max_completion_tokens" } else { "max_tokens" };
    body.remove("max_completion_tokens");
    body.insert(name.into(), json!(request.max_answer));
    if request.n > 1 {
        body.insert("n".into(), json!(request.n));
    }
    body.extend(request.temperature.map(|temperature| ("temperature".to_owned(), json!(temperature))));
    Ok(Value::Object(body).to_string())
}
