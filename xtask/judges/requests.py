"""Judges requests by the providers' own SDKs.

Takes a file with one JSON object a line, {"api", "model", "body"}, the body as a string; exits with 1 when an SDK has something to say
against one. Each body is checked twice: against the SDK's types, with members they do not name forbidden, and by handing its parts to the
SDK's client and comparing what the client sends to a server of our own with the body itself.
"""

import http.server
import json
import sys
import threading
import warnings

import anthropic
import anthropic.types
import openai
import openai.types.chat
import openai.types.responses
import pydantic
import typing_extensions
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from google import genai
from google.genai import types as gemini
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming

warnings.filterwarnings("ignore")

ANSWERS = {
    "/v1/messages": {
        "id": "m", "type": "message", "role": "assistant", "model": "m", "content": [{"type": "text", "text": "ok"}],
        "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    },
    "/v1/chat/completions": {
        "id": "c", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "ok"}}],
    },
    "/v1/responses": {
        "id": "r", "object": "response", "created_at": 0, "status": "completed", "model": "m", "parallel_tool_calls": True,
        "tool_choice": "auto", "tools": [], "output": [],
    },
    "generateContent": {"candidates": [{"content": {"role": "model", "parts": [{"text": "ok"}]}}]},
}


class Recorder(http.server.BaseHTTPRequestHandler):
    """Answers every request as its API would, and keeps what was sent."""

    sent = None

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        Recorder.sent = json.loads(self.rfile.read(length))
        answer = next(answer for end, answer in ANSWERS.items() if self.path.split("?")[0].endswith(end))
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def forbid_unknown(module, seen):
    """Every record of an SDK refuses members it does not name."""
    for name in dir(module):
        thing = getattr(module, name, None)
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if typing_extensions.is_typeddict(thing):
            thing.__pydantic_config__ = pydantic.ConfigDict(extra="forbid", arbitrary_types_allowed=True)
        elif isinstance(thing, type(sys)) and thing.__name__.startswith(module.__name__):
            forbid_unknown(thing, seen)


def checked(adapter, body):
    # Lists are checked when they are read.
    adapter.dump_json(adapter.validate_python(body), warnings="none")


def without(body, *keys):
    """The body without members that an SDK has no types for."""
    if isinstance(body, dict):
        return {key: without(value, *keys) for key, value in body.items() if key not in keys}
    if isinstance(body, list):
        return [without(value, *keys) for value in body]
    return body


def equal(ours, sent, path=""):
    """The first place where two values differ, or nothing."""
    if isinstance(ours, dict) and isinstance(sent, dict):
        for key in sorted(set(ours) | set(sent)):
            if key not in sent or key not in ours:
                return f"{path}.{key}: " + ("not sent" if key in ours else f"added by the SDK: {sent[key]!r}")
            found = equal(ours[key], sent[key], f"{path}.{key}")
            if found:
                return found
        return None
    if isinstance(ours, list) and isinstance(sent, list) and len(ours) == len(sent):
        for nth, (a, b) in enumerate(zip(ours, sent)):
            found = equal(a, b, f"{path}[{nth}]")
            if found:
                return found
        return None
    if path.endswith("thoughtSignature"):
        # Bytes: both alphabets of base64 mean the same.
        ours, sent = ours.replace("-", "+").replace("_", "/"), sent.replace("-", "+").replace("_", "/")
    return None if ours == sent else f"{path}: {ours!r} != {sent!r}"


def main(file):
    seen = set()
    for module in (anthropic.types, openai.types):
        forbid_unknown(module, seen)
    adapters = {
        "anthropic": pydantic.TypeAdapter(MessageCreateParamsNonStreaming),
        "openai": pydantic.TypeAdapter(CompletionCreateParamsNonStreaming),
        "responses": pydantic.TypeAdapter(ResponseCreateParamsNonStreaming),
    }
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    claude = anthropic.Anthropic(base_url=base, api_key="none", max_retries=0)
    gpt = openai.OpenAI(base_url=f"{base}/v1", api_key="none", max_retries=0)
    google = genai.Client(api_key="none", http_options=gemini.HttpOptions(base_url=base))
    judged, wrong = {}, 0
    for number, line in enumerate(open(file, encoding="utf-8"), 1):
        record = json.loads(line)
        api, body = record["api"], json.loads(record["body"])
        if api != "gemini":
            body.setdefault("model", "m")
        try:
            if api in ("anthropic", "minimax"):
                # MiniMax knows settings that Anthropic has given up.
                more = {key: body[key] for key in ("temperature", "top_p") if key in body and api == "minimax"}
                plain = without(body, *more)
                checked(adapters["anthropic"], plain)
                claude.messages.create(**plain, extra_body=more)
                difference = equal(body, Recorder.sent)
            elif api in ("openai", "deepseek"):
                # DeepSeek's own member, which it documents for this SDK.
                checked(adapters["openai"], without(body, "reasoning_content"))
                gpt.chat.completions.create(**body)
                difference = equal(body, Recorder.sent)
            elif api == "responses":
                checked(adapters["responses"], body)
                gpt.responses.create(**body)
                difference = equal(body, Recorder.sent)
            else:
                difference = judge_gemini(google, body)
        except Exception as error:  # noqa: BLE001: whatever an SDK says is the finding
            difference = f"{type(error).__name__}: {str(error)[:1500]}"
        judged[api] = judged.get(api, 0) + 1
        if difference:
            wrong += 1
            if wrong <= 5:
                print(f"{file}:{number}: {api}: {difference}")
    figures = ", ".join(f"{api} {count}" for api, count in sorted(judged.items()))
    print(f"judged by the SDKs: {figures}; {wrong} refused")
    missing = {"anthropic", "minimax", "openai", "deepseek", "responses", "gemini"} - set(judged)
    if missing:
        print(f"no request for: {', '.join(sorted(missing))}")
    return 1 if wrong or missing else 0


def camel(value):
    """The SDK names some members as Python does, and the API takes both. What is the user's own stays."""
    if isinstance(value, list):
        return [camel(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for key, inner in value.items():
        first, *rest = key.split("_")
        name = first + "".join(word.capitalize() for word in rest)
        out[name] = inner if name in ("args", "response", "parametersJsonSchema") else camel(inner)
    return out


def judge_gemini(client, body):
    """Its types name members in two ways, so what they do not know is found by what is sent."""
    config = dict(body.get("generationConfig", {}))
    if "systemInstruction" in body:
        config["systemInstruction"] = body["systemInstruction"]
    if "tools" in body:
        config["tools"] = body["tools"]
    contents = [gemini.Content.model_validate(content) for content in body["contents"]]
    client.models.generate_content(
        model="gemini-2.5-pro", contents=contents, config=gemini.GenerateContentConfig.model_validate(config)
    )
    sent = camel(Recorder.sent)
    if sent.get("systemInstruction", {}).get("role") == "user":
        del sent["systemInstruction"]["role"]
    if not sent.get("generationConfig"):
        sent.pop("generationConfig", None)
    return equal(body, sent)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
