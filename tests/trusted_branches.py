"""Fail unless tests execute every line and branch of the Python files that respondents depend on.

python -m tests.trusted_branches MEASURED...    files of slipcover, one for each database
"""

import json
import sys
from pathlib import Path

import slipcover

ROOT = Path(__file__).resolve().parent.parent


def unexecuted(trusted: list[str], measured: list[dict]) -> list[str]:
    """Return a line for each trusted file with a line or branch that no measurement executed."""
    merged, *others = measured
    for other in others:
        slipcover.merge_coverage(merged, other)
    found = []
    for name in trusted:
        if name not in merged["files"]:
            found.append(f"{name}: no test imports it")
            continue
        lines, branches = (merged["files"][name][f"missing_{what}"] for what in ("lines", "branches"))
        if lines or branches:
            found.append(f"{name}: lines {lines} and branches {branches} are never executed")
    return found


if __name__ == "__main__":
    trusted = [
        line for line in (ROOT / "audit" / "trusted.txt").read_text().splitlines() if line.endswith(".py")
    ]
    found = unexecuted(trusted, [json.loads(Path(name).read_text()) for name in sys.argv[1:]])
    sys.exit("\n".join(found) or None)
