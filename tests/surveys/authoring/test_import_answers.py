"""Answers in the import report: changes in rows, and decisions that are kept while a row changes."""

import re
from typing import Any

import pytest
from django.test import Client

from surveys.authoring.import_answers import apply_answers
from surveys.imports.corrections.condition_choices import choose_condition
from surveys.models import AuditEvent, Survey
from tests.surveys.authoring.test_import_report import MENUS, answered, imported, pasted, reading_of, said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]


@pytest.mark.soak
def test_menus_change_kind_and_answers_in_place(staff: Client) -> None:
    report = pasted(staff, MENUS)
    again = answered(
        staff, report, kind_2="one", answers_2="No\r\nSome\r\nMany", kind_3="none", apply="2",
        how_0="keep", said_0="Red\nBlue",
    )  # fmt: skip
    assert again.status_code == 200
    assert "Do you take pills? ○ No ○ Some ○ Many protected" in said(again)
    assert "You left out “How often do you dream?”." in said(again)
    # Decisions on other points keep their question, although the notes have other numbers now.
    made_draft = answered(staff, again, how_0="keep", said_0="Red\nBlue")
    assert made_draft.status_code == 302
    questions = [
        question for block in Survey.objects.get().definition["blocks"] for question in block["questions"]
    ]
    assert [[option["text"]["en"] for option in question["options"]] for question in questions] == [
        ["No", "Some", "Many"],
        ["Red", "Blue"],
    ]


@pytest.mark.soak
def test_a_change_is_applied_by_create_draft_too(staff: Client) -> None:
    report = pasted(staff, "Sleep\n1. Do you take pills?\n2. Do you dream?\n3. Which pill?")
    answer = answered(staff, report, kind_2="rating", answers_2="1\n2\n3", how_0="leave")
    assert answer.status_code == 302
    blocks = Survey.objects.get().definition["blocks"]
    looks = [question.get("look") for block in blocks for question in block["questions"]]
    assert looks == ["rating", None]


def test_refused_changes_keep_what_was_written(staff: Client) -> None:
    report = pasted(staff, MENUS)
    again = answered(staff, report, kind_2="several", answers_2="only this", kind_3="number", answers_3="0-7")
    assert again.status_code == 422
    assert "Write at least two answers, one per line." in said(again)
    assert "only this</textarea>" in again.content.decode()
    assert "a number 0-7" in said(again)
    assert not Survey.objects.exists()


def test_questions_move_and_changes_survive_another_reading(staff: Client) -> None:
    report = pasted(staff, f"{MENUS}\nAnother line")
    moved = answered(staff, report, kind_3="rating", answers_3="Never\nOften", earlier="3")
    _before, texts = said(moved).split("Your questions")
    assert texts.index("How often do you dream?") < texts.index("Do you take pills?")
    again = answered(staff, moved, role_7="left", read_again="1")
    _before, texts = said(again).split("Your questions")
    assert texts.index("How often do you dream?") < texts.index("Do you take pills?")
    assert re.search(r'name="kind-3">.*?<option value="rating" selected', again.content.decode())


def test_a_line_that_is_no_question_gets_its_role_in_its_row(staff: Client) -> None:
    report = pasted(staff, "Home\n1. Do you rent?\n2. Your health\n- Good\n- Bad\n3. Which pill?")
    again = answered(staff, report, role_3="heading", apply="3")
    assert "Your health" in [part.texts["en"] for part in reading_of(again).parts if part.texts]


@pytest.mark.parametrize(
    "values",
    [{"kind_99": "one"}, {"kind_2": "elsewhere"}, {"earlier": "99"}, {"earlier": "2"}, {"later": "x"}],
)
def test_unknown_rows_kinds_and_places_change_nothing(staff: Client, values: dict[str, str]) -> None:
    report = pasted(staff, MENUS)
    again = answered(staff, report, apply="2", **values)
    assert reading_of(again).to_json() == reading_of(report).to_json()


