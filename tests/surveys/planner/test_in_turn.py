"""A draft whose whole parts take turns: what is proposed, said and taken, numbers among the parts."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from privacy.planning.part_variance import mean_variance
from privacy.planning.parts_in_turn import asked_part
from privacy.risk.budget import block_budget, budget, question_odds
from privacy.scales.decoding import expected_variance
from privacy.scales.mean_place import place_variance
from privacy.survey.booklets import Rotation
from privacy.survey.design import Design
from surveys.planner.fewer_people import draft_with_fewer_people, of_draft
from surveys.planner.in_turn import DraftInTurn, draft_in_turn, left_for
from surveys.questionnaire.checks import check_definition
from surveys.questionnaire.checks.ceilings import Ceiling, Ceilings
from surveys.questionnaire.definition import definition_parse
from tests.cast.checked_surveys import CEILINGS, document_of, protected, unprotected, yes_no

N = 20_000
ROOM = replace(CEILINGS, survey=Ceiling(warn=9, refuse=12))
"""For drafts whose parts tell more together than a person should: they stay above it in turn, too."""
SOUTH_WEST = {"west": 0.0, "south": 0.0, "east": 0.04, "north": 0.04}


def hours(key: str, epsilon: float = 1.0, **more: Any) -> dict[str, Any]:
    question = {
        "key": key,
        "kind": "number",
        "text": {"en": f"How many hours of {key}?"},
        "number": {"mechanism": "keep", "epsilon": epsilon, "low": 0, "high": 79, "bin": 10},
    }
    return {"key": f"part-{key}", "protected": True, "title": {"en": key}, "questions": [question], **more}


def with_numbers(**more: Any) -> dict[str, Any]:
    return document_of(
        protected("a", yes_no("a1"), yes_no("a2"), p=2500, **more),
        protected("b", yes_no("b1"), p=3000, **more),
        *(hours(key) for key in ("work", "care", "sport", "sleep")),
    )


def turns_of(
    document: dict[str, Any], *, most_odds: float = math.inf, ceilings: Ceilings = ROOM
) -> DraftInTurn:
    found = draft_in_turn(definition_parse(document), n=N, ceilings=ceilings, largest=2, most_odds=most_odds)
    assert found is not None
    return found


def variance_of(design: Design) -> float:
    """Return n times the mean variance of supports of one and of two items; numbers have no supports."""
    blocks = [block for block in design.blocks if block.protected and not block.is_scale]
    order = [block.key for block in blocks]
    order += [block.key for block in design.blocks if block.key not in order]
    turns = [
        (tuple(order.index(key) for key in rotation.blocks), rotation.parts_per_person)
        for rotation in design.rotations
    ]
    return mean_variance([asked_part(block) for block in blocks], (1, 2), rotations=turns)


def test_numbers_and_parts_take_turns_and_nothing_is_less_exact() -> None:
    before = definition_parse(with_numbers()).design
    found = turns_of(with_numbers())
    after = found.after.design
    (rotation,) = after.rotations
    assert rotation == Rotation(blocks=found.keys, parts_per_person=found.design.parts_per_person)
    assert len(found.keys) == 6
    assert budget(after).epsilon <= found.design.epsilon < 0.9 * budget(before).epsilon
    assert variance_of(after) <= variance_of(before) * 1.001
    share = rotation.parts_per_person / 6
    for old, new in zip(before.blocks[2:], after.blocks[2:], strict=True):
        assert expected_variance(new.disguise) / share <= expected_variance(old.disguise)


def test_a_part_in_place_of_some_leaves_the_others_of_a_person_their_epsilon() -> None:
    """Two numbers at epsilon 1 beside: what a person may tell is of all parts, those that stay among them."""
    design = definition_parse(
        document_of(protected("a", yes_no("a1"), p=2500), hours("work"), hours("care"))
    ).design
    stay = math.fsum(block_budget(block).epsilon for block in design.blocks[1:])
    assert 1.9 < stay < 2
    for block, survey, wanted in ((6.0, 3.0, 3 - stay), (0.5, 3.0, 0.5), (6.0, 1.5, 6.0)):
        ceilings = replace(
            CEILINGS, block=Ceiling(warn=block, refuse=9), survey=Ceiling(warn=survey, refuse=9)
        )
        assert left_for(design, design.blocks[:1], ceilings) == pytest.approx(wanted)


@pytest.mark.parametrize("ceiling", [0.9, 1.2, 1.6, 2.0, 3.0, 4.0])
@pytest.mark.parametrize("more", [[], ["c"], ["c", "d", "e"]])
@pytest.mark.parametrize("stays", [False, True])
def test_what_a_person_is_asked_is_never_above_the_ceiling_of_a_person(
    ceiling: float, more: list[str], stays: bool
) -> None:
    """Two parts, or more, beside one that some people only are asked: the ceiling is of all of them."""
    coins = [protected(key, yes_no(f"{key}1"), p=2500) for key in ("a", "b", *more)]
    opened = unprotected("open", {"key": "o", "kind": "yes_no", "text": {"en": "o"}})
    routed = protected("routed", yes_no("r"), p=2000, asked_if={"question": "o", "options": ["yes"]})
    definition = definition_parse(document_of(*([opened, *coins, routed] if stays else coins)))
    ceilings = replace(CEILINGS, survey=Ceiling(warn=ceiling, refuse=9))
    found = draft_in_turn(definition, n=N, ceilings=ceilings, largest=1, most_odds=math.inf)
    loose = draft_in_turn(definition, n=N, ceilings=ROOM, largest=1, most_odds=math.inf)
    if found is None:
        # Of so many parts there is nothing to be gained, or it would tell too much.
        assert loose is None or budget(loose.after.design).epsilon > ceiling
    else:
        assert budget(found.after.design).epsilon <= ceiling
        assert loose is not None


def test_what_is_proposed_passes_the_checks() -> None:
    found = turns_of(with_numbers(), ceilings=CEILINGS)
    codes = {one.code for one in check_definition(found.after, ceilings=CEILINGS)}
    assert not codes & {
        "block_epsilon",
        "survey_epsilon",
        "question_odds",
        "never_together",
        "rotation_routed",
    }
    strict = turns_of(with_numbers(), most_odds=2.5).after.design
    odds = question_odds(strict.blocks[0])
    assert odds is not None
    assert odds <= 2.5


def test_the_page_says_it_and_the_button_takes_it() -> None:
    definition = definition_parse(with_numbers())
    said = of_draft(definition, n=N, ceilings=CEILINGS, largest=2, most_odds=math.inf)
    assert said is not None
    assert said.saves
    assert said.in_turn
    found = turns_of(with_numbers()).design
    assert said.sentences[0].startswith("The same 20,000 people, and ε ")
    assert said.sentences[0].endswith(f"ask each {found.parts_per_person} of these 6 parts.")
    assert "learnt from those who are asked both" in said.other_side[0]
    document = draft_with_fewer_people(definition, n=N, ceilings=CEILINGS, largest=2, most_odds=math.inf)
    assert document is not None
    assert document["rotations"][0]["parts_per_person"] == found.parts_per_person
    # What is taken has no second rotation to propose.
    again = definition_parse(document)
    assert draft_in_turn(again, n=N, ceilings=CEILINGS, largest=2, most_odds=math.inf) is None


def test_skips_come_along_and_a_stated_light_strength_is_said_to_go() -> None:
    skipping = with_numbers(refusal=2000)
    skipping["blocks"][2]["refusal"] = True
    after = turns_of(skipping).after
    assert after.document["blocks"][0]["refusal"] == 2000
    assert after.document["blocks"][1]["refusal"] == 3334
    assert after.document["blocks"][2]["refusal"] is True
    assert after.design.blocks[2].refusal is not None


def test_parts_of_some_people_stay_and_are_named() -> None:
    routed = protected("routed", yes_no("r"), p=2000, asked_if={"question": "o", "options": ["yes"]})
    opened = unprotected("open", {"key": "o", "kind": "yes_no", "text": {"en": "o"}})
    document = with_numbers()
    document["blocks"] = [opened, *document["blocks"], routed]
    assert "routed" not in turns_of(document).keys
    said = of_draft(definition_parse(document), n=N, ceilings=CEILINGS, largest=2, most_odds=math.inf)
    assert said is not None
    assert "Parts that some people only are asked stay as they are: routed." in said.other_side


@pytest.mark.parametrize(
    "blocks",
    [
        [protected("a", yes_no("a1"), yes_no("a2"))],
        [protected("a", yes_no("a1"), yes_no("a2")), hours("work")],
        [hours("work"), hours("care"), hours("sport")],
    ],
)
def test_too_few_parts_or_no_shares_have_no_turns(blocks: list[dict[str, Any]]) -> None:
    found = draft_in_turn(
        definition_parse(document_of(*blocks)), n=N, ceilings=CEILINGS, largest=2, most_odds=math.inf
    )
    assert found is None


def test_where_one_part_of_all_saves_more_that_is_proposed() -> None:
    parts = [protected(f"p{n}", yes_no(f"q{n}a"), yes_no(f"q{n}b"), p=1704) for n in range(5)]
    definition = definition_parse(document_of(*parts))
    assert draft_in_turn(definition, n=100_000, ceilings=CEILINGS, largest=2, most_odds=math.inf) is not None
    document = draft_with_fewer_people(
        definition, n=100_000, ceilings=CEILINGS, largest=2, most_odds=math.inf
    )
    assert document is not None
    assert "rotations" not in document


def test_where_nothing_is_saved_by_parts_in_turn_the_page_says_so_too() -> None:
    loud = [protected(key, yes_no(f"{key}1"), p=9000) for key in ("a", "b", "c")]
    said = of_draft(
        definition_parse(document_of(*loud)), n=200, ceilings=CEILINGS, largest=2, most_odds=math.inf
    )
    assert said is not None
    assert not said.saves
    assert (
        said.sentences[-1] == "Asking each person some of the parts saves nothing within the ceilings either."
    )


def district(epsilon: float, **more: Any) -> dict[str, Any]:
    question = {
        "key": "home",
        "kind": "place",
        "text": {"en": "Where do you live?"},
        "place": {
            "mechanism": "square",
            "epsilon": epsilon,
            "area": {"west": 0.0, "south": 0.0, "east": 0.09, "north": 0.09},
            "cell": 1000,
        },
    }
    return {"key": "part-home", "protected": True, "title": {"en": "Home"}, "questions": [question], **more}


@pytest.mark.slow
@pytest.mark.parametrize("skip", [{}, {"refusal": True}], ids=["answered", "skipped"])
def test_a_place_takes_turns_and_its_mean_is_as_exact(skip: dict[str, Any]) -> None:
    document = with_numbers()
    document["blocks"].append(district(1.5, **skip))
    before = definition_parse(document).design.blocks[-1]
    found = turns_of(document)
    after = found.after.design.blocks[-1]
    assert "part-home" in found.keys
    share = found.design.parts_per_person / len(found.keys)
    was, now = (place_variance(one.disguise, skipping=one.skipping) for one in (before, after))
    assert now <= was * share
    # A hundredth less would not do.
    read = definition_parse(
        {
            **document,
            "blocks": [
                *document["blocks"][:-1],
                district(
                    found.after.document["blocks"][-1]["questions"][0]["place"]["epsilon"] - 0.01, **skip
                ),
            ],
        }
    )
    less = read.design.blocks[-1]
    assert place_variance(less.disguise, skipping=less.skipping) > was * share
    said = of_draft(definition_parse(document), n=N, ceilings=ROOM, largest=2, most_odds=math.inf)
    assert said is not None
    assert any(sentence.startswith("So is the mean of each place") for sentence in said.sentences)
    assert not any("Places stay" in sentence for sentence in said.other_side)


def test_a_place_that_is_sent_exactly_outside_some_areas_stays_and_is_named() -> None:
    document = with_numbers()
    place = district(1.5)
    place["questions"][0]["place"] |= {"mechanism": "utility_square", "sensitive": [SOUTH_WEST]}
    document["blocks"].append(place)
    found = turns_of(document)
    assert "part-home" not in found.keys
    said = of_draft(definition_parse(document), n=N, ceilings=CEILINGS, largest=2, most_odds=math.inf)
    assert said is not None
    assert any(
        sentence.startswith("Places stay") and sentence.endswith("part-home.") for sentence in said.other_side
    )
