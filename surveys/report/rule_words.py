"""A rule as pages state it: one sentence with the interval of its choice, and two bars."""

from __future__ import annotations

import math
from dataclasses import dataclass

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Side
from privacy.estimation.estimates import Measured
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import Labels, unpack_items
from surveys.report.frequencies import Bar, Phrase, itemset_phrase, lift_sentence, pair_bars, pair_sentence
from surveys.report.rule_rows import PLANNED_LEVEL, level_of, picked_level
from surveys.runs.groups import compared


@dataclass(frozen=True, kw_only=True)
class RuleText:
    """A rule in words.

    Attributes
    ----------
    rule : RuleRow
    by, outcome : Phrase
        Its left and its right side.
    having, others : Measured or None
        How many of those with the left side have the right side, and how many of all others; None where the
        run's rows do not say.
    lift : Measured
    is_drawn : bool
        Whether devices draw who is asked about it.
    """

    rule: RuleRow
    by: Phrase
    outcome: Phrase
    having: Measured
    others: Measured | None
    lift: Measured
    is_drawn: bool = False

    @property
    def sentence(self) -> str:
        """The finding, as every page states it."""
        return pair_sentence(self.by, self.outcome, self.having, self.others)

    @property
    def lift_sentence(self) -> str:
        """How many times the share among everyone that is."""
        return lift_sentence(self.lift)

    @property
    def bars(self) -> list[Bar]:
        """People with the left side, and all others."""
        return pair_bars(self.by, self.having, self.others)


def rule_text(rule: RuleRow, labels: Labels, others: Measured | None, *, is_drawn: bool = False) -> RuleText:
    """Return a rule of a run in words.

    Parameters
    ----------
    rule : RuleRow
        With the intervals that `surveys.report.rule_rows.rules_by_key` gave it.
    labels : Labels
    others : Measured or None
        How many without its left side have its right side.
    is_drawn : bool
    """
    return RuleText(
        rule=rule,
        by=itemset_phrase(unpack_items(rule.antecedent), labels),
        outcome=itemset_phrase(unpack_items(rule.consequent), labels),
        having=_measured(rule, "confidence"),
        others=others,
        lift=_measured(rule, "lift"),
        is_drawn=is_drawn,
    )


def others_of(run: Run, rule: RuleRow) -> Measured | None:
    """Return how many without the left side of a rule have its right side; None where that is refused."""
    before, after = (Side(items=unpack_items(side)) for side in (rule.antecedent, rule.consequent))
    try:
        return compared(run, before, after, level=level_of(run, rule)).others
    except PrivacyError:
        return None


def selection_words(run: Run) -> str:
    """Name the intervals of rules, and their correction."""
    said = _(
        "The numbers in brackets are %(level)s%% confidence intervals: wider than 95%%, because "
        "Sottovoce chose "
        "from %(family)s possible rules."
    )
    return _selection(said, picked_level(run), run.summary["inference"]["family"]["lift"])


def itemset_selection_words(run: Run) -> str:
    """Name the intervals of itemsets, and their correction: shares of single answers were not selected."""
    said = _(
        "The numbers in brackets are 95%% confidence intervals for single answers. For several answers "
        "together they are %(level)s%% intervals: wider, because Sottovoce chose from %(family)s possible "
        "itemsets."
    )
    tests = run.summary["inference"]
    return _selection(said, tests["itemset_level"], tests["itemset_family"])


def _selection(said: str, level: float, family: int) -> str:
    if level <= PLANNED_LEVEL:
        return _("The numbers in brackets are 95% confidence intervals.")
    digits = max(1, 1 - math.floor(math.log10(100 * (1 - level))))
    return said % {"level": f"{100 * level:.{digits}f}", "family": format(family, ",")}


def _measured(rule: RuleRow, name: str) -> Measured:
    value, (low, high) = getattr(rule, name), rule.printed[name]
    if value is None or low is None or high is None:
        return Measured(value=float("nan"), low=0.0, high=1.0, standard_error=None, estimable=False)
    return Measured(
        value=value, low=low, high=high, standard_error=getattr(rule, f"{name}_se"), estimable=True
    )
