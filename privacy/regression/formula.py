"""Formulas of regressions: a response, and terms that are columns, categories or products of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from privacy.errors import PrivacyError

__all__ = ["Formula", "Variable", "parsed"]

_VARIABLE: Final = re.compile(r"\s*(?:C\(\s*([\w.]+(?:=[\w.+-]+)?)\s*\)|([^\W\d][\w.]*(?:=[\w.+-]+)?))\s*")


@dataclass(frozen=True)
class Variable:
    """A column of a term, and whether each of its values counts by itself."""

    name: str
    is_categorical: bool = False


@dataclass(frozen=True, kw_only=True)
class Formula:
    """A response and its terms; a term of several variables is their product.

    Parameters
    ----------
    response : str
    terms : tuple of tuple of Variable
    """

    response: str
    terms: tuple[tuple[Variable, ...], ...]

    @property
    def names(self) -> list[str]:
        """Predictors, each once."""
        return list(dict.fromkeys(variable.name for term in self.terms for variable in term))


def parsed(text: str) -> Formula:
    """Read a formula such as ``cheat ~ age + C(year) + age:drugs``.

    Parameters
    ----------
    text : str
        ``response ~ term + term``; a term is a column, ``C(column)`` where each value of it counts by itself,
        or a product of them, ``a:b``. A constant is always there.

    Raises
    ------
    PrivacyError
        ``formula``: anything else, which is named.

    Examples
    --------
    >>> formula = parsed("cheat ~ C(year) + age:drugs")
    >>> formula.response, formula.names
    ('cheat', ['year', 'age', 'drugs'])
    >>> parsed("cheat ~ log(age)")
    Traceback (most recent call last):
        ...
    privacy.errors.PrivacyError: 'log(age)' in the formula is not a column, C(column) or product a:b; make \
it a column first; the constant is always included
    """
    if not isinstance(text, str) or text.count("~") != 1:
        raise PrivacyError("formula.sides", text)
    left, right = text.split("~")
    response = _variable(left)
    if response.is_categorical:
        raise PrivacyError("formula.term", left.strip())
    terms = tuple(tuple(_variable(part) for part in term.split(":")) for term in right.split("+"))
    names = [frozenset(variable.name for variable in term) for term in terms]
    for position, term in enumerate(names):
        own = ":".join(variable.name for variable in terms[position])
        if response.name in term or len(term) < len(terms[position]) or term in names[:position]:
            raise PrivacyError("formula.twice", own)
    return Formula(response=response.name, terms=terms)


def _variable(text: str) -> Variable:
    match = _VARIABLE.fullmatch(text)
    if match is None:
        raise PrivacyError("formula.term", text.strip())
    return Variable(match[1] or match[2], is_categorical=match[1] is not None)
