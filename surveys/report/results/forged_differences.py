"""How far forged rows could have moved the differences of a comparison, in words."""

from __future__ import annotations

import math

from django.utils.translation import gettext as _

from privacy.estimation.forged_shift import share_shift
from surveys.formats.figures import number
from surveys.models import Run
from surveys.report.results.arms import ArmText
from surveys.report.results.comparison_text import ComparisonText
from surveys.runs.releasable_rows import releasable_design
from surveys.runs.withheld import withheld_of


def forged_difference(text: ComparisonText | ArmText, run: Run) -> str:
    """Say how far forged rows could have moved the differences of a comparison; empty without any."""
    rows = withheld_of(run).rows
    if isinstance(text, ComparisonText) or not rows:
        return text.shift_text(rows) if isinstance(text, ComparisonText) else ""
    shift = _largest_arm_shift(text, run, rows)
    if shift is None:
        return ""
    if not math.isfinite(shift):
        return _("Forged rows could explain all of the differences.")
    return _("Forged rows could have moved a difference of shares by up to %(points)s points.") % {
        "points": number(100 * shift, 1)
    }


def _largest_arm_shift(text: ArmText, run: Run, rows: int) -> float | None:
    """Return how far forged rows, all in one group, could have moved a difference of shares."""
    design, effects = releasable_design(run.version), text.results.effects
    shifts = [
        share_shift(
            design,
            side.items,
            value=float(effects.shares[group, outcome]),
            n=int(effects.sizes[group, outcome]),
            rows=rows,
        )
        for outcome, side in enumerate(text.results.outcomes)
        if side.items
        for group in range(len(effects.shares))
    ]
    return max(shifts, default=None)
