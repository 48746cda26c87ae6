"""Items whose points count twice: *question 4 counts double*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import WRONG, Question, Questionnaire, points_of
from surveys.imports.lines.source_lines import SourceLine
from surveys.imports.scores.item_names import ItemNames, numbers_in
from surveys.imports.scores.reversals import POINTS_UNREAD, has_points
from surveys.imports.words.cues import pattern_of

_DOUBLE: Final = pattern_of("counts-double")
_CLAUSE: Final = re.compile(r"[.;,:。；，：]|\s(?:and|und|et|y|e|en)\s(?=[^\d])")
_BRACKET: Final = re.compile(r"[(（\[](?P<said>[^()（）\[\]]{1,60})[)）\]]")
_NUMBER: Final = re.compile(r"\d{1,2}")


def double_named(survey: Questionnaire, names: ItemNames, lines: Iterable[SourceLine]) -> None:
    """Double the points of the items that a rule names for this; note a rule that names none.

    Parameters
    ----------
    survey : Questionnaire
    names : ItemNames
        The names of the items of the scale.
    lines : iterable of SourceLine
        The lines of the scoring rule.

    Examples
    --------
    >>> from surveys.imports.drafts.questionnaire import points_of
    >>> from surveys.imports.pasted_text import read_paste
    >>> asked = "Q\\n1. Are you ill?\\n2. Are you sad?\\n3. Are you late?\\n"
    >>> quiz = asked + "Each yes counts 1 point. Question 3 counts double. 2 or more: rest"
    >>> [points_of(question) for question in read_paste(quiz).questions]
    [[0, 1], [0, 1], [0, 2]]
    """
    for line in lines:
        stated = {int(number) for said in _BRACKET.findall(line.text) for number in _NUMBER.findall(said)}
        for clause in filter(_DOUBLE.search, _CLAUSE.split(_BRACKET.sub(" ", line.text))):
            items = _items_in(clause, names)
            for item in items:
                # A bracket may have stated the doubled points.
                if max(points_of(item)) < 2 or max(points_of(item)) not in stated:
                    _double(item)
            if not items:
                survey.note(
                    line.number,
                    _("this line doubles the points of items, but it is not clear of which"),
                    _("check which items count double, and set their points in the builder"),
                    effect=WRONG,
                    cause=POINTS_UNREAD,
                )


def _items_in(clause: str, names: ItemNames) -> Sequence[Question]:
    """Return the items that a clause names, if it names only some of the scale."""
    numbers = numbers_in(names.with_numbers(clause))
    items = [names.by_number[number] for number in numbers if number in names.by_number]
    are_known = len(items) == len(numbers) < len(names.questions) and all(map(has_points, items))
    return items if are_known else ()


def _double(item: Question) -> None:
    doubled = [2 * points for points in points_of(item)]
    if not item.options:
        item.points = doubled
    for option, points in zip(item.options, doubled, strict=False):
        option.points = None if option.points is None else points
