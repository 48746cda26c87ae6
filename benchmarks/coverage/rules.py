"""Measure the coverage of intervals of every measure, over a grid of surveys."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
import scipy
from django.utils.safestring import SafeString

from benchmarks.curves import axis_around, on_paper
from privacy.arrays import Array, Whole
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.estimation.estimating_equation import MEASURES, Equation, Measure
from privacy.estimation.moments import ContingencyTables, DrawnTables, GroupCells, Scores
from privacy.estimation.shapes import Axis, ItemsetShape, Probabilities
from privacy.policy import FEW_ROWS
from surveys.formats import svg

LIMIT: Final = float(scipy.stats.chi2.ppf(0.95, 1))

LIGHT: Final = 0.85
"""p of the direct group in surveys with two strengths."""

_SHOWS: Final = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float64)
"""Values of (A, B) in each cell."""

_DRAWN: Final = ItemsetShape(
    axes=tuple(Axis(block=0, positions=(side,), sides=(side,), drawn=True) for side in (0, 1)),
    n_sides=2,
    n_blocks=1,
    excluded=frozenset(),
)
"""A and B as questions of one rotating block."""


@dataclass(frozen=True, kw_only=True)
class Survey:
    """One rule A -> B in one survey.

    Parameters
    ----------
    n, blocks : int
        Number of rows; 1 block if A and B share a coin, else 2.
    p, theta, k : float
    light : float, optional
        p of the direct group.
    protected, direct : (float, float, float)
        P(A), P(B) and lift in each group; they differ if people select their group.
    asks : (int, int), optional
        j and m: A and B are two of the m questions of a block from which each device draws j, and rows that
        were asked only one of them, or neither, count too.
    """

    n: int
    blocks: int
    p: float
    theta: float
    k: float
    protected: tuple[float, float, float]
    direct: tuple[float, float, float]
    light: float = 1.0
    asks: tuple[int, int] | None = None

    @property
    def truth_probabilities(self) -> tuple[float, float]:
        """p of the direct and of the protected group."""
        return self.light, self.p

    def channel(self, p: float) -> Array:
        """Return the probability of the reported cell (rows) given the true cell (columns) in a group."""
        decoy = np.array([1 - self.theta, self.theta])
        if self.blocks == 1:
            return np.asarray(p * np.eye(4) + (1 - p) * np.kron(decoy, decoy)[:, None])
        channel = p * np.eye(2) + (1 - p) * decoy[:, None]
        return np.asarray(np.kron(channel, channel))

    @property
    def joint(self) -> Array:
        """Probability of each true cell, direct group first, shape (2, 4)."""
        return np.stack([self.k * _joint(*self.direct), (1 - self.k) * _joint(*self.protected)])

    @property
    def shown(self) -> Array:
        """Probability of each reported cell, direct group first, shape (2, 4).

        If devices draw questions, the shape is (2, 9): A, then B, is not asked, reported "no", or reported
        "yes".
        """
        laws = zip(self.truth_probabilities, self.joint, strict=True)
        both = np.stack([self.channel(p) @ joint for p, joint in laws])
        if self.asks is None:
            return both
        j, m = self.asks
        together = j * (j - 1) / (m * (m - 1))
        table = np.zeros((2, 3, 3))
        shown = both.reshape(2, 2, 2)
        table[:, 1:, 1:] = together * shown
        table[:, 1:, 0] = (j / m - together) * shown.sum(axis=2)
        table[:, 0, 1:] = (j / m - together) * shown.sum(axis=1)
        table[:, 0, 0] = (1 - 2 * j / m + together) * shown.sum(axis=(1, 2))
        return table.reshape(2, 9)

    @property
    def few_rows(self) -> bool:
        """Whether fewer than 5 rows (complete rows, if devices draw) are expected in some cell."""
        expected = self.shown * self.n
        if self.asks is not None:
            expected = expected.reshape(2, 3, 3)[:, 1:, 1:].reshape(2, 4)
            if expected.sum() * self.truth["support"] < FEW_ROWS:
                return True
        direct, protected = expected
        return bool(protected.min() < FEW_ROWS or (self.k > 0 and direct.min() < FEW_ROWS))

    @property
    def truth(self) -> dict[Measure, float]:
        """True value of every measure in the population."""
        _, only_b, only_a, both = self.joint.sum(axis=0)
        a, b = only_a + both, only_b + both
        return {
            "support": both,
            "confidence": both / a,
            "lift": both / (a * b),
            "leverage": both - a * b,
            "conviction": a * (1 - b) / (a - both),
        }


@dataclass(frozen=True, kw_only=True)
class CoveragePoint:
    """One measure in one survey.

    Attributes
    ----------
    survey : Survey
    measure : str
    accepted : float
        Share of tests that do not reject the truth: the coverage of the sets from which intervals are formed.
    held : float
        Share of intervals that contain the truth. If the test leaves two pieces, at both ends of the range,
        the interval is the whole range, "not estimable", which also contains values that the test rejected.
    not_estimable : float
        Share of intervals that are not estimable.
    held_estimable : float
        Share of estimable intervals that contain the truth; NaN if there are none.
    repetitions : int
    """

    survey: Survey
    measure: Measure
    accepted: float
    held: float
    not_estimable: float
    held_estimable: float
    repetitions: int


def _joint(a: float, b: float, lift: float) -> Array:
    both = a * b * lift
    return np.array([1 - a - b + both, b - both, a - both, both])


def grid() -> Iterator[Survey]:
    """Yield 384 surveys with or without direct answers, 144 with two strengths, 288 with drawn questions."""
    rules = (((0.3, 0.4, 1.3), (0.2, 0.3, 1.5)), ((0.1, 0.3, 1.5), (0.08, 0.25, 1.8)))
    for n, blocks, p, theta, k, (protected, direct) in product(
        (500, 1_000, 2_500, 10_000), (1, 2), (0.3, 0.5, 0.7, 1.0), (0.3, 0.5, 0.6), (0.0, 0.2), rules
    ):
        yield Survey(n=n, blocks=blocks, p=p, theta=theta, k=k, protected=protected, direct=direct)
    for n, blocks, p, theta, (protected, direct) in product(
        (500, 1_000, 2_500, 10_000), (1, 2), (0.3, 0.5, 0.7), (0.3, 0.5, 0.6), rules
    ):
        yield Survey(
            n=n, blocks=blocks, p=p, theta=theta, k=0.2, protected=protected, direct=direct, light=LIGHT
        )
    for n, asks, p, theta, (k, light), (protected, direct) in product(
        (2_500, 5_000, 10_000, 20_000),
        ((3, 8), (4, 10)),
        (0.5, 0.7, 0.9),
        (0.3, 0.5),
        ((0.0, 1.0), (0.2, 1.0), (0.2, 0.95)),
        rules,
    ):
        yield Survey(
            n=n, blocks=1, p=p, theta=theta, k=k, protected=protected, direct=direct, light=light, asks=asks
        )


def rare_grid() -> Iterator[Survey]:
    """Yield 48 surveys of 100 to 500 people, with rules whose antecedent 1 to 4% of people have."""
    for n, share, p, lift in product((100, 200, 500), (0.01, 0.02, 0.03, 0.04), (0.7, 1.0), (1.0, 1.5)):
        rule = (share, 0.3, lift)
        yield Survey(n=n, blocks=2, p=p, theta=0.5, k=0.0, protected=rule, direct=rule)


def sample_cells(survey: Survey, repetitions: int, rng: np.random.Generator) -> ContingencyTables:
    """Draw true rows and groups, disguise them, and return the cells of all repetitions."""
    shown = rng.multinomial(survey.n, np.concatenate(survey.shown), size=repetitions)
    if survey.asks is not None:
        return _drawn(survey, shown)
    groups = [
        _cells(survey, p, rows)
        for p, rows in zip(survey.truth_probabilities, (shown[:, :4], shown[:, 4:]), strict=True)
    ]
    return ContingencyTables.of_groups(
        (groups[0], groups[1]), positions=np.arange(repetitions), n_blocks=survey.blocks
    )


def _drawn(survey: Survey, shown: Whole) -> ContingencyTables:
    """Score all reports of two questions that devices draw."""
    size = len(shown)
    probabilities = Probabilities(
        p=np.repeat(np.array(survey.truth_probabilities)[:, None, None], size, axis=1),
        answering=np.ones((size, 1)),
        q=np.full((size, 2), survey.theta),
    )
    return DrawnTables.of(_DRAWN, probabilities, (shown[:, :9], shown[:, 9:]), np.arange(size), is_drawn=True)


def _cells(survey: Survey, p: float, rows: Whole) -> GroupCells:
    """Return the scores of a group's rows, by reported cell."""
    a, b = _SHOWS.T
    decoy = (1 - p) * survey.theta
    both = (a - decoy) * (b - decoy) if survey.blocks == 2 else a * b - decoy * survey.theta
    return GroupCells(
        rows=rows,
        numerator=np.repeat(np.stack([both, a - decoy, b - decoy])[:, None], len(rows), axis=1),
        truth=np.repeat(np.array([[p**survey.blocks], [p], [p]]), len(rows), axis=1),
    )


