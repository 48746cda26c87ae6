"""Utility: how much a release keeps of the table, by record, by column, and for questions asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Whole
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation_cost import Space

__all__ = ["Loss", "discernibility", "loss", "own_loss"]


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
        Of the records.
    weights : mapping of str to float, optional
        Of the quasi-identifiers, by name; equal where none are given.

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
