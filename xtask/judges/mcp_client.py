"""Judges `contexture mcp` by the official Python client, over both transports and both generations of the protocol.

Takes the program; exits with 1 when an answer is not what it must be. Everything happens in a folder that is thrown away.
"""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import anyio
import httpx2
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

TOOLS = ["plan", "build", "read", "search", "tokens", "why", "loom_path", "loom_append"]
CONFIG = """
[presets.code]
description = "The sources"
files = ["src/*.py"]

[presets.about]
files = ["README.md"]
"""


def project(folder):
    root = folder / "project"
    (root / "src").mkdir(parents=True)
    (root / "README.md").write_text("# Small\n\nA project to look at.\n")
    (root / "src/greet.py").write_text('"""Greets."""\n\n\ndef greet(name):\n    """Says hello."""\n    return f"hello {name}"\n')
    (root / "src/naïve file.py").write_text("VALUE = 1\n")
    (root / ".env").write_text("KEY=canary-1234567890\n")
    (root / "contexture.toml").write_text(CONFIG)
    # Enough that counting it takes some seconds, in folders that nothing else looks at.
    for number in range(1500):
        file = root / f"many/{number // 100}/{number}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"line {line} of file {number}: {line * number}\n" for line in range(400)))
    return root


class Judge:
    def __init__(self, name):
        self.name, self.wrong = name, []

    def must(self, holds, what):
        if not holds:
            self.wrong.append(f"{self.name}: {what}")


async def lists(judge, client):
    tools = await client.list_tools()
    judge.must([tool.name for tool in tools.tools] == TOOLS, f"tools are {[tool.name for tool in tools.tools]}")
    hints = {tool.name: tool.annotations.read_only_hint for tool in tools.tools}
    judge.must(hints["read"] and not hints["loom_append"], f"hints are {hints}")
    seen, cursor = [], None
    while True:
        page = await client.list_resources(cursor=cursor)
        seen += [str(resource.uri) for resource in page.resources]
        cursor = page.next_cursor
        if cursor is None:
            break
    judge.must(len(seen) == len(set(seen)) == 1506, f"{len(seen)} resources")
    judge.must("contexture://file/src/na%C3%AFve%20file.py" in seen, "a name with spaces is not listed")
    judge.must(not any(".env" in uri for uri in seen), "a file with keys is listed")
    templates = await client.list_resource_templates()
    judge.must(len(templates.resource_templates) == 3, "there are three templates")
    prompts = await client.list_prompts()
    judge.must([prompt.name for prompt in prompts.prompts] == ["about", "code"], "one prompt for each preset, sorted")


async def calls(judge, client):
    async def call(name, **arguments):
        result = await client.call_tool(name, arguments)
        text = result.content[0].text
        judge.must(not result.is_error, f"{name}: {text}")
        return result.structured_content or {}, text

    plan, _ = await call("plan", paths=["src"], query="greet", budget=300)
    judge.must(plan["tokens"]["count"] <= 300 and plan["items"], "plan within its budget")
    built, text = await call("build", paths=["src"])
    judge.must("def greet" in built["document"] and "def greet" in text and built["next_offset"] is None, "build shows the file")
    judge.must(built["path"] is None, "build writes nothing by itself")
    first, _ = await call("build", paths=["many/0/*"])
    second, _ = await call("build", paths=["many/0/*"], offset=first["next_offset"])
    judge.must(first["document"] and second["document"] and first["document"] != second["document"], "pages go on")
    read, _ = await call("read", path="src/greet.py", view="outline")
    judge.must("greet" in read["text"] and read["view"] == "outline", "read shows an outline")
    lines, _ = await call("read", path="src/greet.py", lines="4-4")
    judge.must(lines["text"] == "def greet(name):\n", f"lines are {lines['text']!r}")
    found, _ = await call("search", query="greet hello", include=["src/"])
    judge.must(found["passages"] and found["passages"][0]["path"] == "src/greet.py", f"search found {found.get('passages')}")
    counted, _ = await call("tokens", paths=["src"])
    judge.must(counted["tokens"]["count"] > 0 and len(counted["files"]) == 2, "tokens of two files")
    why, _ = await call("why", path=".env")
    judge.must(why["shown"] is False, "why says what is left out")
    node, _ = await call("loom_append", text="A question", author_type="human")
    judge.must(node["node"]["author_type"] == "human", "a node is added")
    path, _ = await call("loom_path")
    judge.must(path["messages"][-1]["content"].endswith("A question"), f"the path ends with it: {path.get('messages')}")
    for name, arguments in [("read", {"path": "missing.py"}), ("read", {"path": "../project/../x"}), ("read", {"path": ".env"}),
                            ("read", {"paht": "x"}), ("plan", {"budget": "many"}), ("search", {})]:
        result = await client.call_tool(name, arguments)
        judge.must(result.is_error and "canary" not in result.content[0].text, f"{name} {arguments} is an error of the tool")
    try:
        await client.call_tool("no_such_tool", {})
        judge.must(False, "an unknown tool is refused")
    except MCPError as error:
        judge.must(error.error.code == -32602, f"unknown tool: {error.error.code}")
    return node


