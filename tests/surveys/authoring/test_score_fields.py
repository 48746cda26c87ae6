"""The table of a proposed score shows the guesses, and changes to its fields become the draft."""

import re
from typing import Any

import pytest
from django.test import Client

from surveys.authoring.score_fields import score_of, sentence_of, table_of, with_corrections
from surveys.imports.corrections.score_choices import Correction, written_levels
from surveys.imports.pasted_text import read_paste
from surveys.models import Survey
from tests.surveys.authoring.test_former_choices import again
from tests.surveys.authoring.test_import_report import REPORT, answered, imported, pasted, said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

SCALE = """Rest
How often?
(0 = never, 1 = seldom, 2 = sometimes, 3 = often)
1. I sleep badly
2. I sleep well (R)
3. I wake early
4. I cannot fall asleep
5. I am tired all day
Score: 0-4 none, 5-9 some, 10-15 much
"""
BASE = "never=0|often=3|seldom=1|sometimes=2"


def fields_of(report: Any) -> dict[str, str]:
    """Return the fields of the page's tables as a browser sends them."""
    page = report.content.decode()
    found: dict[str, str] = {}
    for tag in re.findall(r"<input [^>]*>", page):
        name = re.search(r'name="((?:table|turned|points|level|from|most)-[^"]*)"', tag)
        if name and ('type="checkbox"' not in tag or " checked" in tag):
            value = re.search(r'value="([^"]*)"', tag)
            found[name[1]] = value[1] if value else ""
    for name, options in re.findall(
        r'<select id="[^"]*" name="(gaps-[^"]*)".*?>(.*?)</select>', page, re.DOTALL
    ):
        (found[name],) = re.findall(r'value="(\w+)" selected', options)
    return found


def sent(staff: Client, report: Any, changes: dict[str, str | None], **answers: str) -> Any:
    """Send the form of a report after some fields of its tables were changed; None unticks a box."""
    fields = {**fields_of(report), **changes}
    named = {name: text for name, text in fields.items() if text is not None}
    return staff.post(REPORT, {"questionnaire": report.context["token"], **named, **answers})


def rule() -> dict[str, Any]:
    (question,) = (each for block in Survey.objects.get().definition["blocks"] for each in block["questions"])
    return dict(question["computed"])


def points() -> list[list[int]]:
    return [[option["points"] for option in each["options"]] for each in rule()["components"]]


def number_of(report: Any) -> int:
    (number,) = [item["number"] for item in report.context["unclear"] if item["note"].asks == "score"]
    return int(number)


def test_the_table_shows_points_directions_levels_sums_and_whether_the_gap_rule_is_stated(
    staff: Client,
) -> None:
    report = pasted(staff, SCALE)
    text = said(report)
    assert "I sleep well never 0 … often 3 never 3 … often 0" in text
    assert "The sum is at least 0 and at most 15." in text
    assert "The questionnaire states no rule for missing answers. Sottovoce proposes that 1 of 5" in text
    fields, number = fields_of(report), number_of(report)
    assert fields[f"table-{number}"] == "4,5,6,7,8"
    assert [name for name in fields if name.startswith("turned")] == [f"turned-{number}-5"]
    assert [fields[f"from-{number}-{row}"] for row in (1, 2, 3)] == ["5", "10", ""]
    assert (fields[f"gaps-{number}"], fields[f"most-{number}"]) == ("mean", "1")
    stated = said(pasted(staff, f"{SCALE}With more than one missing answer, no total; otherwise the mean."))
    assert "The questionnaire states this rule." in stated
    half = said(pasted(staff, f"{SCALE}With more than one missing answer, no total is computed."))
    assert "but not how they count" in half


def test_an_untouched_table_makes_the_draft_that_it_shows(staff: Client) -> None:
    report = pasted(staff, SCALE)
    answer = sent(staff, report, {}, **{f"how-{number_of(report)}": "one"})
    assert answer.status_code == 302
    assert points() == [[0, 1, 2, 3], [3, 2, 1, 0], *[[0, 1, 2, 3]] * 3]
    assert [level.get("from") for level in rule()["levels"]] == [None, 5, 10]
    assert rule()["missing"] == {"at_most": 1, "as": "mean"}


