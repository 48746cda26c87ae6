"""Lists of yes/no questions below a common stem, as a definition states them."""

import copy
from typing import Any

import pytest

from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.stems import in_full, joined_parts
from surveys.respondent.block_words import block_words
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no


def line(key: str, stem: str = "used", **more: Any) -> dict[str, Any]:
    return {**yes_no(key), "text": {"en": key.title()}, "stem": stem, **more}


def stem(key: str = "used", **more: Any) -> dict[str, Any]:
    return {"key": key, "text": {"en": "Which have you used?"}, **more}


def document(*blocks: dict[str, Any], stems: Any = None) -> dict[str, Any]:
    return {**document_of(*blocks), "stems": [stem()] if stems is None else stems}


def asked(**more: Any) -> dict[str, Any]:
    """Return a survey with a list of three lines in a protected part."""
    return document(protected("b", yes_no("sleep"), line("a"), line("c"), line("d"), **more))


def problems(of: dict[str, Any]) -> dict[str, str]:
    return {each.path: f"{each.message}; {each.remedy}" for each in definition_read(of).problems}


def test_a_line_is_a_yes_no_question_and_its_stem_is_wording() -> None:
    listed = definition_parse(asked())
    plain = asked()
    del plain["stems"]
    for question in plain["blocks"][0]["questions"]:
        question.pop("stem", None)
    alone = definition_parse(plain)
    assert listed.design.design_id == alone.design.design_id
    assert listed.wording_id != alone.wording_id
    boxes = asked()
    boxes["stems"][0]["look"] = "boxes"
    assert definition_parse(boxes).design.design_id == listed.design.design_id
    question = listed.wording["blocks"][0]["questions"][1]
    assert text_in(question["text"]) == "Which have you used? – A"
    assert question["line"] == {"en": "A"}
    assert "text" not in str(listed.design.to_json())


def test_devices_get_the_line_and_its_stem_apart() -> None:
    boxes = asked()
    boxes["stems"][0] |= {"look": "boxes", "help": {"en": "In your life."}}
    definition = definition_parse(boxes)
    words = block_words(definition.wording["blocks"][0], "en", definition.design)
    assert words["stems"] == [{"text": "Which have you used?", "help": "In your life.", "boxes": True}]
    assert words["boxes"]
    assert [question["text"] for question in words["questions"][1:]] == ["A", "C", "D"]
    assert [question.get("stem") for question in words["questions"]] == [None, 0, 0, 0]
    assert [question.get("table") for question in words["questions"]] == [None, 0, 0, 0]


def test_a_list_of_one_line_and_one_of_sixty_are_lists() -> None:
    one = definition_parse(document(protected("b", line("a"))))
    assert one.wording["blocks"][0]["stems"][0]["key"] == "used"
    lines = [
        {name: value for name, value in line(f"q{n}").items() if name not in ("unrelated", "prevalence")}
        for n in range(60)
    ]
    many = definition_parse(document(unprotected("b", *lines)))
    assert len(many.design.questions) == 60


@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        (
            lambda of: of["stems"][0].update(look="grid"),
            "stems[0].look",
            'unknown appearance of a list: "grid"',
        ),
        (lambda of: of["stems"].append(stem()), "stems[1].key", 'two stems have the key "used"'),
        (lambda of: of["stems"][0].update(key="a b"), "stems[0].key", "is not a key"),
        (lambda of: of["stems"][0].pop("text"), "stems[0].text", "it is missing"),
        (lambda of: of.update(stems="used"), "stems", '"used" is not a list'),
        (
            lambda of: of["blocks"][0]["questions"][1].update(stem="taken"),
            "blocks[0].questions[1].stem",
            'unknown stem: "taken"; add it to “stems”, name one of used',
        ),
        (
            lambda of: of["blocks"][0]["questions"][1].update(stem=7),
            "blocks[0].questions[1].stem",
            "unknown stem: 7",
        ),
        (
            lambda of: of["blocks"][0]["questions"][1].update(look="matrix"),
            "blocks[0].questions[1].look",
            "a line has the look of its list",
        ),
        (
            lambda of: of["blocks"][0]["questions"].insert(2, yes_no("between")),
            "blocks[0].questions[3].stem",
            '“between” is between the lines of the list "used"; move it before or after the list',
        ),
        (
            lambda of: of["blocks"][0]["questions"][1].update(
                kind="single",
                options=[{"key": "x", "text": {"en": "X"}}, {"key": "y", "text": {"en": "Y"}}],
                unrelated=[5000, 5000],
                prevalence=[5000, 5000],
            ),
            "blocks[0].questions[1].stem",
            "only a yes/no question that people answer themselves can be a line",
        ),
    ],
)
def test_bad_lists_are_refused_with_value_and_remedy(change: Any, path: str, says: str) -> None:
    of = asked()
    change(of)
    assert says in problems(of)[path]


def test_boxes_need_all_lines_in_one_part_and_all_drawn_together() -> None:
    boxes = [stem(look="boxes")]
    part = protected("b", yes_no("x"), yes_no("y"), line("a"), line("c"))
    whole = document({**part, "questions_per_person": 2, "booklets": [[0, 1], [2, 3]]}, stems=boxes)
    assert problems(whole) == {}
    some = document({**part, "questions_per_person": 2, "booklets": [[0, 2], [1, 3]]}, stems=boxes)
    assert "only some boxes of the list “used”" in problems(some)["blocks[0].questions_per_person"]
    any_set = document({**part, "questions_per_person": 2}, stems=boxes)
    assert "use the look lines" in problems(any_set)["blocks[0].questions_per_person"]
    assert problems({**any_set, "stems": [stem()]}) == {}
    apart = document(protected("b", line("a")), protected("c", line("d")), stems=boxes)
    assert "in several parts: “b”, “c”" in problems(apart)["stems[0].look"]
    # Line by line, each part has a list of its own below the same text.
    assert problems({**apart, "stems": [stem()]}) == {}


def test_two_lists_with_the_same_lines_ask_different_questions() -> None:
    stems = [stem("ever"), {"key": "month", "text": {"en": "Which this month?"}}]
    twice = document(
        protected("b", line("a", "ever")), unprotected("c", line("c", "month", text={"en": "A"})), stems=stems
    )
    texts = [each["text"]["en"] for block in in_full(twice)["blocks"] for each in block["questions"]]
    assert texts == ["Which have you used? – A", "Which this month? – A"]


def test_parts_of_several_definitions_keep_their_stems() -> None:
    first, second = copy.deepcopy(asked()), copy.deepcopy(asked())
    second["stems"][0]["text"] = {"en": "Which of those?"}
    blocks, stems = joined_parts([first, second])
    assert [each["key"] for each in stems] == ["used", "used-2"]
    assert {each.get("stem") for each in blocks[1]["questions"]} == {None, "used-2"}
