"""Questions shown as one table: consecutive questions of a part with the same options.

A table changes no answer and no probability: each row is a separate question, disguised and counted as if it
were shown alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

MATRIX: Final = "matrix"
"""The look of a question that is a row of a table."""


def tables_of(questions: Sequence[Mapping[str, Any]]) -> list[int | None]:
    """Return for each question of a part the number of its table, counted from 0; None outside tables.

    Parameters
    ----------
    questions : sequence of dict
        Wordings of the questions, in order. Options are the same if their texts are, in every language.

    Returns
    -------
    list of int or None

    Examples
    --------
    >>> row = {"look": "matrix", "options": []}
    >>> tables_of([row, row, {"options": []}, row])
    [0, 0, None, 1]
    """
    numbers: list[int | None] = []
    number, before = -1, None
    for question in questions:
        is_row = question.get("look") == MATRIX
        texts = [option["text"] for option in question["options"]] if is_row else None
        if is_row and texts != before:
            number += 1
        numbers.append(number if is_row else None)
        before = texts
    return numbers


def single_rows(questions: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the indexes of questions that are the only row of their table.

    Examples
    --------
    >>> row = {"look": "matrix", "options": []}
    >>> single_rows([row, row, {"options": []}, row])
    [3]
    """
    tables = tables_of(questions)
    rows = Counter(tables)
    return [position for position, table in enumerate(tables) if table is not None and rows[table] == 1]