def test_changes_become_the_draft_and_its_plan(staff: Client) -> None:
    report = pasted(staff, SCALE)
    number = number_of(report)
    changes = {
        f"turned-{number}-5": None,
        f"turned-{number}-6": "1",
        f"points-{number}-0-3": "7",
        f"level-{number}-2": "very much",
        f"from-{number}-2": "20",
        f"level-{number}-3": "in between",
        f"from-{number}-3": "12",
        f"gaps-{number}": "no_points",
        f"most-{number}": "2",
    }
    answer = sent(staff, report, changes, **{f"how-{number}": "one"})
    assert answer.status_code == 302
    assert points() == [[0, 1, 2, 7], [0, 1, 2, 7], [7, 6, 5, 0], *[[0, 1, 2, 7]] * 2]
    assert [level.get("from") for level in rule()["levels"]] == [None, 5, 12, 20]
    (question,) = (each for block in Survey.objects.get().definition["blocks"] for each in block["questions"])
    # The added level is at the place of its start.
    assert [each["text"]["en"] for each in question["options"]] == ["none", "some", "in between", "very much"]
    assert rule()["missing"] == {"at_most": 2, "as": "no_points"}
    assert "in between" in said(staff.get(answer.headers["Location"]))
    # The plan adds up the same points for its made-up people, and the export has them.
    assert "in between" in staff.get("/en/staff/surveys/rest/build/export.json").content.decode()
    assert (
        staff.get("/en/staff/surveys/rest/build/export.json").json()["blocks"]
        == Survey.objects.get().definition["blocks"]
    )


def test_a_refused_table_keeps_and_marks_entries_and_stores_nothing(staff: Client) -> None:
    report = pasted(staff, SCALE)
    number = number_of(report)
    changes: dict[str, str | None] = {
        f"turned-{number}-4": "1",
        f"from-{number}-2": "4",
        f"most-{number}": "x",
    }
    refused = sent(staff, report, changes, **{f"how-{number}": "one"})
    assert refused.status_code == 422
    assert "“much” starts at 4, but “some” above it starts at 5." in said(refused)
    assert "“x” is not a possible number of missing answers." in said(refused)
    fields = fields_of(refused)
    assert {name: fields[name] for name in changes} == changes
    assert refused.content.decode().count('aria-invalid="true"') == 2
    assert not Survey.objects.exists()
    # A researcher who sends each answer does not need the table.
    assert sent(staff, refused, {}, **{f"how-{number}": "each"}).status_code == 302


def test_a_press_shows_the_sums_and_words_of_corrected_points_and_decides_nothing(staff: Client) -> None:
    report = pasted(staff, SCALE)
    number = number_of(report)
    shown = sent(staff, report, {f"points-{number}-0-3": "9"}, update=str(number))
    assert shown.status_code == 200
    assert "The sum is at least 0 and at most 45." in said(shown)
    assert "I sleep badly never 0, seldom 1, sometimes 2, often 9" in said(shown).replace(" ,", ",")
    # The rows of the questions show the same points.
    assert "often (9)" in said(shown)
    wrong = {f"points-{number}-0-{place}": "many" for place in (1, 3)}
    refused = sent(staff, report, wrong, update=str(number))
    assert refused.status_code == 422
    # Both fields are marked, and what is wrong with them is said once.
    assert said(refused).count("“many” cannot be the points of an answer.") == 1
    assert refused.content.decode().count('aria-invalid="true"') == 2
    assert not Survey.objects.exists()
    for forged in ("99", "x", ""):
        assert sent(staff, report, {}, update=forged).status_code == 200


