"""The source's experiment: how far the supports of frequent itemsets are off, by p and by k."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final, Literal, TypeAlias

import numpy as np

from mining.thresholds import Estimator
from privacy import validation
from privacy.arrays import Array
from privacy.channels.retention import Retention
from surveys.errors.error import SurveyError
from trials.studies.pattern_counts import comonotone, decoys, itemsets_of, send, superset_sums

__all__ = ["GRID", "READINGS", "Conditions", "Point", "leak", "standard_error", "sweep"]

Reading: TypeAlias = Literal["direct", "disguised"]

READINGS: Final[tuple[Reading, ...]] = ("direct", "disguised")
"""(a) k is the direct share, as in the source's equations; (b) the disguised share, as in its section 4."""

GRID: Final = tuple(step / 10 for step in range(11))


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What the source leaves open, stated.

    Parameters
    ----------
    n : int
        Transactions; the source's 10,000.
    prevalences : tuple of float
        Of the attributes; the source has 3 and gives none.
    dependence : float
        As in `mining.simulation.true_rows`.
    support : float
        An itemset is frequent from here on, in the true rows.
    theta : float
    longest : int
    rows : tuple of int, or None
        Real rows by pattern, in place of drawn ones.
    """

    n: int = 10_000
    prevalences: tuple[float, ...] = (0.3, 0.4, 0.5)
    dependence: float = 0.3
    support: float = 0.1
    theta: float = 0.6
    longest: int = 3
    rows: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        validation.whole_number(self.n, "n", low=1, high=10**9, code="n")
        for name, low in (("support", 0.0), ("theta", 0.0), ("dependence", 0.0)):
            validation.real_number(getattr(self, name), name, low=low, high=1, code=name)
        if self.support <= 0:
            raise SurveyError("support", self.support)

    @property
    def m(self) -> int:
        """Attributes."""
        return len(self.prevalences) if self.rows is None else int(math.log2(len(self.rows)))


@dataclass(frozen=True, kw_only=True)
class Point:
    """One point of a sweep.

    Attributes
    ----------
    p, k : float
    reading : {"direct", "disguised"}
    repetitions : int
    problem : str
        Why nothing can be estimated there; else empty.
    frequent : float
        Frequent itemsets, on average.
    error, error_se : float
        Mean of W = |S - S'| over them, and its standard error over the repetitions; NaN where only one of
        them had anything to estimate.
    expected : float
        What the formulas give for it.
    false_share, missed_share : float
        sigma+ = |R - F| / |F| and sigma- = |F - R| / |F|, F the frequent and R the listed itemsets.
    """

    p: float
    k: float
    reading: Reading
    repetitions: int
    problem: str = ""
    frequent: float = math.nan
    error: float = math.nan
    error_se: float = math.nan
    expected: float = math.nan
    false_share: float = math.nan
    missed_share: float = math.nan


def sweep(
    conditions: Conditions,
    *,
    p: float,
    k: float,
    reading: Reading,
    repetitions: int,
    rng: np.random.Generator,
) -> Point:
    """Repeat the experiment at one point, with true rows drawn anew each time.

    Notes
    -----
    Pooled estimate, equations 8 and 13 (printed as 12), with k counted. For these respondents it has variance
    (1-k) (S l(1-l) + (1-S) l'(1-l')) / (n a^2) + k(1-k)(1-p)^2 S(1-S) / (n a^2), l = p + (1-p)q for those who
    have the itemset, l' = (1-p)q for the others; W is on average sqrt(2/pi) times its root.

    References
    ----------
    Kan and Cao, section 4, figure 1.
    """
    direct_share = k if reading == "direct" else 1 - k
    point = partial(Point, p=p, k=k, reading=reading, repetitions=repetitions)
    if p == 0 and direct_share == 0:
        return point(problem="p = 0 and no direct row: there is no information at all")
    m = conditions.m
    itemsets = itemsets_of(m, conditions.longest)
    sums = superset_sums(m, itemsets)
    q = decoys(m, conditions.theta)
    joint = comonotone(conditions.prevalences, conditions.dependence)
    errors, frequent, false, missed, expected = [], [], [], [], []
    informed = 0
    for _ in range(repetitions):
        true = rng.multinomial(conditions.n, joint) if conditions.rows is None else np.array(conditions.rows)
        n = int(true.sum())
        sent = send(true, direct_share, p, q, rng)
        k_counted = float(sent.direct.sum() / n)
        scale = k_counted + (1 - k_counted) * p
        if scale == 0:
            # So few rows that none came out direct, at p = 0.
            continue
        informed += 1
        supports = sums @ true / n
        observed = sums @ (sent.direct + sent.protected) / n
        estimates = (observed - (1 - k_counted) * (1 - p) * (sums @ q)) / scale
        is_frequent = supports >= conditions.support - 1e-12
        listed = estimates >= conditions.support - 1e-12
        if not is_frequent.any():
            continue
        errors.append(float(np.abs(supports - estimates)[is_frequent].mean()))
        frequent.append(int(is_frequent.sum()))
        false.append(float((listed & ~is_frequent).sum() / is_frequent.sum()))
        missed.append(float((is_frequent & ~listed).sum() / is_frequent.sum()))
        expected.append(expected_error(supports[is_frequent], (sums @ q)[is_frequent], p, direct_share, n))
    if not errors:
        if not informed:
            return point(problem="p = 0 and by chance no direct row: take more rows")
        return point(problem="no itemset is frequent: lower the support")
    return point(
        frequent=float(np.mean(frequent)),
        error=float(np.mean(errors)),
        error_se=standard_error(np.array(errors)),
        expected=float(np.mean(expected)),
        false_share=float(np.mean(false)),
        missed_share=float(np.mean(missed)),
    )


def standard_error(values: Array) -> float:
    """Return the standard error of a mean of repetitions; NaN for a single one.

    >>> round(standard_error(np.array([1.0, 2.0, 3.0])), 4)  # 1/sqrt(3)
    0.5774
    """
    return float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


def expected_error(
    supports: Array,
    decoy: Array,
    p: float,
    k: float,
    n: int,
    *,
    estimator: Estimator = "pooled",
    light: float = 1.0,
) -> float:
    """Return the mean W that the formulas of `sweep` give for these supports.

    Parameters
    ----------
    supports, decoy : float array
    p, k : float
    n : int
    estimator : {"pooled", "stratified"}
    light : float
        p of the direct group; 1 where it answers without a disguise.

    Notes
    -----
    With v_g = S l(1-l) + (1-S) l'(1-l') at the p of group g and w_g its weight, the pooled estimate has
    (sum w_g v_g + w_0 w_1 (p_0-p_1)^2 S(1-S)) / (n (sum w_g p_g)^2). The stratified one has
    sum w_g v_g / p_g^2 / n: the groups keep their weights. At p_0 = 1 there is no v_0.

    Examples
    --------
    All direct: nothing is off. All protected, p = .5, theta = .5: l = .75 and .25, variance 3/16/(n/4).

    >>> expected_error(np.array([.3]), np.array([.5]), .5, 1.0, 100)
    0.0
    >>> round(expected_error(np.array([.3]), np.array([.5]), .5, 0.0, 100), 4)  # sqrt(2/pi) sqrt(.0075)
    0.0691
    >>> round(expected_error(np.array([.3]), np.array([.5]), .5, .75, 100, estimator="stratified"), 4)
    0.0345
    """
    noise = []
    for share, truth in ((k, light), (1 - k, p)):
        yes, no = truth + (1 - truth) * decoy, (1 - truth) * decoy
        noise.append(share * (supports * yes * (1 - yes) + (1 - supports) * no * (1 - no)))
    if estimator == "pooled":
        tilt = k * (1 - k) * (light - p) ** 2 * supports * (1 - supports)
        variance = (noise[0] + noise[1] + tilt) / (k * light + (1 - k) * p) ** 2
    else:
        variance = noise[0] / light**2 + noise[1] / p**2
    return float((math.sqrt(2 / math.pi) * np.sqrt(variance / n)).mean())


def leak(
    conditions: Conditions, p: float, repetitions: int, rng: np.random.Generator
) -> tuple[float, float, float]:
    """Return how many protected rows the older grouping model gives away: simulated, its error, expected.

    Notes
    -----
    A decoy is all yes or all no, so a row that mixes both is surely true: p times the share of mixed rows. In
    the improved model every row may be a decoy, and none is sure.

    References
    ----------
    Kan and Cao, section 2.
    """
    joint = comonotone(conditions.prevalences, conditions.dependence)
    older = Retention.older_grouping(Fraction(p), Fraction(conditions.theta), len(conditions.prevalences))
    decoy = np.array(older.unrelated, dtype=np.float64)
    shares = []
    for _ in range(repetitions):
        sent = send(rng.multinomial(conditions.n, joint), 0.0, p, decoy, rng).protected
        shares.append(float(sent[1:-1].sum() / conditions.n))
    return float(np.mean(shares)), standard_error(np.array(shares)), p * float(joint[1:-1].sum())
