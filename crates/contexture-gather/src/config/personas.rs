//! Personas: named ways of working. Reads them from checked settings; what they mean for a run is decided elsewhere.

use super::error::Problem;
use super::node::{Data, Node};
use super::presets::Scope;
use super::words::StrategyName;
use schemars::JsonSchema;
use serde::Serialize;

/// A named way of working; what is `None` or empty in it leaves the settings as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Persona {
    pub name: String,
    pub scope: Scope,
    pub system_prompt: Option<String>,
    /// The first is used, the rest are escalation.
    pub preferred_models: Vec<Model>,
    pub context_preset: Option<String>,
    pub aggregation_strategy: Option<StrategyName>,
    /// From 1 to 4.
    pub tier: Option<u8>,
    pub budget: Option<u64>,
}

/// A model that a persona prefers, with settings of its own for requests.
#[derive(Clone, Debug, PartialEq, Default, Serialize, JsonSchema)]
#[schemars(rename = "PersonaModel")]
pub struct Model {
    pub provider: String,
    pub model: String,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub max_output_tokens: Option<u64>,
}

const FIELDS: [&str; 5] = ["provider", "model", "temperature", "top_p", "max_output_tokens"];

pub(super) fn models(node: &Node, key: &str) -> Result<Vec<Model>, Problem> {
    let list = node.as_list().ok_or_else(|| Problem::wrong_type(node, key, "a list of tables"))?;
    list.iter().enumerate().map(|(index, node)| model(node, &format!("{key}[{index}]"))).collect()
}

fn model(node: &Node, key: &str) -> Result<Model, Problem> {
    let fields = node.as_map().ok_or_else(|| Problem::wrong_type(node, key, "a table with `provider` and `model`"))?;
    let mut model = Model::default();
    for field in fields {
        let (value, key) = (&field.node, format!("{key}.{}", super::node::bare(&field.key)));
        let text = || value.as_text().map(str::to_owned).ok_or_else(|| Problem::wrong_type(value, &key, "a string"));
        match field.key.as_str() {
            "provider" => model.provider = text()?,
            "model" => model.model = text()?,
            "temperature" => model.temperature = Some(number(value, &key, 2)?),
            "top_p" => model.top_p = Some(number(value, &key, 1)?),
            "max_output_tokens" => match value.data {
                Data::Int(tokens @ 1..) => model.max_output_tokens = Some(tokens.unsigned_abs()),
                _ => return Err(Problem::wrong_type(value, &key, "a whole number, at least 1")),
            },
            name => {
                let mut problem =
                    Problem::new(field.key_at, &key, format!("unknown key: `{}`", super::error::clip(&key)));
                if let Some(near) = super::error::nearest(name, FIELDS) {
                    problem = problem.hint(format!("did you mean `{near}`?"));
                }
                return Err(problem);
            }
        }
    }
    if model.provider.is_empty() || model.model.is_empty() {
        return Err(Problem::new(node.at.0, key, format!("`{key}` needs `provider` and `model`")));
    }
    Ok(model)
}

/// A number from 0 to the most that any provider takes.
fn number(node: &Node, key: &str, most: u32) -> Result<f64, Problem> {
    let expected = format!("a number from 0 to {most}");
    let number = match node.data {
        Data::Float(number) => number,
        Data::Int(number) => number as f64,
        _ => return Err(Problem::wrong_type(node, key, &expected)),
    };
    if (0.0..=f64::from(most)).contains(&number) {
        return Ok(number);
    }
    Err(Problem::wrong_value(node, key, &expected))
}
