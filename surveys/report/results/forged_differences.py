"""How far forged rows could have moved the differences of a comparison, in words."""

from __future__ import annotations

import math

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.forged import NEVER
from surveys.formats.numbers import number
from surveys.formats.shown_counts import shown_count
from surveys.models import Run
from surveys.report.results.arm_effects import ArmText
from surveys.report.results.comparison_text import ComparisonText
from surveys.report.sentences.forged import lifting_text
from surveys.runs.forged_rows import lifting_rows
from surveys.runs.withheld import withheld_of


def flips_text(text: ComparisonText | ArmText) -> str:
    """Say how many forged rows would change the verdict of a comparison; empty if this is unknown."""
    flips = text.comparison.flips if isinstance(text, ComparisonText) else text.flips
    if flips is None:
        return ""
    if flips == NEVER:
        return _("No number of forged answers was found that changes the result.")
    return ngettext(
        "One forged answer would change this verdict.",
        "%(rows)s forged answers that are all the same would change this verdict.",
        flips,
    ) % {"rows": shown_count(flips)}


def lifted_comparison(text: ComparisonText | ArmText, run: Run) -> str:
    """Say how many forged rows show a comparison; empty unless it combines open answers."""
    if isinstance(text, ArmText):
        return ""
    return lifting_text(lifting_rows(run, (*text.by.side.all_items, *text.outcome.side.all_items)))


def forged_difference(text: ComparisonText | ArmText, run: Run) -> str:
    """Say how far forged rows could have moved the differences of a comparison; empty without any."""
    rows = withheld_of(run).rows
    if isinstance(text, ComparisonText) or not rows:
        return text.shift_text if isinstance(text, ComparisonText) else ""
    shift = _largest_arm_shift(text)
    if shift is None:
        return ""
    if not math.isfinite(shift):
        return _("Forged answers could explain all of the differences.")
    return _("Forged answers could have moved a difference of shares by up to %(points)s points.") % {
        "points": number(100 * shift, 1)
    }


def _largest_arm_shift(text: ArmText) -> float | None:
    """Return how far forged rows, all in one group, could have moved a difference of shares."""
    effects = text.results.effects
    shifts = [
        shift
        for outcome in range(effects.shares.shape[1])
        for group in range(len(effects.shares))
        if (shift := text.shift(group, outcome)) is not None
    ]
    return max(shifts, default=None)
