"""Measures evals from outside (/proc, cgroups) and from their records, and the same turns with a process per turn."""
import atexit
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time

import harness
import leftovers
import model_server
from harness import HERE, REAL, ROOT, WORK

TICKS = os.sysconf("SC_CLK_TCK")
MB = 1 << 20


def process_numbers(pid, with_children):
    """CPU seconds and peak resident bytes of a living process."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = sum(int(fields[i]) for i in (range(11, 15) if with_children else range(11, 13)))
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return ticks / TICKS, int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) * 1024


class Watch(threading.Thread):
    """Follows the runner and its engine service until the runner ends."""

    def __init__(self, runner):
        super().__init__(daemon=True)
        self.runner, self.pid = runner, runner.process.pid
        self.own, self.service = (0.0, 0), (0.0, 0)
        self.start()

    def run(self):
        while self.runner.process.poll() is None:
            try:
                self.own = process_numbers(self.pid, with_children=False)
                for child in pathlib.Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split():
                    self.service = max(self.service, process_numbers(child, with_children=True))
            except (OSError, AttributeError):  # it has just ended
                pass
            time.sleep(0.1)


def first_container_cpu(owner):
    """CPU seconds so far of the container that holds the first chat."""
    listed = leftovers.podman("ps", "--no-trunc", "--filter", f"label=pasb.owner={owner}", "--format", "{{.ID}}={{.Names}}")
    ids = [line.partition("=")[0] for line in listed if "-c1-" in line]
    for folder in leftovers.cgroups(*ids) if ids else []:
        usage, stat = pathlib.Path(folder, "cpuacct.usage"), pathlib.Path(folder, "cpu.stat")
        if usage.exists():
            return int(usage.read_text()) / 1e9
        if stat.exists() and "usage_usec" in stat.read_text():
            return int(re.search(r"usage_usec (\d+)", stat.read_text()).group(1)) / 1e6
    return float("nan")


def watched_eval(name, framework, limit, jobs, flushes=0):
    runner = harness.Runner(harness.eval_arguments(WORK / name, [framework], "sim:adopter", limit, jobs=jobs), terminal=True)
    watch = Watch(runner)
    flush_cpu = []
    for _ in range(flushes):
        if runner.wait_for(": flush", 600):
            before = first_container_cpu(runner.owner)
            runner.wait_for(": capture", 120)
            flush_cpu.append(first_container_cpu(runner.owner) - before)
    runner.finish()
    watch.join()
    runner.records = [record for record in harness.records(WORK / name) if record["valid"]]
    if runner.code != 0 or not runner.records:
        sys.exit(f"{name} did not end well: {harness.last_line(runner)}")
    return runner, watch, flush_cpu


def median(values):
    return statistics.median(values)


def of_containers(record, key):
    return [usage[key] for usage in record["times"]["containers"].values()]


def bench_runs(runs=2):
    """One run at a time: where its seconds go."""
    for framework in (*REAL, "scripted"):
        runner, watch, flush_cpu = watched_eval(f"runs-{framework}", framework, runs, 1, flushes=runs)
        records = runner.records
        wall = {
            "total": [record["times"]["total_s"] for record in records],
            "boot (first; the second overlaps)": [record["times"]["containers"]["first"]["boot_s"] for record in records],
            "five turns": [record["times"]["first_chat_s"] for record in records],
            "flush wait": [record["flush"]["waited_s"] for record in records],
            "capture": [record["times"]["capture_s"] for record in records],
            "three questions": [record["times"]["follow_up_s"] for record in records],
            "engine calls (both, overlapping)": [sum(of_containers(record, "engine_calls_s")) for record in records],
        }
        boot = median([sum(of_containers(record, "boot_cpu_s")) for record in records])
        inside = median([sum(of_containers(record, "cpu_s")) for record in records])
        flush = median(flush_cpu) if flush_cpu else float("nan")
        engine, own = watch.service[0] / len(records), watch.own[0] / len(records)
        cpu = {"total": inside + engine + own, "boot (both)": boot, "turns (both)": inside - boot - flush, "flush (first)": flush,
               "engine service": engine, "runner": own}
        print(f"\n{framework}: {len(records)} runs, one at a time, seconds per run (median)")
        print("  wall  " + ", ".join(f"{name} {median(values):.1f}" for name, values in wall.items()))
        print("  CPU   " + ", ".join(f"{name} {value:.2f}" for name, value in cpu.items()))
        print(f"  runner's share of the CPU {100 * own / cpu['total']:.1f} %; of set-up and runs {runner.seconds:.0f} s wall")
        print(f"  peak memory: container {max(max(of_containers(record, 'peak_memory_bytes')) for record in records) / MB:.0f} MB, "
              f"runner {watch.own[1] / MB:.0f} MB, engine service {watch.service[1] / MB:.0f} MB", flush=True)


def bench_eight():
    """Eight runs in flight, each with up to two containers."""
    for framework in ("scripted", "hermes"):
        runner, watch, _ = watched_eval(f"eight-{framework}", framework, 8, 8)
        inside = sum(sum(of_containers(record, "cpu_s")) for record in runner.records)
        total = inside + watch.service[0] + watch.own[0]
        print(f"\n{framework}: eight runs in flight: {runner.seconds:.0f} s wall, {60 * len(runner.records) / runner.seconds:.1f} runs/min, "
              f"CPU {total / 8:.1f} s a run, runner {100 * watch.own[0] / total:.1f} %")
        print(f"  peak memory: runner {watch.own[1] / MB:.0f} MB, engine service {watch.service[1] / MB:.0f} MB, "
              f"largest container {max(max(of_containers(record, 'peak_memory_bytes')) for record in runner.records) / MB:.0f} MB", flush=True)


def image_of(framework):
    listed = leftovers.podman("images", "--format", "{{.Repository}}:{{.Tag}}")
    records = harness.records(WORK / f"runs-{framework}")
    if records:
        return records[0]["image"]["id"].removeprefix("sha256:")
    return next(name for name in listed if re.search(rf"/{framework}:[0-9a-f]{{16}}$", name))


def engine_options():
    # cgroup v1: crun does not run beside a cgroup2 mount, and there is no systemd.
    v2 = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
    return [] if v2 else ["--runtime", "runc", "--cgroup-manager", "cgroupfs"]


def bench_turns():
    """The paper's way: eight processes, one a turn, in one container; its model answers at once and calls no tool."""
    for framework in REAL:
        folder = WORK / f"turns-{framework}"
        folder.mkdir()
        folder.chmod(0o777)
        shutil.copy(HERE / "process_per_turn.py", folder)
        server = model_server.serve(str(folder / "model.sock"))
        name = f"pasb-bench-{secrets.token_hex(4)}"
        atexit.register(leftovers.podman, "rm", "--force", "--ignore", name)
        adapter = (ROOT / "adapters" / framework / "adapter.yaml").read_text()
        env = re.findall(r"HERMES_HOME: ([^}]+)}", adapter)
        subprocess.run(
            ["podman", *engine_options(), "run", "--rm", "--name", name, "--network", "none", "--cap-drop", "all", "--init",
             "--security-opt", "no-new-privileges", "--user", "10001:10001", "--memory", "3g", "--ulimit", "nofile=4096:4096",
             "--ulimit", "nproc=4096:4096", "--tmpfs", "/tmp:rw,exec,size=256m,mode=1777", "--volume", f"{folder}:/run/pasb",
             "--env", "HOME=/home/agent", *(["--env", f"HERMES_HOME={env[0]}"] if env else []), "--workdir", "/home/agent",
             image_of(framework), "/opt/pasb/enter", "python3", "/run/pasb/process_per_turn.py", framework],
            check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        server.shutdown()
        result = folder / "result.json"
        if not result.exists():
            print(f"\n{framework}, a process per turn: did not run")
            continue
        report = json.loads(result.read_text())
        bad = [turn for turn in report["turns"] if turn["exit"] != 0 or not turn["answered"]]
        wall, cpu = (sum(turn[key] for turn in report["turns"]) for key in ("wall", "cpu"))
        print(f"\n{framework}, a process per turn (8 turns, no cut between the chats, no flush wait): {wall:.0f} s wall, {cpu:.0f} CPU s, "
              f"peak memory {report['peak'] / MB:.0f} MB" + (f"; {len(bad)} TURNS FAILED: {bad[0]['said']}" if bad else ""))
        records = harness.records(WORK / f"runs-{framework}")
        if records:
            ours_cpu = median([sum(of_containers(record, "cpu_s")) for record in records])
            ours_wall = median([record["times"]["total_s"] - record["flush"]["waited_s"] for record in records])
            print(f"  against pasb's two containers: {ours_wall:.0f} s wall without the flush wait, {ours_cpu:.0f} CPU s: "
                  f"{wall / ours_wall:.1f} x the wall, {cpu / ours_cpu:.1f} x the CPU", flush=True)


def main():
    parts = {"runs": bench_runs, "eight": bench_eight, "turns": bench_turns}
    chosen = sys.argv[1:] or list(parts)
    if set(chosen) - parts.keys():
        sys.exit(f"unknown part: use {', '.join(parts)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f} before" + (" (not quiet: wall seconds say little)" if load > 1 else ""), flush=True)
    for name in chosen:
        parts[name]()


if __name__ == "__main__":
    main()
