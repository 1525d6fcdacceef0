"""Names and runs the cases of the export tests; each raises AssertionError, or whatever the tool it asks raises."""
import sys
import time
import traceback

import check_hf
import check_inspect
import check_tables
import source

CASES = (check_inspect.schema, check_inspect.read_back, check_inspect.scores, check_inspect.view, check_hf.card, check_hf.load_back,
         check_tables.csv_rows, check_tables.junit, check_tables.refusals)


def main():
    source.prepare(sys.argv[1] if len(sys.argv) > 1 else None)
    failed = 0
    for case in CASES:
        name = f"{case.__module__.removeprefix('check_')}: {case.__name__.replace('_', ' ')}"
        start = time.monotonic()
        try:
            remark = case() or ""
            print(f"pass  {name}  {time.monotonic() - start:.1f} s  {remark}", flush=True)
        except Exception:
            failed += 1
            print(f"FAIL  {name}\n{traceback.format_exc()}", flush=True)
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
