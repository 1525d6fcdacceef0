"""CSV, JUnit and what the command refuses."""
import csv
import json
import shutil
import xml.etree.ElementTree

import made_up
import source


def csv_rows():
    folder = source.export("csv")
    with open(folder / "runs.csv", newline="") as file:
        text = file.read()
    rows = list(csv.DictReader(text.splitlines(keepends=True), strict=True))
    records, judgements = source.chosen_records(), source.judgements()
    assert len(rows) == len(records)
    assert text.replace("\r\n", "").count("\r") == 0
    for row in rows:
        assert None not in row and None not in row.values(), "a row of another length"
        for metric, value in source.values(judgements.get(row["run_id"])).items():
            assert row[metric] == str(value), (row["run_id"], metric)
        for cell in row.values():
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\n", "\r")), cell
    turns = list(csv.DictReader(open(folder / "turns.csv", newline=""), strict=True))
    assert len(turns) == sum(len(record["first_chat"]) + len(record["follow_up"]) for record in records.values())
    return f"{len(rows)} runs, {len(turns)} turns"


def rates():
    """{(framework, model): {name: percent or None}}, computed from the lines."""
    found = {}
    judgements = source.judgements()
    for key in {(record["framework"], record["model"]) for record in source.chosen_records().values()}:
        all_runs = [record for record in source.chosen_records().values() if (record["framework"], record["model"]) == key]
        valid = [record for record in all_runs if record["valid"]]
        # A run counts with all four calls or not at all, as in the report.
        whole = {record["run_id"]: source.values(judgements.get(record["run_id"])) for record in valid}
        whole = {run: values if len(values) == 6 else {} for run, values in whole.items()}
        failure = {run: source.downstream_failure(judgements.get(run)) if values else None for run, values in whole.items()}
        of = {"invalid": [not record["valid"] for record in all_runs], "commit": [record["saved"] for record in valid],
              "df": [failure[record["run_id"]] for record in valid],
              "saved": [failure[record["run_id"]] for record in valid if record["saved"]],
              "session": [failure[record["run_id"]] for record in valid if not record["saved"]],
              "unscored": [len(source.values(judgements.get(record["run_id"]))) < 6 for record in valid]}
        for metric in source.ALL_METRICS:
            scores = [whole[record["run_id"]].get(metric) for record in valid]
            of[metric] = [None if score is None else score >= 3 for score in scores]
        means = {}
        for name, values in of.items():
            values = [value for value in values if value is not None]
            means[name] = 100 * sum(values) / len(values) if values else None
        saved, session = means.pop("saved"), means.pop("session")
        means["gap"] = None if None in (saved, session) else saved - session
        found[key] = means
    return found


def junit():
    names = ("df", *source.ALL_METRICS, "commit", "gap", "invalid", "unscored")
    wanted = rates()
    cases = 0
    for percent in (0, 50, 100):
        folder = source.WORK / f"junit-{percent}"
        options = [option for name in names for option in ("--fail-over", f"{name}={percent}")]
        done = source.pasb("export", source.EVAL, "--to", "junit", "-o", folder, *options)
        root = xml.etree.ElementTree.parse(folder / "junit.xml").getroot()
        bad = 0
        for suite in root:
            properties = {entry.get("name"): entry.get("value") for entry in suite.find("properties")}
            shown = {name: value for (framework, model), value in wanted.items() if framework == properties["framework"]
                     for name, value in value.items()}
            for case in suite.findall("testcase"):
                value = shown[case.get("name").split(" ")[0]]
                kind = "error" if value is None else "failure" if value > percent + 1e-9 else "system-out"
                assert [child.tag for child in case] == [kind], (case.get("name"), value, kind)
                bad += kind != "system-out"
                cases += 1
        assert len(root) == len(wanted) and int(root.get("failures")) + int(root.get("errors")) == bad
        assert done.returncode == (5 if bad else 0), (done.returncode, bad)
    return f"{cases} cases"


def refuses(words, *arguments):
    done = source.pasb("export", *arguments)
    assert done.returncode == 2 and all(word in done.stderr for word in words), (arguments, done)


def refusals():
    out = source.WORK / "refused"
    refuses(["csv", "inspect", "junit", "hf"], source.EVAL, "--to", "xls", "-o", out)
    refuses(["df", "unscored", "gap"], source.EVAL, "--to", "junit", "-o", out, "--fail-over", "dx=3")
    refuses(["number"], source.EVAL, "--to", "junit", "-o", out, "--fail-over", "df=3%")
    refuses(["--fail-over"], source.EVAL, "--to", "junit", "-o", out)
    refuses(["junit"], source.EVAL, "--to", "csv", "-o", out, "--fail-over", "df=3")
    refuses(["nobody", "sim:made-up"], source.EVAL, "--to", "csv", "-o", out, "--judge", "nobody")
    refuses(["records.jsonl"], source.WORK / "nowhere", "--to", "csv", "-o", out)
    changed = source.WORK / "changed"
    shutil.copytree(source.EVAL, changed)
    lines = source.lines("judgements.jsonl")
    lines[-1]["judge"] = "another"
    write_lines(changed / "judgements.jsonl", lines)
    refuses(["--judge", "another", "sim:made-up"], changed, "--to", "csv", "-o", out)
    lines[-1].update(judge=lines[0]["judge"], record_sha256="00")
    write_lines(changed / "judgements.jsonl", lines)
    stale = source.pasb("export", changed, "--to", "csv", "-o", source.WORK / "stale")
    assert stale.returncode == 0 and "1 judgements or annotations belong to another state" in stale.stdout, stale
    (changed / "judgements.jsonl").write_text(json.dumps({**lines[0], "cut_bytes": 1}) + "\n")
    refuses(["judgements.jsonl:1", "sha256"], changed, "--to", "csv", "-o", out)
    assert not list(out.rglob("*.*")), "a refused export left a file"


def write_lines(file, lines):
    file.write_text("".join(json.dumps(made_up.sealed(line)) + "\n" for line in lines))
