"""Each column of a form with content is imported, noted at its rows, or named in one note."""

import pytest

from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.questionnaire.document import DefinitionError
from tests.fixtures.workbooks import CHOICES, SURVEY, Lines, form, short, workbook, xlsform_read

HIT = ["select_one yes_no", "hit", "Has anybody hit you?"]


def read(headers: list[object], *rows: list[object], choices: Lines = CHOICES) -> Questionnaire:
    return xlsform_read(workbook(survey=[headers, *rows], choices=choices))


def whole_form_notes(survey: Questionnaire) -> list[tuple[str, str, str]]:
    return [
        (note.effect, short(note.where), note.message)
        for note in survey.notes
        if note.line == 0 and "texts without a language are read" not in note.message
    ]


@pytest.mark.parametrize(
    ("headers", "row"),
    [
        (["type", "name", "label", "type"], HIT),
        (["type", "name", "label", "label "], [*HIT, None]),
        (["type", "type", "name", "label"], [None, *HIT]),
        (["type", "name", "label", 2020], [*HIT, None]),
    ],
)
def test_a_repeated_header_costs_nothing_if_one_of_its_columns_is_empty(
    headers: list[object], row: list[object]
) -> None:
    survey = read(headers, row)
    assert [question.texts for question in survey.questions] == [{"en": "Has anybody hit you?"}]
    assert whole_form_notes(survey) == []


def test_a_repeated_column_with_other_content_is_left_out_with_a_note() -> None:
    survey = read(["type", "name", "label", "label"], [*HIT, "Beaten?"])
    assert [question.texts for question in survey.questions] == [{"en": "Has anybody hit you?"}]
    assert whole_form_notes(survey) == [
        ("lost", "survey label", "the column is left out, because it is not valid")
    ]


def test_columns_that_nothing_reads_are_named_in_one_note_for_texts_and_one_for_others() -> None:
    headers: list[object] = [
        "type",
        "name",
        "label::English",
        "hint:Elvish",
        "labelReport",
        "weight",
        "empty",
    ]
    headers += ["constraint_message", "hint::English", "Relevance", "choice filter", "media::image", 2020]
    row = [*HIT, "In the last year.", "hits", 2, None, "No.", "Ever.", "1 = 1", "a = 1", "a.png", "x"]
    choices = [["list_name", "name", "label::English", "region"], ["yes_no", "yes", "Yes", "north"]]
    choices.append(["yes_no", "no", "No", "south"])
    assert whole_form_notes(read(headers, row, choices=choices)) == [
        (
            "lost",
            "survey",
            'these text columns are left out because their headers are unknown: "hint:Elvish", "labelReport"',
        ),
        (
            "changed",
            "survey",
            'these columns have no effect here: "weight", "constraint_message", "2020"',
        ),
        ("changed", "choices", 'these columns have no effect here: "region"'),
    ]


def test_columns_with_pyxform_s_two_signs_between_words_are_the_same_column() -> None:
    headers: list[object] = ["type", "name", "label", "bind::relevant", "bind:relevant"]
    survey = read(headers, HIT, ["select_one yes_no", "told", "Told?", None, "${hit} = 'yes'"])
    assert survey.questions[1].condition == {"question": "hit", "options": ["yes"]}
    assert [effect for effect, _where, _message in whole_form_notes(survey)] == []
    survey = read(headers, HIT, ["select_one yes_no", "told", "Told?", "${hit} = 'yes'", "1"])
    assert whole_form_notes(survey) == [
        ("lost", "survey bind:relevant", "the column is left out, because it is not valid")
    ]


def test_questions_without_a_column_of_names_get_names_and_say_so() -> None:
    survey = read(["type", "label"], *([HIT[0], f"Hit {number}?"] for number in range(25)))
    assert len(survey.questions) == 25
    assert [short(note.where) for note in survey.notes if "it has no name" in note.message] == [
        f"survey {row} name" for row in range(2, 27)
    ]


def test_the_column_of_lists_may_have_a_shorter_name() -> None:
    choices = [["list", "name", "label"], ["yes_no", "yes", "Yes"], ["yes_no", "no", "No"]]
    survey = read(["type", "name", "label"], HIT, choices=choices)
    assert [each.kind for each in survey.questions] == ["yes_no"]
    assert whole_form_notes(survey) == []


