"""Agents that misbehave, and what one sees from inside its container."""
import base64
import http.server
import json
import secrets
import threading

import harness
from harness import WORK, case, evaluate, name_of

ODD_NAME = b"stray file\n\x1b[31m"
NOT_UTF8 = b"notes/caf\xe9.md"


def by_framework(records):
    grouped = {}
    for record in records:
        grouped.setdefault(record["framework"], []).append(record)
    return grouped


def path_of(entry):
    return base64.b64decode(entry["path_base64"]) if "path_base64" in entry else entry["path"].encode()


@case
def misbehaviour(found):
    """Each kind of failure gets its own reason, and every attempt is kept."""
    wanted = {  # reason, attempts
        "scripted": ("", 1), "scripted-litters": ("", 1), "scripted-dies": ("turn-failed", 2), "scripted-empty": ("empty-answer", 2),
        "scripted-invents": ("answer-not-from-model", 2), "scripted-forgets": ("continuity-broken", 1),
        "scripted-never-ready": ("agent-not-ready", 2),
    }
    result = evaluate(WORK / "misbehaviour", list(wanted), "sim:adopter", 1, jobs=4, attempts=2)
    found.equal(result.code, 3, f"exit code ({harness.last_line(result)})")
    grouped = by_framework(result.records)
    for framework, (reason, attempts) in wanted.items():
        records = grouped.get(framework, [])
        found.equal([record["attempt"] for record in records], list(range(1, attempts + 1)), f"{framework}: attempts")
        for record in records:
            found.equal(record["invalid_reason"], reason, f"{name_of(record)}: reason ({record['invalid_detail'][:200]})")
            found.equal(record["valid"], reason == "", f"{name_of(record)}: valid")
            found.check(record["valid"] or record["invalid_detail"], f"{name_of(record)}: no detail beside the reason")
            found.equal(record["exchanges"]["count"] > 0, framework != "scripted-never-ready", f"{name_of(record)}: has exchanges")
    for record in grouped.get("scripted-litters", []):
        check_litter(found, record)


def check_litter(found, record):
    strays = [path_of(entry) for entry in record["unclassified"]]
    found.equal(strays, [ODD_NAME], "litters: unclassified paths")
    notes = {path_of(note): note for note in record["notes"]}
    found.check(NOT_UTF8 in notes, f"litters: the name that is not UTF-8 is not among the notes {list(notes)}")
    found.check(any("link.md" in warning for warning in record["warnings"]), f"litters: no warning of the link: {record['warnings']}")
    asked = [exchange["request"] for exchange in harness.exchanges(WORK / "misbehaviour", record) if exchange["chat"] == "follow-up"]
    seen = json.dumps(asked[:1])
    if found.check("Home: " in seen, f"litters: no view of the second home in its first request: {seen[:200]}"):
        found.check("stray" not in seen and "link.md" not in seen, "litters: the stray file or the link crossed")
        found.check("udce9" in seen, "litters: the note whose name is not UTF-8 did not cross")


@case
def bombs_and_hogs(found):
    """A fork bomb and a memory hog beside an honest run, which must not notice."""
    result = evaluate(WORK / "bombs", ["scripted-bombs", "scripted-hogs", "scripted"], "sim:adopter", 1, jobs=3, attempts=1)
    grouped = by_framework(result.records)
    found.equal(sorted(grouped), ["scripted", "scripted-bombs", "scripted-hogs"], "frameworks with a record")
    for record in grouped.get("scripted", []):
        found.check(record["valid"], f"the honest run was harmed: {record['invalid_reason']}: {record['invalid_detail'][:200]}")
    limit = 3 << 30
    for record in result.records:
        peaks = [usage["peak_memory_bytes"] for usage in record["times"].get("containers", {}).values()]
        found.check(all(peak <= limit for peak in peaks), f"{name_of(record)}: peak memory {peaks} beyond its limit")
        found.remark(f"{record['framework']}: {record['invalid_reason'] or 'valid'}")


