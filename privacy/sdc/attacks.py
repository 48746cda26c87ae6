"""Attacks on one release: linking with a list, one-value classes, background knowledge.

The last two follow Machanavajjhala et al. 2007.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.published_labels import Domain, domain_of
from privacy.sdc.table import Column, Table

_PAIRS_AT_ONCE = 20_000_000


@dataclass(frozen=True, kw_only=True)
class Link:
    """Result of linking one person of a list.

    Parameters
    ----------
    person : int
        Row of the list.
    candidates : int
        Number of published records that may be theirs, or number of people with such records.
    values : tuple of str
        Sensitive values among all candidates, or only the one that all share. A single value is a disclosure
        even if there are many candidates.
    """

    person: int
    candidates: int
    values: tuple[str, ...]

    @property
    def identified(self) -> bool:
        """Whether there is exactly one candidate."""
        return self.candidates == 1

    @property
    def disclosed(self) -> bool:
        """Whether all candidates share one sensitive value."""
        return len(self.values) == 1


def link(
    release: Table,
    people: Mapping[str, Sequence[str]],
    domains: Mapping[str, Domain] | None = None,
    *,
    owners: Whole | None = None,
) -> tuple[Link, ...]:
    """Look up every person of a list in a release by their common columns.

    Parameters
    ----------
    release : Table
        The published table, generalised or not.
    people : mapping of column name to texts
        The list; other columns, such as the person's name, are ignored.
    domains : mapping or None
        Meaning of the labels of generalised columns; by default a label means itself.
    owners : int64 array, shape (n,), or None
        Person of each published record, if a person can have several. Candidates are then people.

    Raises
    ------
    PrivacyError
        If no quasi-identifier is shared, or a number in the list cannot be read.
    """
    matcher = _Matcher(release, people, domains or {})
    sensitive = release.sensitive[0] if release.sensitive else None
    links = []
    for start, possible in matcher.blocks():
        for offset in range(possible.shape[1]):
            records = matcher.members(np.flatnonzero(possible[:, offset]))
            values = () if sensitive is None else _values(sensitive, records, owners)
            links.append(
                Link(
                    person=start + offset,
                    candidates=len(records if owners is None else np.unique(owners[records])),
                    values=values,
                )
            )
    return tuple(links)


def _values(sensitive: Column, records: Whole, owners: Whole | None) -> tuple[str, ...]:
    """Return the sensitive values of some records, or only the one that everyone shares."""
    if not len(records):
        return ()
    whole = Classes(number=np.zeros(len(records), dtype=np.int64), count=1)
    column = sensitive.take(records)
    matrix = ClassMatrix.of(whole, column.whole, None if owners is None else owners[records])
    common = matrix.values[matrix.counts == matrix.sizes[0]][:1]
    certain = common if len(common) else matrix.values
    return tuple(column.values[value] for value in certain.tolist())


class _Matcher:
    """Match published classes with the people of a list."""

    def __init__(
        self, release: Table, people: Mapping[str, Sequence[str]], domains: Mapping[str, Domain]
    ) -> None:
        columns = [column for column in release.quasi_identifiers if column.name in people]
        if not columns:
            names = ", ".join(column.name for column in release.quasi_identifiers)
            raise PrivacyError("unknown_column.release", tuple(people), names=names)
        self.classes = Classes.of_columns(columns)
        self._order = np.argsort(self.classes.number, kind="stable")
        self._ends = np.cumsum(self.classes.sizes)
        self._starts = self._ends - self.classes.sizes
        first = self._order[self._starts]
        self._people = len(people[columns[0].name])
        self._fits = []
        for column in columns:
            texts = people[column.name]
            distinct = sorted(set(texts))
            codes = {text: position for position, text in enumerate(distinct)}
            domain = domain_of(column, domains)
            holds = np.array([[domain.allows(label, text) for text in distinct] for label in column.values])
            self._fits.append((holds, column.codes[first], np.array([codes[text] for text in texts])))

    def blocks(self) -> Iterator[tuple[int, Flags]]:
        """Yield (first person, possible[class, person]) for blocks of people."""
        step = max(1, _PAIRS_AT_ONCE // self.classes.count)
        for start in range(0, self._people, step):
            possible = np.ones((self.classes.count, min(step, self._people - start)), dtype=bool)
            for holds, label, text in self._fits:
                possible &= holds[label][:, text[start : start + step]]
            yield start, possible

    def members(self, numbers: Whole) -> Whole:
        """Return the records of some classes."""
        parts = [self._order[self._starts[number] : self._ends[number]] for number in numbers.tolist()]
        return np.concatenate(parts) if parts else np.array([], dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Homogeneous:
    """A class whose records all have one sensitive value."""

    class_number: int
    size: int
    value: str


def homogeneous(matrix: ClassMatrix, values: Sequence[str]) -> tuple[Homogeneous, ...]:
    """List the classes open to a homogeneity attack; their share of all classes is HASR (Zhu et al. 2010).

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


@dataclass(frozen=True, kw_only=True)
class BackgroundKnowledge:
    """How certain an attacker becomes of one value by excluding others.

    Parameters
    ----------
    weakest : int
        Smallest number of exclusions after which some class has one value left; 0 is the homogeneity attack.
    certainty : tuple of float
        ``certainty[j]`` is the largest share that one value can have in some class after the worst j
        exclusions.
    """

    weakest: int
    certainty: tuple[float, ...]


def background_knowledge(matrix: ClassMatrix, *, most_exclusions: int = 3) -> BackgroundKnowledge:
    """Measure how much exclusions ("a person like that does not have ...") narrow down a class.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.
    most_exclusions : int, optional
        Largest number of values that an attacker excludes.

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
    for n_excluded in range(most_exclusions + 1):
        rest = matrix.per_class(np.where(rank > n_excluded, matrix.counts, 0))
        # A person can have several values, so the counts can exceed the number of people in the class.
        left = np.minimum(most + rest, matrix.sizes)
        certainty.append(float((most / np.maximum(left, 1)).max()))
    return BackgroundKnowledge(weakest=max(0, int(matrix.distinct.min()) - 1), certainty=tuple(certainty))
