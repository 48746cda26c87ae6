"""Queries on a published table: their syntax.

``count where age < 40 and work in (gov, own) or age > 80 group by disease``: `and` binds before `or`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from privacy.errors import PrivacyError
from privacy.sdc.label_conditions import SIGNS, Condition

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|<=|>=|!=|<|>|=|\(|\)|,|[^\s<>=!(),'\"]+")
_PLAIN = re.compile(r"[^\s<>=!(),'\"]+")
_KEYWORDS = frozenset({"where", "and", "or", "in", "between", "group", "by"})


@dataclass(frozen=True, kw_only=True)
class Query:
    """A count of the records that meet some conditions, or the mean or median of a column over them.

    Parameters
    ----------
    conditions : tuple of Condition
        Conditions that must all hold.
    alternatives : tuple of tuple of Condition
        Further conjunctions, joined by *or*: a record that meets all conditions of one of them also counts.
    groups : tuple of str
        Columns to group the answer by.
    mean_of, median_of : str or None
        Column of the mean or the median. At most one is set; a count has neither.
    """

    conditions: tuple[Condition, ...]
    groups: tuple[str, ...]
    mean_of: str | None = None
    median_of: str | None = None
    alternatives: tuple[tuple[Condition, ...], ...] = ()

    @property
    def kind(self) -> str:
        """``count``, ``mean`` or ``median``."""
        return "mean" if self.mean_of is not None else "median" if self.median_of is not None else "count"

    @property
    def number(self) -> str | None:
        """The column of the mean or median; None for a count."""
        return self.median_of if self.mean_of is None else self.mean_of

    @property
    def terms(self) -> tuple[tuple[Condition, ...], ...]:
        """Conjunctions, at least one of which must hold."""
        return (self.conditions, *self.alternatives)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that the query names, without repeats."""
        conditions = [condition.column for term in self.terms for condition in term]
        number = () if self.number is None else (self.number,)
        return tuple(dict.fromkeys((*number, *self.groups, *conditions)))


def parse(text: str) -> Query:
    """Read a query.

    Parameters
    ----------
    text : str
        For example ``mean age where work = own or age > 60``.

    Raises
    ------
    PrivacyError
        If the text is not a count, a mean or a median.

    Examples
    --------
    >>> query = parse("count where age < 40 or age > 80 group by disease")
    >>> query.conditions, query.groups
    ((Condition(column='age', sign='<', values=('40',)),), ('disease',))
    >>> query.alternatives
    ((Condition(column='age', sign='>', values=('80',)),),)
    >>> parse("mean age where 'blood type' = 'A''B'").conditions[0].values
    ("A'B",)
    """
    rest = _TOKEN.sub("", text).strip()
    tokens = _TOKEN.findall(text)
    if rest or not tokens or tokens[0].lower() not in ("count", "mean", "median"):
        raise PrivacyError("query.text", text)
    reader = _Reader(tokens[1:], text)
    kind = tokens[0].lower()
    number = None if kind == "count" else reader.word()
    terms: list[list[Condition]] = [[]]
    if reader.accept("where"):
        terms = [[reader.condition()]]
        while (alternative := reader.accept("or")) or reader.accept("and"):
            if alternative:
                terms.append([])
            terms[-1].append(reader.condition())
    groups = []
    if reader.accept("group"):
        reader.expect("by")
        groups.append(reader.word())
        while reader.accept(","):
            groups.append(reader.word())
    reader.end()
    conditions, *alternatives = map(tuple, terms)
    return Query(
        conditions=conditions,
        alternatives=tuple(alternatives),
        groups=tuple(groups),
        mean_of=number if kind == "mean" else None,
        median_of=number if kind == "median" else None,
    )


def query_text(query: Query) -> str:
    """Write a query in its canonical form, which `parse` reads back as the same query.

    Parameters
    ----------
    query : Query
        Only the first term may be empty, and only if there are no alternatives.

    Examples
    --------
    >>> query_text(parse("count  WHERE age<40 and work IN ( own , 'the city' ) group by disease"))
    "count where age < 40 and work in (own, 'the city') group by disease"
    """
    words = [query.kind] if query.number is None else [query.kind, _quote_text(query.number)]
    if query.conditions:
        words += ["where", " or ".join(" and ".join(map(_condition_text, term)) for term in query.terms)]
    if query.groups:
        words += ["group by", ", ".join(_quote_text(name) for name in query.groups)]
    return " ".join(words)


def _condition_text(condition: Condition) -> str:
    values = [_quote_text(value) for value in condition.values]
    operand = f"({', '.join(values)})" if condition.sign == "in" else " and ".join(values)
    return f"{_quote_text(condition.column)} {condition.sign} {operand}"


def _quote_text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _KEYWORDS:
        return text
    content = text.replace("'", "''")
    return f"'{content}'"


class _Reader:
    """Cursor over the tokens of a query."""

    def __init__(self, tokens: Sequence[str], text: str) -> None:
        self._tokens, self._text, self._at = tokens, text, 0

    def _fail(self) -> PrivacyError:
        token = self._tokens[self._at] if self._at < len(self._tokens) else "its end"
        return PrivacyError("query.word", self._text, found=token)

    def accept(self, word: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at].lower() == word:
            self._at += 1
            return True
        return False

    def expect(self, word: str) -> None:
        if not self.accept(word):
            raise self._fail()

    def word(self) -> str:
        if self._at == len(self._tokens) or self._tokens[self._at] in (*SIGNS, "(", ")", ","):
            raise self._fail()
        self._at += 1
        token = self._tokens[self._at - 1]
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        return token.strip('"')

    def end(self) -> None:
        if self._at < len(self._tokens):
            raise self._fail()

    def condition(self) -> Condition:
        column = self.word()
        if self.accept("in"):
            self.expect("(")
            values = [self.word()]
            while self.accept(","):
                values.append(self.word())
            self.expect(")")
            return Condition(column=column, sign="in", values=tuple(values))
        if self.accept("between"):
            low = self.word()
            self.expect("and")
            return Condition(column=column, sign="between", values=(low, self.word()))
        for sign in SIGNS:
            if self.accept(sign):
                return Condition(column=column, sign=sign, values=(self.word(),))
        raise self._fail()
