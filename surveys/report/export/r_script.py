"""The R file that each export contains: it reads the rows with the probabilities of their disguise."""

from __future__ import annotations

from pathlib import Path
from typing import Final

R_FILE: Final = "sottovoce.R"
"""Its name in the ZIP file."""

_SCRIPT: Final = Path(__file__).parent / R_FILE


def r_script() -> str:
    """Return the R file, which is the same for every run."""
    return _SCRIPT.read_text(encoding="utf-8")
