"""Faults of a form are noted at their place, with the words of pyxform."""

from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.files.form_repairs import Repair
from surveys.imports.forms.form_faults import note_faults
from tests.fixtures.workbooks import Lines, short, workbook, xlsform_read


def test_each_repair_is_noted_with_its_reason_and_losses_as_losses() -> None:
    survey = Questionnaire()
    repairs = [
        Repair(change="row", sheet="survey", row=3, said="No   type."),
        Repair(change="renamed", sheet="survey", row=4, column="name", value="q_2", said="Twice."),
        Repair(change="row", sheet="choices", row=5, said="x" * 400),
    ]
    note_faults(survey, repairs, "There are two of these.")
    assert [(note.line, note.effect, short(note.where)) for note in survey.notes] == [
        (3, "lost", "survey 3"),
        (4, "changed", "survey 4 name"),
        (0, "lost", "choices 5"),
        (0, "changed", "survey"),
    ]
    assert survey.notes[0].remedy == "the check of the form says: No type"
    assert len(survey.notes[2].remedy) < 340
    assert "There are two of these." in survey.notes[3].message


def test_what_pyxform_says_about_the_whole_form_is_noted_and_the_form_comes_in() -> None:
    rows = [
        ["type", "name", "label", "hint"],
        ["note", "n", None, None],
        ["integer", "age", "How old are you?"],
    ]
    survey = xlsform_read(workbook(survey=rows))
    assert [question.key for question in survey.questions] == ["age"]
    assert any("the form has a fault: The survey element named 'n'" in note.message for note in survey.notes)


def test_texts_without_a_language_next_to_texts_with_one_are_noted() -> None:
    headers = ["type", "name", "label", "label::English (en)", "label::French (fr)"]
    choices: Lines = [
        ["list_name", "name", "label::English (en)", "label::French (fr)"],
        ["yn", "yes", "Yes", "Oui"],
    ]
    choices += [["yn", "no", "No", "Non"]]
    rows: Lines = [headers, ["select_one yn", "q", "Short?", "Has it happened?", "Est-ce arrivé ?"]]
    survey = xlsform_read(workbook(survey=rows, choices=choices))
    (note,) = [note for note in survey.notes if "without a language" in note.message]
    assert (short(note.where), note.effect) == ("survey label", "lost")
    assert "the text in English is missing" in note.message


def test_texts_whose_language_is_guessed_are_noted() -> None:
    headers = ["type", "name", "label", "label::Deutsch (de)", "hint"]
    choices: Lines = [["list_name", "name", "label::Deutsch (de)"], ["yn", "yes", "Ja"], ["yn", "no", "Nein"]]
    row = ["select_one yn", "q", "Has it happened?", "Ist es passiert?", "Think of last year."]
    survey = xlsform_read(workbook(survey=[headers, row], choices=choices))
    assert survey.questions[0].texts == {"en": "Has it happened?", "de": "Ist es passiert?"}
    assert [(short(note.where), note.effect, note.message) for note in survey.notes] == [
        (f"survey {column}", "changed", "texts without a language are read as English")
        for column in ("label", "hint")
    ]


def test_columns_in_the_same_language_are_noted_and_the_first_text_counts() -> None:
    headers = ["type", "name", "label::english", "label::English (en)"]
    rows = [headers, ["integer", "a", "How many?", "Number?"], ["integer", "b", None, "How much?"]]
    survey = xlsform_read(workbook(survey=rows))
    assert [each.texts for each in survey.questions] == [{"en": "How many?"}, {"en": "How much?"}]
    (note,) = [note for note in survey.notes if note.effect == "lost"]
    assert '"label::english", "label::English (en)"' in note.message.replace(" and ", ", ")
