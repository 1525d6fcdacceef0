"""Runs the cases one after the other and prints one line for each."""
import importlib
import pathlib
import sys
import time
import traceback


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def run_case(name, function, harness):
    found = harness.Case()
    start = time.monotonic()
    try:
        function(found)
        word = "FAIL" if found.failures else "pass"
    except harness.Skipped as reason:
        word, found.remarks = "skip", [str(reason)]
    except Exception as error:
        traceback.print_exc()
        word = "FAIL"
        found.failures.append(f"{type(error).__name__}: {error}")
    # Texts from agents may stand in the reasons; a line stays a line.
    said = ascii("; ".join(found.failures + found.remarks))[1:-1]
    print(f"{word}  {name:<18} {clock(time.monotonic() - start)}  {said[:1500]}".rstrip(), flush=True)
    return word


def main():
    listing = sys.argv[1:] == ["--list"]
    if listing:
        import os
        os.environ.setdefault("PASB_E2E_WORK", "/nonexistent")
    import harness
    sys.path.insert(0, str(pathlib.Path(__file__).parent / "cases"))
    for name in ("answers", "containment", "crashes", "refusals", "chats", "schema"):  # the quick ones first
        importlib.import_module(name)
    if listing:
        print("\n".join(harness.CASES))
        return 0
    unknown = [name for name in sys.argv[1:] if name not in harness.CASES]
    if unknown:
        print(f"unknown case {', '.join(unknown)}: use {', '.join(harness.CASES)}", file=sys.stderr)
        return 2
    words = [run_case(name, function, harness) for name, function in harness.CASES.items() if not sys.argv[1:] or name in sys.argv[1:]]
    skipped = words.count("skip")
    print(f"{words.count('pass')} passed, {words.count('FAIL')} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if "FAIL" in words else 0


if __name__ == "__main__":
    sys.exit(main())
