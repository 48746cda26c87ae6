"""Which program made a figure: its version, and a digest over the files that law and counting consist of."""

from __future__ import annotations

import hashlib
import tomllib
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Final

import mining
import privacy
import surveys

PROJECT: Final = Path(__file__).resolve().parents[2] / "pyproject.toml"
_ROOMS: Final = (privacy, mining)


def installed_version() -> str:
    """Return the version of a checkout by its own page, else that of the installed distribution."""
    if PROJECT.is_file():
        return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    return version("sotto")


@lru_cache(maxsize=1)
def program_version() -> str:
    """Return the digest, as `code_version`, of all Python files of the program."""
    # Loads Django, which a caller that asks for the version alone may not have.
    from surveys.extension import extensions

    plugged = [app.module for app in extensions() if app.module is not None]
    return _digest((*_ROOMS, surveys, *plugged))


@lru_cache(maxsize=1)
def code_version() -> str:
    """Return the first 16 digits of a SHA-256 over the Python files of ``privacy`` and ``mining``.

    Equal texts give equal digests wherever they lie, and whether or not version control is there.
    """
    return _digest(_ROOMS)


def _digest(rooms: tuple[ModuleType, ...]) -> str:
    total = hashlib.sha256()
    for room in rooms:
        root = Path(room.__path__[0])
        for path in sorted(root.rglob("*.py")):
            name = f"{root.name}/{path.relative_to(root).as_posix()}"
            total.update(hashlib.sha256(name.encode() + b"\0" + path.read_bytes()).digest())
    return total.hexdigest()[:16]
