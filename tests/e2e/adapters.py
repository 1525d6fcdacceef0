"""Makes broken copies of shipped adapters: one whose rules let the history cross, one that also uses one session for both chats."""
import re

from harness import AGENTS, ROOT

FAULTS = ("history-crosses", "same-session")


def let_history_cross(text, name):
    changed, count = re.subn(r"kind: history\b", "kind: memory", text)
    if count == 0:
        raise AssertionError(f"{name} has no rule for a history")
    return changed


def use_one_session(text, name):
    both = r'^sessions: {first_chat: ("[^"]*"|[^",]+), follow_up: .*$'
    changed, count = re.subn(both, r"sessions: {first_chat: \1, follow_up: \1}", text, flags=re.MULTILINE)
    if count != 1:
        raise AssertionError(f"{name}: its sessions are written in another way")
    return changed


def rename(text, name, fault):
    return re.sub(r"^framework: .*$", f"framework: {name}-{fault}", text, count=1, flags=re.MULTILINE)


def write_adapter(folder, framework, text):
    target = folder / "adapters" / framework
    target.mkdir(parents=True, exist_ok=True)
    (target / "adapter.yaml").write_text(text)


def write_broken(folder, frameworks):
    for name in frameworks:
        shipped = (ROOT / "adapters" / name / "adapter.yaml").read_text()
        crossing = let_history_cross(shipped, name)
        write_adapter(folder, f"{name}-history-crosses", rename(crossing, name, "history-crosses"))
        write_adapter(folder, f"{name}-same-session", rename(use_one_session(crossing, name), name, "same-session"))


def scripted_adapter():
    return (AGENTS / "adapters" / "scripted" / "adapter.yaml").read_text()
