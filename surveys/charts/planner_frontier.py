"""The frontier: the error that each amount of privacy costs, with the choice on it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.risk import DesignPoint
from surveys.charts import svg
from surveys.charts.curves import Series, curves_svg

WIDTH, HEIGHT = 620.0, 340.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 24.0, 40.0, 46.0


def frontier_svg(
    frontier: Sequence[tuple[float, float, float]],
    *,
    chosen: float,
    title: str,
    x_label: str,
    y_label: str,
    choice: str,
) -> SafeString:
    """Draw (p, epsilon, standard error) as a curve over epsilon, with the chosen p as a large point.

    Errors beyond ten times that of the choice are left out: at tiny p they would press the rest flat.
    """
    at = next(point for point in frontier if point[0] == chosen)
    shown = [point for point in frontier if point[2] <= 10 * at[2]]
    drawing = svg.drawing(WIDTH, HEIGHT, title=title)
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    across = svg.axis_over([point[1] for point in shown], start=LEFT, end=right)
    up = svg.axis_over([point[2] for point in shown], start=bottom, end=TOP)
    for tick in up.ticks:
        svg.line(drawing, LEFT, up.place(tick), right, up.place(tick), css="grid", stroke=svg.LINE)
        svg.text(drawing, LEFT - 8, up.place(tick) + 4, up.label(tick), text_anchor="end")
    for tick in across.ticks:
        svg.text(drawing, across.place(tick), bottom + 18, across.label(tick), text_anchor="middle")
    svg.line(drawing, LEFT, bottom, right, bottom, css="axis", stroke=svg.STRONG)
    svg.text(drawing, right, HEIGHT - 8, f"{x_label} →", text_anchor="end")
    svg.text(drawing, LEFT, 18, f"↑ {y_label}")
    places = " ".join(f"{across.place(epsilon):g},{up.place(error):g}" for _p, epsilon, error in shown)
    drawing.add(
        "polyline",
        {"points": places, "fill": "none", "stroke": svg.SOFT, "stroke-width": "1.5", "class": "curve"},
    )
    for _p, epsilon, error in shown:
        svg.circle(drawing, across.place(epsilon), up.place(error), 3, css="mark", fill=svg.SOFT)
    x, y = across.place(at[1]), up.place(at[2])
    svg.circle(drawing, x, y, 6, css="mark", fill=svg.ACCENT)
    beyond = x > WIDTH - 160
    svg.text(
        drawing, x - 10 if beyond else x + 10, y - 10, f"{choice}: {100 * chosen:g} %", css="label",
        text_anchor="end" if beyond else "start",
    )  # fmt: skip
    return svg.rendered(drawing)


def frontier_picture(edge: Sequence[DesignPoint], best: DesignPoint | None) -> SafeString:
    """Draw the designs that no other one beats, and the choice, which has more precision to offer."""
    series = [
        Series(
            label=_("frontier"),
            x=[point.distortion for point in edge],
            y=[point.leakage for point in edge],
            expected=[point.leakage for point in edge],
        )
    ]
    if best is not None:
        series.append(Series(label=_("best under the limits"), x=[best.distortion], y=[best.leakage]))
    return curves_svg(
        series,
        title=_("Distortion against leakage"),
        x_label=_("D, share of answers changed"),
        y_label=_("L, bits told on average"),
    )
