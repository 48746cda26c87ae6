"""The sentences that travel with the page are those that its scripts ask for, no more and no fewer."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from privacy.risk.promise import Promise
from privacy.survey import Design
from surveys.questionnaire.definition import definition_parse
from surveys.respondent.client_program import client
from surveys.respondent.outcome_texts import delivery_texts
from surveys.respondent.page import RespondentPage, preview_page
from surveys.respondent.scale_texts import scale_texts
from surveys.respondent.texts import respondent_texts
from tests.cast.devices import shipped_definition
from tests.cast.everyday import everyday_definition
from tests.cast.turning import turning_definition
from tests.vectors.scale_designs import NUMBERS, PLACES, SKIPS

BY_NAME = re.compile(r"texts\.(\w+)")
BY_PATTERN = re.compile(r"texts\[`([^`]+)`\]")
ENDINGS = re.compile(r"\$\{[^}]+\}")


def scripts() -> Iterator[str]:
    for file in client().files:
        yield file.content.decode()


def all_texts() -> dict[str, str]:
    """No page has both: of answers sent as they are, and of two strengths."""
    return {**respondent_texts(), **respondent_texts(has_two_strengths=True)}


def test_every_sentence_that_a_script_names_is_there() -> None:
    named = {name for script in scripts() for name in BY_NAME.findall(script)}
    assert named
    assert named - all_texts().keys() == set()


def test_every_sentence_is_used() -> None:
    whole = "".join(scripts())
    named = set(BY_NAME.findall(whole))
    patterns = [ENDINGS.sub(".*", pattern) for pattern in BY_PATTERN.findall(whole)]
    # Sentences about a delivery are found by the kind of its outcome.
    kinds = set(re.findall(r'"(\w+)"', whole))
    unused = [
        key
        for key in all_texts()
        if key not in named | kinds and not any(re.fullmatch(pattern, key) for pattern in patterns)
    ]
    assert unused == []


def test_the_page_of_a_closed_survey_carries_the_sentences_about_a_delivery() -> None:
    assert delivery_texts().items() <= respondent_texts().items()
    assert {"delivered_title", "found", "try_now", "waiting"} <= delivery_texts().keys()


def test_only_a_survey_by_invitation_carries_sentences_about_invitations() -> None:
    about_them = respondent_texts().keys() - respondent_texts(by_invitation=False).keys()
    assert {"code_title", "mistyped", "send_again", "uninvited", "uninvited_title"} <= about_them


@pytest.mark.parametrize(("policy", "others"), [("choice", "assigned_"), ("assigned", "group_")])
def test_who_chooses_is_not_told_what_a_device_draws_and_the_other_way_round(
    policy: str, others: str
) -> None:
    gone = respondent_texts().keys() - respondent_texts(policy=policy).keys()
    assert len(gone) >= 6
    assert all(key.startswith(others) for key in gone)
    assert not any(key.startswith(("assigned_", "group_")) for key in respondent_texts(policy="protected"))


def test_a_part_with_answers_that_exclude_each_other_says_when_chance_can_be_seen() -> None:
    def page_of(document: dict[str, Any]) -> dict[str, Any]:
        found = definition_parse(document)
        return preview_page(
            survey="x", design=found.design.to_json(), wording=found.wording, practice=False, language="en"
        ).data

    plain, stated = shipped_definition(), shipped_definition()
    stated["blocks"][1]["exclusive"] = [["unreported", "seen=theft"]]
    assert [block.get("exclusive") for block in page_of(stated)["wording"]] == [None, True, None]
    # Its odds know it: no row shows both as a truth.
    _you, silence, _pressure = page_of(stated)["wording"]
    assert silence["together"]["sets"] == [[[0, 0], [1, 1]]]
    assert "anyone can see that they were random" in page_of(stated)["texts"]["block_exclusive"]
    assert "block_exclusive" not in page_of(plain)["texts"]


def test_only_a_survey_with_a_slider_says_how_to_use_one() -> None:
    plain, slid = everyday_definition(), everyday_definition()
    slid["blocks"][3]["questions"][0]["look"] = "slider"
    said = [page_of_turning(document).data["texts"] for document in (plain, slid)]
    assert said[1].keys() - said[0].keys() == {"number_slide"}


def test_only_what_a_survey_has_in_all_is_said_of_all_its_parts() -> None:
    def said(
        parts: int, times: int, *, apart: bool = False, anchors: int = 0, asked_if: object = None
    ) -> set[str]:
        made = Promise(
            everything=Fraction(times),
            answer=Fraction(1),
            skip=None,
            parts=parts,
            not_composed=apart,
            anchors=anchors,
        )
        odds = [made] if parts else []
        blocks = [{"protected": True, "asked_if": asked_if, "questions": [{"kind": "yes_no"}]}]
        return {
            key
            for key in respondent_texts(blocks=blocks, odds=odds)
            if key.startswith(("odds_whole", "promise")) or key == "sent_not_asked"
        }

    each = {"odds_whole_any", "odds_whole_times"}
    assert said(0, 0) == set()
    assert said(1, 99) == each | {"promise"}
    assert said(1, 99, anchors=2) == each | {"promise", "odds_whole_anchors"}
    assert said(2, 100, apart=True) == each | {"promise_rare", "odds_whole_apart"}
    assert said(1, 3, asked_if={"question": "you"}) == each | {"promise", "sent_not_asked"}


def page_of_turning(definition: dict[str, Any]) -> RespondentPage:
    found = definition_parse(definition)
    return preview_page(
        survey="x", design=found.design.to_json(), wording=found.wording, practice=False, language="en"
    )


def test_only_where_something_rotates_a_page_says_so() -> None:
    with_parts = turning_definition(turns=False, rotations=turning_definition()["rotations"])
    plain, parts, turning = map(
        page_of_turning, (turning_definition(turns=False), with_parts, turning_definition())
    )
    rotating = {"block_rotating", "block_show", "error_show"}
    assert [page.data["texts"].keys() & rotating for page in (plain, parts, turning)] == [
        set(),
        set(),
        rotating,
    ]
    assert [page.rotates for page in (plain, parts, turning)] == [False, True, True]
    drawing = [any("drawing.js" in url for url in page.scripts) for page in (plain, parts, turning)]
    assert drawing == [False, True, True]
    assert plain.rotations == ()
    assert turning.rotations == ({"titles": ["Part short", "Part middle", "Part long"], "per_person": 2},)
    assert [part["per_person"] for part in turning.all_parts] == [None, 3, None, None, None]
    assert turning.all_parts[3]["questions"] == ["Is it true that you drank?", "Is it true that you smoked?"]
    unrouted = [{**block, "asked_if": None} for block in plain.design["blocks"]]
    assert "sent_not_asked" not in respondent_texts(blocks=unrouted)
    assert "sent_not_asked" in respondent_texts(blocks=unrouted, has_rotations=True)


def test_the_worst_row_of_a_rotating_part_whose_answers_exclude_each_other_is_one_that_is_sent() -> None:
    def worst_of(exclusive: list[list[str]], **changes: Any) -> Any:
        definition = turning_definition()
        definition["blocks"][1].update(exclusive=exclusive, **changes)
        return page_of_turning(definition).data["wording"][1]["together"]["worst"]

    # The worst booklet is the first: nothing else is likelier or less likely there.
    assert worst_of([["lied", "stole"]]) == [1, 0, 1, None, None, None, None]
    assert worst_of([["lied", "broke"]]) is None
    assert worst_of([["lied", "stole"]], refusal=1) == "skipped"


@pytest.mark.parametrize(
    ("design", "there", "absent"),
    [
        (
            NUMBERS["square wave"],
            {"scale_whole", "number_odds", "number_beyond"},
            {"scale_skip", "place_hint", "number_up"},
        ),
        (SKIPS["square wave"], {"scale_skip", "scale_skip_sent"}, {"scale_whole", "place_skip"}),
        (
            PLACES["square mechanism"],
            {"place_how", "place_odds", "place_where"},
            {"place_tag", "place_exact", "place_levels", "place_short"},
        ),
        (
            PLACES["utility-optimised"],
            {"place_exact", "place_likely", "place_where", "place_tag", "scale_whole"},
            {"place_exact_skip", "place_odds", "place_levels"},
        ),
        (
            SKIPS["utility-optimised"],
            {"place_exact_skip", "place_likely_skip", "place_skip", "scale_skip_sent"},
            {"place_exact", "place_skip_levels", "scale_skip", "scale_whole"},
        ),
        (SKIPS["two levels"], {"place_skip_levels", "place_levels"}, {"place_skip", "place_where"}),
        (SKIPS["all kinds, choice"], {"scale_skip", "place_skip", "scale_whole"}, {"place_skip_levels"}),
    ],
)
def test_a_page_carries_what_its_numbers_and_places_can_say(
    design: Design, there: set[str], absent: set[str]
) -> None:
    found = scale_texts(design.to_json()["blocks"]).keys()
    assert there <= found
    assert not absent & found
    assert found < scale_texts().keys()
