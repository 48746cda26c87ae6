"""A draft sends one answer only if all of its questions are in one part."""

from typing import Any

from surveys.imports.drafts.imported_drafts import draft_and_keys, draft_of
from surveys.imports.drafts.one_answer_drafts import with_score
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.part_names import part_names

TEXT = "T\n1. Do you lie?\n2. Do you steal?\n3. How old are you?\n18-99"
NO_GAPS = {"at_most": 0, "as": "no_points"}


def draft() -> dict[str, Any]:
    return draft_of(read_paste(TEXT))


def test_two_levels_without_labels_are_no_and_yes() -> None:
    changed = with_score(
        draft(),
        {"points": {"lie": [0, 1], "steal": [0, 2]}, "missing": NO_GAPS},
        [(None, ""), (2, "")],
        {"en": "Either"},
    )
    question = changed["blocks"][0]["questions"][0]
    assert (question["kind"], question["text"]) == ("yes_no", {"en": "Either"})
    assert question["computed"]["levels"] == [{"option": "no"}, {"option": "yes", "from": 2}]
    assert [each["points"] for each in question["computed"]["components"]] == [[0, 1], [0, 2]]


def test_questions_of_several_parts_or_of_none_stay_as_they_are() -> None:
    before = draft()
    levels = [(None, ""), (1, "")]
    assert with_score(
        before, {"points": {"lie": [0, 1], before["blocks"][1]["questions"][0]["key"]: [0, 1]}}, levels, {}
    ) is (before)
    assert with_score(before, {"points": {"nothing": [0, 1]}}, levels, {}) is before
    assert (
        with_score(before, {"points": {before["blocks"][1]["questions"][0]["key"]: [0, 1]}}, levels, {})
        is before
    )


def test_levels_with_the_same_label_are_one_option_and_a_rule_brings_steps_and_gaps() -> None:
    step = {"key": "step-1", "of": ["lie", "steal"], "levels": [{"points": 0}, {"points": 1, "from": 2}]}
    rule = {
        "points": {"lie": [0, 1], "steal": [0, 1]},
        "steps": [step],
        "missing": {"at_most": 1, "as": "no_points"},
    }
    levels = [(None, "few"), (1, "some"), (3, "few")]
    question = with_score(draft(), rule, levels, {})["blocks"][0]["questions"][0]
    assert [option["text"]["en"] for option in question["options"]] == ["few", "some"]
    assert [level["option"] for level in question["computed"]["levels"]] == ["level-1", "level-2", "level-1"]
    assert (question["computed"]["steps"], question["computed"]["missing"]) == ([step], rule["missing"])


def test_levels_named_yes_and_no_are_a_yes_no_question_in_either_order() -> None:
    rule = {"points": {"lie": [0, 1], "steal": [0, 1]}, "missing": NO_GAPS}
    question = with_score(draft(), rule, [(None, "Yes"), (1, "no")], {})["blocks"][0]["questions"][0]
    assert question["kind"] == "yes_no"
    assert question["computed"]["levels"] == [{"option": "yes"}, {"option": "no", "from": 1}]


def test_a_part_that_becomes_one_answer_keeps_its_heading() -> None:
    """The answer takes its text from the heading, which was then removed as a repetition."""
    answers = "(0) Never\n(1) Sometimes\n(2) Often"
    text = f"Work\n# About you\n1. How old are you?\n- under 30\n- older\n# Mood\n2. I felt sad.\n{answers}"
    survey = read_paste(f"{text}\n3. I felt low.\n{answers}\nScore: 0-1 low, 2-4 high")
    (score,) = survey.scores
    score.is_used = True
    document, _keys = draft_and_keys(survey)
    assert [block.get("title") for block in document["blocks"]] == [{"en": "About you"}, {"en": "Mood"}]
    assert [*part_names(document["blocks"], "en").values()] == ["About you", "Mood"]
