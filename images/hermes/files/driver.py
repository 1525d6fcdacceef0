"""Serves Hermes-Agent to the benchmark runner: HTTP/1.1 on a Unix socket.

    GET  /ready                      200 once an agent can be built without further imports
    POST /turn {"session", "text"}   one user turn; 200 only with a real answer of the model
    GET  /settled                    how many background writers are still alive

One process for a chat, because Hermes reviews each turn in a daemon thread that would
die with a process per turn. An agent is built at the first turn of its session, not
earlier: it reads the notes when it is built, and they are put in after the boot.
"""

import importlib
import json
import os
import socketserver
import sys
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler

SOCKET_PATH = "/run/pasb/agent.sock"
BACKGROUND_WRITERS = ("bg-review", "auto-title")
# What Hermes would import at the first turn, at the price of another boot.
FIRST_TURN_MODULES = (
    "agent.agent_init", "agent.background_review", "agent.conversation_loop",
    "agent.turn_finalizer", "openai.resources.chat.completions")
# The longest that a turn waits for the review of the turn before it.
REVIEW_WAIT_S = 120
# How a turn may end for its text to be the model's own. The second one is an answer that
# the model gave beside its tool calls, before falling silent.
ANSWERED = ("text_response(", "fallback_prior_turn_content")


class TurnFailed(Exception):
    pass


def background_writers():
    return [t for t in threading.enumerate() if t.name in BACKGROUND_WRITERS]


def wait_for_background(seconds):
    """Waits until no background writer lives, at most so long. Returns how long it took."""
    started = time.monotonic()
    for thread in background_writers():
        thread.join(max(0.0, started + seconds - time.monotonic()))
    return time.monotonic() - started


class Chats:
    """The live agents, by session name. Builds one as the command line would."""

    def __init__(self):
        from hermes_cli.config import load_config
        from hermes_cli.runtime_provider import resolve_runtime_provider
        from hermes_cli.tools_config import _get_platform_tools
        from hermes_constants import resolve_reasoning_config
        from hermes_state import SessionDB
        from run_agent import AIAgent
        import model_tools

        for module in FIRST_TURN_MODULES:
            importlib.import_module(module)

        config = load_config()
        self._agent_class = AIAgent
        self._session_db_class = SessionDB
        self._session_db = None
        self._model = config["model"]["default"]
        self._runtime = resolve_runtime_provider(target_model=self._model)
        self._toolsets = sorted(_get_platform_tools(config, "cli"))
        self._disabled_toolsets = config["agent"].get("disabled_toolsets") or []
        self._max_iterations = config["agent"].get("max_turns") or 90
        self._reasoning = resolve_reasoning_config(config, self._model)
        # Imports every tool's module.
        model_tools.get_tool_definitions(enabled_toolsets=self._toolsets, quiet_mode=True)
        self._chats = {}

    def _open(self, session):
        if self._session_db is None:
            self._session_db = self._session_db_class()
        agent = self._agent_class(
            model=self._model,
            api_key=self._runtime["api_key"],
            base_url=self._runtime["base_url"],
            provider=self._runtime["provider"],
            api_mode=self._runtime["api_mode"],
            enabled_toolsets=self._toolsets,
            disabled_toolsets=self._disabled_toolsets,
            max_iterations=self._max_iterations,
            reasoning_config=self._reasoning,
            quiet_mode=True,
            platform="cli",
            session_id=session,
            session_db=self._session_db,
        )
        agent.suppress_status_output = True
        # As `--resume` does: a session that the store knows goes on where it stopped.
        history = []
        if self._session_db.get_session(session):
            history = self._session_db.get_messages_as_conversation(
                session, repair_alternation=True)
        return [agent, history]

    def turn(self, session, text):
        chat = self._chats.get(session)
        if chat is None:
            chat = self._chats[session] = self._open(session)
        agent, history = chat
        result = agent.run_conversation(user_message=text, conversation_history=history)
        chat[1] = result.get("messages") or history
        reply = result.get("final_response") or ""
        reason = str(result.get("turn_exit_reason") or "unknown")
        # Hermes puts its own error texts where answers go, so every other sign must agree.
        bad = [key for key in ("failed", "partial", "interrupted") if result.get(key)]
        if bad or not result.get("completed") or not reason.startswith(ANSWERED) \
                or not reply.strip():
            raise TurnFailed(result.get("error")
                             or f"no answer: {', '.join(bad) or reason}: {reply[:500]}")
        return {"reply": reply, "api_calls": result.get("api_calls", 0), "exit": reason}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    turn_lock = threading.Lock()
    chats = None

    def do_GET(self):
        if self.path == "/ready":
            self._send(200, {"ready": True})
        elif self.path == "/settled":
            self._send(200, {"pending": len(background_writers())})
        else:
            self._send(404, {"error": "no such path"})

    def do_POST(self):
        try:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
            session, text = request["session"], request["text"]
            if not (isinstance(session, str) and session and isinstance(text, str) and text):
                raise ValueError("session and text must be strings that are not empty")
        except (ValueError, KeyError, TypeError) as error:
            self.close_connection = True  # what is left of the body cannot be trusted
            return self._send(400, {"error": f"bad request: {error!r}"})
        if self.path != "/turn":
            return self._send(404, {"error": "no such path"})
        with self.turn_lock:
            # A person reads and types for longer than a review takes. Without the wait it
            # would depend on the machine's speed which notes a turn finds.
            waited = wait_for_background(REVIEW_WAIT_S)
            overlapped = len(background_writers())
            started = time.monotonic()
            try:
                answer = self.chats.turn(session, text)
                answer.update(seconds=round(time.monotonic() - started, 3),
                              waited_s=round(waited, 3), overlapped_reviews=overlapped)
                status = 200
            except TurnFailed as error:
                status, answer = 502, {"error": str(error)}
            except Exception as error:
                traceback.print_exc()
                status, answer = 500, {"error": repr(error)}
        self._send(status, answer)

    def _send(self, status, content):
        # ASCII escapes carry a lone surrogate too, which UTF-8 would refuse.
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "runner"  # a Unix socket's peer has no address

    def log_message(self, *_):
        pass  # the runner keeps its own record of requests


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 16


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else SOCKET_PATH
    Handler.chats = Chats()
    if os.path.exists(path):
        os.unlink(path)
    # Bound only now, so that an accepted connection means readiness.
    os.umask(0o077)
    with Server(path, Handler) as server:
        os.chmod(path, 0o666)
        server.serve_forever()


if __name__ == "__main__":
    main()
