"""An association rule in words, for its page and for lists."""

from __future__ import annotations

import math
from dataclasses import dataclass

from django.utils.translation import gettext as _

from privacy.printed import Measured
from surveys.formats.figures import RATIOS, SHARES
from surveys.formats.joints import join_sentences, list_text
from surveys.models import RuleRow
from surveys.questionnaire.labels import Labels
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.sentences.findings import (
    Phrase,
    itemset_phrase,
    lift_denial_sentence,
    lift_sentence,
    pair_sentence,
)
from surveys.report.sentences.group_bars import GroupBar, pair_bars
from surveys.runs.run_figures import origin_of
from surveys.runs.withheld import withheld_of


@dataclass(frozen=True, kw_only=True)
class RuleText:
    """A rule in words.

    Attributes
    ----------
    rule : RuleRow
    by, outcome : Phrase
        Its left and its right side.
    having, others : Measured or None
        Share with the right side among people with the left side, and among all others; None if the rows do
        not allow an estimate.
    lift : Measured
    filters : tuple of str
        Texts of questions that decide about composite questions of both sides.
    protected : bool
        Whether one of its answers is protected.
    """

    rule: RuleRow
    by: Phrase
    outcome: Phrase
    having: Measured
    others: Measured | None
    lift: Measured
    filters: tuple[str, ...] = ()
    protected: bool = False

    @property
    def sentence(self) -> str:
        """The finding, in the same words on every page, and what of it the questionnaire causes."""
        found = pair_sentence(self.by, self.outcome, self.having, self.others)
        if not self.filters:
            return found
        named = {"questions": list_text(f"“{text}”" for text in self.filters)}
        cause = _("Part of this link follows from the questionnaire, because both depend on %(questions)s.")
        return join_sentences([found, cause % named])

    @property
    def lift_sentence(self) -> str:
        """The ratio to the share among everyone, as a sentence."""
        return lift_sentence(self.lift)

    @property
    def denial_sentence(self) -> str:
        """The range of this ratio if some people denied a side with a protected answer; empty without one."""
        return lift_denial_sentence(self.lift) if self.protected else ""

    @property
    def bars(self) -> list[GroupBar]:
        """A bar for people with the left side, and one for all others."""
        return pair_bars(self.by, self.having, self.others)


def rule_text(rule: RuleRow, labels: Labels, others: Measured | None) -> RuleText:
    """Return a rule of a run in words.

    Parameters
    ----------
    rule : RuleRow
        Must have the intervals that `surveys.report.rules.rule_rows.rules_by_key` adds.
    labels : Labels
    others : Measured or None
        Share with the right side among people without the left side.
    """
    before, after = unpack_items(rule.antecedent), unpack_items(rule.consequent)
    return RuleText(
        rule=rule,
        by=itemset_phrase(before, labels),
        outcome=itemset_phrase(after, labels),
        having=_measurement(rule, "confidence"),
        others=others,
        lift=_measurement(rule, "lift"),
        filters=tuple(labels.common_filters(before, after)),
        protected=any(labels.items[item].protected for item in (*before, *after)),
    )


def _measurement(rule: RuleRow, name: str) -> Measured:
    value, (low, high) = getattr(rule, name), rule.intervals[name]
    possible, error = RATIOS if name == "lift" else SHARES, getattr(rule, f"{name}_se")
    is_known = value is not None and low is not None and high is not None
    if value is None or low is None or high is None:
        value, (low, high), error = math.nan, possible, None
    return Measured(
        method="ratio",
        # `surveys.report.sentences.forged.shift_text` states it for the rule's support.
        shift=None if withheld_of(rule.run) else 0.0,
        origin=origin_of(rule.run),
        value=value,
        low=low,
        high=high,
        standard_error=error,
        estimable=is_known,
        n=rule.n,
        effective_n=float(rule.n),
        level=rule.interval_level,
        possible=possible,
    )
