"""Risk of re-identification: prosecutor, journalist, marketer, uniques, unicity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.policy import RECORD_AT_RISK
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation_cost import Space, distinct_rows
from privacy.sdc.table import Column


@dataclass(frozen=True, kw_only=True)
class Risk:
    """Probabilities that a record is linked to its owner.

    Parameters
    ----------
    prosecutor_highest, prosecutor_mean : float
        The attacker knows that the person is in the table: 1/|E|, the largest and the mean over records.
    journalist_highest : float or None
        The attacker has a population register: 1 / (matching people there); None without one.
    marketer : float
        Share of records linked rightly when all are linked at random: classes / n, or the mean of 1 /
        (matching people) with a register.
    at_risk : float
        Share of records whose probability exceeds `threshold`.
    threshold : float
        The bound for `at_risk`.
    sample_uniques : int
        Records that are alone in their class.
    """

    prosecutor_highest: float
    prosecutor_mean: float
    journalist_highest: float | None
    marketer: float
    at_risk: float
    threshold: float
    sample_uniques: int


def risk(sizes: Whole, *, population: Whole | None = None, threshold: float = RECORD_AT_RISK) -> Risk:
    """Measure the three attackers.

    Parameters
    ----------
    sizes : int64 array
        Sizes of the classes.
    population : int64 array or None
        For each class the people of a register that match it, at least 1 each; a class that matches fewer
        people than it has records shows that the register is not a population, and is refused.
    threshold : float
        A record is at risk if its prosecutor risk (journalist risk with a register) is above it.

    Examples
    --------
    >>> risk(np.array([2, 2, 2, 3, 2])).marketer
    0.45454545454545453
    """
    if not 0 < threshold <= 1:
        raise PrivacyError("threshold", threshold)
    n = int(sizes.sum())
    if population is not None and (population < sizes).any():
        worst = int(np.argmax(sizes - population))
        raise PrivacyError("population", int(population[worst]), sizes=int(sizes[worst]))
    probability = 1 / (sizes if population is None else population)
    return Risk(
        prosecutor_highest=float(1 / sizes.min()),
        prosecutor_mean=len(sizes) / n,
        journalist_highest=None if population is None else float(probability.max()),
        marketer=float((sizes * probability).sum() / n),
        at_risk=float(sizes[probability > threshold].sum() / n),
        threshold=threshold,
        sample_uniques=int((sizes == 1).sum()),
    )


@dataclass(frozen=True, kw_only=True)
class Unicity:
    """Share of records that are alone when `points` quasi-identifiers are known.

    Parameters
    ----------
    points : int
        Number of columns known.
    mean, highest : float
        Over subsets of that many columns.
    worst : tuple of str
        The subset of `highest`.
    subsets : int
        Subsets looked at.
    """

    points: int
    mean: float
    highest: float
    worst: tuple[str, ...]
    subsets: int


def unicity(
    columns: Sequence[Column], points: int, *, rng: np.random.Generator, most_subsets: int = 2000
) -> Unicity:
    """Measure unicity over all subsets of columns, or over a sample when there are too many.

    Parameters
    ----------
    columns : sequence of Column
        Columns of the quasi-identifiers.
    points : int
        Columns that an adversary knows, 1 or more.
    rng : numpy.random.Generator
        Draws the sample.
    most_subsets : int, optional
        Larger numbers of subsets are sampled.
    """
    total = comb(len(columns), points)
    if total <= most_subsets:
        subsets = list(combinations(range(len(columns)), points))
    else:
        drawn: set[tuple[int, ...]] = set()
        while len(drawn) < most_subsets:
            drawn.add(tuple(sorted(rng.choice(len(columns), size=points, replace=False).tolist())))
        subsets = sorted(drawn)
    shares = []
    for subset in subsets:
        _, number = distinct_rows([columns[position].codes for position in subset])
        shares.append(float((np.bincount(number) == 1).sum()) / len(number))
    worst = int(np.argmax(shares))
    return Unicity(
        points=points,
        mean=float(np.mean(shares)),
        highest=shares[worst],
        worst=tuple(columns[position].name for position in subsets[worst]),
        subsets=len(subsets),
    )


MOST_SETS: Final = 20_000
"""Sets of columns that are tried in search of those that single people out."""


@dataclass(frozen=True, kw_only=True)
class SinglingSet:
    """A minimal set of columns that singles out a record.

    Parameters
    ----------
    columns : tuple of str
        The set.
    people : int
        How many it singles out whom no part of it does.
    example : int
        Record number of the first of them.
    smallest : bool
        True when no part of it singles out anyone at all: a minimal quasi-identifier of the table.
    """

    columns: tuple[str, ...]
    people: int
    example: int
    smallest: bool


def singling_sets(columns: Sequence[Column], *, longest: int | None = None) -> tuple[SinglingSet, ...]:
    """Find all column sets Q that are minimal for some person p with f_g(f_c(p)[Q]) = p.

    Parameters
    ----------
    columns : sequence of Column
        Columns of the table; f_c maps a person to a record, and f_g looks a projection up in the same table,
        the worst case: an attacker who knows everyone in it.
    longest : int or None
        Largest size of a set. Sizes stop earlier where there are more than `MOST_SETS` sets.

    Returns
    -------
    tuple of SinglingSet
        By size, then in the order of the columns.

    Examples
    --------
    >>> sex = Column(name="sex", role="quasi_identifier", kind="categorical", values=("F", "M"),
    ...              codes=np.array([0, 0, 1, 1], dtype=np.int32))
    >>> age = Column(name="age", role="quasi_identifier", kind="categorical", values=("25", "30"),
    ...              codes=np.array([0, 1, 0, 0], dtype=np.int32))
    >>> [(single.columns, single.people, single.smallest) for single in singling_sets([sex, age])]
    [(('age',), 1, True), (('sex', 'age'), 1, False)]
    """
    n = len(columns[0].codes)
    sets: list[SinglingSet] = []
    nobody = np.zeros(n, dtype=bool)
    before: dict[tuple[int, ...], Flags] = {}
    tried = 0
    for size in range(1, min(longest or len(columns), len(columns)) + 1):
        tried += comb(len(columns), size)
        if tried > MOST_SETS:
            break
        current: dict[tuple[int, ...], Flags] = {}
        for chosen in combinations(range(len(columns)), size):
            number = distinct_rows([columns[position].codes for position in chosen])[1]
            alone = (np.bincount(number) == 1)[number]
            # A record alone in a set is alone in every larger one, so the sets one smaller hold all known
            # information.
            known = nobody.copy()
            for left_out in range(size):
                known |= before.get(chosen[:left_out] + chosen[left_out + 1 :], nobody)
            if alone.any():
                current[chosen] = alone
            fresh = alone & ~known
            if fresh.any():
                sets.append(
                    SinglingSet(
                        columns=tuple(columns[position].name for position in chosen),
                        people=int(fresh.sum()),
                        example=int(np.argmax(fresh)),
                        smallest=not known.any(),
                    )
                )
        before = current
    return tuple(sets)


def discernibility(sizes: Whole, *, suppressed: int = 0) -> int:
    """Return the discernibility penalty: a record pays the size of its class, a suppressed one the table.

    Parameters
    ----------
    sizes : ndarray of int
        Records of each class.
    suppressed : int, optional
        Records that are not published.

    Notes
    -----
    DP = sum |E|^2 (Zhu et al. 2010, section 5.2) + suppressed * n, n counting both.

    Examples
    --------
    >>> discernibility(np.array([2, 2, 2, 3, 2]))
    25
    """
    return int((sizes * sizes).sum()) + suppressed * (int(sizes.sum()) + suppressed)


@dataclass(frozen=True, kw_only=True)
class Loss:
    """Information lost by generalising to the boxes of classes.

    Parameters
    ----------
    ncp : float
        Mean NCP over records and quasi-identifiers, unweighted, in [0, 1]; a suppressed record counts 1.
    ilp : float
        ILP(T) of Zhu et al. 2010: sum over records of sum_i w_i NCP_i, in [0, n].
    ilp_share : float
        ILP(T) / n. The source's abstract speaks of a normalised penalty but defines none; this quotient is
        ours.
    discernibility : int
        sum |E|^2.
    n_classes, smallest, largest : int
        Classes and their sizes.
    mean_size : float
        n / classes.
    by_column : dict of str to float
        Mean NCP of each quasi-identifier.
    suppressed : int
        Records that were left out.
    """

    ncp: float
    ilp: float
    ilp_share: float
    discernibility: int
    n_classes: int
    smallest: int
    largest: int
    mean_size: float
    by_column: dict[str, float]
    suppressed: int


def loss(space: Space, classes: Classes, *, weights: Mapping[str, float] | None = None) -> Loss:
    """Measure the loss of a partition, each class published as the box around its members.

    Parameters
    ----------
    space : Space
        Positions of the records.
    classes : Classes
        Classes of the records.
    weights : mapping of str to float, optional
        Weights of the quasi-identifiers, by name; equal where none are given.

    Notes
    -----
    NCP (Zhu et al. 2010, section 3.2): (z - y)/|A| for numbers, size(u)/|A| for categories, 0 when nothing
    changed. The source multiplies by the weights twice on the way from the attribute to the record; that is
    consistent only if the penalty of an attribute is the unweighted fraction, so weights enter once: ILP(t) =
    sum_i w_i NCP_i(t).
    """
    boxes = space.boxes(classes.number, classes.count)
    penalties = space.penalties(boxes)
    sizes = classes.sizes
    n = len(space)
    per_axis = (penalties * sizes[:, None]).sum(axis=0)
    weighted = space.weights(weights)
    total = float((per_axis * weighted).sum())
    by_axis = {axis.name: float(loss / n) for axis, loss in zip(space.axes, per_axis, strict=True)}
    return Loss(
        ncp=float(per_axis.mean() / n),
        ilp=total,
        ilp_share=total / n,
        discernibility=discernibility(sizes),
        n_classes=classes.count,
        smallest=int(sizes.min()),
        largest=int(sizes.max()),
        mean_size=float(sizes.mean()),
        by_column={name: by_axis[name] for name in space.names},
        suppressed=0,
    )


def own_loss(space: Space, classes: Classes, values: npt.NDArray[np.integer], own: Array) -> float:
    """Return ILP(T) where each record counts by the weights of its own sensitive value, in [0, n].

    Parameters
    ----------
    space, classes
        As of `loss`.
    values : integer array, shape (n,)
        Sensitive value of each record.
    own : float64 array, shape (m, d)
        Weights by value and axis, in the order of ``space.axes``; rows sum to 1.
    """
    penalties = space.penalties(space.boxes(classes.number, classes.count))
    return float((penalties[classes.number] * own[values]).sum())
