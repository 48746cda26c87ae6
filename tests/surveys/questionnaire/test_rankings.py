"""Rankings in a definition: a single choice among orders in its law, things in its words; every refusal."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from django.utils.translation import override

from surveys.authoring.changes import changes_of
from surveys.exchange.translations import texts_of
from surveys.exchange.xlsform.export import losses_of, xlsform_file
from surveys.exchange.xlsform.workbook import workbook_read
from surveys.models import Survey
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.rankings import things_of
from tests.cast.devices import published, shipped_definition
from tests.cast.rankings import even, ranked_survey, things
from tests.cast.workbooks import workbook, xlsform_read

LEAVE = "blocks[3].questions[0]"


def test_a_ranking_is_disguised_as_a_single_choice_among_the_orders() -> None:
    ranked = definition_parse(ranked_survey())
    plain = copy.deepcopy(ranked_survey())
    for block, place in ((3, 0), (0, 3)):
        question = plain["blocks"][block]["questions"][place]
        compiled = ranked.wording["blocks"][block]["questions"][place]
        question |= {"kind": "single", "options": compiled["options"]}
    single = definition_parse(plain)
    assert ranked.design.design_id == single.design.design_id
    assert ranked.wording_id != single.wording_id
    leave = ranked.design.blocks[3].questions[0]
    assert (leave.kind, leave.options[0], leave.options[-1]) == ("single", "pay.hours.team", "team.hours.pay")
    wording = ranked.wording["blocks"][3]["questions"][0]
    assert things_of(wording) == things("pay", "hours", "team")
    assert wording["options"][1]["text"]["en"] == "1. Pay 2. The team 3. Working hours"
    assert wording["options"][1]["text"]["zh-hans"] == "1. 报酬 2. 同事 3. 工时"
    assert len(ranked.design.blocks[0].questions[3].options) == 24


def test_without_a_ranking_nothing_is_said_of_things() -> None:
    assert "ranking" not in str(definition_parse(shipped_definition()).wording)


def test_a_part_can_wait_for_orders_of_an_open_ranking() -> None:
    document = ranked_survey()
    document["blocks"][1]["asked_if"] = {"question": "matters", "options": ["pay.hours.team.boss"]}
    definition = definition_parse(document)
    assert definition.design.blocks[1].asked_if is not None
    with override("en"):
        told = list(losses_of(definition))
        untold = list(losses_of(definition_parse(ranked_survey())))
    said = "waits for an order of matters: other programs write orders otherwise"
    assert set(told) - set(untold) == {f"{definition.design.blocks[1].key} {said}"}


def changed(**members: Any) -> Callable[[], dict[str, Any]]:
    def make() -> dict[str, Any]:
        document = ranked_survey()
        document["blocks"][3]["questions"][0] |= members
        return document

    return make


FIVE = [{"key": f"thing-{n}", "text": {"en": f"{n}", "zh-hans": f"{n}"}} for n in range(5)]


@pytest.mark.parametrize(
    ("document", "path", "words"),
    [
        (changed(options=things("pay", "team")), f"{LEAVE}.options", "2 things are too few"),
        (changed(options=FIVE), f"{LEAVE}.options", "5 things have 120 orders"),
        (changed(options=FIVE), f"{LEAVE}.options", "give at most 4, which have 24"),
        (
            changed(options=[*things("pay", "team"), {**things("boss")[0], "key": "a.b"}]),
            f"{LEAVE}.options[2].key",
            "a.b has a point in it",
        ),
        (
            changed(options=[{**one, "key": f"{one['key']:x<25}"} for one in things("pay", "team", "boss")]),
            f"{LEAVE}.options",
            "77 characters together; use at most 64",
        ),
        (changed(options=things("pay", "pay", "team")), f"{LEAVE}.options", "pay.pay.team"),
        (changed(unrelated=even(3)), f"{LEAVE}.unrelated", "6"),
        (changed(prevalence=even(24)), f"{LEAVE}.prevalence", "state 6 ten-thousandths"),
        (changed(look="rating"), f"{LEAVE}.look", "nothing reads this"),
    ],
)  # fmt: skip
def test_a_ranking_that_cannot_be_asked_is_refused_with_value_and_remedy(
    document: Callable[[], dict[str, Any]], path: str, words: str
) -> None:
    found = [(one.path, f"{one.message}; {one.remedy}") for one in definition_read(document()).problems]
    assert any(where == path and words in said for where, said in found), found


def test_the_law_of_five_things_is_why_they_are_refused() -> None:
    """At p = 1/2 a report is n + 1 times likelier from its own order than from another, of n orders."""
    block = definition_parse(ranked_survey()).design.blocks[3]
    (question,) = block.questions
    p = block.truth_probability / 10_000
    decoy = min(question.unrelated) / 10_000
    assert round((p + (1 - p) * decoy) / ((1 - p) * decoy), 1) == 7.0


def test_an_xlsform_has_a_ranking_as_rank_and_is_read_back_as_it_was() -> None:
    definition = definition_parse(ranked_survey())
    file = xlsform_file(definition)
    sheets = workbook_read(file)
    types = [row.cells["type"] for row in sheets["survey"].rows if "type" in row.cells]
    assert types.count("rank leave_options") == types.count("rank matters_options") == 1
    names = [row.cells["name"] for row in sheets["choices"].rows if row.cells["list_name"] == "leave_options"]
    assert names == ["pay", "hours", "team"]
    again = definition_parse({**xlsform_read(file).document, "slug": definition.slug})
    assert again.design.design_id == definition.design.design_id
    assert again.wording["blocks"] == definition.wording["blocks"]


def test_a_form_need_not_say_how_common_orders_are() -> None:
    survey = [
        ["type", "name", "label", "sotto_protected"],
        ["begin_group", "part", "Part", "yes"],
        ["rank reasons", "leave", "Why?"],
        ["end_group"],
    ]
    choices = [["list_name", "name", "label"], *(["reasons", key, key] for key in ("pay", "hours", "team"))]
    document = xlsform_read(workbook(survey=survey, choices=choices)).document
    (question,) = document["blocks"][0]["questions"]
    assert (question["kind"], question["unrelated"], question["prevalence"]) == ("ranking", even(6), even(6))


@pytest.mark.django_db
def test_changes_name_the_things_and_not_each_order() -> None:
    version = published(ranked_survey())
    document = ranked_survey()
    document["blocks"][3]["questions"][0]["options"][0]["text"]["en"] = "Wages"
    [change] = changes_of(Survey.objects.get(), version, definition_parse(document))
    assert (change.kind, change.before, change.after) == ("wording", "Pay", "Wages")
    document["blocks"][3]["questions"][0]["options"].reverse()
    changes = changes_of(Survey.objects.get(), version, definition_parse(document))
    assert any(change.after == "team, hours, pay" for change in changes)


def test_texts_to_translate_are_those_of_the_things() -> None:
    found = dict(texts_of(ranked_survey()))
    assert found[f"{LEAVE}.options[2].text"] == {"en": "The team", "zh-hans": "同事"}
    assert not any(f"{LEAVE}.options[3]" in where for where in found)
