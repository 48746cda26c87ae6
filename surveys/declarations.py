"""Read what applications declare in ``sottovoce.toml``, without Django and while they are disabled.

An application is a package next to this one with an ``apps.py`` and this file. `surveys.extension` has what
an enabled application adds. Some facts also hold while it is disabled, when its AppConfig is not loaded: it
is installed, and its tables in the database keep their rows.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FILE: Final = "sottovoce.toml"
_KEYS: Final = frozenset({"not_in_backups"})


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """Facts about an application that hold while it is disabled.

    Attributes
    ----------
    name : str
        Its package, and the beginning of the names of its tables.
    folder : Path
    not_in_backups : tuple of str
        Tables of which backups contain no rows.
    """

    name: str
    folder: Path
    not_in_backups: tuple[str, ...]


def declarations(root: Path = Path(__file__).parents[1]) -> list[Declaration]:
    """Return the declarations of all applications in a folder, enabled or not, by name.

    Raises
    ------
    ValueError
        A file is not TOML in UTF-8, has an unknown key, or names a table that is not the application's.
    """
    paths = sorted(root.glob(f"*/{FILE}"))
    return [declaration_read(path.parent) for path in paths if (path.parent / "apps.py").is_file()]


def declaration_read(folder: Path) -> Declaration:
    """Return the declaration of the application in a folder; an empty one if it has no file.

    Raises
    ------
    ValueError
        As for `declarations`.
    """
    path = folder / FILE
    if not path.exists():
        return Declaration(name=folder.name, folder=folder, not_in_backups=())
    try:
        declared = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    if unknown := declared.keys() - _KEYS:
        raise ValueError(f"{path} has unknown keys: {', '.join(sorted(unknown))}")
    tables = declared.get("not_in_backups", [])
    own = re.compile(rf"{re.escape(folder.name)}_[a-z0-9_]+")
    # The names become part of SQL, and an application decides about its own tables only.
    if not isinstance(tables, list) or not all(
        isinstance(table, str) and own.fullmatch(table) for table in tables
    ):
        raise ValueError(f"{path}: not_in_backups must list names of tables that begin with {folder.name}_")
    return Declaration(name=folder.name, folder=folder, not_in_backups=tuple(tables))
