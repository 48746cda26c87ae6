"""Rows with weights, clusters or designs of their own, as units that are drawn independently."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.comparison import ClusterCount
from privacy.library.designs import ResponseDesign, checked_design
from privacy.library.frames import column_weights, data_frame
from privacy.policy import FEW_CLUSTERS

if TYPE_CHECKING:
    from privacy.library.frames import Series


RowDesigns: TypeAlias = ResponseDesign | Sequence[ResponseDesign]
"""One design of all rows, or a column with the design of each."""


@runtime_checkable
class Designed(Protocol):
    """A survey: it knows how each of its columns was disguised."""

    @property
    def designs(self) -> Mapping[Hashable, RowDesigns]: ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Weighed:
    """Units that are drawn independently: rows, or clusters of rows.

    Parameters
    ----------
    scores : float array, shape (true answers, units)
        Sums of weight times score: their sum over that of `base` is unbiased for the share of an answer.
    base : float array, shape (units,)
        Sums of weights.
    respondents, smallest_cell : int
        Rows, and rows of the rarest report.
    clusters : ClusterCount, optional
    """

    scores: Array
    base: Array
    respondents: int
    smallest_cell: int
    clusters: ClusterCount | None = None

    @classmethod
    def of(cls, scores: Array, codes: Whole, mass: Array | None, members: Whole | None) -> Weighed:
        """Return the units of rows.

        Parameters
        ----------
        scores : float array, shape (true answers, rows)
        codes : int array, shape (rows,)
            Reports, of which the rarest is looked for.
        mass : float array, shape (rows,), optional
            Weights.
        members : int array, shape (rows,), optional
            Who was drawn together.
        """
        mass = np.ones(len(codes)) if mass is None else mass
        weighed, clusters = np.concatenate([scores, np.ones((1, len(codes)))]) * mass, None
        if members is not None:
            weighed, clusters = cluster_sums(weighed, mass, members)
        least = int(np.unique(codes, return_counts=True)[1].min())
        return cls(
            scores=weighed[:-1],
            base=weighed[-1],
            respondents=len(codes),
            smallest_cell=least,
            clusters=clusters,
        )


def cluster_sums(weighed: Array, mass: Array, members: Whole) -> tuple[Array, ClusterCount]:
    """Sum over clusters, of which those without weight are left out.

    Parameters
    ----------
    weighed : float array, shape (scores, rows)
    mass : float array, shape (rows,)
    members : int array, shape (rows,)
    """
    sums = np.zeros((len(weighed), int(members.max()) + 1))
    np.add.at(sums.T, members, weighed.T)
    masses = np.bincount(members, weights=mass, minlength=sums.shape[1])
    return sums[:, masses > 0], ClusterCount.of(masses[masses > 0])


def cluster_members(column: Series, name: object) -> Whole:
    """Return the number of each row's cluster.

    Parameters
    ----------
    column : Series
    name : hashable
        Its name in error messages.

    Raises
    ------
    PrivacyError
        ``clusters``: rows without one, or too few clusters.
    """
    members, names = column.factorize()
    if (members < 0).any() or len(names) < FEW_CLUSTERS:
        missing = int((members < 0).sum())
        raise PrivacyError("clusters", name, count=len(names), missing=missing, least=FEW_CLUSTERS)
    return np.asarray(members, dtype=np.int64)


def row_weights(n: int, weights: Any, clusters: Any) -> tuple[Array | None, Whole | None]:
    """Return weights and clusters that were given with a column of answers.

    Parameters
    ----------
    n : int
        Rows.
    weights, clusters : Series or sequence, optional

    Raises
    ------
    PrivacyError
        ``answers``: another number of rows. ``regression``, ``clusters``, as `column_weights` and
        `cluster_members`.
    """
    for name, own in (("weights", weights), ("clusters", clusters)):
        if own is not None and len(own) != n:
            raise PrivacyError("answers.rows", len(own), name=name, n=n)
    mass = None if weights is None else column_weights(data_frame({"weights": list(weights)}), "weights")
    if clusters is None:
        return mass, None
    return mass, cluster_members(data_frame({"clusters": list(clusters)})["clusters"], "clusters")


def row_designs(design: RowDesigns, n: int | None) -> tuple[list[ResponseDesign], Whole]:
    """Return the different designs, and which of them each row has.

    Parameters
    ----------
    design : ResponseDesign, or sequence of ResponseDesign
    n : int or None
        Rows; None where there are only counts.

    Raises
    ------
    PrivacyError
        ``designs``: no designs, or designs with different answers. ``answers``: another number of rows.

    Examples
    --------
    >>> from privacy.library.designs import warner
    >>> made, which = row_designs([warner(p=.7), warner(p=.8), warner(p=.7)], 3)
    >>> made, which.tolist()
    ([warner(p=0.7), warner(p=0.8)], [0, 1, 0])
    """
    is_one = isinstance(design, ResponseDesign) or hasattr(design, "upper")
    if is_one or not hasattr(design, "__iter__"):
        return [checked_design(design)], np.zeros(n or 0, dtype=np.int64)
    listed = [checked_design(own) for own in design]
    if len(listed) != n:
        raise PrivacyError("answers.rows", len(listed), name="designs", n=n or "counts without")
    made: dict[ResponseDesign, int] = {}
    which = [made.setdefault(own, len(made)) for own in listed]
    answers = {(own.values, own.reports) for own in made}
    if len(answers) != 1:
        raise PrivacyError("designs.unlike", len(answers))
    return list(made), np.array(which, dtype=np.int64)
