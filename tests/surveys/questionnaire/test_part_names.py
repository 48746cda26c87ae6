"""Parts are called by their own titles, else by their numbers."""

from typing import Any

import pytest

from surveys.questionnaire.part_names import own_title, part_names, part_number, titled
from surveys.questionnaire.stems import STEMS

ASKED = [{"key": "hit", "text": {"en": "Did you hit?", "zh-hans": "打过吗？"}}]
STEM = {"key": "used", "text": {"en": "Which did you use?"}}
LINES = [{"key": "rope", "stem": "used", "text": {"en": "A rope"}}]


def part(**members: Any) -> dict[str, Any]:
    return {"key": "acts", "questions": ASKED, **members}


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        (part(title={"en": "Acts", "zh-hans": "行为"}), {"en": "Acts", "zh-hans": "行为"}),
        # As earlier versions stored it, in a finished and in an unfinished draft.
        (part(title=ASKED[0]["text"]), {}),
        (part(title={"en": "Did you hit?", "zh-hans": ""}, questions=[{"text": {"en": "Did you hit?"}}]), {}),
        (part(title={}), {}),
        (part(title={"en": " "}), {}),
        (part(title=None), {}),
        (part(), {}),
        (part(title="Acts"), {}),
        (part(title={"en": "Acts"}, questions=[]), {"en": "Acts"}),
        (part(title={"en": "Acts"}, questions="none"), {"en": "Acts"}),
        (part(title={"en": "Acts"}, questions=["none"]), {"en": "Acts"}),
        # A composite question takes its text from the title of its part.
        (part(title={"en": "Mood"}, questions=[{"text": {"en": "Mood"}, "computed": {}}]), {"en": "Mood"}),
        (part(title={"en": "Mood"}, questions=[{"text": {"en": "Mood"}, "components": []}]), {"en": "Mood"}),
        # The list is what respondents read first.
        (part(title=STEM["text"], questions=LINES, **{STEMS: [STEM]}), {}),
    ],
)
def test_a_title_of_its_own_is_not_blank_and_does_not_repeat_the_first_question(
    entry: dict[str, Any], title: dict[str, str]
) -> None:
    assert own_title(entry) == title


def test_a_drafts_lists_are_known_from_the_draft() -> None:
    listed = part(title=STEM["text"], questions=LINES)
    assert own_title(listed, {STEMS: [STEM]}) == {}
    assert own_title(listed, {STEMS: []}) == STEM["text"]


def test_parts_without_titles_have_their_numbers_in_the_pages_language_or_another() -> None:
    blocks = [part(), {"key": "work", "title": {"en": "Work", "zh-hans": "工作"}, "questions": ASKED}]
    assert part_names(blocks) == {"acts": "Part 1", "work": "Work"}
    assert part_names(blocks, "zh-hans") == {"acts": "第 1 部分", "work": "工作"}
    # The program has no words of its own in this language.
    assert part_number(3, "vi") == "Part 3"
    assert part_number(3, "ar") == "الجزء 3"


def test_an_empty_title_is_removed() -> None:
    assert "title" not in titled(part(title={"en": "Acts"}), {})
    assert titled(part(), {"en": "Acts"})["title"] == {"en": "Acts"}
