"""Every record that these tests made: the keys that issue 2 asks for, and files that are what the record says."""
import gzip
import json
import pathlib

import harness
from harness import WORK, case, evaluate, name_of, sha256

KEYS = {
    "schema", "run_id", "task_id", "base_item_id", "family", "scenario", "delivery", "framework", "framework_version", "model", "simulated",
    "arm", "attempt", "image", "valid", "invalid_reason", "first_chat", "follow_up", "flush", "notes", "other_changes", "unclassified",
    "saved", "destination", "write_attempts", "continuity", "cut", "shown", "tools_sha256", "limits", "usage", "times", "warnings",
}
INNER = {
    "image": {"id", "baseline"}, "flush": {"policy", "waited_s", "settled"}, "continuity": {"first_chat", "follow_up"},
    "cut": {"proven", "crossed", "requests_checked", "foreign_spans"}, "shown": {"automatic", "by_tool"},
    "exchanges": {"file", "sha256", "count"},
}
OF_EACH = {
    "first_chat": {"turn", "user", "agent", "seconds", "model_calls"}, "follow_up": {"turn", "user", "agent", "seconds", "model_calls"},
    "notes": {"path", "kind", "change", "sha256", "text", "holds_claim", "score", "span"}, "write_attempts": {"turn", "tool", "ok"},
    "other_changes": {"path", "kind", "change"}, "unclassified": {"path", "change"},
}


@case
def schema(found):
    if not any(harness.records(out) for out in harness.EVALS):
        evaluate(WORK / "schema", ["scripted"], "sim:adopter", 1)
    checked = 0
    for out in harness.EVALS:
        ids = set()
        for record in harness.records(out):
            check_record(found, record)
            check_files(found, out, record)
            found.check((record["run_id"], record["attempt"]) not in ids, f"{name_of(record)} stands twice in {out.name}")
            ids.add((record["run_id"], record["attempt"]))
            checked += 1
    found.remark(f"{checked} records")


def check_record(found, record):
    name = name_of(record)
    found.equal(record["schema"], "pasb.record/1", f"{name}: schema")
    found.equal(KEYS - record.keys(), set(), f"{name}: keys that are missing")
    for key, wanted in INNER.items():
        found.equal(wanted - record.get(key, {}).keys(), set(), f"{name}: keys that {key} lacks")
    for key, wanted in OF_EACH.items():
        for entry in record.get(key, []):
            found.equal(wanted - entry.keys(), set(), f"{name}: keys that an entry of {key} lacks")
    if record["valid"]:
        found.equal((len(record["first_chat"]), len(record["follow_up"])), (5, 3), f"{name}: turns")
        for turn in record["first_chat"] + record["follow_up"]:
            found.check(turn["agent"].strip() and turn["model_calls"] > 0, f"{name}: a turn without an answer of the model")
        found.equal(record["invalid_reason"], "", f"{name}: reason of a valid run")
        found.check(len(record["tools_sha256"]) == 64, f"{name}: tools_sha256 {record['tools_sha256']!r}")
        found.check({"first", "second"} <= record["times"].get("containers", {}).keys(), f"{name}: no times of both containers")
    else:
        found.check(record["invalid_reason"], f"{name}: invalid without a reason")


def check_files(found, out, record):
    name = name_of(record)
    for note in record["notes"]:
        too_large = any(note["path"] in warning and "larger" in warning for warning in record["warnings"])
        if note["change"] != "deleted" and "text_base64" not in note and not too_large:
            found.equal(note["sha256"], sha256(note["text"].encode()), f"{name}: sha256 of {ascii(note['path'])}")
        begin, end = note["span"]
        found.check(0 <= begin <= end <= len(note["text"].encode()), f"{name}: span {note['span']} is not within the text")
        found.equal(note["holds_claim"] and begin == end, False, f"{name}: a note holds the claim in an empty span")
    file = pathlib.Path(out) / record["exchanges"].get("file", "missing")
    if not found.check(file.is_file(), f"{name}: no file of exchanges"):
        return
    lines = gzip.decompress(file.read_bytes())
    found.equal(sha256(lines), record["exchanges"]["sha256"], f"{name}: sha256 of the exchanges")
    exchanges = [json.loads(line) for line in lines.splitlines()]
    found.equal(len(exchanges), record["exchanges"]["count"], f"{name}: count of exchanges")
