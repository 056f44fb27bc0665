//! What models thought, as records keep it and as providers write it.
//!
//! Takes JSON of our own or a block of a provider; gives a [`Thought`], or the JSON of one. A seal is kept to the byte.

use contexture_core::{Api, Text, Thought};
use serde_json::{Map, Value, json};

/// A thought in a record of our own.
pub(crate) fn record(thought: &Thought) -> Value {
    let mut out = json!({"by": thought.by.as_str(), "text": &*thought.text});
    if let Some(object) = out.as_object_mut() {
        if !thought.seal.is_empty() {
            object.insert("seal".into(), json!(&*thought.seal));
        }
        object.extend(thought.call.map(|call| ("call".to_owned(), json!(call))));
    }
    out
}

/// The other way; `None` where it is no thought.
pub(crate) fn recorded(value: &Value) -> Option<Thought> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(Text::from);
    let call = match value.get("call") {
        Some(call) => Some(usize::try_from(call.as_u64()?).ok()?),
        None => None,
    };
    let by = Api::parse(value.get("by")?.as_str()?)?;
    Some(Thought { by, text: text("text")?, seal: text("seal").unwrap_or_default(), call })
}

/// A block of Anthropic's, or an item of OpenAI's Responses. One without a seal is nobody's: it cannot go back.
pub(crate) fn sealed(block: &Map<String, Value>) -> Option<Thought> {
    let text = |key: &str| block.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let seal = || Text::from(Value::Object(block.clone()).to_string());
    match block.get("type")?.as_str()? {
        "thinking" => {
            text("signature")?;
            let said = Text::from(text("thinking").unwrap_or_default());
            Some(Thought { by: Api::Anthropic, text: said, seal: seal(), call: None })
        }
        "redacted_thinking" => {
            text("data")?;
            Some(Thought { by: Api::Anthropic, text: Text::default(), seal: seal(), call: None })
        }
        "reasoning" => {
            text("encrypted_content")?;
            let parts = block.get("summary").and_then(Value::as_array).into_iter().flatten();
            let parts: Vec<&str> = parts.filter_map(|part| part.get("text")?.as_str()).collect();
            Some(Thought { by: Api::Responses, text: parts.join("\n\n").into(), seal: seal(), call: None })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back() {
        for (seal, call) in [("", None), ("s", None), ("s", Some(2))] {
            let thought = Thought { by: Api::Gemini, text: "t".into(), seal: seal.into(), call };
            assert_eq!(recorded(&record(&thought)), Some(thought));
        }
        for wrong in
            [json!(7), json!({}), json!({"by": "who", "text": ""}), json!({"by": "gemini", "text": "", "call": -1})]
        {
            assert_eq!(recorded(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_block_is_kept_to_the_byte_and_only_with_its_seal() {
        let read = |block: &str| sealed(serde_json::from_str::<Value>(block).unwrap().as_object().unwrap());
        let block = r#"{"type":"thinking","thinking":"hm","signature":"x","more":1.50}"#;
        let thought = read(&block.replace("1.50", "1.5")).unwrap();
        assert_eq!((&*thought.text, &*thought.seal), ("hm", &*block.replace("1.50", "1.5")));
        assert_eq!(read(r#"{"type":"thinking","thinking":"hm","signature":""}"#), None);
        assert!(read(r#"{"type":"redacted_thinking","data":"x"}"#).unwrap().text.is_empty());
        let item =
            r#"{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"a"}],"encrypted_content":"x"}"#;
        assert_eq!((read(item).unwrap().by, &*read(item).unwrap().text), (Api::Responses, "a"));
        assert_eq!(read(r#"{"type":"reasoning","summary":[]}"#), None);
    }
}
