"""Meaning of published labels such as ``[30,39]`` or ``gov``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.sdc.hierarchy import SUPPRESSED, Hierarchy
from privacy.sdc.table import Column

_NUMBER = r"\s*(-?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|inf))\s*"
_INTERVAL = re.compile(rf"([\[(]){_NUMBER},{_NUMBER}([\])])")


@dataclass(frozen=True, kw_only=True)
class Interval:
    """Numbers from `low` to `high`; either end may be excluded."""

    low: float
    high: float
    low_closed: bool = True
    high_closed: bool = True

    def holds(self, number: float) -> bool:
        """Return whether a number lies inside."""
        above = number >= self.low if self.low_closed else number > self.low
        below = number <= self.high if self.high_closed else number < self.high
        return above and below


@dataclass(frozen=True, kw_only=True)
class Prefix:
    """All texts that begin with `start`: ``12*``, or ``*`` for any text."""

    start: str

    def holds(self, text: str) -> bool:
        """Return whether a text begins with `start`."""
        return text.startswith(self.start)


Meaning = Interval | Prefix | frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Domain:
    """Possible values of the labels of one column.

    Parameters
    ----------
    name : str
        The column.
    numeric : bool
        Whether labels are numbers and intervals.
    whole : bool
        Whether numbers are integers, so that ``[30,32]`` contains three of them.
    leaves : dict of str to tuple of str
        The values below each label of a published hierarchy, as in the codebook. Labels of hierarchies built
        from the table itself are not listed, since the list would reveal which values occur. A label ending
        in ``*`` then represents all texts that begin with the same characters.
    """

    name: str
    numeric: bool
    whole: bool = False
    leaves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _meanings: dict[str, Meaning] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of_hierarchy(cls, hierarchy: Hierarchy, *, numeric: bool = False, whole: bool = False) -> Domain:
        """Collect the values below each label of a hierarchy."""
        leaves: dict[str, list[str]] = {}
        for row in hierarchy.rows():
            for label in dict.fromkeys(row):
                leaves.setdefault(label, []).append(row[0])
        return cls(
            name=hierarchy.name,
            numeric=numeric,
            whole=whole,
            leaves={label: tuple(values) for label, values in leaves.items()},
        )

    def meaning(self, label: str) -> Meaning:
        """Return the interval or the set of values that a label represents.

        Raises
        ------
        PrivacyError
            If a label of a numeric column is neither a number nor an interval nor in the codebook.

        Examples
        --------
        >>> Domain(name="age", numeric=True).meaning("[30,39]")
        Interval(low=30.0, high=39.0, low_closed=True, high_closed=True)
        >>> Domain(name="age", numeric=True).meaning("[65,inf)").holds(90)
        True
        >>> sorted(Domain(name="work", numeric=False, leaves={"gov": ("State", "Federal")}).meaning("gov"))
        ['Federal', 'State']
        """
        if label not in self._meanings:
            self._meanings[label] = self._read(label)
        return self._meanings[label]

    def _read(self, label: str) -> Meaning:
        if not self.numeric:
            if label not in self.leaves and label.endswith(SUPPRESSED):
                return Prefix(start=label.rstrip(SUPPRESSED))
            return frozenset(self.leaves.get(label, (label,)))
        match = _INTERVAL.fullmatch(label.strip())
        if match:
            return Interval(
                low=float(match[2]),
                high=float(match[3]),
                low_closed=match[1] == "[",
                high_closed=match[4] == "]",
            )
        try:
            number = float(label)
        except ValueError:
            pass
        else:
            return Interval(low=number, high=number)
        numbers = [float(leaf) for leaf in self.leaves.get(label, ())]
        if numbers:
            return Interval(low=min(numbers), high=max(numbers))
        if label == SUPPRESSED:
            return Interval(low=-np.inf, high=np.inf)
        raise PrivacyError("label", label, name=self.name)

    def allows(self, label: str, text: str) -> bool:
        """Return whether a label can represent a value.

        Raises
        ------
        PrivacyError
            ``not_a_number.people``: the label is an interval, but the value is not a number.
        """
        meaning = self.meaning(label)
        if isinstance(meaning, Interval):
            try:
                return meaning.holds(float(text))
            except ValueError:
                raise PrivacyError("not_a_number.people", text, domain=self.name) from None
        if isinstance(meaning, Prefix):
            return meaning.holds(text)
        return text in meaning or text == label


def domain_of(column: Column, domains: Mapping[str, Domain]) -> Domain:
    """Return the possible values of a column's labels; without a domain, labels mean themselves.

    Parameters
    ----------
    column : Column
        Column of published labels.
    domains : mapping of str to Domain
        Domains by column name.
    """
    return domains.get(column.name) or Domain(name=column.name, numeric=column.numbers is not None)


def labels_domain(name: str, labels: tuple[str, ...]) -> Domain:
    """Return a numeric domain if every label is a number, an interval or a star.

    Parameters
    ----------
    name : str
        Name of a column.
    labels : tuple[str, ...]
        Generalised columns.
    """
    numeric = Domain(name=name, numeric=True)
    try:
        for label in labels:
            numeric.meaning(label)
    except PrivacyError:
        return Domain(name=name, numeric=False)
    return numeric


def middle(domain: Domain, label: str, true: Array) -> float:
    """Return the middle of a label; an unbounded label extends to the end of the column's range.

    Parameters
    ----------
    domain : Domain
        Meaning of the column's labels.
    label : str
        A published label.
    true : float64 array
        The column's numbers before publication.
    """
    if leaves := domain.leaves.get(label):
        return float(np.mean([float(leaf) for leaf in leaves]))
    meaning = domain.meaning(label)
    low, high = float(true.min()), float(true.max())
    if isinstance(meaning, Interval):
        low = meaning.low if np.isfinite(meaning.low) else low
        high = meaning.high if np.isfinite(meaning.high) else high
    return (low + high) / 2


def label_column(name: str, role: str, texts: list[str]) -> Column:
    """Encode published texts as a column.

    Parameters
    ----------
    name : str
        Name of the column.
    role : str
        Role of the column, such as "quasi_identifier" or "sensitive".
    texts : list of str
        The label of each record.
    """
    values, codes = np.unique(np.array(texts, dtype=object), return_inverse=True)
    return Column(
        name=name,
        role=role,
        kind="categorical",
        values=tuple(str(value) for value in values),
        codes=codes.astype(np.int32),
    )
