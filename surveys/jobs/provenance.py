"""Digests of the code behind a result: of the modules that estimate and count, and of the whole program."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Final

import mining
import privacy
import surveys

_PACKAGES: Final = (privacy, mining)


@lru_cache(maxsize=1)
def program_version() -> str:
    """Return a digest like `code_version`, but of all Python files of the program."""
    # Imported here because it loads Django, which callers that need only the version may not have configured.
    from surveys.extension import extensions

    app_modules = [app.module for app in extensions() if app.module is not None]
    return _digest((*_PACKAGES, surveys, *app_modules))


@lru_cache(maxsize=1)
def code_version() -> str:
    """Return the first 16 digits of a SHA-256 over the Python files of ``privacy`` and ``mining``.

    The digest depends only on the text of the files, not on their location or on version control.
    """
    return _digest(_PACKAGES)


def _digest(packages: tuple[ModuleType, ...]) -> str:
    total = hashlib.sha256()
    for package in packages:
        root = Path(package.__path__[0])
        for path in sorted(root.rglob("*.py")):
            name = f"{root.name}/{path.relative_to(root).as_posix()}"
            total.update(hashlib.sha256(name.encode() + b"\0" + path.read_bytes()).digest())
    return total.hexdigest()[:16]
