"""Attackers' beliefs before and after a release, as Bayes-optimal privacy compares them.

They are supplied or taken from the table (Machanavajjhala et al. 2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.table import Column

_SLACK: Final = 1e-12
"""Tolerance for comparing beliefs: equal quotients of sums can differ in the last bit."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Beliefs:
    """Prior and posterior beliefs.

    Parameters
    ----------
    groups : int64 array, shape (g, 2)
        The quasi-identifier combination before generalising, and the class after, of each row below.
    prior, posterior : float64 arrays, shape (g, m)
        alpha(q, s) and beta(q, s, T*); rows sum to 1.
    """

    groups: Whole
    prior: Array
    posterior: Array


def beliefs(
    combinations: Classes, classes: Classes, sensitive: Column, supplied: Array | None = None
) -> Beliefs:
    """Return alpha and beta for every quasi-identifier combination and each class it falls into.

    Parameters
    ----------
    combinations : Classes
        Records grouped by their values before generalising (q).
    classes : Classes
        Records grouped as released (q*). Local recoding can spread a combination over several classes.
    sensitive : Column
        The sensitive column S.
    supplied : float64 array, shape (combinations, m), or None
        Prior beliefs f(s | q); rows sum to 1. None means f(s) of the table.

    Raises
    ------
    PrivacyError
        If the supplied beliefs have the wrong shape, do not sum to 1 in each row, or exclude every value that
        occurs in a class.

    Notes
    -----
    Theorem 3.1: beta(q, s, T*) = n(q*, s) f(s|q)/f(s|q*) / sum over s' of n(q*, s') f(s'|q)/f(s'|q*). Here
    f(s|q*) weights each combination in a class by its number of records there.
    """
    sensitive = sensitive.whole
    m = len(sensitive.values)
    prior_of = supplied
    if prior_of is None:
        share = np.bincount(sensitive.codes, minlength=m) / len(combinations.number)
        prior_of = np.broadcast_to(share, (combinations.count, m))
    elif (
        prior_of.shape != (combinations.count, m)
        or (prior_of < 0).any()
        or not np.allclose(prior_of.sum(axis=1), 1)
    ):
        raise PrivacyError("prior.supplied", prior_of.shape, count=combinations.count, values=m)
    key = combinations.number * classes.count + classes.number
    cells, records = np.unique(key, return_counts=True)
    groups = np.stack([cells // classes.count, cells % classes.count], axis=1)
    counts = ClassMatrix.of(classes, sensitive).dense()
    prior = prior_of[groups[:, 0]]
    within = np.zeros((classes.count, m))
    np.add.at(within, groups[:, 1], prior * records[:, None])
    within /= classes.sizes[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        term = np.where(within[groups[:, 1]] > 0, counts[groups[:, 1]] * prior / within[groups[:, 1]], 0.0)
    total = term.sum(axis=1, keepdims=True)
    if (total == 0).any():
        raise PrivacyError("prior.excluded", 0)
    return Beliefs(groups=groups, prior=np.array(prior), posterior=term / total)


@dataclass(frozen=True, kw_only=True)
class Disclosures:
    """Number of disclosing pairs (combination in a class, value).

    Parameters
    ----------
    positive : int
        Pairs with beta > 1 - delta.
    negative : int
        Pairs with beta < epsilon although alpha >= epsilon.
    pairs : int
        Number of checked pairs.
    """

    positive: int
    negative: int
    pairs: int


def disclosures(beliefs: Beliefs, *, delta: float, epsilon: float) -> Disclosures:
    """Count positive and negative disclosures.

    Parameters
    ----------
    beliefs : Beliefs
        Beliefs before and after the release.
    delta : float
        Positive disclosure is a belief above 1 - delta; in (0, 1).
    epsilon : float
        Negative disclosure is a belief below epsilon; in (0, 1).

    Examples
    --------
    >>> column = Column(name="d", role="sensitive", kind="categorical", values=("a", "b"),
    ...                 codes=np.array([0, 0, 1, 1], dtype=np.int32))
    >>> one_value_each = Classes.from_numbers([0, 0, 1, 1])
    >>> disclosed = disclosures(beliefs(one_value_each, one_value_each, column), delta=0.1, epsilon=0.1)
    >>> disclosed.positive, disclosed.negative
    (2, 2)
    """
    return Disclosures(
        positive=int((beliefs.posterior > 1 - delta + _SLACK).sum()),
        negative=int(newly_excluded(beliefs, epsilon).sum()),
        pairs=beliefs.prior.size,
    )


def became_certain(beliefs: Beliefs, delta: float) -> Flags:
    """Return which beliefs rise above 1 - delta.

    Parameters
    ----------
    beliefs : Beliefs
        Beliefs before and after the release.
    delta : float
        As in `disclosures`.
    """
    bound = 1 - delta + _SLACK
    return (beliefs.posterior > bound) & (beliefs.prior <= bound)


def newly_excluded(beliefs: Beliefs, epsilon: float) -> Flags:
    """Return which beliefs fall below epsilon.

    Parameters
    ----------
    beliefs : Beliefs
        Beliefs before and after the release.
    epsilon : float
        As in `disclosures`.
    """
    bound = epsilon - _SLACK
    return (beliefs.posterior < bound) & (beliefs.prior >= bound)


def rho_breach(beliefs: Beliefs, *, rho1: float, rho2: float) -> int:
    """Count (rho1, rho2)-privacy breaches.

    Parameters
    ----------
    beliefs : Beliefs
        Beliefs before and after the release.
    rho1, rho2 : float
        Bounds of the definition, 0 < rho1 < rho2 < 1.

    Examples
    --------
    >>> held = Beliefs(groups=np.zeros((1, 2), dtype=np.int64), prior=np.array([[0.1, 0.9]]),
    ...                posterior=np.array([[0.6, 0.4]]))
    >>> rho_breach(held, rho1=0.2, rho2=0.5)
    2
    """
    return int(breaches(beliefs, rho1, rho2).sum())


def breaches(beliefs: Beliefs, rho1: float, rho2: float) -> Flags:
    """Return which beliefs breach (rho1, rho2)-privacy.

    Parameters
    ----------
    beliefs : Beliefs
        Beliefs before and after the release.
    rho1, rho2 : float
        Bounds of the definition, 0 < rho1 < rho2 < 1.

    Notes
    -----
    Upward: alpha < rho1 and beta > rho2. Downward: alpha > 1 - rho1 and beta < 1 - rho2. Some texts swap the
    signs of the downward case, which would make every small belief a breach.
    """
    if not 0 < rho1 < rho2 < 1:
        raise PrivacyError("rho.breach", rho1, rho2=rho2)
    upward = (beliefs.prior < rho1 - _SLACK) & (beliefs.posterior > rho2 + _SLACK)
    downward = (beliefs.prior > 1 - rho1 + _SLACK) & (beliefs.posterior < 1 - rho2 - _SLACK)
    return upward | downward


@dataclass(frozen=True, kw_only=True)
class BeliefAudit:
    """Change of one attacker's beliefs about a sensitive column; each record counts as a person.

    Parameters
    ----------
    people : int
        Number of checked records.
    breached : int
        People about whom a belief below rho1 rises above rho2, or one above 1 - rho1 falls below 1 - rho2.
    certain : int
        People about whom the belief in some value rises above 1 - delta.
    excluded : int
        People about whom the belief in some value falls below epsilon.
    truth_before, truth_after : float
        Mean belief in the value that a person has, in [0, 1].
    strongest_before, strongest_after : float
        The largest belief in any value of anyone.
    largest_change : float
        max |ln(after / before)| over people and values that the attacker thinks possible before and after.
    rho1, rho2, delta, epsilon : float
        The bounds used for these counts.
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
    supplied: Array,
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
        As in `beliefs`.
    supplied : float64 array, shape (combinations, m)
        f(s | q); rows sum to 1.
    rho1, rho2, delta, epsilon : float
        0 < rho1 < rho2 < 1; delta and epsilon between 0 and 1.

    Raises
    ------
    PrivacyError
        ``rho.breach``, ``prior.supplied`` or ``prior.excluded``.

    Notes
    -----
    The posterior follows theorem 3.1 of Machanavajjhala et al. 2007: it uses beliefs about the people of a
    combination, not relations between people. If all people of a class have the same prior, the posterior
    equals the shares in the class, whatever the prior was.

    Examples
    --------
    Two people of one class have the flu and two do not. The prior was 0.1 for everyone.

    >>> flu = Column(name="flu", role="sensitive", kind="categorical", values=("no", "yes"),
    ...              codes=np.array([0, 0, 1, 1], dtype=np.int32))
    >>> whole = Classes.from_numbers([0, 0, 0, 0])
    >>> audit = belief_audit(whole, whole, flu, np.array([[0.9, 0.1]]), rho1=0.2, rho2=0.4)
    >>> audit.breached, audit.strongest_before, audit.strongest_after, round(audit.truth_after, 2)
    (4, 0.9, 0.5, 0.5)
    """
    held = beliefs(combinations, classes, sensitive, supplied)
    # The rows of `held` are the pairs (combination, class) in ascending order.
    key = combinations.number * classes.count + classes.number
    _, row, people = np.unique(key, return_inverse=True, return_counts=True)
    before, after = held.prior, held.posterior
    both = (before > 0) & (after > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        change = np.where(both, np.abs(np.log(after / before)), 0.0)

    def count_people(mask: Flags) -> int:
        return int(people[mask.any(axis=1)].sum())

    return BeliefAudit(
        people=int(people.sum()),
        breached=count_people(breaches(held, rho1, rho2)),
        certain=count_people(became_certain(held, delta)),
        excluded=count_people(newly_excluded(held, epsilon)),
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
