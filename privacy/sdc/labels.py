"""Meaning of published labels such as ``[30,39]`` or ``gov``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from privacy.errors import PrivacyError
from privacy.sdc.hierarchy import SUPPRESSED, Hierarchy
from privacy.sdc.table import Column, Table

__all__ = ["Domain", "Interval", "Meaning", "Prefix", "domain_of", "label_column", "suppressed_rows"]

_NUMBER = r"\s*(-?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|inf))\s*"
_INTERVAL = re.compile(rf"([\[(]){_NUMBER},{_NUMBER}([\])])")


@dataclass(frozen=True, kw_only=True)
class Interval:
    """Numbers from `low` to `high`; each end belongs to it or not."""

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
    """All texts that begin with `start`: ``12*`` and, with nothing before the star, every value there is."""

    start: str

    def holds(self, text: str) -> bool:
        """Return whether a text begins so."""
        return text.startswith(self.start)


Meaning = Interval | Prefix | frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Domain:
    """What the labels of one column can mean.

    Parameters
    ----------
    name : str
        The column.
    numeric : bool
        Labels are numbers and intervals.
    whole : bool
        Numbers are whole, so that ``[30,32]`` holds three of them.
    leaves : dict of str to tuple of str
        The values below each label of a published hierarchy, as in the codebook. Labels of hierarchies that
        were built from the table itself are not listed there, since the list would tell which values occur: a
        label ending in ``*`` then stands for all texts that begin as it does.
    """

    name: str
    numeric: bool
    whole: bool = False
    leaves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

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
        """Return the interval or the set of values that a label stands for.

        Raises
        ------
        PrivacyError
            When a numeric column has a label that is neither number nor interval nor named in the codebook.

        Examples
        --------
        >>> Domain(name="age", numeric=True).meaning("[30,39]")
        Interval(low=30.0, high=39.0, low_closed=True, high_closed=True)
        >>> Domain(name="age", numeric=True).meaning("[65,inf)").holds(90)
        True
        >>> sorted(Domain(name="work", numeric=False, leaves={"gov": ("State", "Federal")}).meaning("gov"))
        ['Federal', 'State']
        """
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


def domain_of(column: Column, domains: Mapping[str, Domain]) -> Domain:
    """Return what the labels of a column can mean; one without a domain means what it says."""
    return domains.get(column.name) or Domain(name=column.name, numeric=column.numbers is not None)


def suppressed_rows(table: Table) -> npt.NDArray[np.bool_]:
    """Return which records are suppressed: ``*`` in every quasi-identifier while other records are not.

    Other tools publish them so; they must not be counted as a class of their own. A table in which all
    records read ``*`` is one whole class, not a suppressed table.
    """
    starred = np.ones(len(table), dtype=bool)
    for column in table.quasi_identifiers:
        star = column.values.index(SUPPRESSED) if SUPPRESSED in column.values else -1
        starred &= column.codes == star
    return np.zeros(len(table), dtype=bool) if starred.all() else starred


def label_column(name: str, role: str, texts: list[str]) -> Column:
    """Encode published texts as a column."""
    values, codes = np.unique(np.array(texts, dtype=object), return_inverse=True)
    return Column(
        name=name,
        role=role,
        kind="categorical",
        values=tuple(str(value) for value in values),
        codes=codes.astype(np.int32),
    )
