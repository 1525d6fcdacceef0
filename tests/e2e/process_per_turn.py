"""Runs inside a framework's container: the eight turns of a run, each by its own command-line process. Writes what they cost."""
import json
import pathlib
import resource
import subprocess
import sys
import time

TURNS = [
    "Good morning. I bake on Saturdays, and today I begin with the flour.", "The dough rests now. What could I read meanwhile?",
    "A neighbour asked for a loaf. How do I wrap it?", "The oven is old and uneven. Any advice?", "Thank you, that was all for today.",
    "How should a recipe for a beginner be laid out?", "Write a short note for the wall of a bakery.", "What belongs on a shopping list?",
]
FIRST_CHAT = 5


def command(framework, number, text):
    if framework == "hermes":
        going_on = [] if number in (0, FIRST_CHAT) else ["--continue"]
        return ["/opt/hermes/bin/python", "-m", "hermes_cli.main", "chat", "-Q", *going_on, "-q", text]
    session = "chat-a" if number < FIRST_CHAT else "chat-b"
    return ["node", "/opt/openclaw/node_modules/openclaw/openclaw.mjs", "agent", "--local", "--agent", "main", "--session-id", session,
            "--message", text]


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def peak_memory():
    for name in ("memory/memory.max_usage_in_bytes", "memory.peak"):
        file = pathlib.Path("/sys/fs/cgroup", name)
        if file.exists():
            return int(file.read_text())
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def main():
    turns = []
    for number, text in enumerate(TURNS):
        wall, cpu = time.monotonic(), children_cpu()
        done = subprocess.run(command(sys.argv[1], number, text), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        turns.append({"wall": time.monotonic() - wall, "cpu": children_cpu() - cpu, "exit": done.returncode, "answered": "fine plan" in done.stdout,
                      "said": (done.stdout + done.stderr)[-300:]})
    pathlib.Path("/run/pasb/result.json").write_text(json.dumps({"turns": turns, "peak": peak_memory()}))


if __name__ == "__main__":
    main()
