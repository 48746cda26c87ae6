"""Types in an XLSForm that pyxform does not know: in capital letters, and those of KoboToolbox's tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Final

_COMMAND: Final = re.compile(
    r"(?:add )?(?:select|rank)(?:[_ ](?:one|multiple|1|all that apply))?(?:_external|_from_file)?(?= |$)"
    r"|select1(?= |$)",
    re.IGNORECASE,
)
"""The words of a type that are no list."""
_LISTLESS: Final = frozenset({"select_one", "select one", "select_multiple", "select multiple"})
_GROUP: Final = re.compile(r"(begin|end)[_ ]?(group|repeat|loop)", re.IGNORECASE)
_OTHER: Final = re.compile(r"\s(?:or specify other|or[_ ]other)$", re.IGNORECASE)
_SCORE_LIST: Final = "kobo--score-choices"


def name_types(rows: Sequence[dict[str, Any]], known: Collection[str]) -> None:
    """Give types the names that pyxform knows.

    A table of KoboToolbox becomes a group with a question for each row. The ends of its other kinds of
    tables, which are left out, become empty rows.

    Parameters
    ----------
    rows : sequence of dict
        Rows of the sheet *survey*; changed in place.
    known : collection of str
        pyxform's types.

    Examples
    --------
    >>> types = ["Select_One YN or_other", "Begin Group", "Integer", "CaseID"]
    >>> rows = [{"type": kind} for kind in types]
    >>> name_types(rows, ["integer"])
    >>> [row["type"] for row in rows]
    ['select_one YN', 'begin group', 'integer', 'CaseID']
    """
    lists = ""
    for row in rows:
        kind = " ".join(str(row.get("type", "")).split())
        lower = kind.lower()
        if lower == "begin_score":
            lists = str(row.pop(_SCORE_LIST, ""))
            row["type"] = "begin group"
        elif lower == "score__row" and lists:
            row |= {"type": f"select_one {lists}", "appearance": "list-nolabel"}
        elif lower == "end_score":
            row["type"] = "end group"
        elif lower in ("end_rank", "end_kobomatrix"):
            row.clear()
        elif lower in _LISTLESS:
            # pyxform would object to the form as a whole; the reader lists the row.
            row["type"] = lower.replace(" ", "_")
        elif group := _GROUP.fullmatch(kind):
            row["type"] = f"{group[1]} {group[2]}".lower()
        elif command := _COMMAND.match(kind):
            # pyxform adds the answer "Other" for all questions with the list; the reader, for this one.
            row["type"] = command[0].lower() + _OTHER.sub("", kind[command.end() :])
        elif kind not in known and lower in known:
            row["type"] = lower


def allows_other(kind: str) -> bool:
    """Return whether a type allows another answer than those of its list.

    Examples
    --------
    >>> allows_other("select_one yn or_other"), allows_other("select_one or_other")
    (True, False)
    """
    kind = " ".join(kind.split())
    command = _COMMAND.match(kind)
    return command is not None and _OTHER.search(kind[command.end() :].lstrip()) is not None


def unknown_types(rows: Sequence[dict[str, Any]], known: Collection[str]) -> list[str]:
    """Return the types that are none of pyxform's, in any case, in lower case.

    Examples
    --------
    >>> unknown_types([{"type": "CaseID"}, {"type": "select_one yn"}, {"type": "Integer"}], ["integer"])
    ['caseid', 'select_one yn']
    """
    types = dict.fromkeys(" ".join(str(row.get("type", "")).split()).lower() for row in rows)
    return [kind for kind in types if kind and kind not in known]
