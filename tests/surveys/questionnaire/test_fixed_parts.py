"""Parts that keep their places are bounded together, and by what one answer may tell."""

from __future__ import annotations

import copy
import math

import pytest

from privacy.risk.budget import block_budget, question_odds
from surveys.questionnaire.aim import PROTECTIONS
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.fixed_parts import common_epsilon, fixed_parts_bounded
from tests.cast.checked_surveys import document_of, protected, yes_no
from tests.surveys.questionnaire.test_plan import number_part

MEDIUM = PROTECTIONS["medium"]


@pytest.mark.parametrize(
    ("epsilons", "most", "common"),
    [([4, 1, 4], 5, 2.0), ([1, 2], 3, math.inf), ([1, 2], 2.5, 1.5), ([], 1, math.inf), ([3], 0, 0.0)],
)
def test_large_ones_share_what_small_ones_leave(epsilons: list[float], most: float, common: float) -> None:
    assert common_epsilon(epsilons, most) == common


@pytest.mark.parametrize("shared", [False, True])
def test_a_number_and_a_coin_have_a_common_epsilon(shared: bool) -> None:
    document = document_of(copy.deepcopy(number_part()), protected("b", yes_no("a"), yes_no("c"), p=9000))
    design = definition_parse(document).design
    entries = list(zip(document["blocks"], design.blocks, strict=True))
    assert fixed_parts_bounded(entries, MEDIUM, left=math.log(19), shared=shared)
    bounded = definition_parse(document).design
    epsilons = [block_budget(block).epsilon for block in bounded.blocks]
    each = min(math.log(19) / (2 + shared), math.log(4))
    assert all(each - 0.011 < epsilon <= each for epsilon in epsilons)
    odds = question_odds(bounded.blocks[1])
    assert odds is not None
    assert odds <= 4


def test_a_part_that_tells_less_stays_as_it_is() -> None:
    document = document_of(protected("b", yes_no("a"), p=1000))
    before = copy.deepcopy(document)
    entries = [(document["blocks"][0], definition_parse(document).design.blocks[0])]
    assert fixed_parts_bounded(entries, MEDIUM, left=2.0, shared=True)
    assert document == before


def test_where_nothing_is_left_it_is_said() -> None:
    document = document_of(copy.deepcopy(number_part()))
    entries = [(document["blocks"][0], definition_parse(document).design.blocks[0])]
    assert not fixed_parts_bounded(entries, MEDIUM, left=0.005, shared=False)
