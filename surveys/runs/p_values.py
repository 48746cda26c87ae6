"""P-values of a run with their tests: those of stored rules, itemsets, draws and triples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from privacy.estimation.draw_tests import draw_p_value
from privacy.p_values import PValue, TestName
from surveys.models import ItemsetRow, RuleRow, Run
from surveys.runs.run_figures import origin_of

RULE_TESTS: Final[Mapping[str, tuple[TestName, str, bool]]] = {
    "p_value": ("lift above 1", "lift", False),
    "p_adjusted": ("lift above 1", "lift", True),
    "confidence_p_value": ("confidence above", "confidence", False),
    "confidence_p_adjusted": ("confidence above", "confidence", True),
}
"""Stored p-values of a rule: what was tested, its family, and whether they are adjusted."""


def rule_p_value(rule: RuleRow, name: str, run: Run) -> PValue:
    """Return a stored p-value of a rule with its test.

    Parameters
    ----------
    rule : RuleRow
    name : str
        One of `RULE_TESTS`.
    run : Run
        The run of the rule.
    """
    value = getattr(rule.inference, name)
    test, family, is_adjusted = RULE_TESTS[name]
    return PValue(
        value=math.nan if value is None else value,
        test=test,
        n=rule.n,
        estimable=value is not None,
        adjustment="Benjamini-Yekutieli" if is_adjusted else "none",
        family=run.summary["inference"]["family"][family] if is_adjusted else 1,
        origin=origin_of(run),
    )


def groups_p_value(itemset: ItemsetRow, run: Run) -> PValue:
    """Return the stored p-value of "both groups have the same share"; not estimable if there is none."""
    value = itemset.inference.groups_p_value
    return PValue(
        value=math.nan if value is None else value, test="two groups alike", n=itemset.n,
        estimable=value is not None, adjustment="none", family=1, origin=origin_of(run),
    )  # fmt: skip


def stored_draw_p_value(line: Mapping[str, Any], run: Run) -> PValue:
    """Return the p-value of a stored test of the draws, see `surveys.runs.draw_facts.draws_summary`."""
    return draw_p_value(line["about"], line["p_value"], line["n"], origin_of(run))


def three_way_p_value(stored: Mapping[str, Any], run: Run) -> PValue:
    """Return the p-value of three answers together; earlier versions did not store its n.

    Parameters
    ----------
    stored : mapping
        As `surveys.runs.three_way.three_way_of` returns it.
    run : Run
    """
    value, n = stored["p_value"], stored["n"]
    return PValue(
        value=math.nan if value is None else value,
        test="three answers" if n is not None else "earlier version",
        n=n or 0,
        estimable=value is not None,
        adjustment="none",
        family=1,
        origin=origin_of(run),
    )


def methods_in_files(tests: Mapping[str, PValue]) -> dict[str, str]:
    """Return how the p-values in columns of a file were made, in English; n is in each row.

    Parameters
    ----------
    tests : mapping of str to PValue
        A p-value of each column.
    """
    return {name: own.method for name, own in tests.items()}


def rule_methods(run: Run) -> dict[str, str]:
    """Return how the p-values in files of rules were made."""
    families = run.summary["inference"]["family"]
    return methods_in_files(
        {
            name: PValue(
                value=math.nan, test=test, n=run.n or 0, estimable=False,
                adjustment="Benjamini-Yekutieli" if is_adjusted else "none",
                family=families[family] if is_adjusted else 1, origin=origin_of(run),
            )
            for name, (test, family, is_adjusted) in RULE_TESTS.items()
        }
    )  # fmt: skip
