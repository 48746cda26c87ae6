"""A draft keeps the headings of parts that a plan joined."""

from typing import Any

import pytest

from surveys.authoring.translations import texts_of
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.draft_plan import planned_document
from surveys.questionnaire.headings import (
    heading_of,
    headings_in,
    joined_heading_sentences,
    with_headings,
)
from tests.surveys.questionnaire.test_one_answer import act, draft, part


def two_parts() -> dict[str, Any]:
    first = part(act("hit"), act("kick"), key="physical", title={"en": "Physical", "zh-hans": "身体"})
    second = part(act("shame"), act("scare"), key="mental", title={"en": "Mental", "zh-hans": "精神"})
    return draft(first, second)


def test_a_plan_that_joins_parts_keeps_their_headings_and_so_does_the_next_plan() -> None:
    planned = planned_document(definition_parse(two_parts()), Aim(people=300))
    (joined,) = planned["blocks"]
    assert len(joined["questions"]) == 4
    kept = [
        {"title": {"en": "Physical", "zh-hans": "身体"}, "questions": ["hit", "kick"]},
        {"title": {"en": "Mental", "zh-hans": "精神"}, "questions": ["shame", "scare"]},
    ]
    assert planned["headings"] == kept
    # A part that comes later is joined, too. The joined part's title is no heading.
    late = part(act("steal"), act("cheat"), key="money", title={"en": "Money", "zh-hans": "钱"})
    more = planned_document(
        definition_parse(planned | {"blocks": [*planned["blocks"], late]}), Aim(people=300)
    )
    assert more["headings"] == [
        *kept,
        {"title": {"en": "Money", "zh-hans": "钱"}, "questions": ["steal", "cheat"]},
    ]
    # Surveys ignore them, and nobody translates them.
    without = {name: value for name, value in more.items() if name != "headings"}
    assert definition_parse(more).design == definition_parse(without).design
    assert definition_parse(more).wording == definition_parse(without).wording
    assert not any(where.startswith("headings") for where, _texts in texts_of(more))


def test_headings_follow_the_questions_and_lose_those_that_are_gone() -> None:
    document = two_parts() | {"headings": [{"title": {"en": "B"}, "questions": ["gone", "kick"]}]}
    assert [heading.keys for heading in headings_in(document, ["hit", "kick"])] == [("kick",)]
    kept = with_headings(document, [({"en": "A"}, ["hit", "kick"]), ({"en": ""}, ["shame"])])
    assert kept["headings"] == [{"title": {"en": "B"}, "questions": ["kick"]}], "kick has one already"
    assert "headings" not in with_headings(two_parts(), [])


@pytest.mark.parametrize(
    "headings",
    [3, [3], [{"title": "A", "questions": ["hit"]}], [{"title": {"en": 3}, "questions": ["hit"]}], [{}]],
)
def test_headings_that_no_plan_wrote_are_ignored(headings: Any) -> None:
    document = two_parts() | {"headings": headings}
    assert headings_in(document, ["hit"]) == []
    assert definition_read(document).problems == ()


def test_a_joined_part_says_so_and_its_questions_keep_their_own_headings() -> None:
    planned = planned_document(definition_parse(two_parts()), Aim(people=300))
    assert joined_heading_sentences(two_parts()) == []
    assert joined_heading_sentences(planned) == [
        "Questions of “Physical”, “Mental” form one part. Respondents read above it: “Physical · Mental”."
    ]
    assert heading_of(planned, "scare") == {"en": "Mental", "zh-hans": "精神"}
    assert heading_of(two_parts(), "scare") == {}