@pytest.mark.soak
def test_questions_are_reworded_in_place(staff: Client) -> None:
    report = pasted(staff, MENUS)
    again = answered(
        staff, report, kind_2="yes_no", text_2_en=" Do you take any  sleeping pills? ", apply="2"
    )
    assert "Do you take any sleeping pills? ○ Yes ○ No protected" in said(again)
    # Another reading keeps the words, although its line has others.
    read = answered(staff, again, role_4="question", read_again="1")
    question = reading_of(read).questions[0]
    assert (question.kind, question.texts) == ("yes_no", {"en": "Do you take any sleeping pills?"})
    refused = answered(staff, again, kind_2="yes_no", text_2_en=" ", apply="2")
    assert refused.status_code == 422
    assert "Write the question." in said(refused)
    assert reading_of(refused).questions[0].texts == {"en": "Do you take any sleeping pills?"}


def test_a_stored_question_that_is_reworded_is_protected_unless_it_stays_plain(staff: Client) -> None:
    report = pasted(staff, "Home\n1. How old are you?\n0-99\n2. Do you dream?")
    assert not reading_of(report).questions[0].is_protected
    plain = answered(
        staff, report, kind_2="number", answers_2="0-99", text_2_en="What is your age?", apply="2"
    )
    assert not reading_of(plain).questions[0].is_protected
    text = "How old were you when somebody hit you?"
    again = answered(staff, plain, kind_2="number", answers_2="0-99", text_2_en=text, apply="2")
    assert reading_of(again).questions[0].is_protected
    assert "What is readable" not in said(again)


NINE_ITEMS = """Mood
Over the last two weeks, how often have these troubled you?
(0 = Not at all, 1 = On some days, 2 = On most days, 3 = Nearly every day)

1. Taking no joy in what you do
2. Being sad or without hope
3. Sleeping badly, or too much
4. Having no energy
5. Eating too little or too much
6. Thinking badly of yourself
7. Losing the thread while reading
8. Moving slowly, or being restless
9. Wishing not to live

10. How hard have these made your work?
- Not hard
- Somewhat hard
- Very hard

Total score of items 1 to 9: 0-4 none, 5-9 mild, 10-14 moderate, 15-19 fairly severe, 20-27 severe
"""


def test_a_nine_item_scale_with_its_scoring_line_is_one_answer_in_three_presses(staff: Client) -> None:
    report = pasted(staff, NINE_ITEMS)
    (point,) = report.context["unclear"]
    # Nothing is preselected.
    assert (point["note"].asks, point["how"]) == ("score", "")
    undecided = answered(staff, report)
    assert undecided.status_code == 422
    assert "Choose what to do." in said(undecided)
    assert "send one answer instead: none, mild from 5, moderate from 10" in said(undecided)
    assert answered(staff, report, **{f"how_{point['number']}": "one"}).status_code == 302
    questions = [each for block in Survey.objects.get().definition["blocks"] for each in block["questions"]]
    (score,) = (each for each in questions if "computed" in each)
    assert len(questions) == 2
    components = score["computed"]["components"]
    assert [[option["points"] for option in each["options"]] for each in components] == [[0, 1, 2, 3]] * 9
    assert [each.get("from") for each in score["computed"]["levels"]] == [None, 5, 10, 15, 20]
    assert [each["text"]["en"] for each in score["options"]] == [
        "none",
        "mild",
        "moderate",
        "fairly severe",
        "severe",
    ]


FILTER = (
    "Home\n1. Has anybody hit you?\n- Yes\n- No\n2. If yes, how often?\n- once\n- twice\n- more often\n"
    "3. Do you hide money?\n- Never\n- Rarely\n- Often\n4. Do you owe money?\n- Yes\n- No\n"
    "5. If the sum is large, do you hide letters?\n"
)


