"""Audit of a release by supplied beliefs: those of an attacker before it, and after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privacy.sdc.bayes_beliefs import became_certain, beliefs, breaches, excluded
from privacy.sdc.classes import Classes
from privacy.sdc.table import Column

__all__ = ["BeliefAudit", "belief_audit"]

Real = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class BeliefAudit:
    """How one attacker's beliefs about a sensitive column change; people are records.

    Parameters
    ----------
    people : int
        Records looked at.
    breached : int
        People of whom a belief below rho1 rises above rho2, or one above 1 - rho1 falls below 1 - rho2.
    certain : int
        People of whom some value is believed with more than 1 - delta afterwards, and was not before.
    excluded : int
        People of whom some value is believed with less than epsilon afterwards, and was not before.
    truth_before, truth_after : float
        Mean belief in the value that a person has, in [0, 1].
    strongest_before, strongest_after : float
        The largest belief in any value of anybody.
    largest_change : float
        max |ln(after / before)| over people and values that were believed possible and still are.
    rho1, rho2, delta, epsilon : float
        The bounds that were counted by.
    """

    people: int
    breached: int
    certain: int
    excluded: int
    truth_before: float
    truth_after: float
    strongest_before: float
    strongest_after: float
    largest_change: float
    rho1: float
    rho2: float
    delta: float
    epsilon: float


def belief_audit(
    combinations: Classes,
    classes: Classes,
    sensitive: Column,
    supplied: Real,
    *,
    rho1: float = 0.1,
    rho2: float = 0.5,
    delta: float = 0.1,
    epsilon: float = 0.05,
) -> BeliefAudit:
    """Compare beliefs before and after a release.

    Parameters
    ----------
    combinations, classes, sensitive
        As of `beliefs`.
    supplied : float64 array, shape (combinations, m)
        f(s | q); rows sum to 1.
    rho1, rho2, delta, epsilon : float
        0 < rho1 < rho2 < 1; delta and epsilon between 0 and 1.

    Raises
    ------
    PrivacyError
        ``rho.breach``, ``delta``, ``epsilon``, ``prior.supplied`` or ``prior.excluded``.

    Notes
    -----
    Afterwards is theorem 3.1 of source 001 (section 4.3): it takes what is believed of people of one
    combination, not of one another. Where somebody believes the same of all people of a class, that is the
    shares of the class, whatever they believed.

    Examples
    --------
    Two have the flu and two not, in one class; somebody believed a tenth of everybody to have it.

    >>> flu = Column(name="flu", role="sensitive", kind="categorical", values=("no", "yes"),
    ...              codes=np.array([0, 0, 1, 1], dtype=np.int32))
    >>> whole = Classes.from_numbers([0, 0, 0, 0])
    >>> audit = belief_audit(whole, whole, flu, np.array([[0.9, 0.1]]), rho1=0.2, rho2=0.4)
    >>> audit.breached, audit.strongest_before, audit.strongest_after, round(audit.truth_after, 2)
    (4, 0.9, 0.5, 0.5)
    """
    held = beliefs(combinations, classes, sensitive, knowledge="supplied", supplied=supplied)
    # The rows of `held` are the pairs (combination, class) in ascending order.
    key = combinations.number * classes.count + classes.number
    _, row, people = np.unique(key, return_inverse=True, return_counts=True)
    before, after = held.prior, held.posterior
    both = (before > 0) & (after > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        change = np.where(both, np.abs(np.log(after / before)), 0.0)

    def counted(mask: npt.NDArray[np.bool_]) -> int:
        return int(people[mask.any(axis=1)].sum())

    return BeliefAudit(
        people=int(people.sum()),
        breached=counted(breaches(held, rho1, rho2)),
        certain=counted(became_certain(held, delta)),
        excluded=counted(excluded(held, epsilon)),
        truth_before=float(before[row, sensitive.codes].mean()),
        truth_after=float(after[row, sensitive.codes].mean()),
        strongest_before=float(before.max()),
        strongest_after=float(after.max()),
        largest_change=float(change.max()),
        rho1=rho1,
        rho2=rho2,
        delta=delta,
        epsilon=epsilon,
    )
