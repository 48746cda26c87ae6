"""Counts and means answered from a published table only, with bounds (the query service of Zhu et al. 2010).

``count where age < 40 and work in (gov, Private) group by disease``: each published class either lies inside
the condition, outside, or across it. Inside counts for the lower bound, inside and across for the upper
bound, and across in proportion for the expected value. Of ``mean age where …`` the bounds are the least and
the largest mean of any records that the labels allow.

Whatever is answered is a function of the published table: no set of answers tells more than the table does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.generalisation_cost import distinct_rows
from privacy.sdc.labels import SIGNS, Condition, Domain, LabelFit, domain_of, label_fits
from privacy.sdc.table import Table

__all__ = ["Answer", "Condition", "MeanAnswer", "Query", "answer", "answer_mean", "parse", "query_text"]

Group = tuple[str, ...]

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|<=|>=|!=|<|>|=|\(|\)|,|[^\s<>=!(),'\"]+")
_PLAIN = re.compile(r"[^\s<>=!(),'\"]+")
_KEYWORDS = frozenset({"where", "and", "in", "between", "group", "by"})


@dataclass(frozen=True, kw_only=True)
class Query:
    """A count, or the mean of a column: all conditions must hold."""

    conditions: tuple[Condition, ...]
    groups: tuple[str, ...]
    mean_of: str | None = None


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


@dataclass(frozen=True, kw_only=True)
class MeanAnswer:
    """Mean of a numeric column over the records of one group that meet the conditions.

    Parameters
    ----------
    group : tuple of str
        Labels of the columns grouped by.
    lower, upper : float or None
        The mean lies between them, if any record meets the conditions; None where none can.
    expected : float or None
        Numbers of a class spread evenly over what its labels can mean; an assumption, not a bound.
    least, most : int
        So many records meet the conditions: bounds of their count.
    """

    group: tuple[str, ...]
    lower: float | None
    upper: float | None
    expected: float | None
    least: int
    most: int


def parse(text: str) -> Query:
    """Read a query.

    Parameters
    ----------
    text : str
        Such as "count where age < 40 group by disease".

    Raises
    ------
    PrivacyError
        On anything that is neither a count nor a mean.

    Examples
    --------
    >>> parse("count where age < 40 group by disease")
    Query(conditions=(Condition(column='age', sign='<', values=('40',)),), groups=('disease',), mean_of=None)
    >>> parse("mean age where 'blood type' = 'A''B'").conditions[0].values
    ("A'B",)
    """
    rest = _TOKEN.sub("", text).strip()
    tokens = _TOKEN.findall(text)
    if rest or not tokens or tokens[0].lower() not in ("count", "mean"):
        raise PrivacyError("query.text", text)
    reader = _Reader(tokens[1:], text)
    mean_of = reader.word() if tokens[0].lower() == "mean" else None
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
    return Query(conditions=tuple(conditions), groups=tuple(groups), mean_of=mean_of)


def query_text(query: Query) -> str:
    """Write a query so that `parse` reads the same one: one text for each query.

    Parameters
    ----------
    query : Query
        As `parse` gives it.

    Examples
    --------
    >>> query_text(parse("count  WHERE age<40 and work IN ( own , 'the city' ) group by disease"))
    "count where age < 40 and work in (own, 'the city') group by disease"
    """
    words = ["count"] if query.mean_of is None else ["mean", _quoted(query.mean_of)]
    for position, condition in enumerate(query.conditions):
        values = [_quoted(value) for value in condition.values]
        words += ["and" if position else "where", _quoted(condition.column), condition.sign]
        if condition.sign == "in":
            words.append(f"({', '.join(values)})")
        else:
            words.append(" and ".join(values))
    if query.groups:
        words += ["group by", ", ".join(_quoted(name) for name in query.groups)]
    return " ".join(words)


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _KEYWORDS:
        return text
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


class _Reader:
    """Tokens one after the other."""

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


def answer(released: Table, query: Query, domains: Mapping[str, Domain]) -> tuple[Answer, ...]:
    """Count the records that meet the conditions of a query, from the released table.

    Parameters
    ----------
    released : Table
        As published.
    query : Query
        Its columns must be in the table; what it wants the mean of is not looked at.
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
    return tuple(
        Answer(
            group=group,
            lower=int(cells.counts[cells.certain].sum()),
            upper=int(cells.counts[cells.possible].sum()),
            expected=float(cells.counts @ cells.share),
        )
        for group, cells in _cells_by_group(released, query, domains)
    )


