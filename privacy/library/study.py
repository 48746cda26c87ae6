"""Results of a study on paper: quantities with intervals by inverted tests, and tests of the model.

Includes the logistic regression of a property that some people who have it deny (stochastic lie detector).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.levels import chi_square_quantile, normal_quantile
from privacy.library.answers import answer_codes
from privacy.library.designs import YES_NO, Probability, exact
from privacy.library.frames import Shown, Tabled, data_frame, pick
from privacy.tables.frames import read_frame

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

__all__ = [
    "SHARE",
    "Counted",
    "Hypothesis",
    "Line",
    "ModelTest",
    "PaperStudy",
    "Quantity",
    "accepted_values",
    "inverse_range",
    "one_channel",
    "one_sample",
    "two_samples",
]


Hypothesis: TypeAlias = Callable[[float], tuple[float, float]]
"""Maps a value to the difference between it and the counts, and the variance of that if the value is true."""

Line: TypeAlias = Callable[[float], tuple[float, float, float]]
"""Maps a value to c1, c2 and c0: the shares of "yes" in two samples satisfy c1 l1 + c2 l2 = c0."""

_NUDGE: Final = 1e-9
_EXACT: Final = 1e-12


def accepted_values(
    hypothesis: Hypothesis, value: float, within: tuple[float, float], limit: float
) -> tuple[float, float]:
    """Return the smallest and largest value that the test does not reject.

    Parameters
    ----------
    hypothesis : callable
    value : float
        The estimate, which its own test accepts.
    within : (float, float)
        Range of values that counts can produce; the result stays within it.
    limit : float
        Quantile of chi-square with one degree of freedom.

    Examples
    --------
    Wilson's interval of 2 of 10:

    >>> low, high = accepted_values(lambda t: (.2 - t, t * (1 - t) / 10), .2, (0, 1), 3.8415)
    >>> round(low, 4), round(high, 4)
    (0.0567, 0.5098)
    """

    def excess(guess: float) -> float:
        difference, variance = hypothesis(guess)
        return difference**2 - limit * variance

    least, greatest = within
    start = min(max(value, least), greatest)

    def end(bound: float) -> float:
        # Start just off the estimate, where the difference is 0 and the variance may be 0.
        first = start + _NUDGE * (bound - start)
        if bound == start or excess(first) >= 0:
            return start
        if excess(bound) <= 0:
            return bound
        return float(scipy.optimize.brentq(excess, first, bound, xtol=_EXACT))

    return end(least), end(greatest)


def inverse_range(rise: float, start: float) -> tuple[float, float]:
    """Return the smallest and largest t for which start + rise t is a share.

    Parameters
    ----------
    rise : float
        Slope of the line, not 0.
    start : float
        Value of the line at t = 0.

    Examples
    --------
    >>> inverse_range(-0.5, 0.75)
    (-0.5, 1.5)
    """
    ends = (-start / rise, (1 - start) / rise)
    return min(ends), max(ends)


def one_sample(share: float, n: int, *, rise: float, start: float) -> Hypothesis:
    """Return Wilson's test of a value t in a sample where the expected share of "yes" is start + rise t.

    Parameters
    ----------
    share : float
        Observed share of "yes", in [0, 1].
    n : int
        Number of people, 1 or more.
    rise, start : float
        Slope and intercept of the line from t to the share of "yes".

    References
    ----------
    Wilson 1927.
    """

    def hypothesis(guess: float) -> tuple[float, float]:
        expected = min(max(start + rise * guess, 0.0), 1.0)
        return share - start - rise * guess, expected * (1 - expected) / n

    return hypothesis


def one_channel(counts: Array, channel: Array, inverse: Array, position: int) -> Hypothesis:
    """Return the test of the share of one true answer, from reports through a channel.

    Parameters
    ----------
    counts : ndarray, shape (reports,)
    channel : ndarray, shape (reports, answers)
    inverse : ndarray, shape (answers, reports)
        The score of each report for each answer; mean scores are the estimates.
    position : int
        Position of the answer.

    Notes
    -----
    The variance uses the larger of two mean squares of the scores. One comes from the counts and is moved
    from the estimate to the hypothesis as if respondents without the answer were spread evenly over the other
    answers. The other assumes that they are spread as estimated, with estimates below 0 set to 0. For two
    answers, both give the test of `one_sample`. With three answers and uneven channels, 95% intervals have a
    coverage of at least .92 from 20 respondents on, and of at least .90 from 5 on (by enumeration).
    """
    n = float(counts.sum())
    scores, values = inverse[position], inverse @ counts / n
    by_answer = scores**2 @ channel
    own, others = by_answer[position], np.delete(by_answer, position)
    mixed = np.average(others, weights=np.maximum(np.delete(values, position), _EXACT))

    def hypothesis(guess: float) -> tuple[float, float]:
        difference = values[position] - guess
        of_counts = counts @ scores**2 / n - difference * (own - others.mean())
        square = max(of_counts, guess * own + (1 - guess) * mixed)
        return float(difference), float(square - guess**2) / n

    return hypothesis


def two_samples(first: tuple[int, int], second: tuple[int, int], line: Line) -> Hypothesis:
    """Return the score test of a value that fixes a line through the shares of "yes" in two samples.

    Parameters
    ----------
    first, second : tuple of (int, int)
        Number of people who said "yes", and size of the sample.
    line : Line
        The pairs of shares that correspond to a value.

    Notes
    -----
    The variance is evaluated at the most likely shares on the line.

    References
    ----------
    Miettinen and Nurminen 1985.
    """
    (yes1, n1), (yes2, n2) = first, second

    def hypothesis(guess: float) -> tuple[float, float]:
        c1, c2, c0 = line(guess)
        l1, l2 = _most_likely(first, second, (c1, c2, c0))
        variance = c1**2 * l1 * (1 - l1) / n1 + c2**2 * l2 * (1 - l2) / n2
        return c1 * yes1 / n1 + c2 * yes2 / n2 - c0, variance

    return hypothesis


def _most_likely(
    first: tuple[int, int], second: tuple[int, int], line: tuple[float, float, float]
) -> tuple[float, float]:
    """Return the most likely shares on a line; if it misses the unit square, the nearest corner."""
    (yes1, n1), (yes2, n2) = first, second
    c1, c2, c0 = line
    if c1 == 0:
        return yes1 / n1, min(max(c0 / c2, 0.0), 1.0)
    if c2 == 0:
        return min(max(c0 / c1, 0.0), 1.0), yes2 / n2
    # Range of l1 for which l2 = (c0 - c1 l1)/c2 is from 0 to 1.
    ends = sorted((c0 / c1, (c0 - c2) / c1))
    low, high = max(ends[0], 0.0), min(ends[1], 1.0)

    def other(share: float) -> float:
        return min(max((c0 - c1 * share) / c2, 0.0), 1.0)

    def slope(share: float) -> float:
        """Derivative of the log-likelihood along the line; it is decreasing."""
        return _slope(yes1, n1, share) - c1 / c2 * _slope(yes2, n2, other(share))

    if low >= high:
        share = min(max(low, 0.0), 1.0)
        return share, other(share)
    margin = _NUDGE * (high - low)
    if slope(low + margin) <= 0:
        return low, other(low)
    if slope(high - margin) >= 0:
        return high, other(high)
    share = float(scipy.optimize.brentq(slope, low + margin, high - margin, xtol=_EXACT))
    return share, other(share)


def _slope(yes: int, n: int, share: float) -> float:
    with np.errstate(divide="ignore"):
        up = yes / np.float64(share) if yes else 0.0
        down = (n - yes) / np.float64(1 - share) if n - yes else 0.0
    return float(up - down)


Counted: TypeAlias = tuple[int, int]
"""Number of "yes" reports, and of all reports."""

SHARE: Final = (0.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """An estimate with its error, treating the rows as a sample of the population.

    Parameters
    ----------
    name : str
        Such as ``share``, ``unrelated share`` or ``cheaters``.
    value : float
        Not clipped: a share may lie outside [0, 1].
    standard_error : float
    possible : (float, float)
        Bounds of the true value.
    hypothesis : callable, optional
        The test of a value; without it, the interval uses the value and its error.
    within : (float, float), optional
        Range of values that counts can produce; defaults to `possible`.
    """

    name: str
    value: float
    standard_error: float
    possible: tuple[float, float] = SHARE
    hypothesis: Hypothesis | None = field(default=None, compare=False, repr=False)
    within: tuple[float, float] | None = None

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval: of a share by inverting its test, of a mean the value ± z standard errors.

        Raises
        ------
        PrivacyError
            ``level``: not between 0 and 1.

        Notes
        -----
        The interval contains each share t that the test does not reject, using the variance of the counts if
        t is true: Wilson's interval for one sample, Miettinen and Nurminen's for two. Values and intervals
        are not cut to the possible range, except intervals of ratios (`honesty`, a share corrected by an
        anchor).

        The share of a list experiment and the mean of an item sum are differences of means. Their error
        hardly depends on their value, so their interval uses the value and its standard error.

        References
        ----------
        Miettinen and Nurminen 1985; Wilson 1927.

        Examples
        --------
        >>> low, high = Quantity(name="mean", value=0.25, standard_error=0.02).interval()
        >>> round(low, 3), round(high, 3)
        (0.211, 0.289)
        """
        if self.hypothesis is not None:
            within = self.within or self.possible
            return accepted_values(self.hypothesis, self.value, within, chi_square_quantile(level))
        half = normal_quantile(level) * self.standard_error
        return self.value - half, self.value + half

    @property
    def outside(self) -> bool:
        """Whether the value is outside the possible range, because of noise or a wrong model."""
        least, greatest = self.possible
        return not least <= self.value <= greatest


