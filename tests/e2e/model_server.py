"""A model endpoint on a Unix socket that answers every question at once with the same sentence, streamed or not. For the bench."""
import http.server
import json
import os
import socketserver
import threading

# process_per_turn.py looks for its words.
ANSWER = "That sounds like a fine plan; take your time with it."


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "agent"

    def log_message(self, *_):
        pass

    def send(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send("application/json", json.dumps({"object": "list", "data": [{"id": "pasb-model", "object": "model"}]}).encode())

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        head = {"id": "chatcmpl-1", "created": 0, "model": request.get("model", "pasb-model")}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if not request.get("stream"):
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": ANSWER}}
            return self.send("application/json", json.dumps({**head, "object": "chat.completion", "choices": [choice], "usage": usage}).encode())
        events = [{"index": 0, "delta": {"role": "assistant", "content": ANSWER}, "finish_reason": None},
                  {"index": 0, "delta": {}, "finish_reason": "stop"}]
        chunks = [{**head, "object": "chat.completion.chunk", "choices": [event]} for event in events]
        chunks.append({**head, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
        return self.send("text/event-stream", text.encode())


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


def serve(path):
    server = Server(path, Handler)
    os.chmod(path, 0o666)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
