"""Starts `pasb`, reads what it wrote, and collects what a case finds wrong. Knows nothing of what a case is about."""
import gzip
import hashlib
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import threading
import time

import leftovers

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
AGENTS = ROOT / "tests" / "agents"
PASB = ROOT / "build" / "release" / "pasb"
WORK = pathlib.Path(os.environ["PASB_E2E_WORK"])
REAL = ("hermes", "openclaw")
JOBS = os.environ.get("PASB_E2E_JOBS", "2")
LIMIT_S = 1800

CASES = {}


class Skipped(Exception):
    pass


class Case:
    """What one case has found. A check that fails does not end the case: the next ones may say why."""

    def __init__(self):
        self.failures = []
        self.remarks = []

    def check(self, holds, what):
        if not holds:
            self.failures.append(what)
        return holds

    def equal(self, found, wanted, what):
        return self.check(found == wanted, f"{what}: {found!r}, wanted {wanted!r}")

    def remark(self, text):
        self.remarks.append(text)


def case(function):
    CASES[function.__name__.replace("_", "-")] = function
    return function


def environment(more=None):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "PASB_ROOT"))}
    env["PASB_ROOT"] = str(ROOT)
    env.update(more or {})
    return env


class Runner:
    """A `pasb` process. Its stderr may be a terminal, on which it shows the stages of runs."""

    def __init__(self, arguments, env=None, terminal=False):
        self.out_file = WORK / f"stdout-{time.monotonic_ns()}"
        self.err = ""
        self._seen = 0
        self._more = threading.Condition()
        reading, writing = pty.openpty() if terminal else os.pipe()
        if terminal:
            import fcntl
            import struct
            import termios
            fcntl.ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 400, 0, 0))
        self.start = time.monotonic()
        with open(self.out_file, "wb") as out:
            self.process = subprocess.Popen([str(PASB), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=out, stderr=writing,
                                            env=environment(env), cwd=WORK, start_new_session=True)
        self.owner = leftovers.owner_of(self.process.pid) or "0-0"
        with open(WORK / "owners", "a") as owners:
            owners.write(self.owner + "\n")
        os.close(writing)
        self._reader = threading.Thread(target=self._read, args=(reading,), daemon=True)
        self._reader.start()

    def _read(self, reading):
        while True:
            try:
                piece = os.read(reading, 65536)
            except OSError:  # a terminal whose other end is closed
                piece = b""
            with self._more:
                self.err += piece.decode(errors="replace")
                self._more.notify_all()
            if not piece:
                os.close(reading)
                return

    def wait_for(self, pattern, seconds=120):
        """Waits for a text on stderr behind the one found last; False when the process ended or time is up."""
        end = time.monotonic() + seconds
        with self._more:
            while True:
                found = re.compile(pattern).search(self.err, self._seen)
                if found:
                    self._seen = found.end()
                    return True
                if time.monotonic() > end or (self.process.poll() is not None and not self._reader.is_alive()):
                    return False
                self._more.wait(0.2)

    def send(self, number):
        if self.process.poll() is None:
            os.kill(self.process.pid, number)

    def kill(self):
        """As a crash would: no handler runs. Returns the ids of the containers that it leaves behind."""
        self.send(signal.SIGKILL)
        self.process.wait()
        return leftovers.containers(self.owner)

    def finish(self, seconds=LIMIT_S):
        try:
            self.code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            self.code = "killed: took too long"
        self.seconds = time.monotonic() - self.start
        self._reader.join(10)
        self.out = self.out_file.read_text(errors="replace")
        return self


def pasb(*arguments, env=None, seconds=LIMIT_S):
    return Runner(arguments, env).finish(seconds)


EVALS = []  # every folder that an eval of this call wrote


def eval_arguments(out, framework, model, limit, tasks=None, jobs=JOBS, attempts=3, also=(AGENTS,), more=()):
    arguments = ["eval", "--out", out, "--framework", ",".join(framework), "--model", model, "--limit", limit, "--jobs", jobs,
                 "--attempts", attempts, "--flush", "paper", *more]
    for folder in also:
        arguments += ["--also", folder]
    if tasks:
        arguments += ["--tasks", tasks]
    out = pathlib.Path(out)
    if out not in EVALS:
        EVALS.append(out)
    return arguments


def evaluate(out, framework, model, limit, env=None, **options):
    """Runs an eval to its end; `records` are what it wrote."""
    result = pasb(*eval_arguments(out, framework, model, limit, **options), env=env)
    result.records = records(out)
    return result


def last_line(result):
    lines = [line for line in result.err.splitlines() if line.strip()]
    return lines[-1] if lines else "(nothing on stderr)"


def records(out):
    file = pathlib.Path(out) / "records.jsonl"
    if not file.exists():
        return []
    text = file.read_bytes()
    lines = text.split(b"\n")
    if lines.pop() != b"":
        raise AssertionError(f"{file} has a torn last line")
    return [json.loads(line) for line in lines]


def name_of(record):
    return f"{record['framework']} {record['task_id']} a{record['attempt']}"


def exchanges(out, record):
    with gzip.open(pathlib.Path(out) / record["exchanges"]["file"], "rb") as file:
        return [json.loads(line) for line in file]


def sha256(data):
    return hashlib.sha256(data).hexdigest()


# Infrastructure: on a busy machine a framework may not boot or answer in time, and the run is tried again.
RETRIED = {"agent-not-ready", "turn-failed", "empty-answer", "engine-failed", "upstream-failed", "capture-failed"}


def last_attempts(found, read):
    """The last record of each run; what had to be tried again is remarked."""
    last = {}
    for record in read:
        earlier = last.get(record["run_id"])
        last[record["run_id"]] = record
        if earlier:
            found.equal(record["attempt"], earlier["attempt"] + 1, f"{name_of(record)}: attempt after {earlier['attempt']}")
            reason = earlier["invalid_reason"]
            found.check(reason in RETRIED, f"{name_of(earlier)} was tried again although it was {reason or 'valid'}")
            found.remark(f"{name_of(earlier)} was {reason} and tried again")
    return list(last.values())


def check_valid(found, result, out, runs, saved=None):
    """Every run ends valid and with a proven cut; `saved` all, none, or either. Leaves the records that count in result.records."""
    found.equal(result.code, 0, f"exit code ({last_line(result)})")
    result.records = last_attempts(found, result.records)
    found.equal(len(result.records), runs, f"runs in {out}")
    for record in result.records:
        if not found.check(record["valid"], f"{name_of(record)} invalid: {record['invalid_reason']}: {record['invalid_detail'][:200]}"):
            continue
        found.check(record["cut"]["proven"] and not record["cut"]["foreign_spans"], f"{name_of(record)}: cut {record['cut']}")
        found.check(record["simulated"] is True, f"{name_of(record)} does not say that the model is simulated")
        for chat in ("first_chat", "follow_up"):
            found.equal(record["continuity"][chat]["state"], "ok", f"{name_of(record)}: continuity of {chat}")
        if saved is not None:
            found.equal(record["saved"], saved, f"{name_of(record)}: saved")
            found.equal(record["destination"] != "session-only", saved, f"{name_of(record)}: destination {record['destination']}")