async def reads(judge, client, node):
    async def read(uri):
        return (await client.read_resource(uri)).contents[0].text

    judge.must("def greet" in await read("contexture://file/src/greet.py"), "a file is read")
    judge.must("VALUE" in await read("contexture://file/src%2Fna%C3%AFve%20file.py"), "a name with escapes is read")
    judge.must("L4" in await read("contexture://file/src/greet.py?view=outline"), "a view is read")
    judge.must("def greet" in await read("contexture://preset/code"), "a preset is read")
    record = json.loads(await read(f"contexture://loom/{node['tree']['local']}/{node['node']['local']}"))
    judge.must(record["node"]["text"] == "A question", "a node is read")
    for uri in ["contexture://file/missing.py", "contexture://file/..%2F..%2Fetc%2Fpasswd", "contexture://file/%2Fetc%2Fpasswd",
                "contexture://file/.env", "contexture://preset/none", "contexture://loom/x/y", "other://x", "file:///etc/passwd"]:
        try:
            text = await read(uri)
            judge.must(False, f"{uri} is refused, not {text[:80]!r}")
        except MCPError as error:
            judge.must(error.error.code == -32602, f"{uri}: {error.error.code}")
    prompt = await client.get_prompt("code")
    judge.must("def greet" in prompt.messages[0].content.text, "a prompt is the document")


async def completes(judge, client, node):
    async def complete(uri, name, value, context=None):
        reference = {"type": "ref/resource", "uri": uri}
        from mcp.types import ResourceTemplateReference
        result = await client.complete(ResourceTemplateReference(**reference), {"name": name, "value": value}, context_arguments=context)
        return result.completion

    files = "contexture://file/{path}{?view}"
    judge.must((await complete(files, "path", "src/gr")).values == ["src/greet.py"], "paths complete")
    many = await complete(files, "path", "many/")
    judge.must(len(many.values) == 100 and many.has_more and many.total == 1500, "at most a hundred values")
    judge.must("outline" in (await complete(files, "view", "out")).values, "views complete")
    judge.must((await complete("contexture://preset/{name}", "name", "")).values == ["about", "code"], "presets complete")
    tree = node["tree"]["local"]
    loom = "contexture://loom/{tree}/{node}"
    judge.must(tree in (await complete(loom, "tree", "")).values, "trees complete")
    judge.must(node["node"]["local"] in (await complete(loom, "node", "", {"tree": tree})).values, "nodes complete")


async def waits(judge, client):
    told = []

    async def progress(done, total, message):
        told.append((time.monotonic(), done))

    result = await client.call_tool("tokens", {"paths": ["many"]}, progress_callback=progress)
    judge.must(not result.is_error, "tokens of many files")
    await anyio.sleep(0.3)
    after = len(told)
    judge.must(told and all(a[1] < b[1] for a, b in zip(told, told[1:])), f"progress rises: {[done for _, done in told]}")
    judge.must(len(told) <= 2 + 10 * (told[-1][0] - told[0][0]), "at most ten a second")
    await anyio.sleep(0.3)
    judge.must(len(told) == after, "nothing is told when it is over")
    begun = time.monotonic()
    with anyio.move_on_after(0.25):
        await client.call_tool("tokens", {"paths": ["many"]})
        judge.must(False, "there was time to cancel")
    judge.must(time.monotonic() - begun < 2, "a cancelled call is given up")
    begun = time.monotonic()
    result = await client.call_tool("read", {"path": "src/greet.py"})
    judge.must(not result.is_error and time.monotonic() - begun < 5, "the server goes on after a cancellation")


