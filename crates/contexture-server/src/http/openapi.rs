//! The list of operations as OpenAPI 3.1, made from the same table that serves them.

use super::calls::{Field, Kind};
use super::operations::request::FIELDS;
use super::operations::{self, Operation, Run};
use serde_json::Value;
use std::sync::OnceLock;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, PathItem, PathsBuilder};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, InfoBuilder, OpenApiBuilder, RefOr, Required, ResponseBuilder, ResponsesBuilder,
};

pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| serde_json::to_value(built()).unwrap_or_default())
}

fn built() -> utoipa::openapi::OpenApi {
    let mut paths = PathsBuilder::new()
        .path(
            "/api/project",
            PathItem::new(HttpMethod::Get, reading("project", "What there is: views, models, presets, settings")),
        )
        .path("/api/events", PathItem::new(HttpMethod::Get, reading("events", "What changes, as server-sent events")))
        .path("/openapi.json", PathItem::new(HttpMethod::Get, reading("openapi", "This list")));
    for operation in operations::all().filter(|operation| operation.name != "project") {
        paths = paths.path(format!("/api/{}", operation.name), PathItem::new(HttpMethod::Post, posting(operation)));
    }
    let components = ComponentsBuilder::new()
        .security_scheme("token", SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build()))
        .security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("contexture-PORT"))))
        .build();
    let nothing = || std::iter::empty::<&str>();
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("Contexture")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some("Compiles files, workspaces and conversations into what a model reads."))
                .build(),
        )
        .paths(paths.build())
        .components(Some(components))
        .security(Some([SecurityRequirement::new("token", nothing()), SecurityRequirement::new("cookie", nothing())]))
        .build()
}

fn reading(name: &str, about: &str) -> utoipa::openapi::path::Operation {
    let kind = if name == "events" { "text/event-stream" } else { "application/json" };
    OperationBuilder::new().operation_id(Some(name)).summary(Some(about)).responses(responses(kind)).build()
}

fn posting(operation: &Operation) -> utoipa::openapi::path::Operation {
    let body = RequestBodyBuilder::new()
        .content("application/json", ContentBuilder::new().schema(Some(body(operation.fields))).build())
        .required(Some(Required::True))
        .build();
    let kind = match operation.run {
        Run::Answer(_) | Run::Look(_) => "application/json",
        Run::Stream(_) => "application/x-ndjson",
    };
    OperationBuilder::new()
        .operation_id(Some(operation.name.replace('/', "_")))
        .summary(Some(operation.about))
        .request_body(Some(body))
        .responses(responses(kind))
        .build()
}

fn responses(kind: &str) -> utoipa::openapi::Responses {
    let answer = |about: &str, kind: &str, schema: Option<Schema>| {
        let content = ContentBuilder::new().schema(schema.map(RefOr::T)).build();
        ResponseBuilder::new().description(about).content(kind, content).build()
    };
    let error = || {
        let inner = ObjectBuilder::new()
            .property("code", of(Type::Integer))
            .property("kind", of(Type::String))
            .property("message", of(Type::String))
            .property("hints", ArrayBuilder::new().items(of(Type::String)));
        Some(Schema::Object(ObjectBuilder::new().property("v", of(Type::Integer)).property("error", inner).build()))
    };
    let mut all = ResponsesBuilder::new().response("200", answer("done", kind, None));
    for (status, about) in [
        ("400", "wrong words"),
        ("401", "no token, or a wrong one"),
        ("403", "another host, another page, or a policy"),
        ("404", "there is nothing here"),
        ("405", "another method"),
        ("408", "the body stopped on its way"),
        ("409", "something is there already, or gone"),
        ("413", "too large"),
        ("415", "no JSON"),
        ("422", "it cannot be done"),
        ("424", "a provider gave no answer"),
    ] {
        all = all.response(status, answer(about, "application/json", error()));
    }
    all.build()
}

fn body(fields: &[Field]) -> RefOr<Schema> {
    let mut object = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(false)));
    for field in fields {
        object = object.property(field.name, schema(field));
        if field.is_needed {
            object = object.required(field.name);
        }
    }
    RefOr::T(Schema::Object(object.build()))
}

fn of(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::Type(kind))
}

/// What a field holds. One that may be missing may be null as well, which is the same.
fn schema(field: &Field) -> RefOr<Schema> {
    let kind = |kind: Type| match field.is_needed {
        true => SchemaType::Type(kind),
        false => SchemaType::Array(vec![kind, Type::Null]),
    };
    let about = Some(field.about);
    let plain = |of: Type| ObjectBuilder::new().schema_type(kind(of)).description(about);
    let list =
        |items: ObjectBuilder| ArrayBuilder::new().schema_type(kind(Type::Array)).items(items).description(about);
    let schema: Schema = match field.kind {
        Kind::Text => plain(Type::String).build().into(),
        Kind::Texts => list(of(Type::String)).build().into(),
        Kind::Run => {
            let kinds = [Type::String, Type::Integer].into_iter().chain((!field.is_needed).then_some(Type::Null));
            plain(Type::String).schema_type(SchemaType::Array(kinds.collect())).minimum(Some(0)).build().into()
        }
        Kind::Number => plain(Type::Integer).minimum(Some(0)).build().into(),
        Kind::Real => plain(Type::Number).build().into(),
        Kind::Flag => plain(Type::Boolean).build().into(),
        Kind::Word(words) => {
            let null = (!field.is_needed).then_some(Value::Null);
            let words = words.iter().map(|word| Value::from(*word)).chain(null);
            plain(Type::String).enum_values(Some(words)).build().into()
        }
        Kind::Request => request(plain(Type::Object)),
        Kind::Object => plain(Type::Object).build().into(),
        Kind::Objects => list(of(Type::Object)).build().into(),
        Kind::Entries => {
            let entry = ObjectBuilder::new().schema_type(SchemaType::Array(vec![Type::String, Type::Object]));
            list(entry).build().into()
        }
    };
    RefOr::T(schema)
}

/// A document that is asked for: every field of it, each optional.
fn request(object: ObjectBuilder) -> Schema {
    let object = object.additional_properties(Some(AdditionalProperties::FreeForm(false)));
    FIELDS.iter().fold(object, |object, field| object.property(field.name, schema(field))).build().into()
}
