"""Corrections of a proposed score are applied as a whole, or refused with the value and a remedy."""

from typing import Any

import pytest

from surveys.imports.corrections.score_choices import (
    Correction,
    correct,
    with_lines,
    written_gaps,
    written_levels,
)
from surveys.imports.drafts.questionnaire import Questionnaire, points_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.gap_rules import GAPS_UNREAD

TEXT = """Rest
How often?
(0 = never, 1 = seldom, 2 = often)
1. I sleep badly
2. I rest
3. I wake early
Score: 0-1 none, 2-3 some, 4-6 much
"""
LEVELS = [("none", ""), ("some", "2"), ("much", "4")]


def corrected(text: str = TEXT, **changes: Any) -> tuple[Questionnaire, list[str]]:
    survey = read_paste(text)
    refused = correct(survey, survey.scores[0], Correction(**changes))
    return survey, [each.message for each in refused]


def test_directions_points_levels_and_gaps_are_corrected_together() -> None:
    survey, refused = corrected(
        turned={"5": True},
        points={"never=0|often=2|seldom=1": ["0", " ２ ", "5"]},
        levels=[("no", ""), ("yes", "9")],
        gaps=("no_points", "2"),
    )
    assert not refused
    assert [points_of(each) for each in survey.questions] == [[0, 2, 5], [5, 3, 0], [0, 2, 5]]
    # No and yes are the bare answers of a cut-off.
    assert survey.scores[0].levels == [(None, ""), (9, "")]
    assert survey.scores[0].rule["missing"] == {"at_most": 2, "as": "no_points"}


def test_without_changes_a_score_stays_as_read_and_has_the_rule_that_the_page_showed() -> None:
    survey, refused = corrected()
    assert not refused
    (score,) = survey.scores
    assert written_levels(score) == LEVELS
    assert score.rule == {"missing": {"at_most": 0, "as": "mean"}}
    assert written_gaps(survey, score) == ("none", "")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"levels": [("none", ""), ("some", "4"), ("much", "4")]}, "“much” starts at 4, but “some” above it"),
        ({"levels": [("none", ""), ("some", "5"), ("much", "3")]}, "Levels must ascend: write a sum above 5"),
        ({"levels": [("none", ""), ("much", "7")]}, "add up to 0 to 6. Write a sum from 1 to 6"),
        ({"levels": [("none", ""), ("some", "0")]}, "“some” starts at 0, but"),
        (
            {"levels": [("none", ""), ("some", "2.5")]},
            "“some” starts at “2.5”. Write a whole number in digits, such as 12.",
        ),
        ({"levels": [("none", ""), ("some", "")]}, "“some” has no start."),
        ({"levels": [("none", ""), ("", "3")]}, "The level from 3 has no name."),
        ({"levels": [("", ""), ("some", "3")]}, "The first level has no name."),
        ({"levels": [("none", "")]}, "Only “none” is left."),
        ({"levels": [("none", ""), ("None", "3")]}, "Two levels in a row are called “None”."),
        ({"levels": [("n" * 201, ""), ("some", "3")]}, "has 201 characters. Write at most 200."),
        ({"levels": [("a", ""), *((f"b{n}", str(n)) for n in range(1, 32))]}, "There are 32 levels."),
        ({"gaps": ("mean", "3")}, "“3” is not a possible number of missing answers."),
        ({"gaps": ("mean", "")}, "Write how many answers may be missing, from 1 to 2,"),
        ({"levels": [("none", ""), ("much", "99999999999")]}, "“much” starts at 99999999999, but the points"),
        ({"levels": [("none", ""), ("much", "9" * 5000)]}, "Write a whole number in digits"),
        ({"points": {"never=0|often=2|seldom=1": ["0", "", "2"]}}, "An answer has no points. Write a whole"),
        ({"points": {"never=0|often=2|seldom=1": ["0", "1.5", "x"]}}, "“x” cannot be the points"),
        ({"points": {"never=0|often=2|seldom=1": ["0", "1000", "2"]}}, "number from -999 to 999."),
        ({"points": {"never=0|often=2|seldom=1": ["3", "3", "3"]}}, "All answers have 3 points."),
        (
            {
                "points": {"never=0|often=2|seldom=1": ["0", "2", "4"]},
                "levels": [("a", ""), ("b", "3"), ("c", "4")],
            },
            "No answers lead to “b”",
        ),
    ],
)
def test_a_refused_correction_names_the_value_and_a_remedy_and_changes_nothing(
    changes: dict[str, Any], said: str
) -> None:
    before = read_paste(TEXT).to_json()
    survey, refused = corrected(**changes)
    assert said in " ".join(refused)
    assert survey.to_json() == before


def test_each_wrong_field_has_its_own_message() -> None:
    _survey, refused = corrected(levels=[("none", ""), ("some", "9"), ("much", "x")], gaps=("mean", "8"))
    assert [message.split(" ")[0] for message in refused] == ["“much”", "“8”"]
    # The start of a level is compared with that of the last one that can be used.
    _survey, refused = corrected(levels=[("none", ""), ("some", "2"), ("much", "9"), ("most", "2")])
    assert [message.split(" ")[0] for message in refused] == ["“much”", "“most”"]
    assert "but “some” above it starts at 2" in refused[1]


@pytest.mark.parametrize("text", ["{", "[]", "7", '{"levels": [["a"]], "turned": [], "points": {"x": 3}}'])
def test_a_text_that_no_form_writes_changes_nothing(text: str) -> None:
    assert Correction.from_text(text) == Correction()


def test_a_correction_is_read_as_it_was_written() -> None:
    own = Correction(
        turned={"4": True}, points={"a=0": ["1"]}, levels=[("a", ""), ("b", "x")], gaps=("mean", "")
    )
    assert Correction.from_text(own.to_text()) == own
    moved = with_lines(own, {"4": "9"})
    assert (moved.turned, moved.levels) == ({"9": True}, own.levels)
    assert with_lines(own, {}).turned == {}


def test_a_rule_that_was_not_understood_is_settled_by_the_choice_of_one() -> None:
    text = f"{TEXT}With more than two missing answers no total, with more than three the mean."
    survey = read_paste(text)
    assert survey.scores[0].gaps == "unread"
    assert any(note.cause == GAPS_UNREAD for note in survey.notes)
    survey, refused = corrected(text, gaps=("mean", "1"))
    assert not refused
    assert not any(note.cause == GAPS_UNREAD for note in survey.notes)


@pytest.mark.parametrize(
    ("rule", "stated"),
    [
        ("With more than one missing answer, no total; otherwise the mean.", "whole"),
        ("With more than one missing answer, no total is computed.", "limit"),
        ("", ""),
    ],
)
def test_the_score_knows_how_much_of_the_rule_for_missing_answers_the_text_states(
    rule: str, stated: str
) -> None:
    assert read_paste(TEXT + rule).scores[0].gaps == stated