def coverage(survey: Survey, *, repetitions: int, rng: np.random.Generator) -> list[CoveragePoint]:
    """Count how often the 95% intervals of a survey's measures contain the population value.

    Notes
    -----
    An interval contains the truth if the test that it inverts does not reject the truth, so only the truth is
    tested. For a ratio, both ends of its range are tested too: if neither is rejected, the interval is the
    whole range, "not estimable".
    """
    part = sample_cells(survey, repetitions, rng)
    scores = Scores.of(part, "stratified")
    points = []
    for measure in MEASURES:
        equation = Equation(measure=measure, scores=scores)
        constant, slope = equation.cells
        covered = likelihood_ratio(part.rows, constant + survey.truth[measure] * slope) <= LIMIT
        whole = np.zeros(repetitions, dtype=bool)
        if measure in ("confidence", "lift", "conviction"):
            # At infinity only the slope remains.
            top = constant + slope if measure == "confidence" else slope
            whole = (likelihood_ratio(part.rows, constant) <= LIMIT) & (
                likelihood_ratio(part.rows, top) <= LIMIT
            )
        estimable = int((~whole).sum())
        points.append(
            CoveragePoint(
                survey=survey,
                measure=measure,
                accepted=float(covered.mean()),
                held=float((covered | whole).mean()),
                not_estimable=float(whole.mean()),
                held_estimable=float((covered & ~whole).sum() / estimable) if estimable else float("nan"),
                repetitions=repetitions,
            )
        )
    return points


