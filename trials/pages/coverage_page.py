"""The page of the coverage of intervals, and its picture."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final

from django.utils.safestring import SafeString

from privacy.estimation.equations import MEASURES
from surveys.charts import axes, svg
from trials.pages.paper import markdown_table
from trials.studies.coverage import CoveragePoint

NEAR: Final = (0.935, 0.965)
FAR: Final = (0.925, 0.975)
RARELY: Final = 0.01
"""A point with a larger share of intervals that are not estimable is counted apart."""

_SURVEYS: Final = (
    "The surveys: n = 500, 1,000, 2,500, 10,000; both sides of the rule in one block or in two; p = .3, .5, "
    ".7, 1; theta = .3, .5, .6; direct share 0 and .2, where those who answer directly differ "
    "(self-selection), with p0 = 1 and, beside p < 1, .85; a common rule (P(A) = .3, P(B) = .4, lift 1.3) "
    "and a rarer one (.1, .3, 1.5). Stratified estimate. Beside them surveys of which each device draws 3 of "
    "8 or 4 of 10 questions of a part: n = 2,500, 5,000, 10,000, 20,000; p = .5, .7, .9; theta = .3, .5; "
    "direct share 0 and .2, with p0 = 1 and .95; the same rules, from all rows."
)
_NOT_ESTIMABLE: Final = (
    "An interval is what a test does not reject. For a ratio whose denominator may be 0 that can be two "
    "pieces, one at each end of the range; the report then prints the whole range, *not estimable with this "
    "n*, which also holds the values between the pieces that the test did reject. So printed intervals can "
    "only hold the truth more often than the test, never less, and where most of them are not estimable they "
    "do: {worst}. To print the two pieces would bring the share back to the level and serve no reader; to "
    "leave the surveys out would hide them. The few intervals that are estimable in such a survey hold the "
    "truth less often, because they are the surveys in which chance made a strong rule. Every point with all "
    "shares is in coverage.csv."
)

_WIDTH, _STEP, _TOP, _LEFT, _EDGE = 400.0, 46.0, 68.0, 92.0, 6.0


def outside(held: Sequence[float], limits: tuple[float, float]) -> int:
    """Count the shares beyond limits."""
    return sum(not limits[0] <= share <= limits[1] for share in held)


def percent(share: float) -> str:
    """Write a share in percent.

    >>> percent(0.95)
    '95.00'
    """
    return f"{100 * share:.2f}"


def spread(held: Sequence[float]) -> tuple[object, ...]:
    """Return how many shares are near and far outside, and the ends of all."""
    ends = (percent(min(held)), percent(max(held))) if held else ("–", "–")
    return outside(held, NEAR), outside(held, FAR), *ends


def coverage_page(points: Sequence[CoveragePoint], *, command: str, date: datetime.date) -> str:
    """Return the page in Markdown."""
    counted = [point for point in points if not point.survey.few_rows]
    clear = [point for point in counted if point.not_estimable <= RARELY]
    head = (
        "measure", "points", "few rows", "counted", "test: outside 93.5–96.5 %", "outside 92.5–97.5 %",
        "lowest", "highest", "printed: outside 93.5–96.5 %", "outside 92.5–97.5 %", "lowest", "highest",
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
        "of each, with the true rows drawn anew every time. Each 95 % interval about the population is held "
        "against the truth that generated the rows."
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
        "Criterion: at most 1 % of the points outside 93.5–96.5 %, none outside 92.5–97.5 %; points with "
        'fewer than five rows expected in a cell ("few rows") are reported, not counted. Outside '
        f"93.5–96.5 % lie {share[0]:.2f} % of the counted points for the test that the intervals invert, "
        f"{share[1]:.2f} % for the intervals as they are printed, and {share[2]:.2f} % of the {len(clear)} "
        f"points whose intervals are estimable in at least {100 * (1 - RARELY):.0f} % of the repetitions."
    )
    title, picture = "# How often the intervals hold the truth", "![Coverage by measure](coverage.svg)"
    table = markdown_table(head, rows)
    reason = _NOT_ESTIMABLE.format(worst=_worst(counted))
    return "\n\n".join((title, made, _SURVEYS, table, criterion, reason, picture)) + "\n"


def _worst(points: Sequence[CoveragePoint]) -> str:
    """Say in figures where printing the whole range adds most."""
    if not points:
        return "no such point was counted"
    most = max(points, key=lambda point: point.held)
    return (
        f"the largest share, {100 * most.held:.2f} % ({most.measure}, n = {most.survey.n}, "
        f"p = {most.survey.p:g}, theta = {most.survey.theta:g}), is that of a survey in which "
        f"{100 * most.not_estimable:.0f} % of the intervals are not estimable and the test accepts the truth "
        f"in {100 * most.accepted:.2f} %"
    )


def coverage_svg(points: Sequence[CoveragePoint]) -> SafeString:
    """Return a strip of points for each measure; hollow: few rows, or often not estimable."""
    bottom = _TOP + _STEP * len(MEASURES)
    title = "Share of 95 % intervals that hold the truth"
    drawing = svg.drawing(_WIDTH, bottom + 42, title=title, paper=True)
    percents = [100 * share for share in (*FAR, *(point.held for point in points))]
    across = axes.axis_around(percents, start=_LEFT, end=_WIDTH - _EDGE)
    ends = [across.position(100 * share) for share in NEAR]
    shade = {"y": f"{_TOP - 8:g}", "height": f"{bottom - _TOP + 8:g}", "fill": svg.LINE}
    drawing.add("rect", {"x": f"{ends[0]:g}", "width": f"{ends[1] - ends[0]:g}", **shade})
    svg.text(drawing, _EDGE, 16, title, css="strong")
    svg.circle(drawing, 12, 32, 3, css="mark", fill=svg.ACCENT)
    svg.text(drawing, 22, 36, "counted; the band is 93.5 to 96.5 %")
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
            # Spread evenly by position in the grid, so that equal shares stay apart.
            y = middle - 18 + 36 * (position * 0.618 % 1)
            counted = not point.survey.few_rows and point.not_estimable <= RARELY
            paint = {"fill": svg.ACCENT} if counted else {"fill": "none", "stroke": svg.WARN}
            css = "mark" if counted else "mark--hollow"
            svg.circle(drawing, across.position(100 * point.held), round(y, 1), 1.5, css=css, **paint)
    return svg.rendered(drawing)
