"""Names of the columns of a table of reports, which both who writes and who reads one need."""

from __future__ import annotations

from typing import Final

from privacy.survey.design import Design

__all__ = ["DIRECT_GROUP", "PROTECTED_GROUP", "asked_name", "group_name", "skipped_name"]

GROUP: Final = "group"
DIRECT_GROUP: Final = "direct"
PROTECTED_GROUP: Final = "protected"


def group_name(design: Design) -> str:
    """Return the name of the column of groups.

    Parameters
    ----------
    design : Design
        Whose questions bear other names.
    """
    return _free(GROUP, design)


def skipped_name(block: str, design: Design) -> str:
    """Return the name of the column that marks skips of a block.

    Parameters
    ----------
    block : str
        Its key.
    design : Design
        Whose other columns bear other names.
    """
    return _free(f"{block}.skipped", design)


def asked_name(block: str, design: Design) -> str:
    """Return the name of the column of the drawn questions of a rotating block.

    Parameters
    ----------
    block : str
        Its key.
    design : Design
        Whose other columns bear other names.
    """
    return _free(f"{block}.asked", design)


def _free(name: str, design: Design) -> str:
    """Return a name that no question has: its key may be "group" too."""
    taken = {question.key for question in design.questions}
    while name in taken:
        name += "_"
    return name
