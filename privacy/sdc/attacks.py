"""Attacks on one release: linking with a list, one-value classes, background knowledge.

The last two are those of Machanavajjhala et al. 2007.

Marginal distributions before and after a release, read from the published labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.labels import Domain, Interval, Prefix, domain_of
from privacy.sdc.table import Column, Table
from privacy.validation import number_text

_PAIRS_AT_ONCE = 20_000_000


@dataclass(frozen=True, kw_only=True)
class Link:
    """Linkage of one person of a list.

    Parameters
    ----------
    person : int
        Row of the list.
    candidates : int
        Published records that may be theirs, or different people who have such records; 0 when no one in the
        release fits.
    records : tuple of int
        Up to ten of those records.
    values : tuple of str
        Sensitive values among all candidates, or the one that all of them have; one value is a disclosure
        even with many candidates.
    """

    person: int
    candidates: int
    records: tuple[int, ...]
    values: tuple[str, ...]

    @property
    def identified(self) -> bool:
        """Exactly one record fits."""
        return self.candidates == 1

    @property
    def disclosed(self) -> bool:
        """All candidates share one sensitive value."""
        return len(self.values) == 1


def link(
    released: Table,
    people: Mapping[str, Sequence[str]],
    domains: Mapping[str, Domain] | None = None,
    *,
    owners: Whole | None = None,
) -> tuple[Link, ...]:
    """Look every person of a list up in a release, by the columns they share.

    Parameters
    ----------
    released : Table
        As published, generalised or not.
    people : mapping of column name to texts
        The list; columns of other names, such as the person's name, are not used.
    domains : mapping or None
        Meaning of the labels of generalised columns; without one a label means itself.
    owners : int64 array, shape (n,), or None
        Person of each published record, where several can be of one: then people are counted.

    Raises
    ------
    PrivacyError
        When no quasi-identifier is shared, or a number of the list cannot be read.
    """
    matcher = _Matcher(released, people, domains or {})
    sensitive = released.sensitive[0] if released.sensitive else None
    links = []
    for start, possible in matcher.blocks():
        for offset in range(possible.shape[1]):
            records = matcher.members(np.flatnonzero(possible[:, offset]))
            values = () if sensitive is None else _values(sensitive, records, owners)
            links.append(
                Link(
                    person=start + offset,
                    candidates=len(records if owners is None else np.unique(owners[records])),
                    records=tuple(sorted(records.tolist())[:10]),
                    values=values,
                )
            )
    return tuple(links)


def _values(sensitive: Column, records: Whole, owners: Whole | None) -> tuple[str, ...]:
    """Return the values among some records; only the one that everyone has, where there is one."""
    if not len(records):
        return ()
    whole = Classes(number=np.zeros(len(records), dtype=np.int64), count=1)
    matrix = ClassMatrix.of(whole, sensitive.take(records).whole, None if owners is None else owners[records])
    shared = matrix.values[matrix.counts == matrix.sizes[0]][:1]
    certain = shared if len(shared) else matrix.values
    values = sensitive.take(records).values
    return tuple(values[value] for value in certain.tolist())


def population_counts(
    released: Table,
    people: Mapping[str, Sequence[str]],
    domains: Mapping[str, Domain],
) -> Whole:
    """Count the people of a register who match each published class, in the order of the classes.

    The journalist's and the marketer's risk divide by these counts.

    Parameters
    ----------
    released : Table
        As it was published.
    people : mapping of str to sequence of str
        Values of the register's people, by the name of the column.
    domains : mapping of str to Domain
        What the labels of a column can mean.
    """
    matcher = _Matcher(released, people, domains)
    counts = np.zeros(matcher.classes.count, dtype=np.int64)
    for _, possible in matcher.blocks():
        counts += possible.sum(axis=1)
    return counts


class _Matcher:
    """Matches published classes with the people of a list."""

    def __init__(
        self, released: Table, people: Mapping[str, Sequence[str]], domains: Mapping[str, Domain]
    ) -> None:
        columns = [column for column in released.quasi_identifiers if column.name in people]
        if not columns:
            names = ", ".join(column.name for column in released.quasi_identifiers)
            raise PrivacyError("unknown_column.release", tuple(people), names=names)
        self.classes = Classes.of_columns(columns)
        self._order = np.argsort(self.classes.number, kind="stable")
        self._ends = np.cumsum(self.classes.sizes)
        first = self._order[self._ends - self.classes.sizes]
        self._people = len(people[columns[0].name])
        self._fits = []
        for column in columns:
            listed = people[column.name]
            distinct = sorted(set(listed))
            codes = {text: position for position, text in enumerate(distinct)}
            domain = domain_of(column, domains)
            holds = np.array([[_fits(domain, label, text) for text in distinct] for label in column.values])
            self._fits.append((holds, column.codes[first], np.array([codes[text] for text in listed])))

    def blocks(self) -> Iterator[tuple[int, Flags]]:
        """Walk (first person, possible[class, person]) in blocks of people."""
        step = max(1, _PAIRS_AT_ONCE // self.classes.count)
        for start in range(0, self._people, step):
            possible = np.ones((self.classes.count, min(step, self._people - start)), dtype=bool)
            for holds, label, text in self._fits:
                possible &= holds[label][:, text[start : start + step]]
            yield start, possible

    def members(self, numbers: Whole) -> Whole:
        """Return the records of some classes."""
        starts = self._ends - self.classes.sizes
        parts = [self._order[starts[number] : self._ends[number]] for number in numbers.tolist()]
        return np.concatenate(parts) if parts else np.array([], dtype=np.int64)


def _fits(domain: Domain, label: str, text: str) -> bool:
    meaning = domain.meaning(label)
    if isinstance(meaning, Interval):
        try:
            return meaning.holds(float(text))
        except ValueError:
            raise PrivacyError("not_a_number.people", text, domain=domain.name) from None
    if isinstance(meaning, Prefix):
        return meaning.holds(text)
    return text in meaning or text == label


@dataclass(frozen=True, kw_only=True)
class Homogeneous:
    """A class whose records all have one sensitive value."""

    class_number: int
    size: int
    value: str


def homogeneous(matrix: ClassMatrix, values: Sequence[str]) -> tuple[Homogeneous, ...]:
    """List the classes that a homogeneity attack reads off; their share of all is HASR of Zhu et al. 2010.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.
    values : sequence of str
        Names of the sensitive values.

    Examples
    --------
    >>> homogeneous(ClassMatrix.from_counts([[2, 0], [1, 1]]), ["flu", "cold"])
    (Homogeneous(class_number=0, size=2, value='flu'),)
    """
    sizes = matrix.sizes
    return tuple(
        Homogeneous(class_number=number, size=size, value=values[value])
        for number, size, value in zip(
            matrix.classes.tolist(), matrix.counts.tolist(), matrix.values.tolist(), strict=True
        )
        if size == sizes[number]
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class BackgroundKnowledge:
    """Effect of excluding values on the remaining ones.

    Parameters
    ----------
    exclusions : int64 array, shape (classes,)
        How many values must be excluded before one remains: distinct values - 1.
    weakest : int
        Least of them: 0 is the homogeneity attack.
    certainty : tuple of float
        ``certainty[j]`` is the largest share that one value can have in some class after the worst j
        exclusions.
    """

    exclusions: Whole
    weakest: int
    certainty: tuple[float, ...]


def background_knowledge(matrix: ClassMatrix, *, most_exclusions: int = 3) -> BackgroundKnowledge:
    """Measure how far exclusions ("a person like that does not have ...") narrow a class down.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.
    most_exclusions : int, optional
        Values that an adversary rules out at most.

    Notes
    -----
    With counts r1 >= r2 >= ... the worst j exclusions leave r1 and drop r2 .. r_(j+1): certainty r1 / (r1 +
    rest).

    Examples
    --------
    >>> background_knowledge(ClassMatrix.from_counts([[2, 1, 1]]), most_exclusions=2).certainty
    (0.5, 0.6666666666666666, 1.0)
    """
    most, rank = matrix.largest()
    certainty = []
    for excluded in range(most_exclusions + 1):
        rest = matrix.per_class(np.where(rank > excluded, matrix.counts, 0))
        # Where someone can have several values, excluding one leaves all who have the most common one.
        left = np.minimum(most + rest, matrix.sizes)
        certainty.append(float((most / np.maximum(left, 1)).max()))
    exclusions = np.maximum(matrix.distinct - 1, 0)
    return BackgroundKnowledge(
        exclusions=exclusions, weakest=int(exclusions.min()), certainty=tuple(certainty)
    )


@dataclass(frozen=True, kw_only=True)
class Marginal:
    """Distribution of one column before and after a release.

    Parameters
    ----------
    name : str
        The column.
    cells : tuple of str
        Values, or ten equal intervals of a numeric column.
    before, after : tuple of float
        Share of the records in each cell; after from labels spread evenly over what they can mean.
    """

    name: str
    cells: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def distance(self) -> float:
        """Total variation sum|before - after| / 2, in [0, 1]."""
        return sum(abs(first - two) for first, two in zip(self.before, self.after, strict=True)) / 2


def marginal(source: Column, released: Column, domain: Domain, *, bins: int = 10) -> Marginal:
    """Compare a column with its published labels.

    Parameters
    ----------
    source, released : Column
        Before and after.
    domain : Domain
        What the published labels can mean.
    bins : int, optional
        Of a numeric column.

    Examples
    --------
    >>> age = Column(name="age", role="quasi_identifier", kind="categorical", values=("a", "b"),
    ...              codes=np.array([0, 1], dtype=np.int32))
    >>> star = Column(name="age", role="quasi_identifier", kind="categorical", values=("*",),
    ...               codes=np.array([0, 0], dtype=np.int32))
    >>> marginal(age, star, Domain(name="age", numeric=False)).after
    (0.5, 0.5)
    """
    shares = np.bincount(released.codes, minlength=len(released.values)) / len(released.codes)
    own = np.bincount(source.codes, minlength=len(source.values)) / len(source.codes)
    cells, cell = source.values, np.arange(len(source.values))
    if source.numbers is not None:
        edges = np.linspace(source.numbers[0], source.numbers[-1], bins + 1)
        cells = tuple(
            f"{number_text(round(low, 6))} to {number_text(round(high, 6))}"
            for low, high in pairwise(edges.tolist())
        )
        cell = np.clip(np.searchsorted(edges, source.numbers, side="right") - 1, 0, bins - 1)
    before, after = np.bincount(cell, own, len(cells)), np.zeros(len(cells))
    for label, share in zip(released.values, shares.tolist(), strict=True):
        meant = _meant(source, domain, label)
        after += share * np.bincount(cell[meant], minlength=len(cells)) / max(1, meant.sum())
    return Marginal(name=source.name, cells=cells, before=tuple(before.tolist()), after=tuple(after.tolist()))


def _meant(source: Column, domain: Domain, label: str) -> Flags:
    """Return which values of a column a label can mean."""
    if source.numbers is None:
        return np.array([_fits(domain, label, value) for value in source.values], dtype=np.bool_)
    if leaves := domain.leaves.get(label):
        return np.isin(source.numbers, [float(leaf) for leaf in leaves])
    meaning = domain.meaning(label)
    if isinstance(meaning, Interval):
        return (source.numbers >= meaning.low) & (source.numbers <= meaning.high)
    return np.ones(len(source.numbers), dtype=np.bool_)
