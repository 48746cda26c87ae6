"""The summary of a run's tests, counted by hand."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from mining.family import Family
from mining.inference import Families, Inference
from mining.multiple_testing import Decisions
from mining.rules import NO_RULE
from surveys.runs.conclusions import conclusions_summary


def decided(*adjusted: float) -> Decisions:
    values = np.array(adjusted)
    return Decisions(p_values=values / 2, adjusted=values, cut_off=np.full(len(values), 0.01))


FOUND = Inference(
    families=Families(
        lift=Family(by_size=((2, 10), (3, 30))),
        confidence=Family(by_size=((2, 20), (3, 90))),
        itemsets=Family(by_size=((1, 5), (2, 9))),
    ),
    lift=decided(0.01, 0.05, 0.051, 1),
    confidence=decided(0.2, 0.001, 0.3, 0.4),
    rule_level=0.98,
    itemset_level=0.97,
    explained_by=np.array([NO_RULE, 0, 0, NO_RULE]),
    fragility=np.array([1, 2, -1, -2]),
    maximal=np.array([False, True, True]),
    closed=np.array([True, True, True]),
    result=SimpleNamespace(),
)


def test_each_figure_is_the_count_of_its_own_array() -> None:
    assert conclusions_summary(FOUND) == {
        "family": {"lift": 40, "lift_by_size": {"2": 10, "3": 30}, "confidence": 110},
        "tested": "lift",
        "passing": 2,
        "redundant": 2,
        "passing_confidence": 1,
        "rule_level": 0.98,
        "itemset_level": 0.97,
        "itemset_family": 14,
        "maximal": 2,
        "closed": 3,
    }


def test_without_a_threshold_no_rule_passes_a_test_of_confidence() -> None:
    found = conclusions_summary(replace(FOUND, confidence=None))
    assert found["passing_confidence"] is None
    assert json.loads(json.dumps(found)) == found
