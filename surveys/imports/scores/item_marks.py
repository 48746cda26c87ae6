"""Marks at the end of some items of a score, such as *(n)*, that no line explains: perhaps reversed items."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import SEVERAL, WRONG, Questionnaire, text_of
from surveys.imports.lines.source_lines import SourceLine
from surveys.imports.scores.reversals import POINTS_UNREAD

_BRACKET: Final = re.compile(
    r"(?<![^\W㐀-鿿가-힯ぁ-ヺ])(?P<mark>[(（\[][^()（）\[\]\d]{1,25}[)）\]])[.。!?！？…]?$"
)
"""A bracket apart from the word before it: *(a)* in *alone(a)* is an ending."""
_SIGN: Final = re.compile(r"\s(?P<mark>[A-Z]|[*＊†‡§#°^▲△▼▽◆◇★☆♦+–−-]{1,3})$")
_MOST_WORDS: Final = 3
_SHORT: Final = 3
"""Letters of a mark that is no remark: *(n)*, *(rec)*."""
_LEAST_ITEMS: Final = 2


def note_marks(survey: Questionnaire, turned: Set[int], source: Sequence[SourceLine]) -> None:
    """Ask about items of a score with a mark that others lack, if none of its items is reversed.

    A remark in brackets is a mark if several items have it.

    Parameters
    ----------
    survey : Questionnaire
        Its scores are proposed.
    turned : set of int
        Lines of reversed items.
    source : sequence of SourceLine
        All lines.
    """
    starred = {line.number for line in source if line.is_starred}
    for score in survey.scores:
        if turned & {*score.questions}:
            continue
        own = [each for each in survey.questions if each.line in score.questions and each.kind != SEVERAL]
        marks = {each.line: _mark_of(text_of(each), is_starred=each.line in starred) for each in own}
        counts = Counter(marks.values())
        for line, mark in marks.items():
            if mark and counts[mark] < len(own) and _is_mark(mark, counts):
                survey.note(
                    line,
                    _("it ends with %(mark)s, unlike other items of the score, and may be reversed")
                    % {"mark": mark},
                    _("check the points of these items, and change them in the builder"),
                    effect=WRONG,
                    cause=POINTS_UNREAD,
                )


def _mark_of(text: str, *, is_starred: bool) -> str:
    """Return the mark at the end of an item; empty if there is none.

    >>> [_mark_of(text, is_starred=False) for text in ("I am calm (n)", "I am calm R", "Sei solo(a)?")]
    ['(n)', 'R', '']
    """
    found = _BRACKET.search(text) or _SIGN.search(text)
    if found is None:
        return "*" if is_starred else ""
    return found["mark"] if len(found["mark"].split()) <= _MOST_WORDS else ""


def _is_mark(mark: str, counts: Mapping[str, int]) -> bool:
    return counts[mark] >= _LEAST_ITEMS or len(mark.strip("()（）[] ")) <= _SHORT
