"""Compile the catalogues of a checkout for gettext."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

CATALOGUES: Final = "locale/*/LC_MESSAGES/*.po"
"""Paths of the editable catalogues from the root of a checkout: Chinese, and languages for respondents.

Those of some languages have a second one for the other form of address."""


def compile_catalogues(root: Path, target: Path | None = None) -> list[Path]:
    """Compile a checkout's catalogues for gettext, unless the compiled files are newer.

    Parameters
    ----------
    root : Path
        Root of the checkout. In an installed wheel, there are no catalogues and nothing happens.
    target : Path, optional
        Folder for the compiled files, with the paths they have below the root; by default the root.

    Returns
    -------
    list of Path
        Paths of the compiled files below the folder.
    """
    found = []
    for source in sorted(root.glob(CATALOGUES)):
        path = source.relative_to(root).with_suffix(".mo")
        _compile(source, (target or root) / path)
        found.append(path)
    return found


def _compile(source: Path, target: Path) -> None:
    if target.is_file() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns:
        return
    import polib

    # Several processes may start at once. Each must read either the old file or a complete new one.
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.{os.getpid()}")
    polib.pofile(str(source)).save_as_mofile(str(part))
    part.replace(target)
