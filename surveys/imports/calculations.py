"""The calculations of a form: sums of points whose level devices can send instead of the answers.

Read are ``+``, ``sum``, ``coalesce(x, 0)`` and the functions that only change a type, and then nested
``if(total >= 10, 'high', ...)``. Every other calculation is noted with its formula; nothing is approximated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from django.utils.translation import gettext as _

from surveys.formats.joints import list_text
from surveys.imports.questionnaire import (
    IMPORTED_KINDS,
    LOST,
    SEVERAL,
    WRONG,
    Question,
    Questionnaire,
    Score,
    points_of,
)
from surveys.imports.scores import levels_text
from surveys.questionnaire.languages import text_in

Levels: TypeAlias = list[tuple[int | None, str]]
"""The start of each level and its label; the first has no start."""
Read: TypeAlias = Mapping[str, tuple[Question, Mapping[str, str]]]
"""Each question of a form by its name there, with the keys of its options by their names."""

_NAME: Final = re.compile(r"\$\{([^{}]{1,200})\}")
_CALL: Final = re.compile(r"(?P<function>[a-z-]{1,20})\((?P<inside>.*)\)", re.DOTALL)
_CONDITION: Final = re.compile(r"(?P<left>[^<>=]+)(?P<sign>>=|<=|>|<)\s*(?P<number>\d{1,6})")
_LABEL: Final = re.compile(r"'(?P<one>[^']{0,200})'|\"(?P<two>[^\"]{0,200})\"|(?P<number>\d{1,6})")
_SAME: Final = frozenset({"int", "number", "round", "once", "string"})
"""Functions that change no whole number."""
_EMPTY: Final = frozenset({"0", "'0'", '"0"', "''", '""'})
_DEEPEST: Final = 12
_LEAST_ITEMS: Final = 2
_SHOWN: Final = 200


@dataclass(frozen=True, kw_only=True)
class Calculation:
    """A row of a form that computes something."""

    line: int
    name: str
    formula: str


def addends_of(formula: str, depth: int = 0) -> list[str] | None:
    """Return the names that a formula adds up, each once; None if it is anything else than their sum.

    Examples
    --------
    >>> addends_of("int(${a}) + sum(coalesce(${b}, 0), ${c})")
    ['a', 'b', 'c']
    >>> addends_of("2 * ${a} + ${b}"), addends_of("${a} + ${a}")
    (None, None)
    """
    names: list[str] = []
    if depth > _DEEPEST:
        return None
    for term in (each.strip() for each in _split(formula, "+")):
        found: list[str] | None = None
        name, call = _NAME.fullmatch(term), _CALL.fullmatch(term)
        if name:
            found = [name[1].strip()]
        elif term.startswith("(") and term.endswith(")"):
            found = addends_of(term[1:-1], depth + 1)
        elif call:
            inside = [each.strip() for each in _split(call["inside"], ",")]
            if call["function"] == "sum":
                parts = [addends_of(each, depth + 1) for each in inside]
                found = None if None in parts else [each for part in parts for each in part or ()]
            elif _keeps_value(call["function"], inside):
                found = addends_of(inside[0], depth + 1)
        if not found:
            return None
        names += found
    return names if len(set(names)) == len(names) else None


def _keeps_value(function: str, inside: Sequence[str]) -> bool:
    """Return whether a function returns its first argument, and 0 for a gap."""
    if function == "coalesce":
        return len(inside) == 2 and inside[1] in _EMPTY
    return function in _SAME and len(inside) == 1


def levels_of(formula: str, depth: int = 0) -> tuple[str, Levels] | None:
    """Return what a formula compares with numbers, and the level for each number; None for other formulas.

    Examples
    --------
    >>> levels_of("if(${t} >= 10, 'high', if(${t} > 4, 'middle', 'low'))")
    ('${t}', [(None, 'low'), (5, 'middle'), (10, 'high')])
    >>> levels_of("if(${t} < 5, 'low', 'high')")
    ('${t}', [(None, 'low'), (5, 'high')])
    """
    call = _CALL.fullmatch(formula.strip())
    inside = [each.strip() for each in _split(call["inside"], ",")] if call else []
    condition = _CONDITION.fullmatch(inside[0]) if len(inside) == 3 else None
    if call is None or call["function"] != "if" or condition is None or depth > _DEEPEST:
        return None
    start = int(condition["number"]) + (condition["sign"] in (">", "<="))
    total, is_above = condition["left"].strip(), condition["sign"] in (">", ">=")
    sides: list[Levels] = []
    for text in inside[1:]:
        label = _LABEL.fullmatch(text)
        nested = levels_of(text, depth + 1)
        if label:
            sides.append([(None, label["one"] or label["two"] or label["number"] or "")])
        elif nested and nested[0] == total:
            sides.append(nested[1])
        else:
            return None
    below, above = (sides[1], sides[0]) if is_above else (sides[0], sides[1])
    levels: Levels = [*below, (start, above[0][1]), *above[1:]]
    starts = [each for each, _label in levels if each is not None]
    return (total, levels) if starts == sorted(set(starts)) else None


def _split(text: str, sign: str) -> list[str]:
    """Split a formula at a sign outside parentheses and quotation marks."""
    parts, depth, quote, begin = [], 0, "", 0
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == sign and depth == 0:
            parts.append(text[begin:place])
            begin = place + 1
    return [*parts, text[begin:]]


def propose_calculated(
    survey: Questionnaire, calculations: Sequence[Calculation], questions: Read, note: Callable[..., None]
) -> None:
    """Propose one answer for each level that a form computes from points, and note all other calculations.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds; those of proposed scores get points.
    calculations : sequence of Calculation
    questions : mapping
        All questions of the form; an option whose name is a whole number has these points.
    note : callable
        Adds a note: line, column, message, remedy, and members of `Note`.
    """
    totals = {each.name: each.formula for each in calculations}
    used: set[str] = set()
    for each in calculations:
        found = levels_of(each.formula)
        if found is None:
            continue
        total, levels = found
        name = _NAME.fullmatch(total)
        addends = addends_of(totals.get(name[1].strip(), total) if name else total)
        if addends is None or not all(addend in questions for addend in addends):
            continue
        used |= {each.name, *([name[1].strip()] if name else [])}
        _propose(survey, each, [questions[addend] for addend in addends], levels, note)
    for each in calculations:
        if each.name not in used:
            note(
                each.line,
                "calculation",
                _("the form computes %(formula)s, which devices do not do here")
                % {"formula": each.formula[:_SHOWN]},
                _("to send one answer, use “One answer” in the builder: points, and where each level starts"),
                effect=LOST,
                cause="calculate",
            )


def _propose(
    survey: Questionnaire,
    calculation: Calculation,
    addends: Sequence[tuple[Question, Mapping[str, str]]],
    levels: Levels,
    note: Callable[..., None],
) -> None:
    unfit = [text_in(question.texts) for question, names in addends if not _give_points(question, names)]
    questions = [question for question, _names in addends]
    own = [points_of(question) for question in questions]
    low, high = sum(map(min, own)), sum(map(max, own))
    starts = [start for start, _label in levels if start is not None]
    if unfit or len(questions) < _LEAST_ITEMS or not all(low < start <= high for start in starts):
        message = (
            _("the form adds up answers without points: %(questions)s") % {"questions": list_text(unfit)}
            if unfit
            else _("this score does not fit: the questions that have points add up to %(low)s to %(high)s")
            % {"low": low, "high": high}
        )
        remedy = _("set the points in the builder: send one answer")
        note(calculation.line, "calculation", message, remedy, effect=WRONG)
        return
    lines = [question.line for question in questions]
    survey.scores.append(Score(line=calculation.line, questions=lines, levels=levels))
    note(
        calculation.line,
        "calculation",
        _(
            "devices can add up the points of %(count)s questions (%(low)s to %(high)s) and send one answer "
            "instead: %(levels)s"
        )
        % {"count": len(questions), "low": low, "high": high, "levels": levels_text(levels)},
        _("check the licence of this instrument"),
        asks="score",
        target=lines[0],
    )


def _give_points(question: Question, names: Mapping[str, str]) -> bool:
    """Give the options of a question the numbers that are their names; return whether all are numbers."""
    points = {key: int(name) for name, key in names.items() if name.isascii() and name.isdecimal()}
    if (
        not points
        or len(points) < len(names)
        or question.kind == SEVERAL
        or IMPORTED_KINDS[question.kind].is_scale
    ):
        return False
    if not question.options:
        question.points = [points["no"], points["yes"]]
    # Questions of a form share the options of a list.
    question.options = [replace(option, points=points[option.key]) for option in question.options]
    return True
