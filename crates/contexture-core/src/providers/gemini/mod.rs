//! Google: the Gemini API, which refuses what it does not know ("unknown name") and takes each member also in the form `with_underscores`.
//! Members and settings are those of the typed parameters in its library for Python: members as of 2026-08, settings as of 2026-11.

mod check;
mod write;

pub(super) use check::{camel, member};

use super::check::{Rules, Shape, Shapes, Stops};
use super::reuse::{Layout, Section};
use super::{Answers, Dialect, Home, Pictures, Provider};
use crate::count::{Family, Tokenizer};
use crate::types::Api;
use Shape::{List, Switch, Text, Whole};

/// Contents of parts. The address names the model and how the answer is to come.
static CONTENTS: Dialect = Dialect {
    answers: Answers::Gemini,
    path: "",
    text_path: None,
    version: Some("v1beta/"),
    stream: "",
    in_address: true,
    mark: "",
    write: write::write,
    check: check::check,
    layout: Layout {
        blocks: &[
            (&["systemInstruction", "system_instruction"], "parts", Section::System),
            (&[], "tools", Section::Tools),
        ],
        messages: "contents",
        content: "parts",
    },
};

pub(super) static PROVIDER: Provider = Provider {
    api: Api::Gemini,
    vendor: "google",
    dialect: &CONTENTS,
    home: Home {
        base_url: "https://generativelanguage.googleapis.com",
        key_names: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        key_header: Some("x-goog-api-key"),
        headers: &[],
    },
    tokenizer: Tokenizer::Estimate(Family::Gemini),
    pictures: Pictures {
        types: &["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
        count: 3_000,
        // It reads its own files alone.
        urls: false,
        ..Pictures::NONE
    },
    answer_limit: "maxOutputTokens",
    no_temperature: None,
    returns_reasoning: false,
    rules: Rules {
        members: MEMBERS,
        shapes: &[("", SHAPES), (SETTINGS, GENERATION)],
        wholes: &[("maxOutputTokens", 1, u64::MAX), ("topK", 0, u64::MAX), ("candidateCount", 1, 8)],
        stops: Some(Stops { key: "stopSequences", most: 5, blank: true }),
        settings_in: Some(SETTINGS),
        top_p: "topP",
        has_underscores: true,
        longest_name: 128,
        name_signs: ".:",
        ..Rules::PLAIN
    },
    cache: "
-           prefix  4096  -  -  -  5  100  10  2026-11-16  https://ai.google.dev/gemini-api/docs/caching
gemini-2.5  prefix  2048  -  -  -  5  100  10  2026-11-16  https://ai.google.dev/gemini-api/docs/caching
",
    models: "
gemini-2.5-flash-lite   1048576  -  65536    gemini  2026-11-16  https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/gemini/2-5-flash-lite?hl=es               0.1   0.4   0.01   -  2026-11-16  https://pypi.org/project/litellm/1.106.2/
gemini-2.5-pro          1048576  -  65535    gemini  2026-11-16  https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/gemini/2-5-pro                            1.25  10    0.125  -  2026-11-16  https://pypi.org/project/litellm/1.106.2/
gemini-3.1-pro-preview  1048576  -  65536    gemini  2026-11-16  https://ai.google.dev/gemini-api/docs/models/gemini-3.1-pro-preview.md.txt                                      2     12    0.2    -  2026-11-16  https://pypi.org/project/litellm/1.106.2/
gemini-3.8-flash        1048576  -  65536    gemini  2026-11-16  https://docs.apiyi.com/en/live/2026-09/gemini-3-8-flash-official-specs.md                                       0.75  3.75  0.075  -  2026-11-16  https://pypi.org/project/litellm/1.106.2/
gemini-4-argon          1048576  -  1048576  gemini  2026-11-16  https://documentation.s3ns.fr/gemini-enterprise-agent-platform/models/start/get-started-with-gemini-4?hl=zh-cn  2     10    0.1    -  2026-11-16  https://pypi.org/project/litellm/1.106.2/
",
};

/// The member that most settings stand in.
const SETTINGS: &str = "generationConfig";

const MEMBERS: &[(&str, &str)] = &[
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

const SHAPES: Shapes =
    &[("toolConfig", Shape::Object), ("safetySettings", List), ("cachedContent", Text), ("labels", Shape::Object)];

const GENERATION: Shapes = &[
    ("seed", Whole),
    ("responseMimeType", Text),
    ("responseSchema", Shape::Object),
    ("responseModalities", List),
    ("responseLogprobs", Switch),
    ("thinkingConfig", Shape::Object),
    ("speechConfig", Shape::Object),
];