def blocks_of() -> list[dict[str, Any]]:
    return list(Survey.objects.latest("pk").definition["blocks"])


def test_a_filter_of_a_text_is_protected_and_its_follow_ups_asked_of_everyone_unless_someone_decides(
    staff: Client,
) -> None:
    report = pasted(staff, FILTER)
    assert "How often? asked only if “Has anybody hit you?” is Yes" in said(report)
    (skip, keep) = report.context["unclear"]
    assert (skip["note"].asks, skip["how"], skip["hindrance"]) == ("skip", "protect", "")
    assert (keep["note"].asks, keep["how"]) == ("keep", "keep")
    made_draft = answered(staff, report, **ways(report, "protect", "keep"))
    assert made_draft.status_code == 302
    assert all(block["protected"] and "asked_if" not in block for block in blocks_of())
    notes = AuditEvent.objects.get(action="draft_create").detail["not_kept"]
    assert any("is no longer asked only after certain answers" in note for note in notes)


def ways(report: Any, *chosen: str) -> dict[str, str]:
    items = report.context["unclear"]
    return {f"how_{item['number']}": how for item, how in zip(items, chosen, strict=True)}


def test_a_kept_skip_reaches_the_draft_and_makes_its_answer_readable(staff: Client) -> None:
    report = pasted(staff, FILTER)
    assert answered(staff, report, **ways(report, "keep", "keep")).status_code == 302
    first, second, *_others = blocks_of()
    assert not first["protected"]
    assert second["asked_if"] == {"question": first["questions"][0]["key"], "options": ["yes"]}


def test_a_filter_is_sent_with_its_follow_ups(staff: Client) -> None:
    report = pasted(staff, FILTER)
    assert answered(staff, report, **ways(report, "one", "keep")).status_code == 302
    composite = blocks_of()[0]["questions"][0]
    assert next(each["key"] for each in composite["computed"]["components"]) == "anybody-hit"
    assert all(block["protected"] for block in blocks_of())


def test_follow_ups_are_left_out_with_a_note(staff: Client) -> None:
    report = pasted(staff, FILTER)
    assert answered(staff, report, **ways(report, "leave", "leave")).status_code == 302
    texts = [question["text"]["en"] for block in blocks_of() for question in block["questions"]]
    assert texts == ["Has anybody hit you?", "Do you hide money?", "Do you owe money?"]
    notes = AuditEvent.objects.get(action="draft_create").detail["not_kept"]
    assert sum("you left out" in note for note in notes) == 2


def test_menus_choose_the_question_and_its_answers_without_script(staff: Client) -> None:
    report = pasted(staff, FILTER)
    shown = answered(staff, report, **ways(report, "protect", "keep"), condition="16", decider_16="9")
    assert "Use these answers" in said(shown)
    item = shown.context["unclear"][1]
    assert (item["how"], [text for _place, text, _is in item["boxes"]]) == (
        "after",
        ["Never", "Rarely", "Often"],
    )
    # Without an answer, the point stays open.
    open_point = answered(staff, shown, **ways(shown, "protect", "after"), decider_16="9", boxes_16="9")
    assert open_point.status_code == 422
    assert "Choose the question and its answers." in said(open_point)
    ticked = {"decider_16": "9", "boxes_16": "9", "box_16_1": "1", "box_16_2": "1"}
    chosen = answered(staff, shown, **ways(shown, "keep", "after"), **ticked)
    assert chosen.status_code == 200
    assert "Asked only if “Do you hide money?” is Rarely or Often." in said(chosen)
    assert [(item["note"].asks, item["how"]) for item in chosen.context["unclear"]] == [
        ("skip", "keep"),
        ("skip", "protect"),
    ]
    # The choice survives another reading, and can be taken back.
    again = answered(staff, chosen, **ways(chosen, "keep", "keep"), read_again="1")
    assert "Asked only if “Do you hide money?” is Rarely or Often." in said(again)
    assert [item["how"] for item in again.context["unclear"]] == ["keep", "keep"]
    removed = answered(staff, again, **ways(again, "keep", "keep"), everyone="16")
    assert [item["note"].asks for item in removed.context["unclear"]] == ["skip", "keep"]
    assert "You removed the condition of this question" in said(removed)
    assert answered(staff, again, **ways(again, "keep", "keep")).status_code == 302
    assert [block.get("asked_if", {}).get("options") for block in blocks_of()] == [
        None,
        ["yes"],
        None,
        None,
        ["rarely", "option-3"],
    ]