def answer_mean(released: Table, query: Query, domains: Mapping[str, Domain]) -> tuple[MeanAnswer, ...]:
    """Bound the mean of a column over the records that meet the conditions of a query.

    Each record may be anything its labels allow, independently of the others. The least mean takes every
    certain record at the low end of its numbers, and of the records across the conditions those whose low
    end lies below the mean so far; the largest likewise. Both are attained, at most as a limit where an
    interval lacks its end.

    Parameters
    ----------
    released, query, domains
        As of `answer`; `query.mean_of` names a numeric column.

    Raises
    ------
    PrivacyError
        As `answer`; ``query`` where the column holds texts, or a label is open to one side.
    """
    name = query.mean_of or ""
    column = released.column(name)
    domain = domain_of(column, domains)
    if not domain.numeric:
        raise PrivacyError("query.mean", name)
    answers = []
    for group, cells in _cells_by_group(released, query, domains):
        ends = np.stack([cells.low, cells.high])[:, cells.possible]
        if not np.isfinite(ends).all():
            open_ended = (column.values[code] for code in cells.mean_codes[cells.possible])
            label = next(label_there for label_there in open_ended if not _is_bounded(domain, label_there))
            raise PrivacyError("query.open", label, column=name)
        weight = cells.counts * cells.share
        inside = weight > 0
        total = float(weight.sum())
        answers.append(
            MeanAnswer(
                group=group,
                lower=_least_mean(cells.low, cells),
                upper=None if (most := _least_mean(-cells.high, cells)) is None else -most,
                expected=float(weight[inside] @ cells.middle[inside]) / total if total else None,
                least=int(cells.counts[cells.certain].sum()),
                most=int(cells.counts[cells.possible].sum()),
            )
        )
    return tuple(answers)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Cells:
    """Distinct rows of the columns that a query uses, with what is known of the records of each.

    Parameters
    ----------
    counts : int64 array, shape (rows,)
    certain, possible : bool array, shape (rows,)
    share : float64 array, shape (rows,)
    mean_codes : int64 array, shape (rows,)
        Label of the column whose mean is wanted; zeros for a count.
    low, high, middle : float64 array, shape (rows,)
        Numbers that it can be under the conditions.
    """

    counts: Whole
    certain: Flags
    possible: Flags
    share: Array
    mean_codes: Whole
    low: Array
    high: Array
    middle: Array


def _cells_by_group(
    released: Table, query: Query, domains: Mapping[str, Domain]
) -> Iterator[tuple[Group, _Cells]]:
    groups = [released.column(name) for name in query.groups]
    used = dict.fromkeys(condition.column for condition in query.conditions)
    names = list(used | ({} if query.mean_of is None else {query.mean_of: None}))
    columns = [released.column(name) for name in names]
    first, number = distinct_rows(
        [column.codes for column in (*groups, *columns)] or [np.zeros(len(released), dtype=np.int64)]
    )
    counts = np.bincount(number)
    certain = np.ones(len(first), dtype=bool)
    possible = np.ones(len(first), dtype=bool)
    share = np.ones(len(first))
    mean_codes = np.zeros(len(first), dtype=np.int64)
    low, high, middle = (np.zeros(len(first)) for _ in range(3))
    for name, column in zip(names, columns, strict=True):
        conditions = [condition for condition in query.conditions if condition.column == name]
        judged = label_fits(domain_of(column, domains), column, conditions)
        at = column.codes[first]
        certain &= np.array([verdict.certain for verdict in judged])[at]
        possible &= np.array([verdict.possible for verdict in judged])[at]
        share *= np.array([verdict.share for verdict in judged])[at]
        if name == query.mean_of:
            mean_codes = at.astype(np.int64)
            low, high, middle = (_numbers_of(judged, end)[at] for end in ("low", "high", "middle"))
    rows: dict[Group, list[int]] = {}
    for row, record in enumerate(first.tolist()):
        group = tuple(column.values[column.codes[record]] for column in groups)
        rows.setdefault(group, []).append(row)
    for group, within in sorted(rows.items()):
        yield (
            group,
            _Cells(
                counts=counts[within],
                certain=certain[within],
                possible=possible[within],
                share=share[within],
                mean_codes=mean_codes[within],
                low=low[within],
                high=high[within],
                middle=middle[within],
            ),
        )


def _numbers_of(judged: Sequence[LabelFit], end: str) -> Array:
    return np.array([getattr(verdict, end) for verdict in judged], dtype=np.float64)


def _is_bounded(domain: Domain, label: str) -> bool:
    meaning = domain.meaning(label)
    return isfinite(getattr(meaning, "low", 0.0)) and isfinite(getattr(meaning, "high", 0.0))


def _least_mean(ends: Array, cells: _Cells) -> float | None:
    """Return the least mean of all certain records and any of those across, each at its end."""
    count = int(cells.counts[cells.certain].sum())
    total = float(cells.counts[cells.certain] @ ends[cells.certain])
    across = np.flatnonzero(cells.possible & ~cells.certain)
    if not count:
        # One record alone is enough, and the lowest is the least.
        return float(ends[across].min()) if len(across) else None
    for row in across[np.argsort(ends[across], kind="stable")].tolist():
        if ends[row] * count >= total:
            break
        total += float(cells.counts[row] * ends[row])
        count += int(cells.counts[row])
    return total / count
