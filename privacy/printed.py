"""Decide whether an estimate is printed as a point, or only the bounds that the data leave for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array
from privacy.policy import LARGEST_LOGIT, LEAST_EFFECTIVE_ROWS

Basis: TypeAlias = Literal["estimate", "at most", "at least", "between", "too few"]
BASES: Final[tuple[Basis, ...]] = get_args(Basis)

Method: TypeAlias = Literal[
    "scores",
    "ratio",
    "accepted shares",
    "weighted",
    "replicates",
    "regression",
    "linear",
    "likelihood",
    "formula",
    "shrunk",
    "pooled",
    "completed",
    "not determined",
    "mean",
    "place",
    "quantile",
    "excess",
    "earlier version",
]
METHODS: Final[dict[Method, str]] = {
    "scores": "mean of unbiased scores of the disguised answers; interval by empirical likelihood",
    "ratio": "ratio or difference of mean scores; interval by empirical likelihood",
    "accepted shares": "mean of unbiased scores; interval of the shares that a score test accepts",
    "weighted": "mean of scores, weighted to a population; interval by linearisation",
    "replicates": "the analysis repeated with replicate weights; interval by t",
    "regression": "logistic regression by the corrected score; interval by its score test",
    "linear": "linear regression on unbiased scores; interval by empirical likelihood",
    "likelihood": "maximum likelihood; interval by the likelihood ratio",
    "formula": "formula of the design; interval by its test or its standard error",
    "shrunk": "pair predicted from its own answers and from all other pairs",
    "pooled": "pair predicted from its two shares and the association of all pairs",
    "completed": "itemset predicted from the shares and pairs of its items",
    "not determined": "predicted; the association of all pairs is too uncertain, so only the interval holds",
    "mean": "mean of unbiased scores of the disguised numbers; normal interval",
    "place": "mean of unbiased scores of the disguised coordinates; normal interval plus the largest bias",
    "quantile": "crossing of the unbiased running sum; interval of the values that a score test accepts",
    "excess": "people with three answers together, minus what their pairs predict; normal interval",
    "earlier version": "made by an earlier version, which did not store its method and n: analyse again",
}
"""How an estimate was made, in words."""

FitCheck: TypeAlias = Literal["fits", "not checked"]
Look: TypeAlias = Literal["rows given", "interim", "final"]


@dataclass(frozen=True, kw_only=True)
class Origin:
    """What is known about the rows of an estimate.

    Parameters
    ----------
    fit_check : {"fits", "not checked"}
        Whether the rows were checked against their design. Rows that contradict it have no estimate.
    look : {"rows given", "interim", "final"}
        Whether more rows can join those of the estimate. A function of the core knows only the rows it was
        given; `surveys.runs.run_figures.of_run` knows the run.
    """

    fit_check: FitCheck
    look: Look


UNCHECKED: Final = Origin(fit_check="not checked", look="rows given")
CHECKED: Final = Origin(fit_check="fits", look="rows given")

_ROUNDING: Final = 1e-9
_LARGEST_RATIO: Final = math.exp(LARGEST_LOGIT)
"""Ratio that no survey can distinguish from infinity."""


def bases_of(
    value: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    *,
    possible: tuple[npt.ArrayLike, npt.ArrayLike],
    effective_n: npt.ArrayLike,
) -> list[Basis]:
    """Return what may be printed of each estimate.

    Parameters
    ----------
    value, low, high : array_like of float, shape (figures,)
        Estimates and the ends of their intervals, not cut to the possible range.
    possible : (array_like of float, array_like of float)
        Bounds of the true values; infinite if there are none.
    effective_n : array_like of float
        Number of answers behind each figure, see `privacy.estimation.cluster_count.ClusterCount`.

    Returns
    -------
    list of Basis
        ``estimate``: the point and its interval. ``at most``, ``at least``, ``between``: the point is
        impossible, or outside its own interval, or the interval has no second end, and only the ends of the
        interval say something. ``too few``: the interval contains every possible value, or fewer than 30
        answers count.

    Notes
    -----
    The interval of a ratio has no upper end if its denominator may be 0. It then excludes anything only if
    the estimate came out far above what the denominator allows: of the points printed next to such intervals,
    nearly all intervals missed the truth.

    Examples
    --------
    >>> bases_of([3.0, 3.0, 116.0], [2.0, 2.0, 2e-42], [np.inf, 5.0, 6e45], possible=(0, np.inf),
    ...          effective_n=100)
    ['at least', 'estimate', 'too few']
    >>> bases_of([.2, -.01, 1.1, -1.7, .5], [.1, -.05, .9, 0, -.1], [.3, .04, 1.3, 9, 1.2],
    ...          possible=(0, 1), effective_n=100)
    ['estimate', 'at most', 'at least', 'too few', 'too few']
    """
    least, greatest = possible
    values, lows, highs, rows = np.broadcast_arrays(
        *(np.atleast_1d(np.asarray(own, dtype=np.float64)) for own in (value, low, high, effective_n))
    )
    lows, highs = np.maximum(lows, least), np.minimum(highs, greatest)
    slack = _ROUNDING * np.maximum(1, np.abs(np.where(np.isfinite(values), values, 0)))
    at_least, at_most = lows > least, highs < greatest
    is_point = (values >= lows - slack) & (values <= highs + slack)
    is_point &= np.isfinite(lows) & np.isfinite(highs) & np.isfinite(values)
    # If a range is unbounded, an end of the interval excludes values unless this end is infinite.
    too_few = ~(at_least | at_most) | (rows < LEAST_EFFECTIVE_ROWS)
    # The ends of a ratio can be so far apart that they exclude nothing.
    is_ratio = np.equal(least, 0) & np.equal(greatest, np.inf)
    too_few |= is_ratio & (lows < 1 / _LARGEST_RATIO) & (highs > _LARGEST_RATIO)
    codes = np.select([too_few, is_point, at_least & at_most, at_least], [4, 0, 3, 2], default=1)
    return [BASES[code] for code in codes.tolist()]


def limited_log_odds(low: float, high: float) -> tuple[float, float]:
    """Return an interval of log odds; if its ends exclude nothing, replace them by infinite ones.

    Parameters
    ----------
    low, high : float
        Ends of the interval.

    Returns
    -------
    (float, float)
        Both infinite if the lower one is below minus `privacy.policy.LARGEST_LOGIT` and the upper one above
        it.

    Examples
    --------
    >>> limited_log_odds(-16, 16), limited_log_odds(-16, 14)
    ((-inf, inf), (-16, 14))
    """
    return (-math.inf, math.inf) if low < -LARGEST_LOGIT and high > LARGEST_LOGIT else (low, high)


def basis_of(
    value: float, ends: Sequence[float], *, possible: tuple[float, float], effective_n: float = math.inf
) -> Basis:
    """Return what may be printed of one estimate, see `bases_of`.

    Parameters
    ----------
    value : float
    ends : (float, float)
        Ends of its interval.
    possible : (float, float)
    effective_n : float
        Infinite if the answers were counted before.

    Examples
    --------
    >>> basis_of(-2.6, (-5.1, 0.8), possible=(0, 40)), basis_of(-.01, (0, .03), possible=(-1, 1))
    ('at most', 'between')
    """
    low, high = ends
    return bases_of(value, low, high, possible=possible, effective_n=effective_n)[0]


def printed_points(value: npt.ArrayLike, bases: Sequence[Basis]) -> Array:
    """Return the estimates that may be printed, NaN for the others.

    Parameters
    ----------
    value : array_like of float
    bases : sequence of Basis
        As returned by `bases_of`.
    """
    is_point = np.array([basis == "estimate" for basis in bases], dtype=np.bool_)
    return np.where(is_point, np.asarray(value, dtype=np.float64), np.nan)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """An estimate with everything that is printed next to it. No field has a default, so none is forgotten.

    Parameters
    ----------
    value : float
        Estimate, not clipped; NaN if it is 0/0. Print `point` or `basis` instead.
    low, high : float
        Interval at `level`.
    standard_error : float or None
        For ratios, the delta-method error; None if it would be misleading.
    estimable : bool
        False if the interval contains every possible value, that is, if n is too small.
    n : int
        Number of rows that were asked.
    effective_n : float
        Number of rows of equal weight that would be as precise.
    level : float
    possible : (float, float)
        Bounds of the true value.
    method : Method
        How it was made; `METHODS` says it in words.
    shift : float or None
        How far rows that no device sent could have moved it; 0 if no such row is known, None if that was not
        computed.
    origin : Origin
        What is known about the rows.
    """

    value: float
    low: float
    high: float
    standard_error: float | None
    estimable: bool
    n: int
    effective_n: float
    level: float
    possible: tuple[float, float]
    method: Method
    shift: float | None
    origin: Origin

    @property
    def basis(self) -> Basis:
        """What may be printed: the estimate, or only bounds; see `bases_of`."""
        if not self.estimable:
            return "too few"
        ends = (self.low, self.high)
        return basis_of(self.value, ends, possible=self.possible, effective_n=self.effective_n)

    @property
    def point(self) -> float:
        """The estimate if it may be printed, NaN otherwise."""
        return self.value if self.basis == "estimate" else math.nan

    @property
    def shown_because_estimable(self) -> bool:
        """Whether a ratio is estimable but has no standard error, because too few people have the items."""
        return self.estimable and self.standard_error is None


def about_estimates(methods: Iterable[Method], *, shift: float | None, origin: Origin) -> dict[str, Any]:
    """Return what holds for all estimates of a table; tables have it as ``attrs["about"]``.

    Parameters
    ----------
    methods : iterable of Method
    shift : float or None
    origin : Origin

    Examples
    --------
    >>> about_estimates(["pooled", "pooled"], shift=0.0, origin=CHECKED)
    {'method': ['pair predicted from its two shares and the association of all pairs'], 'fit_check': 'fits', \
'look': 'rows given', 'shift': 0.0}
    """
    return {
        "method": [METHODS[method] for method in dict.fromkeys(methods)],
        "fit_check": origin.fit_check,
        "look": origin.look,
        "shift": shift,
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedEstimates:
    """Estimates with everything that tables print next to them. No field has a default, so none is forgotten.

    Parameters
    ----------
    value, standard_error : ndarray of float64, shape (figures,)
        Not clipped.
    low, high : ndarray of float64, shape (figures,)
        Ends of the intervals.
    n : ndarray of int64 or int
        Number of rows that were asked.
    effective_n : ndarray of float64 or float
        Number of rows of equal weight that would be as precise.
    level : float
        Level of the intervals.
    possible : (array_like of float, array_like of float)
        Bounds of the true values.
    method : Method or sequence of Method
        One for all, or one for each.
    shift : ndarray of float64, float or None
        As in `Measured`; one for all, or one for each.
    origin : Origin

    Examples
    --------
    >>> found = PrintedEstimates(value=np.array([.2, -.01]), standard_error=np.array([.05, .02]),
    ...                          low=np.array([.1, -.05]), high=np.array([.3, .03]), n=400, effective_n=400.,
    ...                          level=.95, possible=(0, 1), method="scores", shift=0., origin=CHECKED)
    >>> columns = found.columns("share")
    >>> columns["share"], columns["basis"], columns["unclipped"]
    (array([0.2, nan]), ['estimate', 'at most'], array([ 0.2 , -0.01]))
    >>> list(columns)
    ['share', 'standard_error', 'low', 'high', 'n', 'effective_n', 'level', 'basis', 'unclipped']
    """

    value: Array
    standard_error: Array
    low: Array
    high: Array
    n: npt.ArrayLike
    effective_n: npt.ArrayLike
    level: float
    possible: tuple[npt.ArrayLike, npt.ArrayLike]
    method: Method | Sequence[Method]
    shift: Array | float | None
    origin: Origin

    @cached_property
    def bases(self) -> list[Basis]:
        """What may be printed of each estimate."""
        ends = (self.value, self.low, self.high)
        return bases_of(*ends, possible=self.possible, effective_n=self.effective_n)

    @property
    def shifts(self) -> Array:
        """How far forged rows could have moved each estimate; NaN if that was not computed."""
        return np.broadcast_to(np.nan if self.shift is None else self.shift, self.value.shape)

    @property
    def _range(self) -> tuple[Array, Array]:
        """Ends of the intervals; the possible range for fewer than 30 effective answers."""
        few = np.broadcast_to(np.asarray(self.effective_n) < LEAST_EFFECTIVE_ROWS, self.value.shape)
        least, greatest = self.possible
        return np.where(few, least, self.low), np.where(few, greatest, self.high)

    @property
    def about(self) -> dict[str, Any]:
        """See `about_estimates`."""
        methods = [self.method] if isinstance(self.method, str) else self.method
        largest = None if self.shift is None else float(np.max(self.shift, initial=0.0))
        return about_estimates(methods, shift=largest, origin=self.origin)

    def of_measure(self, name: str) -> dict[str, Any]:
        """Return the columns of one of several measures in a table, by names that start with its name."""
        low, high = self._range
        return {
            name: printed_points(self.value, self.bases),
            f"{name}_low": low,
            f"{name}_high": high,
            f"{name}_basis": self.bases,
            f"{name}_unclipped": self.value,
        }

    def columns(self, name: str) -> dict[str, Any]:
        """Return the columns of a table with one estimate in each row; `name` is that of the estimates."""
        low, high = self._range
        is_known = np.array([basis != "too few" for basis in self.bases], dtype=np.bool_)
        size = self.value.shape
        return {
            name: printed_points(self.value, self.bases),
            "standard_error": np.where(is_known, self.standard_error, np.nan),
            "low": low,
            "high": high,
            "n": np.broadcast_to(self.n, size),
            "effective_n": np.broadcast_to(self.effective_n, size),
            "level": np.full(size, self.level),
            "basis": self.bases,
            "unclipped": self.value,
        }


def cut_ends(ends: Sequence[float], possible: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an interval, cut to the possible range.

    Parameters
    ----------
    ends : sequence of float
        Lower and upper end.
    possible : tuple of float
        Least and largest possible value.

    Examples
    --------
    >>> cut_ends((-.05, .03), (0, 1)), cut_ends((-.05, -.03), (0, 1))
    ((0.0, 0.03), (0.0, 0.0))
    """
    low, high = np.clip(np.asarray(ends, dtype=np.float64), *possible).tolist()
    return low, high


def bounds_in_words(basis: Basis, ends: Sequence[float], possible: tuple[float, float]) -> str:
    """Return what the interval says if the estimate is not printed.

    Parameters
    ----------
    basis : Basis
        Which ends of the interval are informative.
    ends : sequence of float
        Lower and upper end.
    possible : tuple of float
        Least and largest possible value.

    Examples
    --------
    >>> bounds_in_words("at most", (-.05, .0312), (0, 1)), bounds_in_words("between", (.2, .4), (0, 1))
    ('too few answers to say: at most 0.0312', 'too few answers to say: 0.2 to 0.4')
    """
    low, high = cut_ends(possible if basis == "too few" else ends, possible)
    text = {"at most": f"at most {high:.4g}", "at least": f"at least {low:.4g}"}
    return f"too few answers to say: {text.get(basis, f'{low:.4g} to {high:.4g}')}"
