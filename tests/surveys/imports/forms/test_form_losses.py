"""What of an XLSForm has no effect here is noted once, with its column."""

import pytest

from tests.fixtures.workbooks import SETTINGS, form, short, with_cell, workbook
from tests.fixtures.workbooks import form_with_skips as xlsform_read


@pytest.mark.parametrize(
    ("row", "column", "text", "effect", "said"),
    [
        (3, "required", "yes", "changed", "required: the form requires an answer"),
        (3, "required", "${leads} = 'yes'", "changed", "required: the form requires an answer"),
        (3, "calculation", "1 + 1", "changed", "calculation: the form calculates this answer"),
        (3, "read_only", "yes", "changed", "read_only: the form only displays this answer"),
        (3, "default", "to-1", "changed", "default: the form fills in an answer"),
        (3, "guidance_hint", "Wait.", "lost", "guidance_hint: guidance for interviewers"),
        (3, "media::image", "a.png", "lost", "media: pictures and sound"),
        (2, "media::image", "a.png", "lost", "media: pictures and sound"),
        (3, "appearance", "minimal", "changed", 'appearance: the appearance "minimal" is not'),
        (3, "appearance", "w4 likert", "changed", 'appearance: the appearance "w4 likert" is not'),
        (2, "appearance", "field-list", "changed", 'appearance: the appearance "field-list" is not'),
        (3, "parameters", "randomize=true", "changed", "parameters: the form shuffles"),
        (5, "constraint", ". >= 1 and . <= 2", "lost", "constraint: the rule"),
    ],
)
def test_columns_without_effect_on_respondents_are_noted_once(
    row: int, column: str, text: str, effect: str, said: str
) -> None:
    (note,) = xlsform_read(form(survey=with_cell(row, column, text))).notes
    assert note.effect == effect
    assert f"{short(note.where)}: {note.message}".startswith(f"survey {row} {said}")


@pytest.mark.parametrize(
    ("row", "column", "text"),
    [
        (3, "required", "no"),
        (3, "required", "false()"),
        (3, "read_only", "no"),
        (3, "appearance", "likert"),
        (3, "appearance", "list-nolabel"),
        (3, "parameters", "randomize=false"),
    ],
)
def test_supported_and_harmless_columns_cause_no_notes(row: int, column: str, text: str) -> None:
    assert xlsform_read(form(survey=with_cell(row, column, text))).notes == []


def test_unused_settings_and_sheets_are_noted_except_housekeeping() -> None:
    settings = [[*SETTINGS[0], "style", "version", "instance_name"], [*SETTINGS[1], "pages", "7", "${years}"]]
    entities = [["list_name", "label"], ["trees", "${years}"]]
    notes = xlsform_read(form(settings=settings, entities=entities, Translations=[["a"], ["b"]])).notes
    assert [(note.effect, short(note.where), note.message) for note in notes] == [
        ("changed", "settings 2 style", "this setting has no effect here"),
        ("lost", '"Translations"', "this sheet is not imported"),
    ]


def test_notes_on_the_same_column_share_one_cause() -> None:
    lines = with_cell(3, "appearance", "minimal")
    for number, look in ((4, "quick"), (5, "columns-2")):
        lines[number - 1] += [None] * (len(lines[0]) - len(lines[number - 1]))
        lines[number - 1][-1] = look
    notes = xlsform_read(form(survey=lines)).notes
    assert [note.cause for note in notes] == ["appearance"] * 3


@pytest.mark.parametrize("look", ["search('homes')", "minimal search ('homes', 'matches', 'id', ${leads})"])
def test_answers_that_another_file_holds_are_no_names_of_its_columns(look: str) -> None:
    survey = xlsform_read(form(survey=with_cell(3, "appearance", look)))
    assert "years" not in [question.key for question in survey.questions]
    (note,) = [note for note in survey.notes if note.line == 3]
    assert (note.effect, "its answers are in another file" in note.message) == ("lost", True)


def test_each_group_whose_text_is_lost_is_noted_even_if_another_has_the_same() -> None:
    note = ["note", "n", "Read this."]
    inner = [["begin group", "g", "Home"], ["integer", "rooms", "Rooms?"], ["end group"]]
    survey = xlsform_read(
        workbook(
            survey=[
                ["type", "name", "label"],
                *[["begin group", "a", "Hearing"], note, ["end group"]],
                *[["begin group", "b", "Hearing"], note, *inner, ["end group"]],
                *[["begin group", "c", "Hearing"], ["integer", "loud", "How loud?"], ["end group"]],
            ]
        )
    )
    lost = [each.line for each in survey.notes if each.cause == "title"]
    assert lost == [2, 5]