async def judged(name, server, mode, version):
    judge = Judge(name)
    async with Client(server, mode=mode, read_timeout_seconds=120) as client:
        judge.must(client.protocol_version == version, f"protocol is {client.protocol_version}")
        await lists(judge, client)
        node = await calls(judge, client)
        await reads(judge, client, node)
        await completes(judge, client, node)
        await waits(judge, client)
    print(f"{name}: {'ok' if not judge.wrong else 'WRONG'}")
    return judge.wrong


def refusals(url, token):
    """Names and pages of others, and wrong tokens, get nothing."""
    wrong, asked = [], 0
    port = url.split(":")[2].split("/")[0]
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}).encode()
    own = [f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"]
    hosts = own + ["evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", f"localhost.evil:{port}", f"0.0.0.0:{port}",
                   f"127.0.0.1.evil:{port}", f"[::ffff:127.0.0.1]:{port}", f"2130706433:{port}"]
    origins = [None, f"http://127.0.0.1:{port}", f"http://localhost:{port}", "http://evil.example", "null", f"https://127.0.0.1:{port}",
               "http://127.0.0.1:1", f"http://localhost.evil:{port}", "http://127.0.0.1", "file://"]
    tokens = [f"Bearer {token}", None, "Bearer ", "Bearer x", f"bearer{token}", f"Bearer {token[:-1]}", f"Bearer {token}0", f"Basic {token}"]
    for host in hosts:
        for origin in origins:
            for auth in tokens:
                for method in ("POST", "GET", "DELETE", "OPTIONS"):
                    headers = {"Host": host, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
                    headers |= {"Origin": origin} if origin else {}
                    headers |= {"Authorization": auth} if auth else {}
                    data = body if method == "POST" else None
                    good = host in own and origin in origins[:3] and auth == tokens[0] and method == "POST"
                    try:
                        request = urllib.request.Request(url, data=data, headers=headers, method=method)
                        status = urllib.request.urlopen(request, timeout=10).status
                    except urllib.error.HTTPError as error:
                        status = error.code
                        if "access-control-allow-origin" in {key.lower() for key in error.headers}:
                            wrong.append(f"http: {host} {origin}: CORS")
                    asked += 1
                    if good != (status < 300):
                        wrong.append(f"http: {method} {host} {origin} {auth and auth[:12]}: {status}")
    print(f"http: {asked} requests of others and ours: {'ok' if not wrong else 'WRONG'}")
    return wrong


async def main(program):
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        root = project(folder)
        env = {"PATH": os.environ["PATH"], "HOME": str(folder),
               **{f"CONTEXTURE_{kind}_DIR": str(folder / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA")}}
        subprocess.run([program, "loom", "new", "Talk"], cwd=root, env=env, check=True, capture_output=True)
        words = ["mcp", "--no-cache", "--allow-write", "--root", str(root)]
        generations = [("auto", "2026-07-28"), ("legacy", "2025-11-25")]
        for mode, version in generations:
            server = StdioServerParameters(command=program, args=words, env=env, cwd=root)
            wrong += await judged(f"stdio, {mode}", server, mode, version)
        http = subprocess.Popen([program, *words, "--http"], cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            url = http.stderr.readline().strip()
            token = http.stderr.readline().strip().removeprefix("token: ")
            for mode, version in generations:
                async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=120) as carrier:
                    wrong += await judged(f"http, {mode}", streamable_http_client(url, http_client=carrier), mode, version)
            wrong += refusals(url, token)
        finally:
            http.terminate()
            out, _ = http.communicate(timeout=20)
            if out:
                wrong.append(f"http: standard output has {out[:80]!r}")
    for line in wrong[:20]:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(os.path.abspath(sys.argv[1]))))
