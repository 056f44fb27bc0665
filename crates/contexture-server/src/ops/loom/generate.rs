//! Answers of a model as nodes: a path goes out, what comes back is kept with the response it came in.

use super::{AssembleRequest, PathMade, Trees, refused};
use crate::ops::OpError;
use crate::provider::{Answer, Ask, Cancel, Endpoint, Key, Policy, Unanswered, complete};
use contexture_core::{Api, AuthorType, Format, LoomNode, Message, Note, RawResponse, Text, Topic, TreeMode};
use contexture_gather::loom::{AgentChange, NewNode};
use serde_json::{Map, Value, json};
use std::time::Duration;

pub struct GenerateRequest {
    pub assemble: AssembleRequest,
    pub base_url: String,
    pub key: Option<Key>,
    /// How many answers.
    pub n: u32,
    pub temperature: Option<f64>,
    pub timeout: Duration,
}

pub struct Generated {
    pub made: PathMade,
    pub nodes: Vec<LoomNode>,
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub notes: Vec<Note>,
}

impl Trees<'_> {
    pub fn generate(&mut self, request: &GenerateRequest) -> Result<Generated, OpError> {
        let agent = match &request.assemble.agent {
            Some(name) => Some(self.loom.agent(name).map_err(|error| refused(&error))?),
            None => None,
        };
        if let Some(agent) = agent.as_ref().filter(|agent| !agent.permissions.loom_generate) {
            let name = &agent.name;
            return Err(OpError::usage(format!("`{name}` may not generate"))
                .hint(format!("`contexture loom agent {name} --allow loom_aware,loom_generate` lets it")));
        }
        let model =
            request.assemble.model.clone().or_else(|| super::assemble::model_of(agent.as_ref()?.model.as_deref()?));
        let Some(model) = model else {
            return Err(OpError::usage("no model is named").hint("`--model NAME` says which one answers"));
        };
        // What was written and not yet a node becomes one before anything can fail, so that the answer follows what it answers.
        let written = self.commit(&request.assemble)?;
        // Any model of any server will do; only a known one has a window that limits the path.
        let known = contexture_core::models::find(&model).is_some() || request.assemble.max_tokens.is_some();
        let assemble = AssembleRequest {
            node: written.map(|node| node.id).or_else(|| request.assemble.node.clone()),
            working: None,
            format: Some(Format::Request(Api::OpenAi)),
            model: known.then(|| model.clone()),
            ..request.assemble.clone()
        };
        let made = self.assemble(&assemble)?;
        let body = body(&made, &model, request)?;
        let endpoint = match made.tree.mode {
            TreeMode::Dialogue => Endpoint::Chat,
            TreeMode::Buffer => Endpoint::Text,
        };
        let ask = Ask {
            api: Api::OpenAi,
            model: &model,
            base_url: Some(&request.base_url),
            key: request.key.as_ref(),
            body: &body,
            endpoint,
            timeout: request.timeout,
        };
        let answer = complete(&ask, &Policy::default(), &Cancel::new()).map_err(|Unanswered { error, .. }| {
            OpError::Provider { message: error.to_string(), hints: vec![error.hint()] }
        })?;
        self.keep(request, made, &model, agent.map(|agent| agent.name), answer)
    }

    /// The working buffer as a node at the end of the path.
    fn commit(&mut self, request: &AssembleRequest) -> Result<Option<LoomNode>, OpError> {
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
        let mut written = self.loom.add(&tree.id, vec![new]).map_err(|error| refused(&error))?;
        Ok(written.pop())
    }

    fn keep(
        &mut self,
        request: &GenerateRequest,
        made: PathMade,
        model: &str,
        author: Option<String>,
        answer: Answer,
    ) -> Result<Generated, OpError> {
        let Answer { message, others, raw, model: answered, usage, latency, before: _, stop: _, first: _ } = answer;
        let (input_tokens, output_tokens) = (usage.input, usage.output);
        let choices: Vec<Message> = std::iter::once(message).chain(others).collect();
        let mut notes = Vec::new();
        if choices.len() < request.n as usize {
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
                    self.set_agent(AgentChange { name: model.clone(), kind, ..AgentChange::default() })?;
                }
                model.clone()
            }
        };
        let new = choices
            .into_iter()
            .map(|message| node(message, AuthorType::Model, &author, &made.leaf, &request.assemble, move_path));
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
        let nodes = self.loom.add_answers(&made.tree.id, new, &response).map_err(|error| refused(&error))?;
        Ok(Generated { made, nodes, input_tokens, output_tokens, notes })
    }
}

fn node(
    message: Message,
    author_type: AuthorType,
    author: &str,
    parent: &str,
    request: &AssembleRequest,
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
fn body(made: &PathMade, model: &str, request: &GenerateRequest) -> Result<String, OpError> {
    let text = made.compiled.output.text();
    let mut body: Map<String, Value> =
        serde_json::from_str(&text).map_err(|error| OpError::failed(format!("the request is no JSON: {error}")))?;
    body.insert("model".into(), json!(model));
    // OpenAI's own server has given the name up that all others know.
    let is_openai = request.base_url.contains("://api.openai.com");
    let name = if is_openai && made.tree.mode == TreeMode::Dialogue { "max_completion_tokens" } else { "max_tokens" };
    body.remove("max_completion_tokens");
    body.insert(name.into(), json!(request.assemble.max_answer.unwrap_or(1024)));
    if request.n > 1 {
        body.insert("n".into(), json!(request.n));
    }
    body.extend(request.temperature.map(|temperature| ("temperature".to_owned(), json!(temperature))));
    Ok(Value::Object(body).to_string())
}
