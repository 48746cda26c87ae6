"""How the intervals of selected rules and itemsets allow for the selection, in words."""

from __future__ import annotations

import math

from django.utils.translation import gettext as _

from surveys.models import RuleRow, Run
from surveys.runs.planned_sides import planned_sides
from surveys.runs.rule_levels import PLANNED_LEVEL, levels_of


def selection_words(run: Run, rule: RuleRow | None = None) -> str:
    """Explain the intervals of rules and their correction, or those of one rule."""
    template = _(
        "The numbers in brackets are %(level)s%% confidence intervals: wider than 95%%, because Sottovoce "
        "chose from %(family)s possible associations."
    )
    return _selection_sentence(template, levels_of(run, rule)[0], run.summary["inference"]["family"]["lift"])


def rule_selection_words(run: Run, rule: RuleRow | None = None) -> str:
    """Explain the intervals of rules, or of one rule, where the support has an interval too."""
    words, (level, support_level) = selection_words(run, rule), levels_of(run, rule)
    if level != support_level:
        template = _("Those of the support are %(level)s%% intervals.")
        words += " " + template % {"level": _level_text(support_level)}
    return words if rule or not planned_sides(run) else words + " " + _("The planned pair has 95% intervals.")


def itemset_selection_words(run: Run) -> str:
    """Explain the intervals of itemsets; only those of several answers are corrected for selection."""
    template = _(
        "The numbers in brackets are 95%% confidence intervals for single answers. For several answers "
        "together they are %(level)s%% intervals: wider, because Sottovoce chose from %(family)s possible "
        "itemsets."
    )
    tests = run.summary["inference"]
    words = _selection_sentence(template, tests["itemset_level"], tests["itemset_family"])
    return words + " " + _("The planned pair has 95% intervals.") if planned_sides(run) else words


def _selection_sentence(text: str, level: float, family: int) -> str:
    if level <= PLANNED_LEVEL:
        return _("The numbers in brackets are 95% confidence intervals.")
    return text % {"level": _level_text(level), "family": format(family, ",")}


def _level_text(level: float) -> str:
    digits = max(1, 1 - math.floor(math.log10(100 * (1 - level))))
    return f"{100 * level:.{digits}f}"
