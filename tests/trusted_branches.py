"""Fail unless tests execute every line and branch of the Python files that respondents must trust.

python -m tests.trusted_branches MEASURED...    slipcover's output files, one for each database
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def unexecuted(trusted: list[str], measured: list[dict]) -> list[str]:
    """Return a line for each trusted file with a line or branch that no measurement executed."""
    found = []
    for name in trusted:
        files = [each[name] for each in measured if name in each]
        if not files:
            found.append(f"{name}: no test imports it")
            continue
        lines = set.intersection(*(set(file["missing_lines"]) for file in files))
        branches = set.intersection(*(set(map(tuple, file["missing_branches"])) for file in files))
        if lines or branches:
            found.append(f"{name}: lines {sorted(lines)} and branches {sorted(branches)} are never executed")
    return found


if __name__ == "__main__":
    trusted = [
        line for line in (ROOT / "audit" / "trusted.txt").read_text().splitlines() if line.endswith(".py")
    ]
    try:
        measured = [json.loads(Path(name).read_text())["files"] for name in sys.argv[1:]]
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{error}. Name files that `slipcover --json --out FILE` wrote, as ./test does.")
    sys.exit("\n".join(unexecuted(trusted, measured)) or None)
