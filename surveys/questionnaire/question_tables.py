"""Questions that a page shows as rows of one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.questionnaire.document import Node
from surveys.questionnaire.kinds import MATRIX
from surveys.questionnaire.stems import STEM


def tables_of(questions: Sequence[Mapping[str, Any]]) -> list[int | None]:
    """Return the index of each question's table; None outside tables.

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
    [0, 0, None, 1]
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
    return numbers


def check_rows(node: Node, questions: Sequence[Mapping[str, Any]]) -> None:
    """Note questions that are the only row of their table; `node` is the list of questions."""
    for number in single_rows(questions):
        node.at(number).at("look").wrong(
            _("no question next to it has the same options, so it cannot be a table"),
            _("give the next question the same options and the same look, or choose another look"),
        )


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
    return [
        position
        for position, table in enumerate(tables)
        if table is not None and rows[table] == 1 and STEM not in questions[position]
    ]
