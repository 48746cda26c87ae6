"""Counting queries answered from a published table only, with bounds (the query service of source 003).

``count where age < 40 and work in (gov, Private) group by disease``: each published class either lies inside
the condition, outside, or across it. Inside counts for the lower bound, inside and across for the upper
bound, and across in proportion for the expected value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from privacy.errors import PrivacyError
from privacy.sdc.generalisation_cost import distinct_rows
from privacy.sdc.labels import Domain, Interval, Prefix
from privacy.sdc.table import Column, Table

__all__ = ["Answer", "Condition", "Query", "answer", "parse"]

_TOKEN = re.compile(r"'[^']*'|\"[^\"]*\"|<=|>=|!=|<|>|=|\(|\)|,|[^\s<>=!(),'\"]+")
_SIGNS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One comparison: `sign` is =, !=, <, <=, >, >=, in or between."""

    column: str
    sign: str
    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Query:
    """A counting query: all conditions must hold."""

    conditions: tuple[Condition, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Count of one group.

    Parameters
    ----------
    group : tuple of str
        Labels of the columns grouped by.
    lower, upper : int
        The count over the records behind the release lies between them.
    expected : float
        Records of a class spread evenly over what its labels can mean, columns independently; an assumption,
        not a bound.
    """

    group: tuple[str, ...]
    lower: int
    upper: int
    expected: float


def parse(text: str) -> Query:
    """Read a query.

    Raises
    ------
    PrivacyError
        On anything that is not a counting query.

    Examples
    --------
    >>> parse("count where age < 40 group by disease")
    Query(conditions=(Condition(column='age', sign='<', values=('40',)),), groups=('disease',))
    """
    rest = _TOKEN.sub("", text).strip()
    tokens = _TOKEN.findall(text)
    if rest or not tokens or tokens[0].lower() != "count":
        raise PrivacyError("query.text", text)
    reader = _Reader(tokens[1:], text)
    conditions = []
    if reader.accept("where"):
        conditions.append(reader.condition())
        while reader.accept("and"):
            conditions.append(reader.condition())
    groups = []
    if reader.accept("group"):
        reader.expect("by")
        groups.append(reader.word())
        while reader.accept(","):
            groups.append(reader.word())
    reader.end()
    return Query(conditions=tuple(conditions), groups=tuple(groups))


class _Reader:
    """Tokens one after the other."""

    def __init__(self, tokens: Sequence[str], text: str) -> None:
        self._tokens, self._text, self._at = tokens, text, 0

    def _fail(self) -> PrivacyError:
        found = self._tokens[self._at] if self._at < len(self._tokens) else "its end"
        return PrivacyError("query.word", self._text, found=found)

    def accept(self, word: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at].lower() == word:
            self._at += 1
            return True
        return False

    def expect(self, word: str) -> None:
        if not self.accept(word):
            raise self._fail()

    def word(self) -> str:
        if self._at == len(self._tokens) or self._tokens[self._at] in (*_SIGNS, "(", ")", ","):
            raise self._fail()
        self._at += 1
        return self._tokens[self._at - 1].strip("'\"")

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
        for sign in _SIGNS:
            if self.accept(sign):
                return Condition(column=column, sign=sign, values=(self.word(),))
        raise self._fail()


def answer(released: Table, query: Query, domains: Mapping[str, Domain]) -> tuple[Answer, ...]:
    """Answer a query from the released table.

    Parameters
    ----------
    released : Table
        As published.
    query : Query
        Its columns must be in the table.
    domains : mapping of column name to Domain
        Meaning of generalised labels, from the codebook; a column without one means what it says.

    Returns
    -------
    tuple of Answer
        One per group that occurs, in the order of the labels; one in all without groups.

    Raises
    ------
    PrivacyError
        On an unknown column, a comparison of texts by size, or a number that cannot be read.
    """
    groups = [released.column(name) for name in query.groups]
    used = list(dict.fromkeys(condition.column for condition in query.conditions))
    columns = [released.column(name) for name in used]
    n = len(released)
    first, number = distinct_rows(
        [column.codes for column in (*groups, *columns)] or [np.zeros(n, dtype=np.int64)]
    )
    counts = np.bincount(number)
    certain = np.ones(len(first), dtype=bool)
    possible = np.ones(len(first), dtype=bool)
    share = np.ones(len(first))
    for condition in query.conditions:
        column = released.column(condition.column)
        domain = domains.get(column.name, Domain(name=column.name, numeric=column.numbers is not None))
        judged = _judgements(domain, column, condition)
        at = column.codes[first]
        certain &= np.array([verdict[0] for verdict in judged])[at]
        possible &= np.array([verdict[1] for verdict in judged])[at]
        share *= np.array([verdict[2] for verdict in judged])[at]
    found: dict[tuple[str, ...], list[float]] = {}
    for row, record in enumerate(first.tolist()):
        group = tuple(column.values[column.codes[record]] for column in groups)
        sums = found.setdefault(group, [0.0, 0.0, 0.0])
        sums[0] += counts[row] * certain[row]
        sums[1] += counts[row] * possible[row]
        sums[2] += counts[row] * share[row]
    return tuple(
        Answer(group=group, lower=int(low), upper=int(high), expected=float(mean))
        for group, (low, high, mean) in sorted(found.items())
    )


def _judgements(domain: Domain, column: Column, condition: Condition) -> list[tuple[bool, bool, float]]:
    """Judge each label; what hides behind a star is taken to be spread as the labels that begin like it."""
    judged: list[tuple[bool, bool, float]] = []
    sizes = np.bincount(column.codes, minlength=len(column.values))
    stars = {}
    for place, label in enumerate(column.values):
        meaning = domain.meaning(label)
        if isinstance(meaning, Prefix):
            stars[place] = meaning
            judged.append((False, True, 0.5))
        else:
            judged.append(_judge(domain, label, condition))
    for place, star in stars.items():
        alike = [
            other for other, label in enumerate(column.values) if other not in stars and star.holds(label)
        ]
        seen = int(sizes[alike].sum())
        if seen:
            share = sum(int(sizes[other]) * judged[other][2] for other in alike) / seen
            judged[place] = (False, True, float(share))
    return judged


def _judge(domain: Domain, label: str, condition: Condition) -> tuple[bool, bool, float]:
    """Is the condition certain for a label, is it possible, and for which share of its meaning."""
    meaning = domain.meaning(label)
    leaves = domain.leaves.get(label)
    if isinstance(meaning, Interval) and not leaves:
        return _judge_interval(domain, meaning, condition)
    test = _test(domain, condition)
    holds = [test(leaf) for leaf in leaves or (label,)]
    return all(holds), any(holds), sum(holds) / len(holds)


def _number(text: str, condition: Condition) -> float:
    try:
        return float(text)
    except ValueError:
        raise PrivacyError("query.number", text, column=condition.column) from None


def _test(domain: Domain, condition: Condition) -> Callable[[str], bool]:
    """Build the test of one value."""
    if condition.sign in ("=", "!=", "in") and not domain.numeric:
        wanted = set(condition.values)
        return (lambda text: text not in wanted) if condition.sign == "!=" else (lambda text: text in wanted)
    if not domain.numeric:
        raise PrivacyError("query.sign", condition.sign, column=condition.column)
    numbers = [_number(text, condition) for text in condition.values]
    tests: dict[str, Callable[[float], bool]] = {
        "=": lambda number: number == numbers[0],
        "!=": lambda number: number != numbers[0],
        "in": lambda number: number in numbers,
        "<": lambda number: number < numbers[0],
        "<=": lambda number: number <= numbers[0],
        ">": lambda number: number > numbers[0],
        ">=": lambda number: number >= numbers[0],
        "between": lambda number: numbers[0] <= number <= numbers[-1],
    }
    chosen = tests[condition.sign]
    return lambda text: chosen(float(text))


def _judge_interval(domain: Domain, box: Interval, condition: Condition) -> tuple[bool, bool, float]:
    numbers = [_number(text, condition) for text in condition.values]
    if condition.sign in ("=", "!=", "in"):
        inside = sorted({number for number in numbers if box.holds(number)})
        if domain.whole:
            inside = [number for number in inside if number == int(number)]
        single = box.low == box.high
        share = 1.0 if single and inside else _points(domain, box, len(inside))
        verdict = (bool(single and inside), bool(inside), share)
        if condition.sign == "!=":
            return (not verdict[1], not verdict[0], 1 - verdict[2])
        return verdict
    if condition.sign == "between":
        wanted = Interval(low=numbers[0], high=numbers[1])
    elif condition.sign in ("<", "<="):
        wanted = Interval(low=-np.inf, high=numbers[0], high_closed=condition.sign == "<=")
    else:
        wanted = Interval(low=numbers[0], high=np.inf, low_closed=condition.sign == ">=")
    return _overlap(domain, box, wanted)


def _points(domain: Domain, box: Interval, count: int) -> float:
    """Share of single numbers in an interval: 0 unless only whole numbers occur."""
    total = _whole_numbers(box) if domain.whole else 0
    return count / total if total else 0.0


def _whole_numbers(box: Interval) -> int:
    if not np.isfinite(box.low) or not np.isfinite(box.high):
        return 0
    low = np.ceil(box.low) + (0 if box.low_closed or box.low != np.ceil(box.low) else 1)
    high = np.floor(box.high) - (0 if box.high_closed or box.high != np.floor(box.high) else 1)
    return max(0, int(high - low) + 1)


def _overlap(domain: Domain, box: Interval, wanted: Interval) -> tuple[bool, bool, float]:
    low = max(box.low, wanted.low)
    high = min(box.high, wanted.high)
    shared = Interval(
        low=low,
        high=high,
        low_closed=box.holds(low) and wanted.holds(low) if np.isfinite(low) else True,
        high_closed=box.holds(high) and wanted.holds(high) if np.isfinite(high) else True,
    )
    if high < low or (high == low and not shared.low_closed):
        return False, False, 0.0
    if domain.whole and np.isfinite(box.low) and np.isfinite(box.high):
        inside, total = _whole_numbers(shared), _whole_numbers(box)
        return inside == total, inside > 0, inside / total if total else 0.0
    same_low = low == box.low and shared.low_closed >= box.low_closed
    same_high = high == box.high and shared.high_closed >= box.high_closed
    if same_low and same_high:
        return True, True, 1.0
    if box.high == box.low or not np.isfinite(box.high - box.low):
        # An endless interval has no even spread; half is as good a guess as any.
        return False, True, 0.5
    return False, True, (high - low) / (box.high - box.low)
