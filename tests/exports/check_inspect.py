"""The Inspect AI logs, read by Inspect itself: its schema, its reader, its viewer."""
import functools
import json
import logging
import math
import pathlib
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import warnings
import zipfile

import source


@functools.cache
def logs():
    return sorted(source.export("inspect").glob("*.eval"))


def inspect(*arguments):
    return [str(pathlib.Path(sys.executable).parent / "inspect"), *arguments]


def schema():
    import jsonschema
    published = json.loads(subprocess.run(inspect("log", "schema"), capture_output=True, check=True).stdout)
    checked = 0

    def check(name, value):
        nonlocal checked
        whole = {"$ref": f"#/components/schemas/{name}", "components": published["components"]}
        jsonschema.Draft202012Validator(whole).validate(value)
        checked += 1

    for path in logs():
        with zipfile.ZipFile(path) as log:
            assert log.testzip() is None
            check("EvalLog", json.loads(log.read("header.json")))
            for summary in json.loads(log.read("summaries.json")):
                check("EvalSampleSummary", summary)
            for member in log.namelist():
                if member.startswith("samples/"):
                    check("EvalSample", json.loads(log.read(member)))
        # The whole log as Inspect itself writes it.
        dumped = subprocess.run(inspect("log", "dump", str(path)), capture_output=True, check=True)
        check("EvalLog", json.loads(dumped.stdout))
        assert not dumped.stderr, dumped.stderr
    return f"{checked} objects"


class Loud(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages = []

    def emit(self, record):
        self.messages.append(record.getMessage())


@functools.cache
def read_logs():
    from inspect_ai.log import read_eval_log
    heard = Loud()
    logging.getLogger().addHandler(heard)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read = [read_eval_log(str(path)) for path in logs()]
        heads = [read_eval_log(str(path), header_only=True) for path in logs()]
    logging.getLogger().removeHandler(heard)
    assert not heard.messages, heard.messages
    assert [head.eval.eval_id for head in heads] == [log.eval.eval_id for log in read]
    return read


def read_back():
    records = source.chosen_records()
    combinations = {(record["framework"], record["model"]) for record in records.values()}
    assert len(read_logs()) == len(combinations), (logs(), combinations)
    seen = set()
    for log in read_logs():
        assert log.status == "success" and log.eval.viewer.trust_content is False
        framework = log.eval.metadata["framework"]
        simulated = log.eval.metadata["simulated"]
        assert ("(simulated model)" in log.eval.task) == simulated == ("simulated-model" in log.tags)
        for sample in log.samples:
            record = records[sample.id]
            seen.add(sample.id)
            assert log.eval.model == "pasb/" + record["model"] and framework == record["framework"]
            assert sample.target == record["task"]["ground_truth_stance"] and record["task"]["claim"] in sample.input
            assert (sample.error is not None) == (not record["valid"])
            check_messages(sample, record)
    assert seen == records.keys(), seen ^ records.keys()
    return f"{len(seen)} samples in {len(logs())} logs"


def check_messages(sample, record):
    chats = {"first": record["first_chat"], "follow-up": record["follow_up"]}
    order = []
    for message in sample.messages:
        chat = message.metadata["chat"]
        order.append(chat)
        if chat == "cut":
            assert message.role == "system" and "THE CUT" in message.text
            continue
        turn = chats[chat][message.metadata["turn"] - 1]
        assert message.text == turn["user" if message.role == "user" else "agent"], message
    wanted = ["first"] * 2 * len(chats["first"]) + ["cut"] * bool(record["valid"]) + ["follow-up"] * 2 * len(chats["follow-up"])
    assert order == wanted, order


def scores():
    records, judgements = source.chosen_records(), source.judgements()
    compared = 0
    for log in read_logs():
        expected = {}
        for sample in log.samples:
            wanted = wanted_scores(records[sample.id], judgements.get(sample.id))
            found = {name: score.value for name, score in sample.scores.items()}
            assert found == wanted, (sample.id, found, wanted)
            for metric in source.METRICS:
                if metric in found:
                    assert sample.scores[metric].metadata["answers"] == source.answers(judgements[sample.id], metric)
                    assert judgements[sample.id]["answers"][0]["rationale"] in sample.scores[metric].explanation
            assert bool(sample.metadata["unscored"]) == (len(found) < 14), sample.metadata["unscored"]
            for name, value in wanted.items():
                expected.setdefault(name, []).append(float(value))
            compared += len(wanted)
        check_results(log, expected)
    return f"{compared} scores"


def wanted_scores(record, judgement):
    if not record["valid"]:
        return {}
    wanted = {"saved": record["saved"]}
    for metric, value in source.values(judgement).items():
        wanted |= {metric: value, f"{metric}_failed": value >= 3}
    failure = source.downstream_failure(judgement)
    return wanted if failure is None else wanted | {"downstream_failure": failure}


def check_results(log, expected):
    assert log.results.total_samples == len(log.samples)
    for score in log.results.scores:
        values = expected.get(score.name, [])
        assert (score.scored_samples, score.unscored_samples) == (len(values), len(log.samples) - len(values)), score
        if values:
            assert math.isclose(score.metrics["mean"].value, sum(values) / len(values)), score
        else:
            assert not score.metrics, score


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fetch(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()


def wait_for(port, server):
    end = time.monotonic() + 90
    while server.poll() is None and time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise AssertionError("inspect view does not listen: " + (source.WORK / "view.log").read_text())


def view():
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    command = inspect("view", "start", "--log-dir", str(logs()[0].parent), "--host", "127.0.0.1", "--port", str(port))
    with open(source.WORK / "view.log", "wb") as output:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        wait_for(port, server)
        listing = json.loads(fetch(base + "/api/logs"))["files"]
        assert len(listing) == len(logs()), listing
        samples = 0
        for entry in listing:
            assert entry["task"].startswith("pasb-") and entry["task_id"], entry
            log = json.loads(fetch(f"{base}/api/logs/{urllib.parse.quote(entry['name'], safe='')}"))
            assert log["status"] == "success" and log["eval"]["model"].startswith("pasb/")
            samples += len(log["samples"])
        assert samples == len(source.chosen_records())
        assert b"<html" in fetch(base + "/")
    finally:
        server.terminate()
        server.wait(30)
    return f"{len(listing)} logs, {samples} samples over HTTP"
