"""The frontier: the error that each amount of privacy costs, with the choice on it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.planning.frontier import DesignPoint
from surveys.charts.curves import Series, curves_svg


def frontier_svg(frontier: Sequence[tuple[float, float, float]], *, chosen: float) -> SafeString:
    """Draw (p, epsilon, standard error) as a curve over epsilon, with the chosen p as a point of its own.

    Errors beyond ten times that of the choice are left out: at tiny p they would press the rest flat.
    """
    at = next(point for point in frontier if point[0] == chosen)
    shown = [point for point in frontier if point[2] <= 10 * at[2]]
    return curves_svg(
        [
            Series(label=_("every p"), x=[point[1] for point in shown], y=[point[2] for point in shown]),
            Series(label=_("your p: %(share)s %%") % {"share": f"{100 * chosen:g}"}, x=[at[1]], y=[at[2]]),
        ],
        title=_("Privacy against error, one point for each p"),
        x_label=_("ε of all parts"),
        y_label=_("largest standard error of an item"),
        paper=False,
    )


def frontier_picture(
    edge: Sequence[DesignPoint], best: DesignPoint | None, *, paper: bool = False
) -> SafeString:
    """Draw the designs that no other one beats, and the choice, which has more precision to offer.

    With `paper` the picture has a background, to be saved.
    """
    series = [
        Series(
            label=_("no other design beats these"),
            x=[point.distortion for point in edge],
            y=[point.leakage for point in edge],
        )
    ]
    if best is not None:
        series.append(Series(label=_("best under the limits"), x=[best.distortion], y=[best.leakage]))
    return curves_svg(
        series,
        title=_("Distortion against leakage"),
        x_label=_("D, share of answers changed"),
        y_label=_("L, bits told on average"),
        paper=paper,
    )