def test_rows_and_columns_behind_a_gap_are_read() -> None:
    gap: list[object] = [None] * 30
    told = ["select_one yes_no", "told", "Told?", *gap, "${hit} = 'yes'"]
    empty: list[list[object]] = [[]] * 70
    survey = read(["type", "name", "label", *gap, "relevant"], HIT, *empty, told)
    assert [(each.key, each.line) for each in survey.questions] == [("hit", 2), ("told", 73)]
    assert survey.questions[1].condition == {"question": "hit", "options": ["yes"]}


def test_a_form_for_odk_x_is_named_as_such() -> None:
    choices = [["choice_list_name", "data_value", "display.title.text"], ["yes_no", "yes", "Yes"]]
    rows = [["type", "values_list", "name", "display.prompt.text"], ["select_one", "yes_no", "hit", "Hit?"]]
    for raw in (workbook(survey=rows, choices=choices), workbook(survey=SURVEY, choices=choices)):
        with pytest.raises(DefinitionError, match="made for ODK-X") as caught:
            xlsform_read(raw)
        assert "paste them into the box" in str(caught.value.problems[0].remedy)
    assert xlsform_read(form()).questions


@pytest.mark.parametrize(
    ("headers", "choices"),
    [
        (["type:old", "name::English"], "name::fr"),
        (["type::x"], "list_name:x"),
        (["name:survey1"], "list name::a"),
    ],
)
def test_a_column_that_repeats_the_type_or_name_is_noted(headers: list[str], choices: str) -> None:
    lists = [[*CHOICES[0], choices], *([*row, "x"] for row in CHOICES[1:])]
    survey = read(["type", "name", "label", *headers], [*HIT, *["text"] * len(headers)], choices=lists)
    assert [question.texts for question in survey.questions] == [{"en": "Has anybody hit you?"}]
    said = [message for _effect, _where, message in whole_form_notes(survey) if "no effect" in message]
    assert [header in "".join(said) for header in (*headers, choices)] == [True] * (len(headers) + 1)


def test_a_codebook_whose_sheet_is_called_survey_is_no_form() -> None:
    headers = ["name:survey1", "type:survey1", "choices:survey1", "label"]
    with pytest.raises(DefinitionError, match="not an XLSForm"):
        read(headers, ["q", "byte", "yn", "Smokes"])


@pytest.mark.parametrize(
    ("english", "french", "texts"),
    [
        ("label#English", "label#French", {"en", "fr"}),
        ("label (English)", "label (Français (fr))", {"en", "fr"}),
        ("Label English", "Label French", {"en", "fr"}),
        ("label_english", "label_french", {"en", "fr"}),
        ("label - English", "label - Deutsch", {"en", "de"}),
        ("label::English (en)", "label:Français (fr)", {"en", "fr"}),
        ("label:English", "label#fr", {"en", "fr"}),
        ("label::English", "label[zh-Hans]", {"en", "zh-hans"}),
        ("label/English", "label/Kiswahili", {"en", "sw"}),
        # These may hold something else than texts.
        ("label", "label_no", {"en"}),
        ("label", "label id", {"en"}),
        ("label", "labelfr", {"en"}),
    ],
)
def test_texts_whose_language_is_behind_another_sign_are_read(
    english: str, french: str, texts: set[str]
) -> None:
    choices = [
        ["list_name", "name", english, french],
        ["yes_no", "yes", "Yes", "1"],
        ["yes_no", "no", "No", "2"],
    ]
    survey = read(
        ["type", "name", english, french], [*HIT, "Quelqu’un vous a-t-il frappé ?"], choices=choices
    )
    assert {*survey.questions[0].texts} == texts
    assert survey.questions[0].texts["en"] == HIT[2]


def test_other_signs_before_a_language_change_no_other_column() -> None:
    told = ["select_one yes_no", "told", "Told?", "Raconté ?", "${hit} = 'yes'"]
    for sign in ("#", ":", " "):
        survey = read(["type", "name", "label:English", f"label{sign}French", "bind:relevant"], HIT, told)
        assert survey.questions[1].condition == {"question": "hit", "options": ["yes"]}
        assert survey.questions[1].texts == {"en": "Told?", "fr": "Raconté ?"}
