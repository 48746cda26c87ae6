"""Differences between versions list in words everything that changed, and nothing else."""

import copy
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from surveys.authoring.changes import VersionChange, version_changes
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.devices import shipped_definition
from tests.fixtures.rotating_drafts import rotating_document, ten_of

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def changes(change: Callable[[dict[str, Any]], object]) -> list[VersionChange]:
    before = definition_parse(shipped_definition())
    document = copy.deepcopy(shipped_definition())
    change(document)
    return list(version_changes(before.design.to_json(), before.wording, definition_parse(document)))


def rotating_changes(change: Callable[[dict[str, Any]], object]) -> list[VersionChange]:
    before = definition_parse(rotating_document())
    document = rotating_document()
    change(document)
    return list(version_changes(before.design.to_json(), before.wording, definition_parse(document)))


def stop_rotating(document: dict[str, Any]) -> None:
    document.pop("rotations")
    for name in ("questions_per_person", "booklets"):
        document["blocks"][0].pop(name)


def test_rotation_changes_are_reported_as_design_changes() -> None:
    assert rotating_changes(lambda document: document) == []
    (other,) = rotating_changes(lambda document: document["blocks"][0].pop("booklets"))
    assert (other.kind, other.after) == ("design", "all of that size")
    assert other.text.startswith("ten, sets of questions: 30 sets (")
    fewer = rotating_changes(
        lambda document: document["blocks"][0].update(ten_of(3, together=None), booklets=None)
    )
    assert next(change.text for change in fewer) == "ten, questions for each person: 4 of 10 becomes 3 of 10"
    (parts,) = rotating_changes(lambda document: document["rotations"][0].update(parts_per_person=1))
    assert parts.text == "parts for each person: 2 of home, work, sport becomes 1 of home, work, sport"
    gone = [change.text.partition(":")[0] for change in rotating_changes(stop_rotating)]
    assert gone == [
        "ten, questions for each person was removed",
        "ten, sets of questions was removed",
        "parts for each person was removed",
    ]


def silence_block(document: dict[str, Any]) -> dict[str, Any]:
    block: dict[str, Any] = document["blocks"][1]
    return block


def test_identical_definitions_have_no_differences() -> None:
    assert changes(lambda document: document) == []


@pytest.mark.parametrize(
    ("change", "kind", "text"),
    [
        (
            lambda document: silence_block(document).update(exclusive=[["unreported", "seen_theft"]]),
            "wording",
            "silence, answers that cannot be true together was added: unreported, seen_theft",
        ),
        (
            lambda document: silence_block(document).update(truth_probability=4000),
            "design",
            "silence, p, the probability that it is sent as it is: 50% becomes 40%",
        ),
        (
            lambda document: silence_block(document).update(refusal=None),
            "design",
            "silence, probability of a random skip: 5.89% becomes cannot be skipped",
        ),
        (
            lambda document: silence_block(document)["questions"][0].update(unrelated=[4000]),
            "design",
            "silence, unreported, probabilities of random answers: 50% becomes 40%",
        ),
        (
            lambda document: document["group"].update(policy="assigned", direct_share=2000),
            "design",
            "whose answers are disguised: everyone protected becomes the device draws: direct with "
            "probability .20; reloading the page draws again, so the groups can differ in who reloaded",
        ),
        (
            lambda document: document["blocks"][2]["asked_if"].update(options=["no"]),
            "design",
            "pressure, asked: leads = yes becomes leads = no",
        ),
        (
            lambda document: document["blocks"][2].update(
                asked_if={
                    "all": [document["blocks"][2]["asked_if"], {"question": "years", "options": ["to-1"]}]
                }
            ),
            "design",
            "pressure, asked: leads = yes becomes (leads = yes) and (years = to-1)",
        ),
        (
            lambda document: document["title"].update(en="Said"),
            "wording",
            "title (en): Speaking up at work becomes Said",
        ),
        (
            lambda document: silence_block(document)["questions"][0].update(prevalence=[2000]),
            "wording",
            "silence, unreported, expected share: 30% becomes 20%",
        ),
        (
            lambda document: document["about"]["contact"].update(en="Write to us."),
            "wording",
            "Contact (en): An example: say where respondents can ask. becomes Write to us.",
        ),
        (
            lambda document: silence_block(document).update(help={"en": "Help.", "zh-hans": "帮助。"}),
            "wording",
            "silence, help (en) was added: Help.",
        ),
    ],
)
def test_changes_are_described_in_words(
    change: Callable[[dict[str, Any]], object], kind: str, text: str
) -> None:
    found = changes(change)
    assert (found[0].kind, found[0].text) == (kind, text)
    assert {one.kind for one in found} == {kind}


def test_renamed_and_added_options_are_both_listed() -> None:
    def change(document: dict[str, Any]) -> None:
        question = document["blocks"][0]["questions"][0]
        question["options"][0]["text"]["en"] = "One year"
        question["options"].append({"key": "road", "text": {"en": "On the road", "zh-hans": "路上"}})

    texts = [one.text for one in changes(change)]
    assert texts == [
        "work, years, order of the options: to-1, 2-5, 6-on becomes to-1, 2-5, 6-on, road",
        "work, years, to-1 (en): Less than two years becomes One year",
        "work, years, road (en) was added: On the road",
        "work, years, road (zh-hans) was added: 路上",
    ]


def test_a_list_names_its_changes_once_whatever_the_number_of_its_lines() -> None:
    def change(document: dict[str, Any]) -> None:
        document["stems"][0]["text"]["en"] = "Where do you work?"
        document["stems"][0]["look"] = "boxes"
        document["blocks"][0]["questions"][3]["text"]["en"] = "On a site"

    assert [one.text for one in changes(change)] == [
        "work, list place (en): Where do you work in a usual week? becomes Where do you work?",
        "work, look of the list place: lines becomes boxes",
        "work, place_floor, text (en): On a shop floor or site becomes On a site",
    ]


def test_added_and_removed_questions_are_listed_once() -> None:
    def change(document: dict[str, Any]) -> None:
        question = document["blocks"][0]["questions"].pop(4)
        document["blocks"][0]["questions"].append({**question, "key": "room"})

    assert [one.text for one in changes(change)] == [
        "work, order of the questions: years, leads, place_office, place_floor, place_home becomes "
        "years, leads, place_office, place_floor, room",
        "work, place_home was removed",
        "work, room was added",
    ]


def test_removing_a_block_lists_its_questions_as_removed() -> None:
    texts = [one.text for one in changes(lambda document: document["blocks"].pop(2))]
    assert texts == [
        "pressure was removed",
        "pressure, silenced was removed",
        "order of the parts: work, silence, pressure becomes work, silence",
    ]


def test_reordered_blocks_are_listed() -> None:
    def change(document: dict[str, Any]) -> None:
        blocks = document["blocks"]
        blocks[1], blocks[2] = blocks[2], blocks[1]

    assert [one.text for one in changes(change)] == [
        "order of the parts: work, silence, pressure becomes work, pressure, silence"
    ]
