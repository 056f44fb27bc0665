//! Answers the methods of the protocol; each is one call elsewhere.

use super::tools::{self, Call};
use super::{Mcp, complete, resources};
use contexture::answers::{ErrorAnswer, masked, to_value, versioned};
use contexture::ops::{Door, OpError};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Role, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::json;

type Context = RequestContext<RoleServer>;

/// Tools do not change while a server lives.
const LONG: u64 = 3_600_000;

impl ServerHandler for Mcp {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_prompts()
            .enable_resources()
            .enable_tools()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("contexture", env!("CARGO_PKG_VERSION")).with_title("Contexture"))
            .with_instructions(include_str!("../../templates/mcp_instructions.md").trim())
    }

    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListToolsResult, ErrorData> {
        let all = tools::list(self.shared.writes);
        Ok(ListToolsResult::with_all_items(all).with_ttl_ms(LONG).with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        let unknown = format!("no tool is called `{name}`");
        let call = Call { name, arguments: request.arguments, writes: self.shared.writes, caller: caller(&context) };
        let work = tools::call(call).ok_or_else(|| ErrorData::invalid_params(unknown, None))?;
        let result = match self.run(&context, work).await? {
            Ok(answer) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
                result.structured_content = Some(answer.structured);
                result
            }
            Err(error) => refused(&error),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let from = cursor(request)?;
        let (page, next) =
            self.run(&context, move |door| resources::list(door, from)).await?.map_err(|e| unknown(&e))?;
        let mut result = ListResourcesResult::with_all_items(page).with_ttl_ms(0).with_cache_scope(CacheScope::Private);
        result.next_cursor = next.map(|next| next.to_string());
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let all = resources::templates();
        Ok(ListResourceTemplatesResult::with_all_items(all).with_ttl_ms(LONG).with_cache_scope(CacheScope::Private))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let caller = caller(&context);
        let read = move |door: &Door| resources::read(door, &request.uri, &caller);
        let contents = self.run(&context, read).await?.map_err(|error| unknown(&error))?;
        Ok(ReadResourceResult::new(vec![contents]).with_ttl_ms(0).with_cache_scope(CacheScope::Private).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let all = self.run(&context, resources::prompts).await?.map_err(|error| unknown(&error))?;
        Ok(ListPromptsResult::with_all_items(all).with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let caller = caller(&context);
        let get = move |door: &Door| resources::get_prompt(door, &request.name, request.arguments, &caller);
        let (text, description) = self.run(&context, get).await?.map_err(|error| unknown(&error))?;
        let mut result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
        result.description = description;
        Ok(result.into())
    }

    async fn complete(&self, request: CompleteRequestParams, context: Context) -> Result<CompleteResult, ErrorData> {
        let info = self.run(&context, move |door| complete::complete(door, &request)).await?;
        Ok(CompleteResult::new(info.map_err(|error| unknown(&error))?))
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        self.narrowed.forget().await;
    }
}

/// The program at the other end, as it calls itself; for manifests.
fn caller(context: &Context) -> String {
    let program = context.client_info().map(|client| format!("{} {}", client.name, client.version));
    let program: String = program.unwrap_or_default().chars().filter(|c| !c.is_control()).take(100).collect();
    format!("mcp: {}", if program.trim().is_empty() { "unknown" } else { program.trim() })
}

/// The place a list goes on from, as we gave it.
fn cursor(request: Option<PaginatedRequestParams>) -> Result<usize, ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(0),
        Some(cursor) => {
            cursor.parse().map_err(|_| ErrorData::invalid_params("the cursor is none of this server", None))
        }
    }
}

/// An operation that gave nothing: the model is told, with what to do.
fn refused(error: &OpError) -> CallToolResult {
    let mut text = format!("error: {}\n", masked(&error.to_string()));
    for hint in &error.hints() {
        text.push_str(&format!("hint: {}\n", masked(hint)));
    }
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = Some(to_value(versioned(ErrorAnswer::from(error))));
    result
}

/// Of what is no tool, the protocol's own error tells it.
fn unknown(error: &OpError) -> ErrorData {
    let hints: Vec<String> = error.hints().iter().map(|hint| masked(hint)).collect();
    let data = (!hints.is_empty()).then(|| json!({"hints": hints}));
    match error {
        OpError::Interrupted => ErrorData::internal_error("cancelled", None),
        _ => ErrorData::invalid_params(masked(&error.to_string()), data),
    }
}
