"""Names of the columns of a table of reports that hold no answer: the group, skips, and what was asked."""

from __future__ import annotations

from typing import Final

from privacy.survey.design import Design

GROUP: Final = "group"
DIRECT_GROUP: Final = "direct"
PROTECTED_GROUP: Final = "protected"


def group_name(design: Design) -> str:
    """Return the name of the column of groups.

    Parameters
    ----------
    design : Design
        The name avoids its question keys.
    """
    return _unused_name(GROUP, design)


def skipped_name(block: str, design: Design) -> str:
    """Return the name of the column that marks skips of a block.

    Parameters
    ----------
    block : str
        Key of the block.
    design : Design
        The name avoids its question keys.
    """
    return _unused_name(f"{block}.skipped", design)


def asked_name(block: str, design: Design) -> str:
    """Return the name of the column that lists the drawn questions of a rotating block.

    Parameters
    ----------
    block : str
        Key of the block.
    design : Design
        The name avoids its question keys.
    """
    return _unused_name(f"{block}.asked", design)


def _unused_name(name: str, design: Design) -> str:
    """Append underscores to a name until it is no question key, as a question may be called "group"."""
    keys = {question.key for question in design.questions}
    while name in keys:
        name += "_"
    return name