@dataclass(frozen=True, kw_only=True)
class ModelTest:
    """A test of a model assumption.

    Parameters
    ----------
    name : str
    statistic : float
    p_value : float, in [0, 1]
    """

    name: str
    statistic: float
    p_value: float


@dataclass(frozen=True, kw_only=True, repr=False)
class PaperStudy(Shown):
    """Estimates from a study whose answers were disguised without a device.

    Parameters
    ----------
    method : str
        Name of the design, with its probabilities.
    n : int
        Number of respondents.
    quantities : tuple of Quantity
        The main quantity first.
    tests : tuple of ModelTest
    """

    method: str
    n: int
    quantities: tuple[Quantity, ...]
    tests: tuple[ModelTest, ...] = ()

    def __getitem__(self, name: str) -> Quantity:
        for quantity in self.quantities:
            if quantity.name == name:
                return quantity
        raise KeyError(name)

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return one row per quantity: estimate, standard_error, low, high."""
        ends = [quantity.interval(level) for quantity in self.quantities]
        columns = {
            "estimate": [quantity.value for quantity in self.quantities],
            "standard_error": [quantity.standard_error for quantity in self.quantities],
            "low": [low for low, _ in ends],
            "high": [high for _, high in ends],
        }
        return data_frame(columns, index=[quantity.name for quantity in self.quantities], name="quantity")

    def summary(self, level: float = 0.95) -> str:
        """Return a summary in a few lines."""
        lines = [f"{self.method}, n = {self.n:,}"]
        for quantity in self.quantities:
            low, high = quantity.interval(level)
            lines.append(
                f"{quantity.name}: estimate {quantity.value:.4g}, "
                f"standard error {quantity.standard_error:.2g}, "
                f"{100 * level:g}% interval {low:.4g} to {high:.4g}"
                + ("; outside what is possible, not clipped" if quantity.outside else "")
            )
        lines += [f"{test.name}: {test.statistic:.4g}, p = {test.p_value:.3g}" for test in self.tests]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{self.method}: {len(self.quantities)} quantities, n = {self.n:,}>"


def probability(value: Probability, name: str) -> float:
    """Return a probability above 0 and below 1, read as the intended fraction.

    Raises
    ------
    PrivacyError
        ``chance``; ``paper``: 0 or 1.
    """
    share = exact(value, name)
    if share in (0, 1):
        raise PrivacyError("paper.certain", float(share), name=name)
    return float(share)


def two_probabilities(first: Probability, second: Probability, names: tuple[str, str]) -> tuple[float, float]:
    """Return the probabilities of two samples, which must differ.

    Raises
    ------
    PrivacyError
        As for `probability`; ``paper``: both are equal.
    """
    probabilities = probability(first, names[0]), probability(second, names[1])
    if probabilities[0] == probabilities[1]:
        raise PrivacyError("paper.equal", probabilities[0], first=names[0], second=names[1])
    return probabilities


def sample_share(yes: object, n: object, name: str) -> tuple[float, float]:
    """Return the share of "yes" in a sample and its variance l (1 - l) / (n - 1).

    Raises
    ------
    PrivacyError
        ``paper``: not whole numbers, more "yes" than rows, or fewer than two rows.

    Examples
    --------
    >>> sample_share(2, 5, "sample 1")
    (0.4, 0.06)
    """
    rows = validation.number_of_rows(n, f"rows of {name}", low=2, code="paper")
    reports = validation.whole_number(yes, f'"yes" of {name}', low=0, high=rows, code="paper")
    share = reports / rows
    return share, share * (1 - share) / (rows - 1)


def error(gradient: Sequence[float], variances: Sequence[float]) -> float:
    """Return the delta-method error of a function of independent quantities.

    >>> error([3, 4], [1, 1])
    5.0
    """
    return float(np.sqrt(np.square(np.asarray(gradient)) @ np.asarray(variances)))


_MOST_STEPS: Final = 500
_CLOSE: Final = 1e-9
_DIVERGED: Final = 15.0


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LieDetectorRegression(Tabled):
    """Coefficients of the property, and the honesty of people who have it.

    Parameters
    ----------
    terms : tuple
        ``constant``, then the predictors.
    coefficients : float array, shape (terms + 1,)
        Coefficients of the terms, then t.
    covariance : float array, shape (terms + 1, terms + 1)
        Inverse of the negative Hessian.
    log_likelihood : float
    n : int
    """

    terms: tuple[Hashable, ...]
    coefficients: Array
    covariance: Array
    log_likelihood: float
    n: int

    @property
    def honesty(self) -> float:
        """Estimate of t, the probability that a person with the property says "yes"."""
        return float(self.coefficients[-1])

    def to_frame(self) -> DataFrame:
        """Return one row per coefficient, honesty last: estimate, standard_error."""
        columns = {"estimate": self.coefficients, "standard_error": np.sqrt(np.diag(self.covariance))}
        return data_frame(columns, index=[*self.terms, "honesty"], name="term")

    def __repr__(self) -> str:
        return f"<lie detector regression on {len(self.terms) - 1} predictors, n = {self.n:,}>"


def lie_detector_regression(
    frame: DataFrame,
    response: Hashable,
    predictors: Sequence[Hashable],
    *,
    sample: Hashable,
    no: Mapping[Hashable, Probability],
) -> LieDetectorRegression:
    """Regress a property on undisguised numbers if some people who have it deny it.

    Parameters
    ----------
    frame : DataFrame
        One row per respondent.
    response : hashable
        Column of reports: yes and no, True and False, or 1 and 0.
    predictors : sequence
        Columns of finite numbers; for an interaction, a column of products.
    sample : hashable
        Column that names the sample of each row.
    no : mapping of sample to float or Fraction, in (0, 1)
        Probability that a respondent without the property is asked to say "no"; two samples with different
        probabilities.

    Raises
    ------
    PrivacyError
        ``frame``, ``answers``, ``chance``; ``paper``: a sample without a probability, equal probabilities,
        predictors that are not numbers or are collinear, or coefficients that diverge.

    Notes
    -----
    P(yes | x) = t g + (1 - g)(1 - p), g = 1/(1 + exp(-x'b)). The fit uses Fisher scoring, and halves a step
    until it does not reduce the likelihood. Standard errors come from the Hessian.

    References
    ----------
    Moshagen, Musch and Erdfelder 2012; Heck and Moshagen 2018.

    Examples
    --------
    Without predictors, the result equals the estimate from two counts, 373 of 564 and 398 of 692:

    >>> import pandas
    >>> rows = pandas.DataFrame({"yes": [1] * 373 + [0] * 191 + [1] * 398 + [0] * 294,
    ...                          "sample": [1] * 564 + [2] * 692})
    >>> regression = lie_detector_regression(rows, "yes", [], sample="sample", no={1: 2/12, 2: 10/12})
    >>> round(float(1 / (1 + np.exp(-regression.coefficients[0]))), 6), round(regression.honesty, 6)
    (0.870695, 0.635806)
    """
    predictors = [predictors] if isinstance(predictors, str) else predictors
    columns = pick(read_frame(frame), [response, sample, *predictors])
    reports = answer_codes(columns[0], YES_NO)[1].astype(np.float64)
    probabilities = {key: probability(share, f"p of sample {key}") for key, share in no.items()}
    p_forced = np.empty(len(reports))
    for position, key in enumerate(columns[1].tolist()):
        if key not in probabilities:
            raise PrivacyError("paper.sample", key, column=sample, known=", ".join(map(str, probabilities)))
        p_forced[position] = 1 - probabilities[key]
    if len(set(p_forced.tolist())) < 2:
        raise PrivacyError("paper.equal_samples", 1 - p_forced[0])
    covariates = [np.ones(len(reports))]
    for name, column in zip(predictors, columns[2:], strict=True):
        if getattr(column.dtype, "kind", "") not in "biuf" or not np.isfinite(column.to_numpy(float)).all():
            raise PrivacyError("paper.predictor", name)
        covariates.append(column.to_numpy(float))
    design = np.column_stack(covariates)
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise PrivacyError("paper.collinear", ", ".join(map(str, predictors)))
    model = _Model(design=design, reports=reports, forced=p_forced)
    coefficients = model.climb()
    hessian = model.hessian(coefficients)
    if not np.linalg.eigvalsh(-hessian)[0] > _CLOSE:
        raise PrivacyError("paper.loose")
    return LieDetectorRegression(
        terms=("constant", *predictors),
        coefficients=coefficients,
        covariance=np.linalg.inv(-hessian).astype(np.float64, copy=False),
        log_likelihood=model.log_likelihood(coefficients),
        n=len(reports),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Model:
    """The model P(yes) = l = d + g (t - d), with d the probability of a forced "yes"; parameters (b, t)."""

    design: Array
    reports: Array
    forced: Array

    def parts(self, at: Array) -> tuple[Array, Array]:
        """Return g and l for each row."""
        g = scipy.special.expit(self.design @ at[:-1])
        return g, self.forced + g * (at[-1] - self.forced)

    def log_likelihood(self, at: Array) -> float:
        """Return the log-likelihood, or minus infinity if t or a row's l is not a valid probability."""
        _, yes = self.parts(at)
        if not 0 < at[-1] <= 1 or not ((yes > 0) & (yes < 1)).all():
            return -np.inf
        return float((self.reports * np.log(yes) + (1 - self.reports) * np.log1p(-yes)).sum())

    def slopes(self, at: Array) -> tuple[Array, Array, Array]:
        """Return l and its gradient for each row, and u = y/l - (1 - y)/(1 - l)."""
        g, yes = self.parts(at)
        by_terms = (g * (1 - g) * (at[-1] - self.forced))[:, None] * self.design
        return (yes, np.column_stack([by_terms, g]), self.reports / yes - (1 - self.reports) / (1 - yes))

    def hessian(self, at: Array) -> Array:
        """Return the second derivatives of the log-likelihood."""
        g, _ = self.parts(at)
        yes, slope, u = self.slopes(at)
        bend = self.reports / yes**2 + (1 - self.reports) / (1 - yes) ** 2
        hessian = -(slope * bend[:, None]).T @ slope
        curve = u * g * (1 - g) * (1 - 2 * g) * (at[-1] - self.forced)
        hessian[:-1, :-1] += (self.design * curve[:, None]).T @ self.design
        cross = self.design.T @ (u * g * (1 - g))
        hessian[:-1, -1] += cross
        hessian[-1, :-1] += cross
        return hessian

    def climb(self) -> Array:
        """Return the most likely parameters."""
        at = np.zeros(self.design.shape[1] + 1)
        at[0], at[-1] = 1.0, (1 + float(self.reports.mean())) / 2
        likelihood = self.log_likelihood(at)
        for _ in range(_MOST_STEPS):
            yes, slope, u = self.slopes(at)
            score = slope.T @ u
            information = (slope / (yes * (1 - yes))[:, None]).T @ slope
            step = np.linalg.lstsq(information, score, rcond=None)[0]
            while (trial := self.log_likelihood(at + step)) < likelihood and np.abs(step).max() > _CLOSE:
                step = step / 2
            if trial >= likelihood:
                at, likelihood = at + step, trial
            if np.abs(self.design @ at[:-1]).max() > _DIVERGED * 4 or abs(at[0]) > _DIVERGED:
                raise PrivacyError("paper.grows")
            if np.abs(step).max() <= _CLOSE:
                return at
        raise PrivacyError("paper.steps", _MOST_STEPS)
