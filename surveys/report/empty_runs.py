"""Why a run has no rules, and what would help."""

from __future__ import annotations

from django.utils.translation import gettext as _

from mining.thresholds import Thresholds
from surveys.models import Run


def advice_without_rules(run: Run, thresholds: Thresholds) -> tuple[str, ...]:
    """Say what to change so that a run of the same rows has rules; the surest first.

    A run whose questionnaire, sides and longest itemset permit no rule at all (M = 0) is told so: no
    threshold would help it.
    """
    sides = thresholds.sides
    advice: list[str] = []
    if thresholds.max_size < 2:
        advice.append(_("Allow itemsets of at least two items: a rule has one on each side."))
    if sides.antecedent is not None or sides.consequent is not None or sides.longest_consequent is not None:
        advice.append(_("Allow more questions before or after the arrow."))
    if tests_possible(run) == 0:
        return tuple(advice) or (_("Publish a questionnaire with at least two questions that can be asked."),)
    itemsets = run.summary.get("itemsets", 0)
    if itemsets and (thresholds.confidence > 0 or thresholds.lift is not None):
        asked = [_("confidence from %s") % f"{thresholds.confidence:g}"] if thresholds.confidence > 0 else []
        asked += [_("lift from %s") % f"{thresholds.lift:g}"] if thresholds.lift is not None else []
        advice.append(_("Lower or drop the threshold: %s.") % ", ".join(asked))
    if thresholds.support > 0.001:
        advice.append(_("Lower the support, now from %s.") % f"{thresholds.support:g}")
    return tuple(advice) or (_("Wait for more answers: with these, no rule can be told from chance."),)


def tests_possible(run: Run) -> int | None:
    """Return M, the rules that could have been found; None in runs that were not tested."""
    inference = run.summary.get("inference")
    return None if inference is None else int(inference["family"]["lift"])
