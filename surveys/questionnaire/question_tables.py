"""Questions that a page shows as rows of one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from surveys.questionnaire.kinds import MATRIX
from surveys.questionnaire.stems import STEM


def tables_of(questions: Sequence[Mapping[str, Any]]) -> list[int | None]:
    """Return the index of each question's table; None outside tables.

    A row without a neighbour of its table is none: the layout of a plan may separate rows.

    Parameters
    ----------
    questions : sequence of dict
        Wordings of a part's questions, in order. Rows share a table if they are lines of one list, or if the
        texts of their options are equal in every language.

    Returns
    -------
    list of int or None

    Examples
    --------
    >>> row = {"look": "matrix", "options": []}
    >>> tables_of([row, row, {"options": []}, row])
    [0, 0, None, None]
    >>> tables_of([{"stem": "used"}, {"stem": "used"}, {"stem": "taken"}])
    [0, 0, 1]
    """
    numbers: list[int | None] = []
    number, before = -1, None
    for question in questions:
        same: Any = question.get(STEM)
        if same is None and question.get("look") == MATRIX:
            same = [option["text"] for option in question["options"]]
        if same is not None and same != before:
            number += 1
        numbers.append(None if same is None else number)
        before = same
    rows = Counter(numbers)
    return [
        None if rows[table] == 1 and STEM not in question else table
        for table, question in zip(numbers, questions, strict=True)
    ]
