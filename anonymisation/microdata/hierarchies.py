"""Hierarchies of values that people write: indented text and CSV files.

In indented text, each line is a group or a value, and the members of a group are indented by two more spaces.
Values outside all groups belong to the root, which is published as ``*``::

    public
      city
      state
    own
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from anonymisation.microdata.classifications import Groups
from privacy.sdc.hierarchy import SUPPRESSED, Hierarchy, paths_hierarchy
from surveys.errors.error import SurveyError

STEP: Final = 2


def tree_leaves(name: str, text: str) -> dict[str, Groups]:
    """Return the groups of each value of an indented tree, coarsest first.

    Parameters
    ----------
    name : str
        Name of the column or of the tree.
    text : str
        One group or value per line.

    Raises
    ------
    SurveyError
        ``release.tree``: a line is indented too far; ``release.tree_twice``.

    Examples
    --------
    >>> tree_leaves("work", "public\\n  city\\n  state\\nown")
    {'city': ('public',), 'state': ('public',), 'own': ()}
    """
    paths: dict[str, Groups] = {}
    above: list[str] = []
    groups: set[str] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        label = line.strip()
        if not label:
            continue
        depth, odd = divmod(len(line.expandtabs(STEP)) - len(line.expandtabs(STEP).lstrip()), STEP)
        if odd or depth > len(above):
            raise SurveyError("release.tree", row=number, name=name)
        if label in paths or label == SUPPRESSED:
            raise SurveyError("release.tree_twice", label, name=name)
        above = [*above[:depth], label]
        paths[label] = tuple(above[:-1])
        groups.update(above[:-1])
    return {label: path for label, path in paths.items() if label not in groups}


def tree_text(groups: Mapping[str, Sequence[str]]) -> str:
    """Return the groups of values as indented text, in alphabetical order.

    Examples
    --------
    >>> print(tree_text({"own": (), "city": ("public",)}))
    own
    public
      city
    """
    lines: dict[str, str] = {}
    for value, above in sorted(groups.items(), key=lambda item: [*item[1], item[0]]):
        for depth, label in enumerate([*above, value]):
            lines.setdefault(label, " " * STEP * depth + label)
    return "\n".join(lines.values())


def hierarchy_of_text(name: str, text: str) -> Hierarchy:
    """Build a hierarchy from indented text, read by `tree_leaves`."""
    # A missing value has an empty name, which no line can have, so it gets a leaf below the root.
    return paths_hierarchy(name, {"": (), **tree_leaves(name, text)})


def hierarchy_of_file(name: str, file: str, raw: bytes) -> Hierarchy:
    """Read a hierarchy from a file: indented text if it ends in ``.txt``, otherwise rows in ARX's format.

    Raises
    ------
    PrivacyError
        ``release.tree_file``: the file is not text, or empty; also the errors of the tree.
    """
    text = _decode_text(file, raw)
    if file.casefold().endswith(".txt"):
        return hierarchy_of_text(name, text)
    lines = [line for line in text.splitlines() if line.strip()]
    separator = ";" if any(";" in line for line in lines) else ","
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator)]
    return Hierarchy.from_rows(name, rows)


def _decode_text(file: str, raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SurveyError("release.tree_file", file) from error
    if not text.strip():
        raise SurveyError("release.tree_file", file)
    return text


def hierarchy_read(name: str, path: Path) -> Hierarchy:
    """Read a hierarchy from a file, as rows or as indented text."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SurveyError("file.hierarchy", str(path), path=path, name=name) from error
    return hierarchy_of_file(name, path.name, raw)
