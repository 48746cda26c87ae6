"""Commit and compiled Chinese catalogue of the running program, in a checkout or an installed wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Final

CATALOGUE: Final = Path("locale/zh_Hans/LC_MESSAGES/django.po")
"""The catalogue that people edit, from the root of a checkout."""

_ROOT: Final = Path(__file__).resolve().parents[2]
# The build of a wheel writes it.
_NAMED: Final = Path(__file__).with_name("commit.txt")
# Git writes the commit into it where it packs an archive.
_ARCHIVED: Final = ".git_archival.txt"
_SECONDS: Final = 10


@lru_cache(maxsize=1)
def installed_commit() -> str:
    """Return the commit, twelve digits, of a wheel or of a checkout; "" where it is not known.

    A checkout with changes that no commit has ends with ``+changed``.
    """
    if _NAMED.is_file():
        return _NAMED.read_text(encoding="ascii").strip()
    return commit_of(_ROOT)


def commit_of(root: Path) -> str:
    """Return the commit that a folder of sources was checked out or unpacked from; "" where none is known."""
    git = shutil.which("git")
    if (root / ".git").exists() and git:
        describe = [git, "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+changed"]
        try:
            done = subprocess.run(
                describe, cwd=root, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout.strip() if done.returncode == 0 else ""
    archived = root / _ARCHIVED
    text = archived.read_text(encoding="ascii") if archived.is_file() else ""
    node = re.fullmatch(r"node: ([0-9a-f]{40})\s*", text)
    return node[1][:12] if node else ""


def compile_catalogue(root: Path, target: Path | None = None) -> None:
    """Compile a checkout's catalogue for gettext, unless the compiled file is newer.

    Parameters
    ----------
    root : Path
        Root of the checkout. An installed wheel has no catalogue to compile there, and nothing happens.
    target : Path, optional
        Compiled file; by default in the folder of the catalogue.
    """
    source = root / CATALOGUE
    target = target or source.with_suffix(".mo")
    if not source.is_file() or (target.is_file() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns):
        return
    import polib

    # Several processes may start at once: each reads either the former file or a whole new one.
    part = target.with_name(f"{target.name}.{os.getpid()}")
    polib.pofile(str(source)).save_as_mofile(str(part))
    part.replace(target)
