"""Judges `contexture send` by a server that nobody here wrote: the proxy of LiteLLM, with answers of its own.

Takes the program; exits with 1 when an answer, an error or a record is not what it must be. Everything happens in a folder that is
thrown away, on a port that is free.
"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ANSWER = 'It prints "numbers" 数字 — and stops.'
KEY = "sk-peer-0123456789abcdef"
CONFIG = {
    "model_list": [
        {"model_name": "peer", "litellm_params": {"model": "openai/peer", "api_key": "none", "mock_response": ANSWER}},
    ],
    "general_settings": {"master_key": KEY},
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def started(folder, port):
    config = folder / "config.yaml"
    # JSON is YAML.
    config.write_text(json.dumps(CONFIG))
    program = pathlib.Path(sys.executable).parent / "litellm"
    log = open(folder / "proxy.log", "w", encoding="utf-8")
    env = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    words = [sys.executable, program, "--config", config, "--host", "127.0.0.1", "--port", str(port), "--telemetry", "False"]
    proxy = subprocess.Popen(words, cwd=folder, env=env, stdout=log, stderr=subprocess.STDOUT)
    until = time.monotonic() + 120
    while time.monotonic() < until and proxy.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=2).close()
            return proxy
        except OSError:
            time.sleep(0.3)
    proxy.kill()
    print((folder / "proxy.log").read_text()[-2000:])
    raise SystemExit("the proxy did not start")


def main(program):
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        project = folder / "project"
        project.mkdir()
        (project / "main.py").write_text('print("numbers")\n')
        port = free_port()
        proxy = started(folder, port)
        env = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "PEER_KEY": KEY, "WRONG_KEY": "sk-wrong-0123456789",
            **{f"CONTEXTURE_{kind}_DIR": str(folder / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA")},
        }

        def send(provider, *words, key="PEER_KEY"):
            version = "" if provider in ("anthropic", "minimax") else "/v1"
            base = ["--base-url", f"http://127.0.0.1:{port}{version}", "--key-env", key, "--timeout", "60"]
            call = [program, "-vvv", "send", "--provider", provider, "--model", "peer", *base, "-m", "What?", *words]
            return subprocess.run(call, cwd=project, env=env, capture_output=True, text=True, timeout=120)

        try:
            for provider in ("anthropic", "openai", "deepseek", "minimax"):
                plain = send(provider)
                if plain.returncode != 0 or plain.stdout != ANSWER + "\n":
                    wrong.append(f"{provider}: {plain.returncode} {plain.stdout!r} {plain.stderr[-800:]}")
                events = [json.loads(line) for line in send(provider, "--json").stdout.splitlines()]
                said = "".join(event["text"] for event in events if event["event"] == "text")
                done = events[-1]
                if said != ANSWER or done["event"] != "done" or done["answer"] != ANSWER or not done["usage"]["input"]:
                    wrong.append(f"{provider}: {events[-1]}")
                refused = send(provider, key="WRONG_KEY")
                if refused.returncode != 7 or refused.stdout:
                    wrong.append(f"{provider}: a wrong key: {refused.returncode} {refused.stderr[-400:]}")
                for told in (plain, refused):
                    if KEY in told.stderr or "sk-wrong-0123456789" in told.stderr:
                        wrong.append(f"{provider}: a key is told")
            runs = json.loads(subprocess.run([program, "--json", "runs"], cwd=project, env=env, capture_output=True, check=True).stdout)
            sent = [run for run in runs["runs"] if run.get("sent")]
            if len(sent) != 12 or sum(1 for run in sent if run["sent"]["error"]) != 4:
                wrong.append(f"runs: {len(sent)} recorded")
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.parent.name in ("data", "cache", "config") and KEY.encode() in path.read_bytes():
                    wrong.append(f"a key is kept in {path.name}")
        finally:
            proxy.terminate()
            proxy.wait()
    for line in wrong:
        print(line)
    print(f"asked through LiteLLM's proxy: 4 APIs; {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
