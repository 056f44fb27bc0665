//! The members that each API knows, in every place where it refuses others.
//!
//! Anthropic ("extra inputs are not permitted"), OpenAI ("unknown parameter") and Gemini ("unknown name") refuse what they do not know;
//! DeepSeek and MiniMax pass over it, so nothing is listed for them. The names are those of the typed parameters in the providers' own
//! libraries for Python, betas included, as of 2026-08.

use crate::model::Api;

/// The members of a place: the name of the place, or the `type` of what stands there. `None` where others are taken, too.
pub(super) fn of(api: Api, place: &str) -> Option<&'static str> {
    let table: &[(&str, &str)] = match api {
        Api::Anthropic => ANTHROPIC,
        Api::OpenAi => CHAT,
        Api::Responses => RESPONSES,
        Api::Gemini => GEMINI,
        Api::DeepSeek | Api::MiniMax => &[],
    };
    table.iter().find(|(name, _)| *name == place).map(|(_, members)| *members)
}

const ANTHROPIC: &[(&str, &str)] = &[
    (
        "request",
        "model max_tokens messages system tools tool_choice stream stop_sequences temperature top_k top_p thinking metadata cache_control \
         container inference_geo output_config output_format service_tier context_management diagnostics fallback_credit_token fallbacks \
         mcp_servers speed",
    ),
    ("message", "role content"),
    (
        "tool",
        "name type description input_schema cache_control allowed_callers defer_loading eager_input_streaming input_examples strict",
    ),
    ("text", "type text cache_control citations"),
    ("image", "type source cache_control"),
    ("base64", "type media_type data"),
    ("url", "type url"),
    ("file", "type file_id"),
    ("document", "type source cache_control citations context title"),
    ("search_result", "type source title content cache_control citations"),
    ("tool_use", "type id name input cache_control caller"),
    ("server_tool_use", "type id name input cache_control caller"),
    ("tool_result", "type tool_use_id content is_error cache_control"),
    ("thinking", "type thinking signature"),
    ("redacted_thinking", "type data"),
    ("container_upload", "type file_id cache_control"),
    ("mark", "type ttl"),
];

const CHAT: &[(&str, &str)] = &[
    (
        "request",
        "model messages tools tool_choice parallel_tool_calls stream stream_options stop n temperature top_p seed max_tokens \
         max_completion_tokens frequency_penalty presence_penalty logit_bias logprobs top_logprobs response_format reasoning_effort verbosity \
         modalities audio prediction metadata moderation store user safety_identifier service_tier prompt_cache_key prompt_cache_options \
         prompt_cache_retention web_search_options functions function_call",
    ),
    ("system", "role content name"),
    ("developer", "role content name"),
    ("user", "role content name"),
    ("assistant", "role content name refusal audio tool_calls function_call"),
    ("tool", "role content tool_call_id"),
    ("function", "role content name"),
    ("call of function", "id type function"),
    ("call of custom", "id type custom"),
    ("called", "name arguments"),
    ("tool of function", "type function"),
    ("tool of custom", "type custom"),
    ("declared", "name description parameters strict"),
    ("text", "type text prompt_cache_breakpoint"),
    ("image_url", "type image_url prompt_cache_breakpoint"),
    ("address", "url detail"),
    ("input_audio", "type input_audio prompt_cache_breakpoint"),
    ("file", "type file prompt_cache_breakpoint"),
    ("refusal", "type refusal"),
];

const RESPONSES: &[(&str, &str)] = &[
    (
        "request",
        "model input instructions tools tool_choice parallel_tool_calls max_tool_calls stream stream_options store include background \
         conversation previous_response_id prompt context_management truncation temperature top_p top_logprobs max_output_tokens reasoning \
         text metadata moderation user safety_identifier service_tier prompt_cache_key prompt_cache_options prompt_cache_retention",
    ),
    ("message", "type role content id status phase"),
    ("function_call", "type id call_id name arguments status caller namespace"),
    ("function_call_output", "type id call_id output status caller name namespace"),
    ("reasoning", "type id summary content encrypted_content status"),
    ("tool of function", "type name description parameters strict allowed_callers defer_loading output_schema"),
    ("input_text", "type text prompt_cache_breakpoint"),
    ("input_image", "type image_url file_id detail prompt_cache_breakpoint"),
    ("input_file", "type file_id file_data file_url filename detail prompt_cache_breakpoint"),
    ("output_text", "type text annotations logprobs"),
    ("refusal", "type refusal"),
];

/// The API takes each also in the form `with_underscores`.
const GEMINI: &[(&str, &str)] = &[
    (
        "request",
        "model contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels serviceTier store",
    ),
    (
        "generationConfig",
        "temperature topP topK candidateCount maxOutputTokens stopSequences seed presencePenalty frequencyPenalty responseMimeType \
         responseSchema responseJsonSchema responseFormat responseModalities responseLogprobs logprobs mediaResolution speechConfig \
         thinkingConfig imageConfig routingConfig modelSelectionConfig audioTimestamp enableAffectiveDialog enableEnhancedCivicAnswers \
         translationConfig audioTranscriptionConfig",
    ),
    ("content", "role parts"),
    (
        "part",
        "text thought thoughtSignature inlineData fileData functionCall functionResponse executableCode codeExecutionResult videoMetadata \
         mediaResolution toolCall toolResponse partMetadata audioTranscription",
    ),
    ("inlineData", "mimeType data displayName"),
    ("functionCall", "id name args partialArgs willContinue"),
    ("functionResponse", "id name response parts scheduling willContinue"),
    ("declared", "name description parameters parametersJsonSchema response responseJsonSchema behavior"),
];
