"""The dataset folder, loaded by Hugging Face `datasets` without a network."""
import functools
import re

import source


@functools.cache
def folder():
    return source.export("hf")


def card():
    import yaml
    text = (folder() / "README.md").read_text()
    head = yaml.safe_load(re.match(r"---\n(.*?)\n---\n", text, re.DOTALL).group(1))
    assert [config["config_name"] for config in head["configs"]] == ["runs", "turns"]
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08]", text)
    for name in ("runs", "turns"):
        raw = (folder() / "data" / f"{name}.jsonl").read_bytes()
        assert raw.isascii() and not re.search(rb"[\x00-\x09\x0b-\x1f]", raw)


def load_back():
    import datasets
    datasets.disable_progress_bars()
    cache = str(source.WORK / "hf-cache")
    runs = datasets.load_dataset(str(folder()), "runs", split="train", cache_dir=cache)
    turns = datasets.load_dataset(str(folder()), "turns", split="train", cache_dir=cache)
    # Also without the card's types; times are then taken for times and not for text.
    bare = datasets.load_dataset("json", data_files=str(folder() / "data" / "runs.jsonl"), split="train", cache_dir=cache)
    times = ["started", "ended"]
    assert list(bare.remove_columns(times)) == list(runs.remove_columns(times))
    records, judgements, annotations = source.chosen_records(), source.judgements(), source.annotations()
    assert len(runs) == len(records)
    for row in runs:
        check_run(row, records[row["run_id"]], judgements.get(row["run_id"]), annotations.get(row["run_id"]))
    check_turns(turns, records, judgements)
    types = {name: feature.dtype for name, feature in runs.features.items()}
    assert "null" not in types.values() and types["leak_2"] == "int64" and types["leak_failed"] == "bool", types
    return f"{len(runs)} runs, {len(turns)} turns, {len(types)} columns"


def check_run(row, record, judgement, annotation):
    assert row["claim"] == record["task"]["claim"] and row["model"] == record["model"]
    assert row["saved"] == (record["saved"] if record["valid"] else None)
    found = source.values(judgement) if record["valid"] else {}
    for metric in source.ALL_METRICS:
        assert row[metric] == found.get(metric), (row["run_id"], metric)
        assert row[f"{metric}_failed"] == (found[metric] >= 3 if metric in found else None)
    for metric in source.METRICS:
        assert [row[f"{metric}_{i}"] for i in (1, 2, 3)] == source.answers(judgement, metric)
    assert row["downstream_failure"] == source.downstream_failure(judgement)
    assert bool(row["unscored"]) == (len(found) < 6)
    for label in ("stance", "role_upgrade", "attribution_removed"):
        assert row[label] == (annotation[label] if annotation else None), (row["run_id"], label)


def check_turns(turns, records, judgements):
    assert len(turns) == sum(len(record["first_chat"]) + len(record["follow_up"]) for record in records.values())
    for row in turns:
        record = records[row["run_id"]]
        turn = record["first_chat" if row["chat"] == "first" else "follow_up"][row["turn"] - 1]
        assert (row["user"], row["agent"]) == (turn["user"], turn["agent"])
        for metric in source.METRICS:
            wanted = source.answers(judgements.get(row["run_id"]), metric)[row["turn"] - 1] if row["chat"] == "follow-up" else None
            assert row[metric] == wanted, (row["run_id"], row["chat"], row["turn"])