@pytest.mark.parametrize("role", ["role-9", "role-10"])
def test_other_buttons_and_another_reading_keep_entries(staff: Client, role: str) -> None:
    report = pasted(staff, SCALE.replace("Score:", "Item 2 is reversed.\nScore:"))
    number = number_of(report)
    changes: dict[str, str | None] = {
        f"turned-{number}-4": "1",
        f"turned-{number}-5": None,
        f"level-{number}-1": "a little",
    }
    moved = sent(staff, report, changes, **{f"how-{number}": "one", "later": "4"})
    # Without its first line the rule begins in the next one; without its second, there is no score.
    how = {f"how-{number_of(moved)}": "one"}
    read = sent(staff, moved, {}, **how, **{role: "left", "read-again": "1"})
    scores = [item for item in read.context["unclear"] if item["note"].asks == "score"]
    assert [item["note"].line for item in scores] == ([10] if role == "role-9" else [])
    how = {f"how-{item['number']}": item["how"] for item in scores}
    back = sent(staff, read, {}, **how, **{"read-again": "undo"})
    for page in [read, back] if scores else [back]:
        (point,) = [item for item in page.context["unclear"] if item["note"].asks == "score"]
        assert point["how"] == "one"
        fields = fields_of(page)
        assert fields[f"level-{point['number']}-1"] == "a little"
        names = [name.rpartition("-")[2] for name in fields if name.startswith("turned")]
        assert names == ["4"]


def test_choices_are_repeated_when_the_draft_is_made_again_from_its_text(staff: Client) -> None:
    report = pasted(staff, SCALE)
    number = number_of(report)
    sent(staff, report, {f"turned-{number}-6": "1", f"from-{number}-1": "6"}, **{f"how-{number}": "one"})
    first = points()
    report = again(staff, SCALE.replace("Rest\n", "Rest\n\n"))
    fields, number = fields_of(report), number_of(report)
    assert (fields[f"from-{number}-1"], f"turned-{number}-7" in fields) == ("6", True)
    assert sent(staff, report, {}, **{f"how-{number}": "one"}).status_code == 302
    assert points() == first


def test_a_long_scale_is_folded_and_a_short_one_is_not() -> None:
    for count, is_long in ((12, False), (13, True)):
        items = "\n".join(f"{number}. I do thing {number}" for number in range(1, count + 1))
        survey = read_paste(f"Rest\nHow often?\n(0 = never, 1 = often)\n{items}\nScore of 5 or more: much")
        assert table_of(survey, survey.scores[0], "")["is_long"] is is_long


def test_a_formula_of_a_form_has_a_table_of_its_components(staff: Client) -> None:
    survey = [
        ["type", "name", "label", "calculation"],
        ["select_one yn", "lie", "Do you lie?", ""],
        ["select_one yn", "steal", "Do you steal?", ""],
        ["calculate", "total", "", "if(selected(${lie}, 'yes') or selected(${steal}, 'yes'), 'any', 'none')"],
    ]
    report = imported(staff, survey)
    number = number_of(report)
    assert fields_of(report)[f"table-{number}"] == "lie,steal"
    answer = sent(staff, report, {f"turned-{number}-lie": "1"}, **{f"how-{number}": "one"})
    assert answer.status_code == 302
    assert [each["points"] for each in rule()["components"]] == [[1, 0], [0, 1]]


def test_fields_of_no_table_and_forged_texts_change_nothing(staff: Client) -> None:
    survey = read_paste(SCALE)
    (number,) = [place for place, note in enumerate(survey.notes) if score_of(survey, note)]
    forged = {"table-x": "1", "turned-99-4": "1", f"turned-{number}-4": "1"}
    assert with_corrections(survey, forged) == forged
    # Boxes count only for questions that the form showed.
    found = with_corrections(survey, {f"table-{number}": "4", f"turned-{number}-6": "1"})
    assert found == {f"said-{number}": ""}
    report = pasted(staff, SCALE)
    answer = answered(staff, report, **{f"how_{number}": "one", f"said_{number}": '{"levels": [[]], "x": 1}'})
    assert answer.status_code == 302
    assert [level.get("from") for level in rule()["levels"]] == [None, 5, 10]


def test_the_sentence_of_a_score_states_what_its_table_corrects() -> None:
    survey = read_paste(SCALE)
    (note,) = [each for each in survey.notes if each.asks == "score"]
    (score,) = survey.scores
    levels = [("fine", ""), *written_levels(score)[1:]]
    last = str(score.questions[-1])
    new = sentence_of(survey, note, Correction(levels=levels, turned={last: True}).to_text())
    assert "fine" in new
    assert "reversed" in new
    # A refused correction changes nothing, neither in the sentence nor in the score.
    assert sentence_of(survey, note, Correction(levels=[("", "")]).to_text()) == note.message
    assert sentence_of(survey, note, "") == note.message
    assert "fine" not in str(score.levels)
