"""Advice for a run without rules."""

from __future__ import annotations

from django.utils.translation import gettext as _

from mining.thresholds import Thresholds
from surveys.formats.joints import list_text
from surveys.models import Run


def advice_without_rules(run: Run, thresholds: Thresholds) -> tuple[str, ...]:
    """Return what to change so that a run on the same rows lists rules, the surest change first.

    If the questionnaire, sides and longest itemset permit no rule at all (M = 0), no threshold would help, so
    the advice differs.
    """
    sides = thresholds.sides
    advice: list[str] = []
    if thresholds.max_size < 2:
        advice.append(_("Allow itemsets of at least 2 items. A rule needs at least one item on each side."))
    if sides.antecedent is not None or sides.consequent is not None:
        advice.append(_("Allow more questions before or after the arrow."))
    if run.summary["inference"]["family"]["lift"] == 0:
        return tuple(advice) or (_("Publish a questionnaire with at least two questions that can be asked."),)
    itemsets = run.summary.get("itemsets", 0)
    if itemsets and (thresholds.confidence > 0 or thresholds.lift is not None):
        threshold_names = (
            [_("confidence from %s") % f"{thresholds.confidence:g}"] if thresholds.confidence > 0 else []
        )
        threshold_names += [_("lift from %s") % f"{thresholds.lift:g}"] if thresholds.lift is not None else []
        advice.append(_("Lower or remove the threshold: %s.") % list_text(threshold_names))
    if thresholds.support > 0.001:
        advice.append(_("Lower the support, now from %s.") % f"{thresholds.support:g}")
    return tuple(advice) or (
        _("Wait for more answers. With these, no rule can be distinguished from random noise."),
    )