NEAR: Final = (0.935, 0.965)
FAR: Final = (0.925, 0.975)
RARELY: Final = 0.01
"""Points with a larger share of intervals that are not estimable are counted separately."""

_SURVEYS: Final = (
    "Surveys: n = 500, 1,000, 2,500, 10,000; both sides of the rule in one block or in two; p = .3, .5, .7, "
    "1; theta = .3, .5, .6; direct share 0 and .2, with self-selection, p0 = 1 and, for p < 1, .85; a common "
    "rule (P(A) = .3, P(B) = .4, lift 1.3) and a rarer one (.1, .3, 1.5); stratified estimate. A second set "
    "draws 3 of 8 or 4 of 10 questions for each device: n = 2,500, 5,000, 10,000, 20,000; p = .5, .7, .9; "
    "theta = .3, .5; direct share 0 and .2, with p0 = 1 and .95; the same rules, estimated from all rows."
)
_NOT_ESTIMABLE: Final = (
    "An interval holds every value that a test does not reject. If the denominator of a ratio may be 0, that "
    "can be two pieces, one at each end of the range. The report then prints the whole range as *not "
    "estimable with this n*, which includes values that the test rejects. So a printed interval can only "
    "hold the truth more often than the test: {worst}. The few estimable intervals of such a survey hold the "
    "truth less often, because chance made a strong rule there. coverage.csv has every point."
)

