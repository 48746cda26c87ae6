"""Measure the coverage of intervals for a number's quantiles and bars, over a grid of surveys."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from benchmarks.coverage.rules import FAR, LIMIT, NEAR, RARELY, markdown_table, percent
from privacy.arrays import Array
from privacy.policy import FEW_ROWS
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import BY_EPSILON
from privacy.scales.quantities import bar_moments, quantile_quadratics, segments
from privacy.scales.scale_groups import ScaleGroups, scale_groups
from privacy.scales.score_moments import running_moments
from privacy.scales.share_intervals import share_quadratics
from privacy.scales.skips import Skipping, least_refusal
from privacy.scales.window import WindowChannel

Shape: TypeAlias = Literal["bell", "skewed", "bounded", "two-peaked", "spiky"]

AT: Final = (0.1, 0.25, 0.5, 0.75, 0.9)
BINS: Final = 30
SKIPS: Final = 0.2
"""Share of people who skip, if they may."""

SHAPES: Final[tuple[Shape, ...]] = ("bell", "skewed", "bounded", "two-peaked", "spiky")


@dataclass(frozen=True, kw_only=True)
class NumberSurvey:
    """One number question in one survey.

    Parameters
    ----------
    shape, mechanism : str
    epsilon : float
    skips : bool
    n : int
    k : float, optional
        Share of rows in the direct group, which is disguised with twice the epsilon.
    """

    shape: Shape
    mechanism: str
    epsilon: float
    skips: bool
    n: int
    k: float = 0.0

    @property
    def channel(self) -> WindowChannel:
        """Disguise of the protected group."""
        return self._channel(self.epsilon)

    @property
    def light(self) -> WindowChannel:
        """Disguise of the direct group."""
        return self._channel(2 * self.epsilon)

    def _channel(self, epsilon: float) -> WindowChannel:
        return BY_EPSILON[self.mechanism](NumberRange(low=0, high=BINS - 1), epsilon)

    @property
    def skipping(self) -> Skipping | None:
        """How the question may be skipped; decoys skip equally often in both groups."""
        return Skipping(disguise=self.channel, refusal=least_refusal(self.channel)) if self.skips else None

    @property
    def by_group(self) -> tuple[tuple[int, Array], tuple[int, Array]]:
        """Number of rows and probability of each report, in the direct and in the protected group."""
        n_direct = round(self.k * self.n)
        return (n_direct, self._shown(self.light)), (self.n - n_direct, self._shown(self.channel))

    def _shown(self, disguise: WindowChannel) -> Array:
        shares, skipping = shape_shares(self.shape), self.skipping
        if skipping is None:
            return disguise.as_array() @ shares
        channel = Skipping(disguise=disguise, refusal=skipping.refusal).channel.as_array()
        return np.asarray(channel @ np.append((1 - SKIPS) * shares, SKIPS))


@dataclass(frozen=True, kw_only=True)
class NumberPoint:
    """One quantile, or one bar, in one survey.

    Attributes
    ----------
    survey : NumberSurvey
    figure : {"quantile", "bar"}
    at : float
        Share below the quantile, or the first number of the bar.
    truth : float
        The quantile, or the share.
    expected : float
        Expected number of rows with the rarest possible report.
    accepted : float
        Share of tests that do not reject the truth: the coverage of the sets from which intervals are formed.
    held : float
        Share of sets that contain the truth between their ends, including gaps.
    gaps, whole : float
        Share of intervals with gaps, and of intervals that are the whole range.
    repetitions : int
    """

    survey: NumberSurvey
    figure: Literal["quantile", "bar"]
    at: float
    truth: float
    expected: float
    accepted: float
    held: float
    gaps: float
    whole: float
    repetitions: int

    @property
    def few_rows(self) -> bool:
        """Whether fewer than 5 rows are expected for some possible report."""
        return self.expected < FEW_ROWS


def shape_shares(shape: Shape) -> Array:
    """Return the shares of the 30 bins.

    >>> [round(float(shape_shares(shape).max()), 3) for shape in SHAPES]
    [0.088, 0.092, 0.167, 0.119, 0.273]
    """
    x = (np.arange(BINS) + 0.5) / BINS
    shares = {
        "bell": np.exp(-(((x - 0.5) / 0.15) ** 2) / 2),
        "skewed": x**1.5 * np.exp(-9 * x),
        "bounded": np.where(x < 0.1, 4.0, 1.0) * (x < 0.5),
        "two-peaked": np.exp(-(((x - 0.25) / 0.07) ** 2) / 2) + 0.6 * np.exp(-(((x - 0.75) / 0.07) ** 2) / 2),
        "spiky": np.where(np.isin(np.arange(BINS), (5, 10, 20)), 6.15, 0.15),
    }[shape]
    return np.asarray(shares / shares.sum())


def number_grid() -> Iterator[NumberSurvey]:
    """Yield the surveys of every mechanism: 180 with one strength, 60 with two."""
    for n, skips, mechanism, epsilon, shape in product(
        (1_000, 10_000), (False, True), BY_EPSILON, (1.0, 2.0, 4.0), SHAPES
    ):
        yield NumberSurvey(shape=shape, mechanism=mechanism, epsilon=epsilon, skips=skips, n=n)
    for n, skips, mechanism, shape in product((1_000, 10_000), (False, True), BY_EPSILON, SHAPES):
        yield NumberSurvey(shape=shape, mechanism=mechanism, epsilon=1.0, skips=skips, n=n, k=0.2)


def number_coverage(survey: NumberSurvey, *, repetitions: int, rng: np.random.Generator) -> list[NumberPoint]:
    """Count how often the 95% intervals of quantiles and bars contain the population value."""
    direct, protected = (rng.multinomial(n, shown, size=repetitions) for n, shown in survey.by_group)
    groups = scale_groups(
        survey.channel, protected, direct=direct, light=survey.light, skipping=survey.skipping
    )
    expected = min(n * float(shown.min()) for n, shown in survey.by_group if n)
    return [*_quantiles(survey, groups, expected), *_bars(survey, groups, expected)]


def _quantiles(survey: NumberSurvey, groups: ScaleGroups, expected: float) -> Iterator[NumberPoint]:
    (moments,) = running_moments(groups)
    _edges, sums, with_next = moments
    bins = np.arange(BINS)
    truths = quantiles_of(survey.channel, shape_shares(survey.shape), AT) + 0.5
    for share, truth in zip(AT, truths.tolist(), strict=True):
        test = quantile_quadratics(sums, with_next, share, LIMIT)
        bin_of_truth = min(int(truth), BINS - 1)
        holds = test.at(truth - bin_of_truth)[:, bin_of_truth] <= 0
        begins, ends, inside = segments(test)
        begin = np.where(inside, begins, np.inf).min(axis=0)
        end = np.where(inside, ends, -np.inf).max(axis=0)
        length = (inside * (ends - begins)).sum(axis=0)
        low, high = (bins + begin).min(axis=1), (bins + end).max(axis=1)
        yield NumberPoint(
            survey=survey,
            figure="quantile",
            at=share,
            truth=truth,
            expected=expected,
            accepted=float(holds.mean()),
            held=float(((low <= truth + 1e-9) & (truth - 1e-9 <= high)).mean()),
            gaps=float((high - low - length.sum(axis=1) > 1e-6).mean()),
            whole=float((high - low > 0.95 * BINS).mean()),
            repetitions=len(holds),
        )


def _bars(survey: NumberSurvey, groups: ScaleGroups, expected: float) -> Iterator[NumberPoint]:
    test = share_quadratics(bar_moments(groups, np.arange(BINS + 1)), LIMIT)
    shares = shape_shares(survey.shape)
    holds = test.at(shares) <= 0
    low, high = test.roots()
    whole = np.broadcast_to(test.c2 <= 0, holds.shape)
    covered = whole | ((low <= shares) & (shares <= high))
    for position, truth in enumerate(shares.tolist()):
        yield NumberPoint(
            survey=survey,
            figure="bar",
            at=float(position),
            truth=truth,
            expected=expected,
            accepted=float(holds[:, position].mean()),
            held=float(covered[:, position].mean()),
            gaps=0.0,
            whole=float(whole[:, position].mean()),
            repetitions=len(holds),
        )


COLUMNS: Final = (
    "figure", "at", "truth", "shape", "mechanism", "epsilon", "skips", "n", "k", "few_rows", "accepted",
    "held", "gaps", "whole",
)  # fmt: skip

_SURVEYS: Final = (
    "Surveys: 30 bins; five shapes: a bell, a skewed distribution, a bounded one (no one in the upper "
    "half, four times as many in the lowest tenth), two peaks, and three spikes; every mechanism that "
    "distinguishes the bins; epsilon 1, 2, 4; n = 1,000 and 10,000; no skips, or a fifth of the people "
    "skip; with epsilon 1 also a fifth of the rows disguised lightly, with epsilon 2. Each survey has the "
    "quantiles .1, .25, .5, .75, .9 and all 30 bars."
)
_CRITERION: Final = (
    "Criterion: at most 1% of the points below 93.5%, none below 92.5%, and above 96.5% only whole ranges "
    'and intervals with gaps. Points with fewer than five expected rows of some output ("few rows") are '
    "counted separately. coverage-numbers.csv has every point."
)
_GAPS: Final = (
    "The test compares each value with the share of people below it, one value at a time. A mechanism "
    "with a wide window estimates each share from few outputs, so neighbouring shares err separately, and "
    "by chance the test may accept a value far from the quantile. The accepted values then have gaps. The "
    "report prints all parts, which hold the truth as often as the test. From end to end, gaps included, "
    "they would hold it more often. Wider bins or more answers close the gaps."
)
_TOTALS: Final = (
    "figure", "n", "rows", "points", "test: below 93.5%", "below 92.5%", "above 96.5%", "lowest",
    "highest", "end to end: below 93.5%", "above 96.5%", "of these with gaps", "whole",
)  # fmt: skip


def number_coverage_page(points: Sequence[NumberPoint], *, command: str, date: datetime.date) -> str:
    """Return the page in Markdown."""
    surveys = len({point.survey for point in points})
    made = (
        f"Made on {date.isoformat()} by `{command}`: {surveys} surveys, "
        f"{points[0].repetitions} repetitions of each."
    )
    totals = markdown_table(_TOTALS, _totals(points))
    title = "# Coverage of the intervals of numbers"
    return "\n\n".join((title, made, _SURVEYS, _CRITERION, totals, _GAPS)) + "\n"


def number_coverage_records(points: Sequence[NumberPoint]) -> Iterator[list[Any]]:
    """Yield the lines of the CSV file, starting with the header."""
    yield list(COLUMNS)
    for point in points:
        survey = point.survey
        shares = (point.accepted, point.held, point.gaps, point.whole)
        yield [
            point.figure, f"{point.at:g}", f"{point.truth:.6g}", survey.shape, survey.mechanism,
            f"{survey.epsilon:g}", int(survey.skips), survey.n, f"{survey.k:g}", int(point.few_rows),
            *(f"{share:.4f}" for share in shares),
        ]  # fmt: skip


def _totals(points: Sequence[NumberPoint]) -> Iterator[tuple[object, ...]]:
    sizes = sorted({point.survey.n for point in points})
    for figure in ("quantile", "bar"):
        for n in sizes:
            for few in (False, True):
                own = [
                    point
                    for point in points
                    if (point.figure, point.survey.n, point.few_rows) == (figure, n, few)
                ]
                if not own:
                    continue
                tests = [point.accepted for point in own]
                above = [point for point in own if point.held > NEAR[1]]
                yield (
                    figure, f"{n:,}", "few" if few else "counted", len(own), _below(tests, NEAR[0]),
                    _below(tests, FAR[0]), sum(share > NEAR[1] for share in tests), percent(min(tests)),
                    percent(max(tests)), _below([point.held for point in own], NEAR[0]), len(above),
                    sum(point.gaps > RARELY for point in above), sum(point.whole > RARELY for point in above),
                )  # fmt: skip


def _below(shares: Sequence[float], limit: float) -> int:
    return sum(share < limit for share in shares)


def quantiles_of(channel: WindowChannel, shares: Array, at: Sequence[float]) -> Array:
    """Return quantiles from shares of bins, with numbers spread evenly within a bin; shape (..., len(at)).

    Parameters
    ----------
    channel : WindowChannel
        Disguise whose range is divided into bins.
    shares : ndarray of shape (..., bins)
        Shares of the bins.
    at : sequence of float
        In [0, 1].
    """
    size = float(channel.range.middle(1) - channel.range.middle(0))
    begin = float(channel.range.middle(0)) - size / 2
    running = np.cumsum(shares, axis=-1)
    running = running / running[..., -1:]
    quantiles = np.empty((*shares.shape[:-1], len(at)))
    for position, share in enumerate(at):
        bins = np.minimum((running < share).sum(axis=-1), channel.inputs - 1)
        above = np.take_along_axis(running, bins[..., None], axis=-1)[..., 0]
        width = np.take_along_axis(shares, bins[..., None], axis=-1)[..., 0]
        inside = 1 - np.divide(above - share, width, out=np.zeros_like(width), where=width > 0)
        quantiles[..., position] = begin + size * (bins + np.clip(inside, 0, 1))
    return quantiles
