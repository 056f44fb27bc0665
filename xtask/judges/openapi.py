"""Judges `contexture serve` by Schemathesis: every operation of the server's own list, asked with what the list allows and with what it does not.

Takes the program; exits with 1 when an answer is a server error, has a status or a type that the list does not name, or is given to
somebody without a token, and when the server does not live through it. Everything happens in a folder that is thrown away.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

# Each operation is asked some hundred times by the list's own examples and limits; beyond that, chance has this many tries.
EXAMPLES = 25
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method,ignored_auth"
# Questions to models go to a port of this machine where nobody listens, whatever address was thought up.
HOOKS = '''
import schemathesis

@schemathesis.hook
def before_call(context, case, kwargs):
    if isinstance(case.body, dict) and isinstance(case.body.get("base_url"), str):
        case.body["base_url"] = "http://127.0.0.1:9"
'''
CONFIG = """
[presets.code]
description = "The sources"
files = ["src/*.py"]

[personas.critic]
system_prompt = "Say what is wrong."
tier = 2
"""


def project(folder):
    root = folder / "project"
    (root / "src").mkdir(parents=True)
    (root / "README.md").write_text("# Small\n\nA project to look at.\n")
    (root / "src/greet.py").write_text('"""Greets."""\n\n\ndef greet(name):\n    """Says hello."""\n    return f"hello {name}"\n')
    (root / "table.csv").write_text("name,age\nada,36\n")
    (root / "contexture.toml").write_text(CONFIG)
    return root


def judge(program, folder):
    own = {name: str(folder / name.lower()) for name in ("CONTEXTURE_CONFIG_DIR", "CONTEXTURE_CACHE_DIR", "CONTEXTURE_DATA_DIR")}
    for path in own.values():
        os.mkdir(path)
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), **own}
    said = open(folder / "said", "w+")
    server = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0"], cwd=project(folder), env=env, stdout=subprocess.PIPE, stderr=said, text=True)
    try:
        base, token = server.stdout.readline().strip().split("/?token=")
        token = f"Authorization: Bearer {token}"
        (folder / "hooks.py").write_text(HOOKS)
        words = [
            pathlib.Path(sys.executable).with_name("schemathesis"), "run", f"{base}/openapi.json",
            "--header", token, "--checks", CHECKS, "--max-examples", str(EXAMPLES), "--seed", "8",
            # Events have no end.
            "--exclude-path", "/api/events", "--phases", "examples,coverage,fuzzing", "--continue-on-failure",
            "--suppress-health-check", "all", "--warnings", "off", "--request-timeout", "60", "--no-color",
        ]
        asked = subprocess.run(words, cwd=folder, env={**env, "PYTHONPATH": str(folder), "SCHEMATHESIS_HOOKS": "hooks"})
        wrong = [] if asked.returncode == 0 else ["Schemathesis found fault"]
        request = urllib.request.Request(f"{base}/api/project", headers=dict([token.split(": ")]))
        if urllib.request.urlopen(request).status != 200:
            wrong.append("the server does not answer any more")
    finally:
        server.kill()
        server.wait()
    said.seek(0)
    panics = [line for line in said if "panicked" in line]
    return wrong + panics


def main():
    with tempfile.TemporaryDirectory() as folder:
        wrong = judge(sys.argv[1], pathlib.Path(folder))
    for line in wrong:
        print(f"wrong: {line.strip()}")
    return 1 if wrong else 0


sys.exit(main())
