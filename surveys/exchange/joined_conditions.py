"""Conditions joined by *and* and *or*, as forms of other programs write them, and as a part follows them.

A part waits for answers to several questions that are joined by *and* alone, or by *or* alone; the answers to
each of these questions are joined by *or*.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

__all__ = ["MOST_BRACKETS", "asked_if_of", "clauses_of"]

MOST_BRACKETS: Final = 100
"""Of a condition that is looked at; one with more is no list of a few answers."""

_TOKENS: Final = re.compile(
    r"""(?P<literal>'[^']*'|"[^"]*"|\{[^{}]*\})|(?P<open>\()|(?P<close>\))"""
    r"""|(?P<and>&&|(?<![^\s()])and(?![^\s()]))|(?P<or>\|\||(?<![^\s()])or(?![^\s()]))""",
    re.IGNORECASE,
)


def clauses_of(text: str) -> list[list[str]] | None:
    """Return a condition as clauses that all have to hold, each a list of terms of which any suffices.

    Parameters
    ----------
    text : str
        Terms, ``and``, ``or``, ``&&``, ``||`` and brackets. Words inside quotes or braces join nothing.

    Returns
    -------
    list of list of str or None
        None where the brackets do not match, a term is missing, or an *and* stands inside of an *or*.

    Examples
    --------
    >>> clauses_of("(a = 1 or a = 2) and b = 'x or y'")
    [['a = 1', 'a = 2'], ["b = 'x or y'"]]
    >>> clauses_of("a = 1 or b = 2 and c = 3") is None
    True
    """
    if text.count("(") > MOST_BRACKETS:
        return None
    return _Reading(_tokens(text)).whole()


def asked_if_of(clauses: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, Any] | None:
    """Return what a part waits for, in the form of a definition; None where no part can.

    Parameters
    ----------
    clauses : sequence of mapping
        They all have to hold; of each, options by the keys of questions, any of which suffices.

    Examples
    --------
    >>> asked_if_of([{"age": ["30", "40"]}, {"age": ["40", "50"]}])
    {'question': 'age', 'options': ['40']}
    >>> asked_if_of([{"leads": ["yes"], "age": ["40"]}, {"age": ["40"]}]) is None
    True
    """
    if len(clauses) == 1:
        joined, answers = "any", dict(clauses[0])
    else:
        joined, answers = "all", {}
        for clause in clauses:
            if len(clause) != 1:
                return None
            ((key, options),) = clause.items()
            answers[key] = [option for option in answers.get(key, options) if option in options]
    terms = [{"question": key, "options": list(dict.fromkeys(options))} for key, options in answers.items()]
    if not terms or not all(term["options"] for term in terms):
        return None
    return terms[0] if len(terms) == 1 else {joined: terms}


def _tokens(text: str) -> list[tuple[str, str]]:
    """Return brackets, joints and terms, in their order."""
    tokens: list[tuple[str, str]] = []
    term, at = "", 0
    for match in _TOKENS.finditer(text):
        term += text[at : match.start()]
        at = match.end()
        if match.lastgroup == "literal":
            term += match[0]
            continue
        tokens += [("term", term.strip())] if term.strip() else []
        tokens.append((str(match.lastgroup), match[0]))
        term = ""
    term += text[at:]
    return tokens + ([("term", term.strip())] if term.strip() else [])


class _Reading:
    """Reads tokens by recursive descent; *and* binds closer than *or*."""

    def __init__(self, tokens: Sequence[tuple[str, str]]) -> None:
        self._tokens = list(reversed(tokens))

    def whole(self) -> list[list[str]] | None:
        clauses = self._either()
        return None if self._tokens else clauses

    def _take(self, kind: str) -> str | None:
        if self._tokens and self._tokens[-1][0] == kind:
            return self._tokens.pop()[1]
        return None

    def _either(self) -> list[list[str]] | None:
        parts = [self._together()]
        while self._take("or") is not None:
            parts.append(self._together())
        if len(parts) == 1:
            return parts[0]
        joined: list[str] = []
        for part in parts:
            if part is None or len(part) != 1:
                return None
            joined += part[0]
        return [joined]

    def _together(self) -> list[list[str]] | None:
        parts = [self._term()]
        while self._take("and") is not None:
            parts.append(self._term())
        clauses: list[list[str]] = []
        for part in parts:
            if part is None:
                return None
            clauses += part
        return clauses

    def _term(self) -> list[list[str]] | None:
        if self._take("open") is not None:
            clauses = self._either()
            return None if self._take("close") is None else clauses
        term = self._take("term")
        return None if term is None else [[term]]
