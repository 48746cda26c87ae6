"""What operators type to run this program. Like the help of commands, it needs no packages."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

BASE: Final = Path(__file__).resolve().parent.parent
IS_CHECKOUT: Final = (BASE / "manage.py").is_file()
_NAME: Final = "sottovoce"


def typed_program() -> str:
    """Return what operators type before the name of a command."""
    return ".venv/bin/python manage.py" if IS_CHECKOUT else _installed(sys.argv[0], Path(sys.prefix))


def typed_start() -> str:
    """Return what operators type to start everything on one machine."""
    return "./run" if IS_CHECKOUT else f"{typed_program()} dev"


def _installed(typed: str, prefix: Path) -> str:
    """Return the name of an installed program if a terminal finds it, or else its place.

    Parameters
    ----------
    typed : str
        What started this process.
    prefix : Path
        The environment that has the program.

    Examples
    --------
    >>> _installed("sv/bin/another", Path("/nowhere"))
    'sottovoce'
    """
    place = prefix / "bin" / _NAME
    is_found = any(Path(folder, _NAME).is_file() for folder in os.get_exec_path())
    if is_found or not place.is_file():
        return _NAME
    started = Path(typed)
    # Processes that another one started have the module's name instead.
    return typed if started.is_file() and started.samefile(place) else str(place)
