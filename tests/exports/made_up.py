"""Writes an eval folder that no agent and no judge made: records, judgements and annotations for the export tests. Some texts are hostile."""
import hashlib
import json

JUDGE = "sim:made-up"
ANNOTATOR = "made-up"
METRICS = ("sycophancy", "leak", "upgrade", "amplification")
HOSTILE = ("=HYPERLINK(\"http://x\",\"y\")", "a,b \"quoted\"\r\nnew line", "nul \0 bell \a escape \x1b[31m", "bidi \u202eoverride\u202c",
           "<script>alert(1)</script> ]]> &amp; &", "astral \U0001F600, separator \u2028, \ufffe", "+1-555", "@cmd", "```yaml\n---\n")
SCENARIOS = ("personal-opinion", "signed-memory", "environment-fact", "procedural-workflow")
DELIVERIES = ("all-at-once", "progressive", "drip", "late-shock")


def turn(number, run, text):
    return {"turn": number, "user": f"user {number} {text}", "agent": f"{text} agent {number} of {run}", "seconds": 1.0, "model_calls": 2}


def record(framework, model, number, valid=True, attempt=1):
    text = HOSTILE[number % len(HOSTILE)]
    run = f"{framework}-{number:03}"
    saved = valid and number % 3 != 0
    family = ("PRF", "CDL", "SOC")[number % 3]
    return {
        "schema": "pasb.record/1", "run_id": run, "task_id": f"{family}-{number}", "base_item_id": f"{family}-base-{number // 4}",
        "family": family, "scenario": SCENARIOS[number % 4], "delivery": DELIVERIES[number // 4 % 4],
        "task": {"domain": "healthcare", "claim": f"{text} claim", "ground_truth_stance": f"{text} stance", "context_facts": [],
                 "carries": [5, 1, 1, 1, 1], "turns": ["t"] * 5, "questions": ["q1", "q2", text]},
        "framework": framework, "framework_version": "1.0", "model": model, "simulated": model.startswith("sim:"), "arm": "main",
        "attempt": attempt, "image": {"id": "sha256:00", "baseline": "00"}, "valid": valid,
        "invalid_reason": "" if valid else "turn-failed", "invalid_detail": "" if valid else f"status 502 {text}",
        "first_chat": [turn(i + 1, run, text) for i in range(5 if valid else 2)],
        "follow_up": [turn(i + 1, run, text) for i in range(3 if valid else 0)],
        "flush": {"policy": "paper", "waited_s": 15.0, "settled": True},
        "notes": [{"path": "MEMORY.md", "kind": "memory", "change": "added", "sha256": "00", "text": f"{text} note", "holds_claim": True,
                   "score": 0.9, "span": [0, 4]}] if saved else [],
        "other_changes": [], "unclassified": [], "saved": saved, "destination": "memory" if saved else "session-only", "write_attempts": [],
        "continuity": {}, "cut": {"proven": True, "crossed": ["MEMORY.md"] if saved else []} if valid else {},
        "shown": {"automatic": saved, "by_tool": None} if valid else {}, "tools_sha256": "", "exchanges": {}, "limits": {},
        "warnings": [], "usage": {"requests": 9, "prompt_tokens": 1000 + number, "completion_tokens": 10} if valid else {},
        "times": {"started": f"2026-11-30T10:{number:02}:00Z", "ended": f"2026-11-30T10:{number:02}:30Z", "total_s": 30.0} if valid else {},
    }


def verdict(names, number, unscored=""):
    scores = None if unscored else {name: (number * 7 + i * 3) % 5 + 1 for i, name in enumerate(names)}
    return {"scores": scores, "rationale": "" if unscored else f"because {HOSTILE[number % len(HOSTILE)]}", "unscored": unscored, "flags": [],
            "requests": 1}


def judgement(line, number):
    of = json.loads(line)
    answers = [verdict(METRICS, number + i, "no-json" if number % 7 == 3 and i == 1 else "") for i in range(3)]
    return {"schema": "pasb.judgement/1", "run_id": of["run_id"], "attempt": of["attempt"],
            "record_sha256": hashlib.sha256(line.encode()).hexdigest(), "judge": JUDGE, "simulated": True, "repeat": 1, "prompts": {},
            "answers": answers, "cross_turn": verdict(("persistence", "escalation"), number, "refused" if number % 11 == 5 else ""),
            "cut_bytes": 0, "redactions": 0, "usage": {}, "judged": "2026-11-30T12:00:00Z"}


def annotation(line, number):
    of = json.loads(line)
    labels = ("challenge", "procedure", True) if number % 5 else (None, None, None)
    return {"schema": "pasb.annotation/1", "run_id": of["run_id"], "task_id": of["task_id"], "model": of["model"],
            "framework": of["framework"], "record_sha256": hashlib.sha256(line.encode()).hexdigest() if number % 2 else "",
            "annotator": ANNOTATOR, "simulated": True, "repeat": 1, "unlabelled": "" if labels[0] else "no-json", "stance": labels[0],
            "role_upgrade": labels[1], "attribution_removed": labels[2], "notes": HOSTILE[number % len(HOSTILE)], "prompt": {}, "usage": {},
            "annotated": ""}


def made_up_records():
    """The first runs of a combination are not judged at all, so that columns begin with nulls. One run fails and is repeated, one fails for
    good."""
    lines = []
    for framework, model in (("hermes", "sim:made-up"), ("openclaw", "some/model \u202e<&\"")):
        for number in range(24):
            if number in (4, 5):
                lines.append(json.dumps(record(framework, model, number, valid=False)))
            if number != 5:
                lines.append(json.dumps(record(framework, model, number, attempt=2 if number == 4 else 1)))
    return lines


def sealed(line):
    """With the digest of the rest, as runner/wire/seal.hpp has it. Only for lines without fractions, which JSON writers word differently."""
    rest = {key: value for key, value in line.items() if key != "sha256"}
    return {**rest, "sha256": hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()}


def write(folder, lines=None):
    """With the lines of a real records.jsonl, only judgements and annotations are made up."""
    folder.mkdir(parents=True)
    lines = made_up_records() if lines is None else lines
    (folder / "records.jsonl").write_text("".join(line + "\n" for line in lines))
    chosen = [(number, line) for number, line in enumerate(lines) if json.loads(line)["valid"] and number > 2]
    with open(folder / "judgements.jsonl", "w") as judgements, open(folder / "annotations.jsonl", "w") as annotations:
        for number, line in chosen:
            judgements.write(json.dumps(sealed(judgement(line, number))) + "\n")
            if number % 4:
                annotations.write(json.dumps(sealed(annotation(line, number))) + "\n")
