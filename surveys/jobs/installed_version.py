"""The version of the installed program."""

from __future__ import annotations

import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[2] / "pyproject.toml"


def installed_version() -> str:
    """Return the version stated in the checkout, or else that of the installed distribution."""
    if PROJECT.is_file():
        return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    return version("sottovoce")
