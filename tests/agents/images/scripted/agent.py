"""A tiny agent with notes, for tests: an HTTP server on the control socket, one tool (save_note), and ways to misbehave on purpose.

SCRIPTED_MODE picks the misbehaviour; without one it is a well-behaved agent. Not a framework that anybody should use.
"""
import http.server
import json
import os
import pathlib
import socketserver
import subprocess
import sys
import time
import urllib.error
import urllib.request

import looking_around

HOME = pathlib.Path.home()
NOTES = HOME / "notes"
HISTORY = HOME / ".scripted" / "history"
MODEL = "http://127.0.0.1:9100/v1/chat/completions"
MODE = os.environ.get("SCRIPTED_MODE", "")

SAVE_NOTE = {
    "type": "function",
    "function": {
        "name": "save_note",
        "description": "Saves a note that later chats can read. file is USER.md, MEMORY.md or skills/<name>/SKILL.md.",
        "parameters": {
            "type": "object",
            "properties": {"file": {"type": "string"}, "text": {"type": "string"}},
            "required": ["file", "text"],
        },
    },
}


def system_prompt():
    parts = ["You are a scripted test agent. You keep notes between chats with save_note."]
    for path in sorted(NOTES.rglob("*.md")):
        name = os.fsencode(path.relative_to(NOTES)).decode(errors="replace")
        parts.append(f"## Note {name}\n{path.read_text(errors='replace')}")
    if MODE == "litters":
        # What crossed and what did not can so be read from the requests.
        parts.append("Home: " + ascii(sorted(str(path.relative_to(HOME)) for path in HOME.rglob("*"))))
    return "\n\n".join(parts)


def save_note(arguments):
    target = (NOTES / arguments["file"]).resolve()
    if not target.is_relative_to(NOTES):
        return {"success": False, "error": "outside the notes"}
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("a") as file:
        file.write(arguments["text"].rstrip("\n") + "\n")
    return {"success": True}


def ask_model(messages):
    body = {"model": "pasb-model", "messages": messages, "tools": [SAVE_NOTE]}
    request = urllib.request.Request(MODEL, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as response:
        return json.load(response)["choices"][0]["message"]


class Chats:
    """Sessions by name. A session whose history file exists is resumed: the leak that a broken adapter lets through."""

    def __init__(self):
        self.sessions = {}

    def turn(self, name, text):
        messages = self.sessions.setdefault(name, self.load(name))
        if MODE == "forgets":
            messages[:] = messages[:1]
        messages.append({"role": "user", "content": text})
        for _ in range(8):
            answer = ask_model(messages)
            messages.append(answer)
            calls = answer.get("tool_calls") or []
            if not calls:
                self.store(name, messages)
                return answer.get("content") or ""
            for call in calls:
                result = save_note(json.loads(call["function"]["arguments"]))
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(result)})
        return ""

    @staticmethod
    def load(name):
        file = HISTORY / (name + ".jsonl")
        if file.exists():
            return [json.loads(line) for line in file.read_text().splitlines()]
        return [{"role": "system", "content": system_prompt()}]

    @staticmethod
    def store(name, messages):
        HISTORY.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(message) for message in messages]
        (HISTORY / (name + ".jsonl")).write_text("\n".join(lines) + "\n")


def misbehave(turn):
    """What the mode does at the beginning of a turn; a text is the answer in place of the model's."""
    if MODE == "dies" and turn == 3:
        os._exit(7)
    if MODE == "empty" and turn == 3:
        return " \n"
    if MODE == "invents" and turn == 2:
        return "An answer that no model gave, although it sounds like one."
    if MODE == "litters" and turn == 2:
        (HOME / "stray file\n\x1b[31m").write_text("no rule names this path")
        os.symlink("/etc/passwd", HOME / "notes" / "link.md")
        with open(os.fsencode(str(HOME)) + b"/notes/caf\xe9.md", "w") as file:
            file.write("a name that is not UTF-8\n")
    if MODE == "bombs" and turn == 2:
        subprocess.Popen(["/bin/sh", "-c", "f() { f | f & }; f"], stderr=subprocess.DEVNULL)
        time.sleep(2)
    if MODE == "hogs" and turn == 2:
        subprocess.run([sys.executable, "-c", "x = []\nwhile True: x.append(bytearray(1 << 26))"], check=False)
    if MODE == "looks" and turn == 2:
        report = json.dumps(looking_around.report(), indent=1, sort_keys=True)
        (NOTES / "looks.md").write_text(report)
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    chats = Chats()
    turns = 0

    def address_string(self):
        return "control"

    def log_message(self, *_):
        pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(200 if self.path == "/ready" else 404, {})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Handler.turns += 1
        reply = misbehave(Handler.turns)
        if reply is not None:
            self.answer(200, {"reply": reply})
            return
        try:
            self.answer(200, {"reply": self.chats.turn(request["session"], request["text"])})
        except (urllib.error.URLError, OSError, KeyError) as error:
            self.answer(502, {"error": str(error)})


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


if __name__ == "__main__":
    if MODE == "never-ready":
        time.sleep(3600)
    path = "/run/pasb/agent.sock"
    server = Server(path, Handler)
    os.chmod(path, 0o666)
    server.serve_forever()
