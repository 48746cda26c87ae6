"""Two strengths in a definition: proposed, stated, refused, judged by a ceiling of their own."""

from __future__ import annotations

from typing import Any

import pytest

from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from surveys.questionnaire.checks.finding import Level
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.schedule import WaveLine
from tests.fixtures.checked_surveys import document_of, findings_of, protected, unprotected, yes_no

LIGHT = {"policy": "assigned", "direct_share": 2000, "light": True}
HOURS = {
    "key": "hours",
    "kind": "number",
    "text": {"en": "How many hours?"},
    "number": {"mechanism": "square_wave", "epsilon": 1, "low": 0, "high": 9, "bin": 1},
}


def number_block(**more: Any) -> dict[str, Any]:
    return {"key": "time", "protected": True, "title": {"en": "Time"}, "questions": [HOURS], **more}


def problems_of(*blocks: dict[str, Any], group: dict[str, Any]) -> list[str]:
    return [problem.path for problem in definition_read(document_of(*blocks, group=group)).problems]


def lights(*blocks: dict[str, Any], group: dict[str, Any] = LIGHT) -> list[Any]:
    return [block.light for block in definition_parse(document_of(*blocks, group=group)).design.blocks]


def test_what_no_part_states_is_proposed() -> None:
    """One fair part: odds 3 become 9, p = .8; open parts have none."""
    assert lights(unprotected("you", {"key": "old", "kind": "yes_no", "text": {"en": "Old?"}}),
                  protected("b", yes_no("lie"))) == [None, 8000]  # fmt: skip


def test_a_number_that_is_stored_as_answered_has_no_light_strength() -> None:
    number = {"low": 0, "high": 9, "bin": 1}
    stored = number_block(protected=False, questions=[HOURS | {"number": number}])
    assert lights(stored, protected("b", yes_no("lie"))) == [None, 8000]
    assert problems_of(stored | {"light": {"epsilon": 2}}, group=LIGHT)


def test_a_part_may_state_its_own() -> None:
    assert lights(protected("b", yes_no("lie"), light=7000)) == [7000]


def test_a_number_gets_its_own_mechanism_with_another_epsilon() -> None:
    (proposed,) = lights(number_block())
    (stated,) = lights(number_block(light={"epsilon": 1.5}))
    assert isinstance(proposed, WindowChannel)
    assert isinstance(stated, WindowChannel)
    assert proposed.mechanism == stated.mechanism == "square_wave"
    (design,) = [definition_parse(document_of(number_block(), group=LIGHT)).design]
    strong = design.blocks[0].disguise
    assert strong.amplification is not None
    assert stated.amplification is not None
    assert proposed.amplification is not None
    assert strong.amplification < stated.amplification < proposed.amplification


def test_without_the_word_nothing_changes() -> None:
    """A definition that says nothing of strengths has the design, and so the digest, that it always had."""
    group = {"policy": "assigned", "direct_share": 2000}
    before = definition_parse(document_of(protected("b", yes_no("lie")), group=group)).design
    said = definition_parse(
        document_of(protected("b", yes_no("lie")), group={**group, "light": False})
    ).design
    assert before == said
    assert "light" not in before.to_json()["blocks"][0]
    assert (before.mechanism, before.sends_undisguised) == (1, True)


@pytest.mark.parametrize(
    ("blocks", "group", "path"),
    [
        ([protected("b", yes_no("lie"))], {"policy": "protected", "light": True}, "group.light"),
        ([protected("b", yes_no("lie"))], {**LIGHT, "light": 1}, "group.light"),
        ([unprotected("b", {"key": "old", "kind": "yes_no", "text": {"en": "Old?"}})], LIGHT, "group.light"),
        # Five fair blocks: a light strength may add almost nothing.
        ([protected(f"b{n}", yes_no(f"q{n}")) for n in range(5)], LIGHT, "group.light"),
        ([protected("b", yes_no("lie"), light=5000)], LIGHT, "blocks[0].light"),
        ([protected("b", yes_no("lie"), light=10_000)], LIGHT, "blocks[0].light"),
        ([protected("b", yes_no("lie"), light="more")], LIGHT, "blocks[0].light"),
        ([number_block(light=8000)], LIGHT, "blocks[0].light"),
        ([number_block(light={"epsilon": 0.5})], LIGHT, "blocks[0].light"),
        ([protected("b", yes_no("lie"), light=8000)], {"policy": "choice"}, "blocks[0].light"),
    ],
)
def test_what_cannot_be_is_refused_where_it_stands(
    blocks: list[dict[str, Any]], group: dict[str, Any], path: str
) -> None:
    assert problems_of(*blocks, group=group) == [path]


def test_five_parts_can_state_what_is_not_proposed() -> None:
    blocks = [protected(f"b{n}", yes_no(f"q{n}"), light=6000) for n in range(5)]
    assert lights(*blocks) == [6000] * 5


@pytest.mark.parametrize(
    ("light", "level"),
    [
        # Three fair parts: gamma = 1 + 2 p / (1 - p), three times its logarithm.
        (7600, None),  # 5.99
        (7700, Level.WARN),  # 6.12
        (8700, Level.WARN),  # 8.00
        (8710, Level.REFUSE),  # 8.02
    ],
)
def test_the_light_strength_has_a_ceiling_of_its_own(light: int, level: Level | None) -> None:
    blocks = [protected(f"b{n}", yes_no(f"q{n}"), light=light) for n in range(3)]
    found = [one.level for one in findings_of(*blocks, group=LIGHT) if one.code == "light_epsilon"]
    assert found == ([] if level is None else [level])


@pytest.mark.parametrize(
    ("group", "most", "level"),
    [
        # One fair part at p = .8: gamma = 9, epsilon 2.197.
        (LIGHT, 3.8, None),  # 6.00
        (LIGHT, 3.81, Level.WARN),
        (LIGHT, 5.81, Level.REFUSE),  # 8.01
        # Not lightly disguised here, but in the wave before: epsilon log 3 and that of the earlier wave.
        ({}, 7.0, Level.REFUSE),
    ],
)
def test_lightly_disguised_rows_of_a_series_add_up(
    group: dict[str, Any], most: float, level: Level | None
) -> None:
    block = protected("b", yes_no("lie"), light=8000) if group else protected("b", yes_no("lie"))
    before = WaveLine(slug="first", title="First", epsilon=1.0, most=most)
    changes = {"group": group} if group else {}
    found = findings_of(block, series="panel", waves=(before,), **changes)
    assert [one.level for one in found if one.code == "light_series_epsilon"] == ([level] if level else [])


def test_a_series_without_light_rows_is_judged_by_its_strong_ones_alone() -> None:
    before = WaveLine(slug="first", title="First", epsilon=9.0, most=9.0)
    found = findings_of(protected("b", yes_no("lie")), series="panel", waves=(before,))
    assert [one.code for one in found] == ["series_epsilon"]


def test_other_checks_judge_the_strong_strength() -> None:
    one = [protected("b", yes_no("lie"), light=9500)]
    assert [found.code for found in findings_of(*one, group=LIGHT)] == []
    assert [found.code for found in findings_of(*one, group={**LIGHT, "direct_share": 9000})] == []


def test_the_design_follows_from_the_definition_alone() -> None:
    design = definition_parse(document_of(protected("b", yes_no("lie")), group=LIGHT)).design
    assert (design.mechanism, design.has_two_strengths, design.sends_undisguised) == (3, True, False)
    assert Design.from_json(design.to_json()) == design
