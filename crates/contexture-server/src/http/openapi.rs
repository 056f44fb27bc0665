//! The list of operations as OpenAPI 3.1, made from the same table that serves them.
//!
//! Schemas of requests and answers come from their types, so the list cannot differ from what is read and written.

use super::operations::{self, Handler, Operation};
use contexture::answers::{ErrorAnswer, Versioned};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(built)
}

fn built() -> Value {
    let settings = |settings: SchemaSettings| {
        settings.with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        })
    };
    let mut requests = settings(SchemaSettings::draft2020_12()).into_generator();
    let mut answers = settings(SchemaSettings::draft2020_12()).for_serialize().into_generator();
    let error = answers.subschema_for::<Versioned<ErrorAnswer>>();
    let mut paths = Map::new();
    let mut put = |path: String, method: &str, operation: Value| paths.insert(path, json!({ method: operation }));
    put(
        "/api/events".into(),
        "get",
        operation("events", "What changes, as server-sent events", "text/event-stream", &json!({})),
    );
    put("/openapi.json".into(), "get", operation("openapi", "This list", "application/json", &json!({})));
    for one in operations::all() {
        let (method, entry) = entry(one, &mut requests, &mut answers);
        put(format!("/api/{}", one.name), method, entry);
    }
    // A request that an answer repeats has all of its fields there, so the schema of the request holds for both.
    let mut schemas = answers.take_definitions(true);
    schemas.extend(requests.take_definitions(true).into_iter().map(|(name, schema)| (name, nullable(schema))));
    let failure =
        |(_, about): &(&str, &str)| json!({"description": about, "content": {"application/json": {"schema": error}}});
    let failures: Map<String, Value> = FAILURES.iter().map(|one| (response_name(one.0), failure(one))).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Contexture",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Compiles files, workspaces and conversations into what a model reads.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": failures,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "contexture-PORT"},
            },
        },
        "security": [{"token": []}, {"cookie": []}],
    })
}

/// One operation, and the method it is called by.
fn entry(one: &Operation, requests: &mut SchemaGenerator, answers: &mut SchemaGenerator) -> (&'static str, Value) {
    let kind = match one.run {
        Handler::Answer(_) | Handler::Look(_) => "application/json",
        Handler::Stream(_) => "application/x-ndjson",
    };
    let answer = (one.answer)(answers).to_value();
    let mut entry = operation(&one.name.replace('/', "_"), one.about, kind, &answer);
    if one.name == "project" {
        return ("get", entry);
    }
    let content = json!({"application/json": {"schema": (one.request)(requests)}});
    entry["requestBody"] = json!({"required": true, "content": content});
    ("post", entry)
}

/// The statuses of every route, beside 200.
const FAILURES: [(&str, &str); 11] = [
    ("400", "the request is not understood"),
    ("401", "the token is missing or wrong"),
    ("403", "another host or page, or a policy"),
    ("404", "no such route"),
    ("405", "another method is needed"),
    ("408", "the body stopped on its way"),
    ("409", "something exists already, or is gone"),
    ("413", "too large"),
    ("415", "not JSON"),
    ("422", "it cannot be done"),
    ("424", "a provider gave no answer"),
];

fn response_name(status: &str) -> String {
    format!("Status{status}")
}

fn operation(id: &str, about: &str, kind: &str, answer: &Value) -> Value {
    let refer = |(status, _): &(&str, &str)| {
        let name = response_name(status);
        ((*status).to_owned(), json!({"$ref": format!("#/components/responses/{name}")}))
    };
    let mut responses: Map<String, Value> = FAILURES.iter().map(refer).collect();
    responses.insert("200".into(), json!({"description": "done", "content": {kind: {"schema": answer}}}));
    json!({"operationId": id, "summary": about, "responses": responses})
}

/// A field that may be missing may also be null, which is the same.
fn nullable(mut schema: Value) -> Value {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return schema };
    for (name, property) in properties {
        *property = nullable(property.take());
        if required.iter().any(|needed| needed == name) {
            continue;
        }
        if let Some(kind) = property.get_mut("type") {
            let kinds = match kind.take() {
                Value::Array(kinds) => kinds,
                kind => vec![kind],
            };
            *kind = kinds.into_iter().filter(|kind| kind != "null").chain(["null".into()]).collect();
        }
        if let Some(words) = property.get_mut("enum").and_then(Value::as_array_mut)
            && !words.contains(&Value::Null)
        {
            words.push(Value::Null);
        }
    }
    schema
}
