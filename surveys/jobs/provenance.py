"""Identify the program behind a result: its version, and a digest of the code that estimates and counts."""

from __future__ import annotations

import hashlib
import os
import secrets
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
_PACKAGES: Final = (privacy, mining)


def installed_version() -> str:
    """Return the version stated in the checkout, or else that of the installed distribution."""
    if PROJECT.is_file():
        return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    return version("sottovoce")


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


TOKEN_FILE: Final = "home_token"  # noqa: S105 (a name)
_TOKEN_BYTES: Final = 12


def made_once(path: Path, text: str) -> str:
    """Return the contents of a file; if it is missing, create it with `text`, readable only by its owner.

    If several processes create it at once, one succeeds and all return its text.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()


@lru_cache(maxsize=64)
def home_token(home: Path) -> str:
    """Return the random name of a home directory, creating it on first use."""
    return made_once(home / TOKEN_FILE, secrets.token_hex(_TOKEN_BYTES))


def queue_of(token: str) -> str:
    """Return the broker's queue for work that needs the files of the home with this token.

    >>> queue_of("00ff")
    'home-00ff'
    """
    return f"home-{token}"
