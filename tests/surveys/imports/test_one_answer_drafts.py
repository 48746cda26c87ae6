"""A draft sends one answer only if all of its questions are in one part."""

from typing import Any

from surveys.imports.imported_drafts import draft_of
from surveys.imports.one_answer_drafts import with_score
from surveys.imports.pasted_text import read_paste

TEXT = "T\n1. Do you lie?\n2. Do you steal?\n3. How old are you?\n18-99"


def draft() -> dict[str, Any]:
    return draft_of(read_paste(TEXT))


def test_two_levels_without_labels_are_no_and_yes() -> None:
    changed = with_score(draft(), {"lie": [0, 1], "steal": [0, 2]}, [(None, ""), (2, "")], {"en": "Either"})
    question = changed["blocks"][0]["questions"][0]
    assert (question["kind"], question["text"]) == ("yes_no", {"en": "Either"})
    assert question["computed"]["levels"] == [{"option": "no"}, {"option": "yes", "from": 2}]
    assert [each["points"] for each in question["computed"]["components"]] == [[0, 1], [0, 2]]


def test_questions_of_several_parts_or_of_none_stay_as_they_are() -> None:
    before = draft()
    levels = [(None, ""), (1, "")]
    assert with_score(
        before, {"lie": [0, 1], before["blocks"][1]["questions"][0]["key"]: [0, 1]}, levels, {}
    ) is (before)
    assert with_score(before, {"nothing": [0, 1]}, levels, {}) is before
    assert with_score(before, {before["blocks"][1]["questions"][0]["key"]: [0, 1]}, levels, {}) is before