_WIDTH, _STEP, _TOP, _LEFT, _EDGE = 400.0, 46.0, 68.0, 92.0, 6.0


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table in Markdown.

    >>> print(markdown_table(("p", "error"), [(1, 0)]))
    | p | error |
    |---|---|
    | 1 | 0 |
    """
    rule = "|" + "---|" * len(head)
    first, *lines = ("| " + " | ".join(map(str, cells)) + " |" for cells in (head, *rows))
    return "\n".join((first, rule, *lines))


def outside(held: Sequence[float], limits: tuple[float, float]) -> int:
    """Count the shares outside the limits."""
    return sum(not limits[0] <= share <= limits[1] for share in held)


def percent(share: float) -> str:
    """Write a share as a percentage.

    >>> percent(0.95)
    '95.00'
    """
    return f"{100 * share:.2f}"


def spread(held: Sequence[float]) -> tuple[object, ...]:
    """Return how many shares are outside the narrow and the wide limits, and the lowest and highest share."""
    ends = (percent(min(held)), percent(max(held))) if held else ("–", "–")
    return outside(held, NEAR), outside(held, FAR), *ends


def coverage_page(points: Sequence[CoveragePoint], *, command: str, date: datetime.date) -> str:
    """Return the page in Markdown."""
    counted = [point for point in points if not point.survey.few_rows]
    clear = [point for point in counted if point.not_estimable <= RARELY]
    head = (
        "measure", "points", "few rows", "counted", "test: outside 93.5–96.5%", "outside 92.5–97.5%",
        "lowest", "highest", "printed: outside 93.5–96.5%", "outside 92.5–97.5%", "lowest", "highest",
    )  # fmt: skip
    rows: list[tuple[object, ...]] = []
    for name in (*MEASURES, "all"):
        own = [point for point in points if name in (point.measure, "all")]
        of_counted = [point for point in counted if name in (point.measure, "all")]
        tests, printed = ([getattr(point, each) for point in of_counted] for each in ("accepted", "held"))
        sizes = len(own), len(own) - len(of_counted), len(of_counted)
        rows.append((name, *sizes, *spread(tests), *spread(printed)))
    surveys = len({point.survey for point in points})
    made = (
        f"Made on {date.isoformat()} by `{command}`: {surveys} surveys, {points[0].repetitions} repetitions "
        "of each, with new true rows each time. Each 95% interval about the population is compared with the "
        "truth that generated the rows."
    )
    share = [
        100 * outside(held, NEAR) / max(1, len(held))
        for held in (
            [point.accepted for point in counted],
            [point.held for point in counted],
            [point.held for point in clear],
        )
    ]
    criterion = (
        "Criterion: at most 1% of the points outside 93.5–96.5%, none outside 92.5–97.5%. Points with fewer "
        'than five expected rows in a cell ("few rows") are reported, not counted. Outside 93.5–96.5% are '
        f"{share[0]:.2f}% of the counted points for the test that the intervals invert, {share[1]:.2f}% for "
        f"the printed intervals, and {share[2]:.2f}% of the {len(clear)} points whose intervals are "
        f"estimable in at least {100 * (1 - RARELY):.0f}% of the repetitions."
    )
    title, picture = "# Coverage of the intervals of rules", "![Coverage by measure](coverage.svg)"
    table = markdown_table(head, rows)
    reason = _NOT_ESTIMABLE.format(worst=_worst(counted))
    return "\n\n".join((title, made, _SURVEYS, table, criterion, reason, picture)) + "\n"


def _worst(points: Sequence[CoveragePoint]) -> str:
    """Describe the point where printing the whole range raises the coverage most."""
    if not points:
        return "no such point was counted"
    most = max(points, key=lambda point: point.held)
    return (
        f"in the survey with the largest share, {100 * most.held:.2f}% ({most.measure}, n = {most.survey.n}, "
        f"p = {most.survey.p:g}, theta = {most.survey.theta:g}), {100 * most.not_estimable:.0f}% of the "
        f"intervals are not estimable, and the test accepts the truth in {100 * most.accepted:.2f}%"
    )


def coverage_svg(points: Sequence[CoveragePoint]) -> SafeString:
    """Draw a strip of points for each measure; hollow points have few rows or are often not estimable."""
    bottom = _TOP + _STEP * len(MEASURES)
    title = "Share of 95% intervals that hold the truth"
    drawing = on_paper(_WIDTH, bottom + 42, title=title)
    percents = [100 * share for share in (*FAR, *(point.held for point in points))]
    across = axis_around(percents, start=_LEFT, end=_WIDTH - _EDGE)
    ends = [across.position(100 * share) for share in NEAR]
    shade = {"y": f"{_TOP - 8:g}", "height": f"{bottom - _TOP + 8:g}", "fill": svg.LINE}
    drawing.add("rect", {"x": f"{ends[0]:g}", "width": f"{ends[1] - ends[0]:g}", **shade})
    svg.text(drawing, _EDGE, 16, title, css="strong")
    svg.circle(drawing, 12, 32, 3, css="mark", fill=svg.ACCENT)
    svg.text(drawing, 22, 36, "counted; the band is 93.5 to 96.5%")
    svg.circle(drawing, 12, 46, 3, css="mark--hollow", fill="none", stroke=svg.WARN)
    svg.text(drawing, 22, 50, "few rows, or often not estimable")
    for tick in across.ticks:
        x = across.position(tick)
        svg.line(drawing, x, _TOP - 8, x, bottom + 4, css="grid", stroke=svg.STRONG, stroke_width=".5")
        svg.text(drawing, x, bottom + 18, across.label(tick), text_anchor="middle")
    svg.text(drawing, _WIDTH - _EDGE, bottom + 34, "intervals that hold the truth, % →", text_anchor="end")
    for row, measure in enumerate(MEASURES):
        middle = _TOP + _STEP * (row + 0.5)
        svg.text(drawing, _EDGE, middle + 4, measure, css="label")
        own = [point for point in points if point.measure == measure]
        for position, point in enumerate(own):
            # Points are spread vertically by their position in the grid, so that equal shares do not overlap.
            y = middle - 18 + 36 * (position * 0.618 % 1)
            counted = not point.survey.few_rows and point.not_estimable <= RARELY
            paint = {"fill": svg.ACCENT} if counted else {"fill": "none", "stroke": svg.WARN}
            css = "mark" if counted else "mark--hollow"
            svg.circle(drawing, across.position(100 * point.held), round(y, 1), 1.5, css=css, **paint)
    return svg.render_svg(drawing)