def test_a_condition_of_a_form_can_be_removed_too(staff: Client) -> None:
    survey = [["type", "name", "label", "relevant"], ["select_one yn", "hit", "Has anybody hit you?"]]
    survey.append(["select_one yn", "hurt", "Were you hurt?", "${hit} = 'yes'"])
    report = imported(staff, survey)
    assert "Asked only if “Has anybody hit you?” is Yes." in said(report)
    removed = answered(staff, report, how_0="protect", everyone="3")
    assert [item["note"].asks for item in removed.context["unclear"]] == ["keep"]
    assert answered(staff, removed, how_0="keep").status_code == 302
    assert "asked_if" not in blocks_of()[-1]


def test_leaving_out_a_question_that_decides_asks_about_its_follow_ups(staff: Client) -> None:
    last = "3. How are you?\n- a\n- b"
    text = f"Home\n1. Do you?\n- Yes\n- No\n2. If you can, do you hide it?\n- Yes\n- No\n{last}"
    report = pasted(staff, text)
    (item,) = report.context["unclear"]
    assert item["note"].line == 5
    survey = reading_of(report)
    assert choose_condition(survey, survey.questions[2], survey.questions[1], [0])
    numbers = {note.asks: number for number, note in enumerate(survey.notes) if note.asks}
    answers = {f"how-{numbers['keep']}": "leave", f"how-{numbers['skip']}": "protect"}
    assert not apply_answers(survey, answers)
    assert [(note.line, note.asks) for note in survey.unclear] == [(8, "keep")]


NUMBERS = "Strain\n\t0\t1\t2\nI ran\t0\t1\t2\nI rested (R)\t0\t1\t2\nScore of 3 or more: strained"


def test_numbers_in_place_of_answers_get_words_in_all_rows(staff: Client) -> None:
    report = pasted(staff, NUMBERS)
    numbers = {point["note"].asks: point["number"] for point in report.context["unclear"]}
    assert "Words for 0, 1, 2, one per line" in said(report)
    entries = {f"how_{numbers['words']}": "words", f"how_{numbers['score']}": "each"}
    refused = answered(staff, report, **entries, **{f"said_{numbers['words']}": "never\nnever\noften"})
    assert refused.status_code == 422
    assert "Write a different text for each number, one per line." in said(refused)
    assert "never\noften</textarea>" in refused.content.decode().replace("\r", "")
    done = answered(staff, refused, **entries, **{f"said_{numbers['words']}": "never\n at times\noften"})
    assert done.status_code == 302
    questions = [each for block in Survey.objects.get().definition["blocks"] for each in block["questions"]]
    shown = [[option["text"]["en"] for option in each["options"]] for each in questions]
    assert shown == [["never", "at times", "often"]] * 2


def test_numbers_may_stay_the_answers(staff: Client) -> None:
    report = pasted(staff, NUMBERS)
    numbers = {point["note"].asks: point["number"] for point in report.context["unclear"]}
    answered(staff, report, **{f"how_{numbers['words']}": "numbers", f"how_{numbers['score']}": "one"})
    (question,) = (each for block in Survey.objects.get().definition["blocks"] for each in block["questions"])
    components = question["computed"]["components"]
    assert [[option["points"] for option in each["options"]] for each in components] == [[0, 1, 2], [2, 1, 0]]
