"""The commit that this program was built from or checked out at."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[2]
# The build of a wheel writes this file.
_NAMED: Final = Path(__file__).with_name("commit.txt")
# Git writes the commit into this file when it creates an archive.
_ARCHIVED: Final = ".git_archival.txt"
_SECONDS: Final = 10


@lru_cache(maxsize=1)
def installed_commit() -> str:
    """Return the commit of a wheel or a checkout, in twelve digits; "" if it is unknown.

    For a checkout with uncommitted changes, the result ends with ``+changed``.
    """
    if _NAMED.is_file():
        return _NAMED.read_text(encoding="ascii").strip()
    return commit_of(_ROOT)


def commit_of(root: Path) -> str:
    """Return the commit that a source folder was checked out or unpacked from; "" if it is unknown."""
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
    archive_file = root / _ARCHIVED
    text = archive_file.read_text(encoding="ascii") if archive_file.is_file() else ""
    node = re.fullmatch(r"node: ([0-9a-f]{40})\s*", text)
    return node[1][:12] if node else ""
