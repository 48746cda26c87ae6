"""The frontier between distortion and leakage as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.risk import DesignPoint
from surveys.charts.curves import Series, curves_svg

__all__ = ["frontier_picture"]


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
