"""Conditions of other programs, as far as a part can wait for an answer.

Both languages come down to clauses that all have to hold, each of terms joined by *or*: a name, a
comparison, a value. Whatever else is said (a *not*, a calculation) has no counterpart, and is left to whoever
reads the list of what was not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final, Literal

from surveys.exchange.joined_conditions import clauses_of

__all__ = ["Clauses", "Term", "limesurvey_clauses", "options_meant", "surveyjs_clauses"]

Comparison = Literal["=", "<", "<=", ">", ">=", "any"]

_QUOTED: Final = r"""'[^']*'|"[^"]*\""""
_VALUE: Final = rf"(?:{_QUOTED}|[-\w.]+)"
_WORDS: Final = {
    "=": "=", "==": "=", "equal": "=", "eq": "=", "<": "<", "less": "<", "lt": "<", "<=": "<=", "le": "<=",
    "lessorequal": "<=", ">": ">", "greater": ">", "gt": ">", ">=": ">=", "ge": ">=", "greaterorequal": ">=",
}  # fmt: skip
_COMPARED: Final = rf"(?P<how>[=<>]=?|[a-z]++)\s*(?P<value>{_VALUE})"
_SURVEYJS: Final = re.compile(
    rf"\{{(?P<name>[^{{}}]+)\}}\s*(?:anyof\s*\[(?P<list>[^\[\]]*)\]|(?P<any>notempty)|{_COMPARED})",
    re.IGNORECASE,
)
_LIMESURVEY: Final = re.compile(
    rf"(?P<name>[A-Za-z_]\w*+|\d+X\d+X\w++)(?:\.(?:NAOK|value|valueNAOK))?\s*(?:(?P<any>notempty)|{_COMPARED})",
    re.IGNORECASE,
)
_NOT_EMPTY: Final = re.compile(r"!\s*is_empty\s*\(\s*([\w.]+)\s*\)")
LONGEST: Final = 2_000
"""Of a condition that is looked at; longer ones are no list of a few answers."""


@dataclass(frozen=True, kw_only=True)
class Term:
    """That a question is answered so.

    Attributes
    ----------
    name : str
        Of the question, as the condition spells it.
    comparison : {"=", "<", "<=", ">", ">=", "any"}
    values : tuple of str
        One of these; of the orders one, of "any" none.
    """

    name: str
    comparison: Comparison
    values: tuple[str, ...]


Clauses = tuple[tuple[Term, ...], ...]
"""All of them have to hold, and of each any term."""


def surveyjs_clauses(text: str) -> Clauses | None:
    """Return the clauses of an expression of SurveyJS; None where it says more.

    >>> surveyjs_clauses("{smokes} = 'yes' or {smokes} = 'once'")[0][1].values
    ('once',)
    >>> [clause[0].name for clause in surveyjs_clauses("{smokes} = 'yes' and {age} > 17")]
    ['smokes', 'age']
    """
    return _clauses(text, _SURVEYJS)


def limesurvey_clauses(text: str) -> Clauses | None:
    """Return the clauses of a relevance equation of LimeSurvey; None where it says more.

    >>> limesurvey_clauses('((smokes.NAOK == "Y"))')
    ((Term(name='smokes', comparison='=', values=('Y',)),),)
    """
    return (
        _clauses(_NOT_EMPTY.sub(r"\1 notempty", text[:LONGEST]), _LIMESURVEY)
        if len(text) <= LONGEST
        else None
    )


def options_meant(terms: Iterable[Term], values: Sequence[str]) -> list[int] | None:
    """Return the positions of the options that fulfil any of the terms; None where that is undetermined.

    Parameters
    ----------
    terms : iterable of Term
        About one question.
    values : sequence of str
        Of its answers, in their order.

    Examples
    --------
    >>> options_meant(surveyjs_clauses("{pain} >= 3")[0], ["1", "2", "3", "4"])
    [2, 3]
    >>> options_meant(surveyjs_clauses("{pain} = 'unheard of'")[0], ["1", "2"]) is None
    True
    """
    positions: set[int] = set()
    for term in terms:
        if term.comparison == "any":
            positions.update(range(len(values)))
        elif term.comparison == "=":
            if not set(term.values) <= set(values):
                return None
            positions.update(values.index(value) for value in term.values)
        else:
            limit, numbers = _number(term.values[0]), [_number(value) for value in values]
            if limit is None:
                return None
            for position, number in enumerate(numbers):
                if number is None:
                    return None
                if _holds(number, term.comparison, limit):
                    positions.add(position)
    return sorted(positions) or None


def _clauses(text: str, pattern: re.Pattern[str]) -> Clauses | None:
    written = clauses_of(text) if len(text) <= LONGEST else None
    clauses = [[_term(term, pattern) for term in clause] for clause in written or ()]
    whole = tuple(tuple(term for term in clause if term is not None) for clause in clauses)
    return (
        whole if whole and [len(clause) for clause in whole] == [len(clause) for clause in clauses] else None
    )


def _term(text: str, pattern: re.Pattern[str]) -> Term | None:
    match = pattern.fullmatch(text)
    if match is None:
        return None
    groups = match.groupdict()
    name = match["name"].strip()
    if groups["any"]:
        return Term(name=name, comparison="any", values=())
    if groups.get("list") is not None:
        values = re.findall(_VALUE, match["list"])
        return Term(name=name, comparison="=", values=tuple(map(_bare, values))) if values else None
    comparison = _WORDS.get(match["how"].lower())
    if comparison is None:
        return None
    return Term(name=name, comparison=comparison, values=(_bare(match["value"]),))  # type: ignore[arg-type]


def _bare(value: str) -> str:
    return value[1:-1] if value[:1] in "'\"" else value


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _holds(number: Decimal, comparison: str, limit: Decimal) -> bool:
    if comparison in ("<", "<="):
        return number < limit or (comparison == "<=" and number == limit)
    return number > limit or (comparison == ">=" and number == limit)
