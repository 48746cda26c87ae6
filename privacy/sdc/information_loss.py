"""Measures of the information that generalisation lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Whole
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation import Space


def discernibility(sizes: Whole, *, suppressed: int = 0) -> int:
    """Return the discernibility penalty: a record costs its class's size, a suppressed one the table's.

    Parameters
    ----------
    sizes : ndarray of int
        Number of records in each class.
    suppressed : int, optional
        Number of unpublished records.

    Notes
    -----
    DP = ``sum |E|^2`` (Zhu et al. 2010, section 5.2) + suppressed * n, where n includes suppressed records.

    Examples
    --------
    >>> discernibility(np.array([2, 2, 2, 3, 2]))
    25
    """
    return int((sizes * sizes).sum()) + suppressed * (int(sizes.sum()) + suppressed)


@dataclass(frozen=True, kw_only=True)
class Loss:
    """Information lost when each class is published as its box.

    Parameters
    ----------
    ncp : float
        Mean NCP over records and quasi-identifiers, unweighted, in [0, 1]; a suppressed record counts 1.
    ilp : float
        ILP(T) of Zhu et al. 2010: sum over records of sum_i w_i NCP_i, in [0, n].
    ilp_share : float
        ILP(T) / n. The abstract of Zhu et al. 2010 mentions a normalised penalty, but the paper does not
        define one; this quotient is our choice.
    discernibility : int
        ``sum |E|^2``.
    n_classes, smallest, largest : int
        Number of classes, and the smallest and largest class size.
    mean_size : float
        n / classes.
    by_column : dict of str to float
        Mean NCP of each quasi-identifier.
    suppressed : int
        Number of records left out.
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

    @classmethod
    def of(
        cls, ncp: float, by_column: dict[str, float], ilp: float, sizes: Whole, suppressed: int = 0
    ) -> Loss:
        """Derive the other figures from the mean NCP (overall and by column), the ILP and the class sizes."""
        return cls(
            ncp=ncp,
            ilp=ilp,
            ilp_share=ilp / (int(sizes.sum()) + suppressed),
            discernibility=discernibility(sizes, suppressed=suppressed),
            n_classes=len(sizes),
            smallest=int(sizes.min()),
            largest=int(sizes.max()),
            mean_size=float(sizes.mean()),
            by_column=by_column,
            suppressed=suppressed,
        )


def loss(space: Space, classes: Classes, *, weights: Mapping[str, float] | None = None) -> Loss:
    """Measure the loss of a partition if each class is published as the box around its members.

    Parameters
    ----------
    space : Space
        Positions of the records.
    classes : Classes
        Classes of the records.
    weights : mapping of str to float, optional
        Weights of the quasi-identifiers, by name; equal by default.

    Notes
    -----
    NCP (Zhu et al. 2010, section 3.2): ``(z - y)/|A|`` for numbers, ``size(u)/|A|`` for categories, 0 if
    nothing changed. The paper multiplies by the weights twice, for the attribute and for the record. That is
    consistent only if the penalty of an attribute is the unweighted fraction, so here weights enter once:
    ILP(t) = sum_i w_i NCP_i(t).
    """
    boxes = space.boxes(classes.number, classes.count)
    penalties = space.penalties(boxes)
    sizes = classes.sizes
    n = len(space)
    per_axis = (penalties * sizes[:, None]).sum(axis=0)
    axis_weights = space.weights(weights)
    total = float((per_axis * axis_weights).sum())
    by_axis = {axis.name: float(loss / n) for axis, loss in zip(space.axes, per_axis, strict=True)}
    by_column = {name: by_axis[name] for name in space.names}
    return Loss.of(float(per_axis.mean() / n), by_column, total, sizes)


def loss_by_sensitive_value(
    space: Space, classes: Classes, values: npt.NDArray[np.integer], own: Array
) -> float:
    """Return ILP(T), in [0, n], with the axes of each record weighted by its own sensitive value.

    Parameters
    ----------
    space, classes
        As in `loss`.
    values : integer array, shape (records,)
        Sensitive value of each record.
    own : float64 array, shape (m, d)
        Weights by value and axis, in the order of ``space.axes``; rows sum to 1.
    """
    penalties = space.penalties(space.boxes(classes.number, classes.count))
    return float((penalties[classes.number] * own[values]).sum())
