"""The recommended design keeps within what the site recommends, changes as little, and says what it costs."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.risk.budget import block_budget, budget
from surveys.questionnaire.checks.check import exceeds_recommended
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.recommended import Recommended, common_epsilon, recommended
from surveys.questionnaire.series import WaveLine
from tests.cast.checked_surveys import CEILINGS, document_of, protected, yes_no
from tests.cast.runs import definition
from tests.cast.scale_runs import lit, scale_definition


def mended(document: dict[str, Any], *waves: WaveLine) -> Recommended | None:
    return recommended(definition_parse(document), ceilings=CEILINGS, waves=waves)


def wave(epsilon: float) -> WaveLine:
    return WaveLine(slug="before", title="Before", epsilon=epsilon, most=epsilon)


@given(st.lists(st.floats(min_value=0.01, max_value=20), min_size=1, max_size=8), st.floats(0.1, 30))
def test_the_common_epsilon_spends_all_that_there_is_and_no_more(parts: list[float], most: float) -> None:
    shared = common_epsilon(parts, most)
    spent = math.fsum(min(part, shared) for part in parts)
    assert spent == pytest.approx(min(most, math.fsum(parts)))


@pytest.mark.parametrize(
    "document",
    [
        document_of(protected("a", *(yes_no(f"q{n}") for n in range(6)))),
        document_of(protected("a", yes_no("x"), p=8000), protected("b", yes_no("y"), p=2000)),
        definition(policy="protected"),
        definition(light=True),
        scale_definition(),
        lit(scale_definition(light=True, everywhere=True)),
    ],
)
def test_what_is_above_the_recommendation_keeps_within_it_afterwards(document: dict[str, Any]) -> None:
    before = definition_parse(document)
    found = mended(document)
    assert found is not None
    assert not exceeds_recommended(found.design, ())
    # All that is changed is how often, never what is asked.
    strong = found.design.in_group(direct=False)
    assert strong is not None
    assert budget(strong).epsilon <= 3
    for old, new in zip(before.document["blocks"], found.document["blocks"], strict=True):
        for entry in (kept := [copy.deepcopy(old), copy.deepcopy(new)]):
            entry.pop("truth_probability", None)
            entry.pop("light", None)
            for question in entry["questions"]:
                scale = question.get(question["kind"]) or {}
                for each in [scale, *(scale.get("sensitive") or [])]:
                    each.pop("epsilon", None)
        assert kept[0] == kept[1]
    for change in found.changes:
        assert block_budget(change.after).epsilon < block_budget(change.before).epsilon
        assert change.margins[1] > change.margins[0]


def test_a_part_that_tells_little_stays_as_it_is() -> None:
    found = mended(document_of(protected("a", yes_no("x"), p=9000), protected("b", yes_no("y"), p=1000)))
    assert found is not None
    assert [change.key for change in found.changes] == ["a"]
    # 1 + .1/(.9 * .5) = 11/9; what it leaves of 3 is the other's: gamma 16.43, and p at most .8853.
    left = 3 - math.log(11 / 9)
    (change,) = found.changes
    assert change.after.truth_probability == 8800
    assert block_budget(change.after).epsilon <= left < math.log(1 + 0.89 / (0.11 * 0.5))


def test_a_design_within_the_recommendation_has_no_changes() -> None:
    found = mended(document_of(protected("a", yes_no("x"), p=3000), definition()["blocks"][0]))
    assert found is not None
    assert found.changes == ()


def test_what_earlier_waves_spent_is_not_spent_again() -> None:
    document = document_of(protected("a", yes_no("x"), p=6000))
    alone, after = mended(document), mended(document, wave(2.5))
    assert alone is not None
    assert alone.changes == ()
    assert after is not None
    assert budget(after.design).epsilon <= 0.5
    assert mended(document, wave(3.5)) is None


def test_where_no_setting_does_it_there_is_none() -> None:
    direct = definition()
    direct["group"] = {"policy": "assigned", "direct_share": 9000}
    assert mended(direct) is None
