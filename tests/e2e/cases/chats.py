"""Whole evals with the shipped adapters and simulated models: what is saved, what is not, and that nothing else crosses."""
import collections
import functools
import threading

import adapters
import harness
from harness import REAL, ROOT, WORK, case, check_valid, evaluate, name_of


@case
def adopter(found):
    result = evaluate(WORK / "adopter", REAL, "sim:adopter", 4)
    check_valid(found, result, WORK / "adopter", 8, saved=True)
    reached = collections.defaultdict(set)
    for record in result.records:
        reached[record["framework"]].add(record["destination"])
        found.check(any(note["holds_claim"] for note in record["notes"]), f"{name_of(record)}: no note holds the claim")
        found.check(record["shown"]["automatic"] or record["shown"]["by_tool"], f"{name_of(record)}: the note was never shown")
        found.check(any(attempt["ok"] for attempt in record["write_attempts"]), f"{name_of(record)}: no write attempt was seen")
        found.equal(record["unclassified"], [], f"{name_of(record)}: unclassified")
    for framework in REAL:
        found.equal(reached[framework], {"user", "memory", "skill"}, f"{framework}: destinations reached")
        tasks = [record for record in result.records if record["framework"] == framework]
        for factor in ("scenario", "delivery"):
            found.equal(len({record[factor] for record in tasks}), 4, f"{framework}: values of {factor}")
    rows = [line for line in result.out.splitlines() if "sim:adopter" in line]
    found.equal(len(rows), 2, "rows of the table")
    found.check(all("simulated model" in row for row in rows), f"the table does not say 'simulated model': {rows}")
    seconds = sorted(record["times"]["total_s"] for record in result.records)
    found.remark(f"runs took {seconds[0]:.0f} to {seconds[-1]:.0f} s")


@case
def non_savers(found):
    for model in ("sim:flatterer", "sim:skeptic"):
        out = WORK / model.replace(":", "-")
        result = evaluate(out, REAL, model, 1)
        check_valid(found, result, out, 2, saved=False)
        for record in result.records:
            found.check(not any(note["holds_claim"] for note in record["notes"]), f"{name_of(record)}: a note holds the claim")


@case
def clerk(found):
    """Saves what the user said as the user's: the words that attribute it stand in the note."""
    result = evaluate(WORK / "clerk", ["scripted"], "sim:clerk", 4)
    check_valid(found, result, WORK / "clerk", 4, saved=True)
    for record in result.records:
        texts = " ".join(note["text"] for note in record["notes"] if note["holds_claim"]).lower()
        found.check("user" in texts, f"{name_of(record)}: the note does not say whose claim it is: {texts[:200]}")


@functools.cache
def echo_eval():
    """The leak detector on the shipped adapters and on broken ones, in one eval."""
    adapters.write_broken(WORK / "broken", REAL)
    frameworks = [*REAL, "scripted", *(f"{name}-{fault}" for name in (*REAL, "scripted") for fault in adapters.FAULTS)]
    return evaluate(WORK / "echo", frameworks, "sim:echo", 1, also=(harness.AGENTS, WORK / "broken"))


@case
def echo(found):
    shipped = harness.last_attempts(found, [record for record in echo_eval().records if record["framework"] in (*REAL, "scripted")])
    found.equal(len(shipped), 3, "records of shipped adapters")
    for record in shipped:
        found.check(record["valid"], f"{name_of(record)} invalid: {record['invalid_reason']}: {record['invalid_detail'][:200]}")
        found.check(record["cut"].get("proven"), f"{name_of(record)}: cut not proven: {record['cut'].get('reason')}")
        found.equal(record["cut"].get("foreign_spans"), [], f"{name_of(record)}: foreign spans")
        found.equal(record["cut"].get("canary_seen"), [], f"{name_of(record)}: canary")


@case
def broken_adapters(found):
    result = echo_eval()
    found.equal(result.code, 3, f"exit code ({harness.last_line(result)})")
    records = harness.last_attempts(found, [record for record in result.records if record["framework"] not in (*REAL, "scripted")])
    broken = {record["framework"]: record for record in records}
    found.equal(len(broken), 6, "broken adapters with a record")
    for name, record in broken.items():
        found.check(not record["valid"], f"{name}: valid, cut {record['cut']}")
        found.equal(record["invalid_reason"], "cut-not-proven", f"{name}: reason ({record['invalid_detail'][:200]})")


def shared_tasks():
    for up in ("..", "../.."):
        folder = (ROOT / up / "shared" / "data" / "pasb-official").resolve()
        if folder.is_dir():
            return folder
    raise harness.Skipped("no ../shared/data/pasb-official here")


@case
def public_tasks(found):
    """The public release's tasks. The Hermes runner is killed on the way and goes on; the OpenClaw runner beside it must not notice."""
    tasks = shared_tasks()
    beside = {}
    other = threading.Thread(target=lambda: beside.update(result=evaluate(WORK / "public-openclaw", ["openclaw"], "sim:adopter", 2,
                                                                          tasks=tasks, jobs=1)))
    other.start()
    out = WORK / "public-hermes"
    arguments = harness.eval_arguments(out, ["hermes"], "sim:adopter", 8, tasks=tasks, jobs=2)
    runner = harness.Runner(arguments, terminal=True)
    found.check(runner.wait_for(r"\[2/8\b", 600) and runner.wait_for(r": turn [2-5]", 120), "the runner did not come to its third run")
    containers = runner.kill()
    found.check(containers, "nothing to clean up was left by the kill")
    kept = [(record["run_id"], record["times"]["ended"]) for record in harness.records(out)]
    result = evaluate(out, ["hermes"], "sim:adopter", 8, tasks=tasks, jobs=2)
    other.join()
    check_valid(found, result, out, 8, saved=True)
    found.equal([(record["run_id"], record["times"]["ended"]) for record in harness.records(out)][:len(kept)], kept, "records kept")
    found.equal(harness.leftovers.for_good(runner.owner, containers), [], "left of the killed runner")
    check_valid(found, beside["result"], WORK / "public-openclaw", 2, saved=True)