class Upstream(http.server.BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint that remembers what it was asked with."""
    protocol_version = "HTTP/1.1"
    keys, paths, bodies = [], [], []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.keys.append(self.headers.get("Authorization"))
        self.paths.append(self.path)
        self.bodies.append(body)
        said = f"I have read message {len(body['messages'])} and have a view of my own on it."
        answer = json.dumps({"id": "x", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@case
def isolation(found):
    """An agent looks for ways out and for the planted key while a real upstream, one that needs the key, answers it."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    key = "sk-planted-secret-" + secrets.token_hex(12)
    address = f"http://127.0.0.1:{server.server_port}/planted-upstream/v1"
    try:
        result = evaluate(WORK / "isolation", ["scripted-looks"], "some-model", 1,
                          env={"OPENAI_API_KEY": key, "OPENAI_BASE_URL": address, "HTTP_PROXY": "http://planted-upstream:1"})
    finally:
        server.shutdown()
    found.equal(result.code, 0, f"exit code ({harness.last_line(result)})")
    found.equal(set(Upstream.keys), {f"Bearer {key}"}, "keys that the upstream saw")
    found.equal(set(Upstream.paths), {"/planted-upstream/v1/chat/completions"}, "paths that the upstream saw")
    found.equal({(body["model"], body.get("temperature")) for body in Upstream.bodies}, {("some-model", 0)}, "model and temperature")
    for file in (WORK / "isolation").rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        found.check(key.encode() not in content, f"{file.name} holds the key")
    found.check(key not in result.err + result.out, "the key was printed")
    for record in result.records:
        found.equal(record["simulated"], False, "simulated")
        found.check(key not in json.dumps([record, harness.exchanges(WORK / "isolation", record)]), "the record or its exchanges hold the key")
        looks = [note["text"] for note in record["notes"] if note["path"] == "notes/looks.md"]
        if found.equal(len(looks), 1, f"reports of the agent ({record['invalid_reason']}: {record['invalid_detail'][:300]})"):
            check_looks(found, json.loads(looks[0]))
        check_limits(found, record)


def check_looks(found, seen):
    for way, outcome in seen["ways_out"].items():
        found.check(outcome != "ok", f"a way out: {way}")
    found.equal(seen["interfaces"], ["lo"], "interfaces")
    found.equal(seen["routes"], 0, "routes")
    found.equal(seen["secrets"]["found"], [], "secrets")
    found.check(seen["secrets"]["looked_at"] > 1000, f"only {seen['secrets']['looked_at']} files were looked at")
    wrote = [place for place, outcome in seen["writable"].items() if outcome == "ok"]
    found.equal(wrote, [], "places that it could write to")
    found.equal(set(seen["writable_folders"]) - {"/tmp", "/var/tmp", "/run/lock", "/dev/shm", "/dev/mqueue"}, set(), "folders that it could write to")
    privileges = seen["privileges"]
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        found.equal(privileges[name], "0" * 16, name)
    found.equal(privileges["NoNewPrivs"], "1", "NoNewPrivs")
    found.equal(privileges["Seccomp"], "2", "Seccomp")
    found.equal(privileges["Uid"], "10001 10001 10001 10001", "Uid")
    found.equal(privileges["Gid"], "10001 10001 10001 10001", "Gid")
    for name in ("setuid", "mount", "mknod"):
        found.check(privileges[name] != "ok", f"{name} was allowed")
    if privileges["user_namespace"] == "ok":
        found.remark("the engine's seccomp profile lets the agent make user namespaces")
    found.equal(seen["tmp"]["error"], "ENOSPC", "filling /tmp")
    found.check(seen["tmp"]["bytes"] <= 256 << 20, f"/tmp took {seen['tmp']['bytes']} bytes")
    found.equal(seen["disks"], [], "block devices")
    found.equal(seen["run_pasb"], ["agent.sock", "model.sock"], "files in /run/pasb")
    found.check(seen["file_limit"] <= 1 << 30, f"a file may have {seen['file_limit']} bytes")
    strange = [name for name in seen["environment"] if "PROXY" in name.upper() or "KEY" in name or "OPENAI" in name or "PASB" in name]
    found.equal(strange, [], "variables that should not be there")


def check_limits(found, record):
    """What is not in force is named in the warnings; nothing is silent."""
    for container in ("first", "second"):
        for name, limit in record["limits"].get(container, {}).items():
            named = any(warning.startswith(("limit-not-in-force: " + name, "limit-not-available: " + name)) for warning in record["warnings"])
            found.check(limit["ok"] or named, f"{container}: limit {name} is not in force and no warning says so: {limit}")
        found.check(record["limits"].get(container), f"no limits read back from the {container} container")
