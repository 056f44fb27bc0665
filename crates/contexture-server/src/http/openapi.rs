//! The list of operations as OpenAPI 3.1, made from the same table that serves them.

use super::calls::{Field, Kind};
use super::operations::{OPERATIONS, Operation, Run};
use crate::wire;
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
    for operation in OPERATIONS.iter().filter(|operation| operation.name != "project") {
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
        Run::Answer(_) => "application/json",
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
            .property("hints", list(Type::String));
        Some(Schema::Object(ObjectBuilder::new().property("v", of(Type::Integer)).property("error", inner).build()))
    };
    let mut all = ResponsesBuilder::new().response("200", answer("done", kind, None));
    for (status, about) in [
        ("400", "wrong words"),
        ("401", "no token, or a wrong one"),
        ("403", "another host, another page, or a policy"),
        ("404", "there is nothing here"),
        ("405", "another method"),
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

fn list(kind: Type) -> ArrayBuilder {
    ArrayBuilder::new().items(of(kind))
}

fn schema(field: &Field) -> RefOr<Schema> {
    let about = Some(field.about);
    let schema: Schema = match field.kind {
        Kind::Text => of(Type::String).description(about).build().into(),
        Kind::Texts => list(Type::String).description(about).build().into(),
        Kind::Run => ObjectBuilder::new()
            .schema_type(SchemaType::Array(vec![Type::String, Type::Integer]))
            .description(about)
            .build()
            .into(),
        Kind::Number => of(Type::Integer).minimum(Some(0)).description(about).build().into(),
        Kind::Real => of(Type::Number).description(about).build().into(),
        Kind::Flag => of(Type::Boolean).description(about).build().into(),
        Kind::Word(words) => {
            of(Type::String).enum_values(Some(words.iter().copied())).description(about).build().into()
        }
        Kind::Request => request(),
        Kind::Object => of(Type::Object).description(about).build().into(),
        Kind::Objects => list(Type::Object).description(about).build().into(),
        Kind::Entries => ArrayBuilder::new()
            .items(ObjectBuilder::new().schema_type(SchemaType::AnyValue))
            .description(about)
            .build()
            .into(),
    };
    RefOr::T(schema)
}

/// A document that is asked for: every field of it, each optional.
fn request() -> Schema {
    let mut object = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::FreeForm(false)))
        .description(Some("what the document is made of; everything has a default"));
    for name in wire::request::names() {
        object = object.property(name, ObjectBuilder::new().schema_type(SchemaType::AnyValue));
    }
    object.build().into()
}
