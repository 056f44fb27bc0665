//! Tools as callers describe them: the shapes of OpenAI, Anthropic, Gemini and MCP, read into one.

use contexture_core::ToolSchema;
use serde_json::Value;

/// Why a list of tools cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SchemaError {
    #[error("tool schemas are no JSON: {0}")]
    Json(String),
    #[error("tool schemas are a list, or an object with a list in `tools`")]
    NoList,
    #[error("tool {nth} {what}")]
    Tool { nth: usize, what: &'static str },
}

/// Reads a list of tools, as OpenAI, Anthropic, Gemini or MCP have it.
///
/// ```
/// use contexture::agent::tool_schemas;
///
/// let tools = tool_schemas(r#"{"tools": [{"name": "now", "inputSchema": {"type": "object"}}]}"#)?;
/// assert_eq!(tools[0].name, "now");
/// # Ok::<(), contexture::agent::SchemaError>(())
/// ```
pub fn tool_schemas(json: &str) -> Result<Vec<ToolSchema>, SchemaError> {
    let value: Value = serde_json::from_str(json).map_err(|error| SchemaError::Json(error.to_string()))?;
    let list = value.as_array().or_else(|| value.get("tools")?.as_array()).ok_or(SchemaError::NoList)?;
    let mut tools = Vec::new();
    for one in list {
        // Gemini has a list in each.
        match one.get("functionDeclarations").or_else(|| one.get("function_declarations")).and_then(Value::as_array) {
            Some(inner) => tools.extend(inner),
            None => tools.push(one),
        }
    }
    let tools: Vec<ToolSchema> =
        tools.into_iter().enumerate().map(|(nth, tool)| schema(nth + 1, tool)).collect::<Result<_, _>>()?;
    let is_again = |nth: &usize| tools[..*nth].iter().any(|earlier| earlier.name == tools[*nth].name);
    match (0..tools.len()).find(is_again) {
        Some(nth) => Err(SchemaError::Tool { nth: nth + 1, what: "has the `name` of one before it" }),
        None => Ok(tools),
    }
}

fn schema(nth: usize, tool: &Value) -> Result<ToolSchema, SchemaError> {
    let fail = |what| SchemaError::Tool { nth, what };
    let tool = tool.get("function").unwrap_or(tool);
    let name = tool.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
    let name = name.ok_or(fail("has no `name`"))?.to_owned();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.len() > 64 || !name.chars().all(is_plain) {
        return Err(fail("has a `name` that APIs refuse: letters, digits, `_` and `-`, at most 64"));
    }
    let description = tool.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    let keys = ["parameters", "input_schema", "inputSchema", "parametersJsonSchema"];
    let parameters = match keys.iter().find_map(|key| tool.get(key)) {
        // Gemini writes the type in capitals.
        Some(value @ Value::Object(schema))
            if schema.get("type").and_then(Value::as_str).is_some_and(|kind| kind.eq_ignore_ascii_case("object")) =>
        {
            value.to_string()
        }
        None | Some(Value::Null) => r#"{"type":"object","properties":{}}"#.into(),
        Some(_) => return Err(fail("has parameters that are no JSON Schema of an object")),
    };
    Ok(ToolSchema { name, description, parameters: parameters.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_of_all_apis_are_read() {
        let shapes = [
            r#"[{"type":"function","function":{"name":"read","description":"Reads.","parameters":{"type":"object"}}}]"#,
            r#"{"tools":[{"name":"read","description":"Reads.","input_schema":{"type":"object"}}]}"#,
            r#"[{"functionDeclarations":[{"name":"read","description":"Reads.","parameters":{"type":"object"}}]}]"#,
            r#"[{"name":"read","description":"Reads.","inputSchema":{"type":"object"}}]"#,
        ];
        for shape in shapes {
            let read = tool_schemas(shape);
            let wanted = ToolSchema {
                name: "read".into(),
                description: "Reads.".into(),
                parameters: r#"{"type":"object"}"#.into(),
            };
            assert_eq!(read, Ok(vec![wanted]), "{shape}");
        }
    }

    #[test]
    fn malformed_tools_are_errors() {
        assert_eq!(
            tool_schemas("{").map_err(|error| error.to_string().starts_with("tool schemas are no JSON")),
            Err(true)
        );
        assert_eq!(tool_schemas("{}"), Err(SchemaError::NoList));
        assert_eq!(tool_schemas("[{}]").map_err(|error| error.to_string()), Err("tool 1 has no `name`".into()));
        for schema in ["7", "{}", r#"{"type":"string"}"#] {
            let odd = tool_schemas(&format!(r#"[{{"name":"a","parameters":{schema}}}]"#));
            let told = odd.map_err(|error| error.to_string());
            assert_eq!(told, Err("tool 1 has parameters that are no JSON Schema of an object".into()), "{schema}");
        }
        let twice = tool_schemas(r#"[{"name":"a"},{"name":"b"},{"name":"a"}]"#).map_err(|error| error.to_string());
        assert_eq!(twice, Err("tool 3 has the `name` of one before it".into()));
    }
}
