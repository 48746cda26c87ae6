"""Answers that score no points: *don't know* (9) has a code, which a sum of points must not contain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext as _

from surveys.formats.joints import list_text, series_text, short_text
from surveys.imports.drafts.questionnaire import SEVERAL, Question, Questionnaire, Score, are_unscored

_LONGEST_QUOTED: Final = 50
_LEAST_CODE: Final = 7
"""The smallest number that forms write for an answer without a value: 7, 8, 9, 77, 98."""


def leave_codes(questions: Iterable[Question]) -> None:
    """Take the points from answers such as *don't know* if they score more or less than all others.

    Between the points of other answers, they may be meant: *no* (0), *don't know* (1), *yes* (2).

    Parameters
    ----------
    questions : iterable of Question
        Those of a survey with scoring lines.

    Examples
    --------
    >>> from surveys.imports.drafts.questionnaire import Option
    >>> labels = {"never": 0, "often": 2, "don't know": 9}
    >>> options = [Option(line=1, texts={"en": label}, points=own) for label, own in labels.items()]
    >>> leave_codes([Question(line=1, texts={}, kind="single", options=options)])
    >>> [option.points for option in options]
    [0, 2, None]
    """
    for question in questions:
        if question.kind == SEVERAL:
            continue
        unscored = are_unscored([option.texts for option in question.options])
        options = [*zip(question.options, unscored, strict=True)]
        others = [option.points for option, is_unscored in options if not is_unscored]
        known = [points for points in others if points is not None]
        if len(known) < len(others) or not known:
            continue
        for option, is_unscored in options:
            if option.points and is_unscored and not _is_between(option.points, known):
                option.points = None


def _is_between(points: int, others: Sequence[int]) -> bool:
    return min(others) <= points <= max(others)


def unscored_text(survey: Questionnaire, score: Score) -> str:
    """Return what a score does with answers that may be none: *don't know*, or one with a code such as 99.

    Parameters
    ----------
    survey : Questionnaire
    score : Score
        One of its scores.

    Returns
    -------
    str
        Empty without such answers.
    """
    found: dict[str, set[int]] = {}
    for question, points in _points_by_question(survey, score):
        codes = _codes(points)
        unscored = are_unscored([option.texts for option in question.options])
        for option, own, is_unscored in zip(question.options, points, unscored, strict=False):
            if own in codes or is_unscored:
                quoted = f"“{short_text(next(iter(option.texts.values()), ''), _LONGEST_QUOTED)}”"
                found.setdefault(quoted, set()).add(own)
    nothing = [answer for answer, own in found.items() if own == {0}]
    nothing_said = _("no points, and not counted as missing: %(answers)s") % {"answers": list_text(nothing)}
    scored = [
        _("points for %(answer)s: %(points)s") % {"answer": answer, "points": list_text(sorted(own))}
        for answer, own in found.items()
        if own != {0}
    ]
    return series_text([*([nothing_said] if nothing else []), *scored])


def _points_by_question(survey: Questionnaire, score: Score) -> list[tuple[Question, list[int]]]:
    """Return the questions of a score whose people choose one answer, with the points of their answers."""
    stated: Mapping[str, list[int]] = score.rule.get("points") or {}
    return [
        (each, stated.get(each.key) or [option.points or 0 for option in each.options])
        for each in survey.questions
        if each.line in score.questions and each.kind != SEVERAL
    ]


def _codes(points: Sequence[int]) -> set[int]:
    """Return the points far from those of other answers, as a code for an answer without a value is.

    >>> _codes([0, 1, 2, 9]), _codes([1, 0, -8, -9]), _codes([0, 2, 4, 6, 8, 10])
    ({9}, {-8, -9}, set())
    """
    ordered = sorted({*points}, key=abs)
    steps = [abs(higher) - abs(lower) for lower, higher in pairwise(ordered)]
    for place in range(1, len(steps)):
        if abs(ordered[place + 1]) >= _LEAST_CODE and steps[place] > 2 * max(steps[:place]):
            return {*ordered[place + 1 :]}
    return set()
