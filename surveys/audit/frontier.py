"""The frontier between distortion and leakage as a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.audit import DesignPoint
from surveys.report.curves import Series, curves_svg

__all__ = ["frontier_picture"]


def frontier_picture(
    points: Sequence[DesignPoint], edge: Sequence[DesignPoint], best: DesignPoint | None
) -> SafeString:
    """Draw the designs that were tried, the frontier among them, and the choice on it."""
    series = [
        Series(
            label=_("frontier"),
            x=[point.distortion for point in edge],
            y=[math.nan] * len(edge),
            expected=[point.leakage for point in edge],
        ),
        Series(
            label=_("designs tried"),
            x=[point.distortion for point in points],
            y=[point.leakage for point in points],
        ),
    ]
    if best is not None:
        series.append(Series(label=_("best under the limits"), x=[best.distortion], y=[best.leakage]))
    return curves_svg(
        series,
        title=_("Distortion against leakage"),
        x_label=_("D, share of answers sent otherwise than they are"),
        y_label=_("L, bits that a person's rows tell on average"),
    )
