"""A runner that dies or is stopped: nothing stays behind, finished runs are kept, and the same command completes the rest."""
import shutil
import signal

import harness
import leftovers
from harness import WORK, case, evaluate, eval_arguments, records


def settled(out):
    return [(record["run_id"], record["attempt"], record["times"]["ended"]) for record in records(out)]


@case
def kill(found):
    """`kill -9` in one stage after the other, always with the same command."""
    out = WORK / "kill"
    arguments = eval_arguments(out, ["scripted"], "sim:adopter", 3, jobs=2)
    volumes = leftovers.volumes()
    dead = []
    for stage in ("boot", "turn 1", "turn 4", "flush", "capture", "follow-up 2"):
        before = settled(out)
        runner = harness.Runner(arguments, terminal=True)
        if not dead:
            found.check(runner.wait_for(r"\[1/3\b"), "no run came to its end")
        reached = runner.wait_for(": " + stage)
        for owner, containers, where in dead[-1:]:
            found.equal(leftovers.of_dead(owner, containers), [], f"left after a kill in {where}, while the next runner works")
        dead.append((runner.owner, runner.kill(), stage))
        found.check(reached, f"stage {stage} was not seen: {runner.err[-300:]!r}")
        found.equal(settled(out)[:len(before)], before, f"finished runs after a kill in {stage}")
    kept = settled(out)
    found.check(kept, "no finished run was kept")
    result = evaluate(out, ["scripted"], "sim:adopter", 3, jobs=2)
    harness.check_valid(found, result, out, 3, saved=True)
    found.equal(settled(out)[:len(kept)], kept, "finished runs at the end")
    found.equal({record["attempt"] for record in result.records}, {1}, "attempts")
    for owner, containers, where in dead:
        found.equal(leftovers.for_good(owner, containers), [], f"left after a kill in {where}")
    found.equal(leftovers.volumes() - volumes, set(), "new volumes")
    exchanges = sorted(file.name for file in (out / "exchanges").iterdir())
    found.equal(exchanges, sorted(record["exchanges"]["file"].split("/")[-1] for record in result.records), "exchange files")


@case
def interrupt(found):
    """Control-C and SIGTERM end it in order: exit 130, no container, and the run is simply still to do."""
    out = WORK / "interrupt"
    arguments = eval_arguments(out, ["scripted"], "sim:adopter", 2, jobs=2)
    stopped = []
    for number, stage in ((signal.SIGINT, "turn 3"), (signal.SIGTERM, "flush")):
        runner = harness.Runner(arguments, terminal=True)
        found.check(runner.wait_for(": " + stage), f"stage {stage} was not seen")
        containers = leftovers.containers(runner.owner)
        runner.send(number)
        runner.finish(90)
        found.equal(runner.code, 130, f"exit code after {number.name}")
        found.equal(leftovers.of_dead(runner.owner, containers), [], f"left after {number.name}")
        stopped.append((runner.owner, containers, number.name))
        found.check(runner.seconds < 60, f"{number.name} took {runner.seconds:.0f} s")
    result = evaluate(out, ["scripted"], "sim:adopter", 2, jobs=2)
    harness.check_valid(found, result, out, 2, saved=True)
    for owner, containers, name in stopped:
        found.equal(leftovers.for_good(owner, containers), [], f"left long after {name}")


@case
def torn_tail(found):
    """A record that was cut off by a power failure is set aside and its run repeated; a broken line in the middle is named."""
    out = WORK / "torn"
    evaluate(out, ["scripted"], "sim:adopter", 2, jobs=2)
    journal = out / "records.jsonl"
    whole = journal.read_bytes()
    lines = whole.splitlines(keepends=True)
    if not found.equal(len(lines), 2, "records before"):
        return
    torn = lines[1][:len(lines[1]) // 2]
    journal.write_bytes(lines[0] + torn)
    result = evaluate(out, ["scripted"], "sim:adopter", 2, jobs=2)
    harness.check_valid(found, result, out, 2, saved=True)
    found.check(journal.read_bytes().startswith(lines[0]), "the whole record was changed")
    found.equal([file.read_bytes() for file in out.glob("records.torn-*.jsonl")], [torn], "what was set aside")
    found.check("torn" in result.err, "nothing was said of the torn record")
    damaged = WORK / "damaged"
    shutil.copytree(out, damaged)
    (damaged / "records.jsonl").write_bytes(b"{not json\n" + whole)
    refused = harness.pasb(*eval_arguments(damaged, ["scripted"], "sim:adopter", 2))
    harness.EVALS.remove(damaged)
    found.equal(refused.code, 2, "exit code for a broken line")
    found.check("records.jsonl:1" in harness.last_line(refused), f"the broken line is not named: {harness.last_line(refused)}")
