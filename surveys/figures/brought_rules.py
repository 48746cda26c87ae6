"""Test a given list of rules in the rows behind a run: the list is the family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mining.family import Family
from mining.significance import Correction, decisions, selection_level
from privacy.errors import PrivacyError
from privacy.estimation.design_index import index_of
from privacy.estimation.intervals import Rule, measure_rules
from privacy.estimation.measures import RuleMeasures
from privacy.estimation.one_sided_tests import p_values
from privacy.estimation.patterns import MOST_ITEMS
from privacy.estimation.required_counts import required_counts
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.figures.rule_list import NamedRule
from surveys.models import Run
from surveys.questionnaire.labels import Labels
from surveys.rows.releasable_rows import rows_behind

__all__ = ["BroughtRule", "BroughtRules", "rules_named", "rules_tested"]

_LONGEST_NAME: Final = 80
_YES: Final = ("=yes", "=true", "=1")
"""What other programs write behind the name of a yes/no item."""


@dataclass(frozen=True, kw_only=True)
class BroughtRule:
    """One rule of a list, tested.

    Attributes
    ----------
    rule : Rule
    measures : RuleMeasures or None
        None where too few people are in the rule for a figure; it counts as tested and failed.
    p_value, p_adjusted : float
        One-sided, of "lift is above 1"; within the list.
    holds : bool
    """

    rule: Rule
    measures: RuleMeasures | None
    p_value: float
    p_adjusted: float
    holds: bool


@dataclass(frozen=True, kw_only=True)
class BroughtRules:
    """Rules of a list, tested together.

    Attributes
    ----------
    rules : tuple of BroughtRule
        In the order of the list.
    family : int
        M, the hypotheses: a rule and the one the other way round are the same one.
    correction : {"by", "bh", "holm"}
    level : float
        Of the intervals: all of them hold together with a chance of 95 % at least.
    """

    rules: tuple[BroughtRule, ...]
    family: int
    correction: Correction
    level: float


def rules_named(
    named: Iterable[NamedRule], labels: Labels, design: Design
) -> tuple[tuple[Rule, ...], list[tuple[int, PrivacyError]]]:
    """Find the items that a list names, by their keys or as the page calls them.

    Returns
    -------
    tuple of Rule
        Each once, in the order of the list.
    list of (int, PrivacyError)
        Lines without two sides, with a name of no item, or with answers that nobody can give together.
    """
    known = {item.short.casefold(): item.index for item in labels.items}
    known |= {item.key.casefold(): item.index for item in labels.items}
    index = index_of(design)
    rules: dict[Rule, None] = {}
    others = []
    for brought in named:
        try:
            rule = _sides(brought, known)
            index.itemset(_items_of(rule))
        except PrivacyError as error:
            others.append((brought.line, error))
        else:
            rules[rule] = None
    return tuple(rules), others


def _sides(named: NamedRule, known: dict[str, int]) -> Rule:
    if not named.antecedent or not named.consequent:
        raise SurveyError("rule_list.sides")
    before, after = (
        tuple(sorted({_item(name, known) for name in side})) for side in (named.antecedent, named.consequent)
    )
    if set(before) & set(after):
        raise SurveyError("rule_list.both")
    if len(before) + len(after) > MOST_ITEMS:
        raise SurveyError("rule_list.long", count=len(before) + len(after), most=MOST_ITEMS)
    return before, after


def _items_of(rule: Rule) -> tuple[int, ...]:
    return tuple(sorted((*rule[0], *rule[1])))


def _item(name: str, known: dict[str, int]) -> int:
    wanted = name.casefold()
    for spelt in (wanted, *(wanted.removesuffix(end) for end in _YES if wanted.endswith(end))):
        if spelt in known:
            return known[spelt]
    raise SurveyError("rule_list.item", name=name[:_LONGEST_NAME])


def rules_tested(run: Run, rules: Sequence[Rule]) -> BroughtRules:
    """Estimate and test rules in the rows behind a run, with its estimator and its correction.

    Parameters
    ----------
    run : Run
        Finished.
    rules : sequence of Rule
        One at least, as `rules_named` returns them.

    Raises
    ------
    SurveyError
        ``snapshot``, ``too_few``.

    Notes
    -----
    The list was made elsewhere, before anybody looked here: its M hypotheses are the family. Each has the
    same share of the level, and one that cannot be told has p = 1. A run without a correction lends none, so
    the list has Benjamini and Yekutieli's. Intervals have level 1 - .05/M (Bonferroni): whichever of them are
    reported afterwards, all of them hold together with a chance of 95 % at least.
    """
    rows = rows_behind(run).with_results()
    design, cache = rows.design, rows.count_cache
    thresholds = run.thresholds
    correction: Correction = "by" if thresholds.correction == "none" else thresholds.correction
    enough = set(rows.releasable(map(_items_of, rules)))
    releasable = np.array([_items_of(rule) in enough for rule in rules])
    tested = [rule for rule, on in zip(rules, releasable, strict=True) if on]
    hypotheses = [frozenset(rule) for rule in rules]
    family = Family(by_size=((1, len(set(hypotheses))),))
    level = selection_level(1, family.total)
    counts = cache.need(required_counts(tested, design))
    estimator, target = thresholds.estimator, thresholds.target
    table = measure_rules(counts, tested, design, estimator=estimator, target=target, level=level)
    measures = {rule: table[position] for position, rule in enumerate(tested)}
    raw = np.ones(len(rules))
    raw[releasable] = p_values(counts, tested, design, estimator=estimator, target=target)
    decided = decisions(raw, hypotheses, np.ones(len(rules), dtype=np.int64), family, correction)
    return BroughtRules(
        rules=tuple(
            BroughtRule(
                rule=rule,
                measures=measures.get(rule),
                p_value=float(raw[position]),
                p_adjusted=float(decided.adjusted[position]),
                holds=bool(decided.passes[position]),
            )
            for position, rule in enumerate(rules)
        ),
        family=family.total,
        correction=correction,
        level=level,
    )
