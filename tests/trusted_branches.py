"""Fail unless tests execute every line and branch of the Python files that respondents must trust.

pytest -p tests.trusted_branches ...    also counts lines and branches, in each test process
python -m tests.trusted_branches        reports those that none of these processes executed
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import slipcover

ROOT = Path(__file__).resolve().parent.parent
TRUSTED = [
    name for name in (ROOT / "audit/trusted.txt").read_text("utf-8").splitlines() if name.endswith(".py")
]
_NAMES = {Path(name).name for name in TRUSTED}
MEASURED = ROOT / ".venv/branches"
"""One file for each test process. ./test empties it first."""


class _TrustedFiles(slipcover.FileMatcher):
    """Compares names first, because slipcover would resolve the path of each imported module."""

    def matches(self, filename: Path | str | None) -> bool:
        return filename is not None and os.path.basename(filename) in _NAMES and super().matches(filename)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Count from now on, before Django loads the trusted files."""
    # slipcover changes the bytecode, which takes half the time of Python's tracer.
    counter = slipcover.Slipcover(branch=True, exclude_also=["raise NotImplementedError"])
    matcher = _TrustedFiles(sources=[ROOT / name for name in TRUSTED])
    slipcover.ImportManager(counter, matcher).__enter__()
    early_config.add_cleanup(lambda: _write(counter.get_coverage()["files"]))
    return (yield)


def _write(files: dict) -> None:
    MEASURED.mkdir(exist_ok=True)
    (MEASURED / f"{os.getpid()}.json").write_text(json.dumps(files), encoding="utf-8")


def unexecuted(trusted: list[str], measured: list[dict]) -> list[str]:
    """Return a line for each trusted file with a line or branch that no process executed."""
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
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    measured = [json.loads(path.read_text(encoding="utf-8")) for path in MEASURED.glob("*.json")]
    sys.exit("\n".join(unexecuted(TRUSTED, measured)) or None)
