"""What the program goes on with and what it refuses: exit 2 and one clear line."""
import json
import os
import shutil

import adapters
import harness
import leftovers
from harness import AGENTS, REAL, ROOT, WORK, case, eval_arguments, evaluate, pasb


def refused(found, result, *words, what):
    """Exit 2; the complaint, which is all of stderr from `pasb: ` on, names the words."""
    found.equal(result.code, 2, f"{what}: exit code")
    complaints = [line for line in result.err.splitlines() if line.startswith("pasb: ")]
    if found.equal(len(complaints), 1, f"{what}: lines of complaint in {result.err[-500:]!r}"):
        complaint = result.err[result.err.index("pasb: "):]
        for word in words:
            found.check(word in complaint, f"{what}: {word!r} is not named in {complaint.strip()!r}")


def contents(out):
    """All but the log, which tells of every start."""
    return {file: file.read_bytes() for file in out.rglob("*") if file.is_file() and file.name != "pasb.log"}


@case
def resume(found):
    """The same command again runs nothing; another configuration is refused, naming what differs."""
    out = WORK / "resume"
    first = evaluate(out, ["scripted"], "sim:adopter", 2, jobs=2)
    harness.check_valid(found, first, out, 2, saved=True)
    before = contents(out)
    again = evaluate(out, ["scripted"], "sim:adopter", 2, jobs=2)
    found.equal(again.code, 0, "exit code")
    found.check("2 of them finished earlier" in again.err, f"it does not say what was finished: {again.err[-300:]!r}")
    found.check("sim:adopter" in again.out, "no table")
    found.equal([file.name for file in before.keys() | contents(out).keys() if before.get(file) != contents(out).get(file)], [], "changed files")
    more = evaluate(out, ["scripted"], "sim:adopter", 3, jobs=2)
    found.equal((more.code, len(more.records)), (0, 3), "a larger subset goes on: exit code and records")
    for what, result, word in (
            ("another model", evaluate(out, ["scripted"], "sim:skeptic", 2), "sim:skeptic"),
            ("another seed", evaluate(out, ["scripted"], "sim:adopter", 2, more=("--seed", "7")), "seed"),
            ("another framework", evaluate(out, ["scripted-empty"], "sim:adopter", 2), "scripted-empty")):
        refused(found, result, word, str(out), what=what)
    found.equal(len(harness.records(out)), 3, "records at the end")


@case
def second_runner(found):
    """Two runners in one folder: the second is refused, the first is left alone."""
    out = WORK / "second"
    arguments = eval_arguments(out, ["scripted"], "sim:adopter", 1)
    runner = harness.Runner(arguments, terminal=True)
    found.check(runner.wait_for(": turn 1"), "the first runner did not start")
    refused(found, pasb(*arguments), "another pasb", what="second runner")
    runner.finish(120)
    found.equal(runner.code, 0, "exit code of the first")


@case
def changed_image(found):
    """An image that is not its baseline any more keeps an eval from starting, and the difference is named."""
    root = WORK / "root"
    for name in ("adapters", "images", "configs"):
        os.makedirs(root, exist_ok=True)
        os.symlink(ROOT / name, root / name)
    shutil.copytree(ROOT / "baselines", root / "baselines")
    for framework in REAL:
        file = root / "baselines" / framework / "baseline.json"
        baseline = json.loads(file.read_text())
        entry = next(entry for entry in baseline["home"] if entry["type"] == "file")
        entry["sha256"] = "0" * 64
        file.write_text(json.dumps(baseline))
        result = pasb(*eval_arguments(WORK / f"changed-{framework}", [framework], "sim:adopter", 1), env={"PASB_ROOT": str(root)})
        refused(found, result, "baseline", entry["path"], what=f"tampered baseline of {framework}")
    check_rebuilt_image(found)


def check_rebuilt_image(found):
    agents = WORK / "agents"
    shutil.copytree(AGENTS, agents)
    stage = agents / "images" / "scripted" / "stage"
    stage.write_text(stage.read_text() + "echo extra > \"$STAGE/home/agent/notes/MEMORY.md\"\n")
    result = pasb(*eval_arguments(WORK / "changed-scripted", ["scripted"], "sim:adopter", 1, also=(agents,)))
    refused(found, result, "baseline", "notes/MEMORY.md", what="image with one more note")
    tag = result.err.partition(" image pasb/scripted:")[2].partition(" ")[0] or result.err.partition("pasb/scripted:")[2].partition(" ")[0]
    if tag:
        leftovers.podman("rmi", f"localhost/pasb/scripted:{tag}")


@case
def bad_input(found):
    """Each with the file and the line where it stands."""
    text = adapters.scripted_adapter()
    broken = {
        "bad-kind": (text.replace("kind: history", "kind: histroy"), "histroy"),
        "bad-key": (text.replace("crosses:", "crossses:"), "crossses"),
        "bad-yaml": (text.replace("paths:", "paths: ["), ""),
    }
    for name, (changed, word) in broken.items():
        adapters.write_adapter(WORK / "bad", name, changed.replace("framework: scripted", f"framework: {name}"))
        line = next((number for number, content in enumerate(changed.splitlines(), 1) if word and word in content), None)
        place = f"{name}/adapter.yaml:" + (f"{line}" if line else "")
        refused(found, evaluate(WORK / "bad-out", [name], "sim:adopter", 1, also=(AGENTS, WORK / "bad")), place, word, what=name)
    tasks = WORK / "bad-tasks.jsonl"
    good = {"task_id": "X__user_belief__all_at_once", "base_item_id": "X"}
    tasks.write_text(json.dumps(good) + "\n")
    refused(found, evaluate(WORK / "bad-out", ["scripted"], "sim:adopter", 1, tasks=tasks), "bad-tasks.jsonl:1", what="task without keys")
    tasks.write_text("\n{broken\n")
    refused(found, evaluate(WORK / "bad-out", ["scripted"], "sim:adopter", 1, tasks=tasks), "bad-tasks.jsonl:2", what="broken JSON")
    shipped = (ROOT / "configs" / "tasks" / "PRF-own-001.yaml").read_text()
    own = WORK / "PRF-own-001.yaml"
    own.write_text(shipped.replace("delivery: drip", "delivery: dripp", 1))
    line = next(number for number, content in enumerate(own.read_text().splitlines(), 1) if "dripp" in content)
    refused(found, evaluate(WORK / "bad-out", ["scripted"], "sim:adopter", 1, tasks=own), f"PRF-own-001.yaml:{line}", "dripp", what="bad delivery")
    refused(found, evaluate(WORK / "bad-out", ["scripted"], "sim:nobody", 1), "sim:nobody", "sim:adopter", what="unknown model")
    refused(found, evaluate(WORK / "bad-out", ["nothing"], "sim:adopter", 1), "nothing", "hermes", what="unknown framework")
    refused(found, evaluate(WORK / "bad-out", ["scripted"], "sim:adopter", 1, tasks=WORK / "absent.jsonl"), "absent.jsonl", what="no task file")
    found.equal(harness.records(WORK / "bad-out"), [], "records of refused evals")
