"""The script in R of an export, run, and what it said."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path


def in_r(where: Path) -> subprocess.CompletedProcess[str]:
    command = ["Rscript", "--vanilla", "reproduce.R"]
    return subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)


def compared(said: str) -> dict[tuple[str, str], float]:
    """Return the largest difference per column."""
    found = re.findall(r"^(itemsets|rules) +(\w+) +(\S+)", said, re.MULTILINE)
    return {(table, column): float(difference) for table, column, difference in found}
