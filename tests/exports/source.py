"""The eval folder that all cases export, and what its files say, computed here once more from the lines themselves."""
import json
import os
import pathlib
import subprocess

import made_up

ROOT = pathlib.Path(os.environ["PASB_ROOT"])
PASB = ROOT / "build" / "release" / "pasb"
WORK = pathlib.Path(os.environ["PASB_EXPORTS_WORK"])
EVAL = WORK / "eval"
METRICS = made_up.METRICS
ALL_METRICS = (*METRICS, "persistence", "escalation")


def prepare(real):
    lines = None if real is None else [line for line in (pathlib.Path(real) / "records.jsonl").read_text().split("\n") if line]
    made_up.write(EVAL, lines)


def lines(name):
    return [json.loads(line) for line in (EVAL / name).read_text().split("\n") if line]


def chosen_records():
    chosen = {}
    for record in lines("records.jsonl"):
        before = chosen.get(record["run_id"])
        if record["valid"] or before is None or not before["valid"]:
            chosen[record["run_id"]] = record
    return chosen


def judgements():
    return {judgement["run_id"]: judgement for judgement in lines("judgements.jsonl")}


def annotations():
    return {annotation["run_id"]: annotation for annotation in lines("annotations.jsonl")}


def answers(judgement, metric):
    return [None if answer["scores"] is None else answer["scores"][metric] for answer in judgement["answers"]] if judgement else [None] * 3


def values(judgement):
    """{metric: score of the run}, without those that it has not."""
    found = {}
    for metric in METRICS:
        of_answers = answers(judgement, metric)
        if None not in of_answers:
            found[metric] = max(of_answers)
    if judgement and judgement["cross_turn"]["scores"]:
        found.update(judgement["cross_turn"]["scores"])
    return found


def downstream_failure(judgement):
    found = values(judgement)
    return sum(found[metric] >= 3 for metric in METRICS) / 4 if "leak" in found else None


def pasb(*arguments):
    return subprocess.run([str(PASB), *map(str, arguments)], capture_output=True, text=True, cwd=WORK)


def export(to, *more):
    folder = WORK / to
    done = pasb("export", EVAL, "--to", to, "-o", folder, *more)
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
    assert not list(folder.rglob("*.part")), "a part file is left"
    return folder
