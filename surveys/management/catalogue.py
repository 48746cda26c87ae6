"""Compile the Chinese catalogue of a checkout for gettext."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

CATALOGUE: Final = Path("locale/zh_Hans/LC_MESSAGES/django.po")
"""Path of the editable catalogue from the root of a checkout."""


def compile_catalogue(root: Path, target: Path | None = None) -> None:
    """Compile a checkout's catalogue for gettext, unless the compiled file is newer.

    Parameters
    ----------
    root : Path
        Root of the checkout. In an installed wheel, there is no catalogue and nothing happens.
    target : Path, optional
        Compiled file; by default next to the catalogue.
    """
    source = root / CATALOGUE
    target = target or source.with_suffix(".mo")
    if not source.is_file() or (target.is_file() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns):
        return
    import polib

    # Several processes may start at once. Each must read either the old file or a complete new one.
    part = target.with_name(f"{target.name}.{os.getpid()}")
    polib.pofile(str(source)).save_as_mofile(str(part))
    part.replace(target)
