"""A form that pyxform refuses comes in without the row or column that pyxform names, and says so."""

import copy
from typing import Any

import pytest

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.files import reader_process
from surveys.imports.files.form_repairs import repair
from surveys.questionnaire.definition import definition_read
from surveys.questionnaire.document import DefinitionError
from tests.fixtures.workbooks import Lines, short, workbook, xlsform_read

HEADERS = ["type", "name", "label", "relevant", "parameters", "calculation", "trigger"]
CHOICES: Lines = [["list_name", "name", "label"], ["yn", "yes", "Yes"], ["yn", "no", "No"]]
BRIBE = ["select_one yn", "bribe", "Have you paid a bribe?"]
MANY = 25
HIT = ["select_one yn", "hit", "Has anybody hit you?"]


def read(*rows: list[Any], choices: Lines = CHOICES, headers: list[str] = HEADERS) -> Questionnaire:
    return xlsform_read(workbook(survey=[headers, *map(list, rows)], choices=choices))


def notes(survey: Questionnaire, effect: str) -> list[str]:
    return [f"{short(note.where)}: {note.message}" for note in survey.notes if note.effect == effect]


def questions(survey: Questionnaire) -> list[str]:
    assert definition_read(draft_of(survey), is_worded=False).definition is not None
    return [question.key for question in survey.questions]


@pytest.mark.parametrize(
    ("row", "kept", "effect", "said"),
    [
        # Types of other tools are listed as left out, whatever they are.
        (["caseid", "caseid"], [], "lost", "survey 3 type: caseid: there is no such question"),
        (["text audit", "audit_2"], [], "lost", "survey 3 type: text audit: there is no such question"),
        (["calculate_here", "t1"], [], "lost", "survey 3 type: calculate_here: there is no such"),
        (["speed violations list", "x"], [], "lost", "survey 3 type: speed violations list: there is"),
        # A name that occurs twice, or is no name, gets a new one.
        (HIT, ["hit_2"], "changed", "survey 3 name: its name is hit_2 here"),
        (["end", "hit"], [], "changed", "survey 3 name: its name is hit_2 here"),
        (["select_one yn", "9 lives", "Nine?"], ["9-lives"], "changed", "survey 3 name: its name is _9"),
        (["select_one yn", "école", "School?"], ["ecole"], "changed", ""),
        (["select_one yn", "meta", "Meta?"], ["meta_2"], "changed", "survey 3 name: its name is meta_2 here"),
        (["select_one yn", None, "Nameless?"], ["row_3"], "changed", "survey 3 name: it has no name in"),
        # Cells and rows that are not valid are left out.
        (["integer", "n", "How many?", None, "a b c"], ["n"], "lost", "survey 3 parameters: the content of"),
        (["range", "n", "How many?", None, "start=x"], ["n"], "lost", "survey 3 parameters: the content of"),
        (["calculate", "c", None], [], "lost", "survey 3: the row is left out, because it is not valid"),
        ([None, "q", "Typeless?"], [], "lost", "survey 3: the row is left out, because it is not valid"),
        (["select_one nowhere", "q", "Q?"], [], "lost", "survey 3: the row is left out"),
        (["end group"], [], "lost", "survey 3: the row is left out, because it is not valid"),
        (["begin group", "g", "Home"], [], "changed", "survey 3: this group has no end"),
        (["audit", "watch"], [], "lost", "survey 3: the row is left out"),
        (["select_one_external towns", "q", "Town?"], [], "lost", "survey 3: the row is left out"),
    ],
)  # fmt: skip
def test_one_odd_row_does_not_cost_the_other_questions(
    row: list[Any], kept: list[str], effect: str, said: str
) -> None:
    survey = read(HIT, row, BRIBE)
    assert questions(survey) == ["hit", *kept, "bribe"]
    found = notes(survey, effect)
    assert not said or any(
        note.replace("column ", "").startswith(said.replace("column ", "")) for note in found
    )
    assert all(note.remedy for note in survey.notes if "not valid" in note.message)


def test_a_condition_that_refers_to_no_question_asks_everyone_with_a_note() -> None:
    survey = read(HIT, [*BRIBE, "${nobody} = 'yes'"])
    assert questions(survey) == ["hit", "bribe"]
    assert survey.questions[1].condition is None
    assert any("everyone is asked this" in note for note in notes(survey, "changed") + notes(survey, "lost"))


def test_a_condition_on_a_name_that_occurs_twice_is_not_guessed() -> None:
    group = [["begin group", "a", "A"], HIT, ["end group"], ["begin group", "b", "B"], HIT, ["end group"]]
    survey = read(*group, [*BRIBE, "${hit} = 'yes'"])
    assert [question.condition for question in survey.questions] == [None] * 3
    assert any("not valid, so everyone is asked this" in note for note in notes(survey, "lost"))


def test_a_column_that_occurs_twice_is_left_out() -> None:
    survey = read(HIT + [None] * 4 + ["x"], headers=[*HEADERS, "Label"])
    assert questions(survey) == ["hit"]
    assert len(notes(survey, "lost")) == 1
    assert "the column is left out" in notes(survey, "lost")[0]


def test_names_of_options_may_hold_blanks_and_conditions_still_find_them() -> None:
    choices = [*CHOICES, ["who", "the police", "Police"], ["who", "a doctor", "Doctor"]]
    survey = read(
        ["select_one who", "one", "Who?"],
        ["select_multiple who", "many", "Whom?"],
        [*HIT, "${one} = 'a doctor'"],
        choices=choices,
    )
    assert survey.questions[2].condition == {"question": "one", "options": ["doctor"]}
    assert notes(survey, "lost") == []


def test_names_that_many_rows_lack_or_share_are_one_cause() -> None:
    count = MANY
    survey = read(*(["select_one yn", None, f"Lied {n}?"] for n in range(count)))
    assert len(questions(survey)) == count
    survey = read(*(["select_one yn", "q", f"Lied {n}?"] for n in range(count)), [*HIT, "${q} = 'yes'"])
    assert len(questions(survey)) == count + 1
    assert survey.questions[-1].condition is None
    assert notes(survey, "lost") == [
        f"survey {count + 2} relevant: this condition is not valid, so everyone is asked this"
    ]


def test_conditions_follow_a_row_with_an_invalid_name() -> None:
    survey = read(["select_one yn", "a b", "Lied?"], [*HIT, "${a b} = 'yes'"])
    assert survey.questions[1].condition == {"question": "a_b", "options": ["yes"]}
    assert notes(survey, "lost") == []


def test_references_may_have_blanks_in_their_brackets() -> None:
    survey = read(HIT, [*BRIBE, "${ hit } = 'yes'"])
    assert survey.questions[1].condition == {"question": "hit", "options": ["yes"]}
    assert notes(survey, "lost") == []


def test_each_missing_list_is_named_at_its_row() -> None:
    lacking = [[f"select_one list{n}", f"q{n}", "Which?"] for n in range(MANY)]
    survey = read(*lacking, HIT)
    assert questions(survey) == ["hit"]
    reasons = [note.remedy for note in survey.notes if note.effect == "lost"]
    assert [reason.rpartition(" ")[2] for reason in reasons] == [f"list{n}" for n in range(MANY)]


def test_answers_without_a_name_stay_and_those_without_a_list_are_noted() -> None:
    choices: Lines = [
        ["list_name", "name", "label"],
        ["a", None, "Tea"],
        ["a", "2", "Milk"],
        ["a", "3", "Gin"],
    ]
    choices += [["a", None, None], [None, "4", "Rum"]]
    survey = read(["select_one a", "q", "Which?"], choices=choices)
    assert [option.texts["en"] for option in survey.questions[0].options] == ["Tea", "Milk", "Gin"]
    assert [note.partition(":")[0] for note in notes(survey, "lost")] == ["choices 6", "choices 5"]
    assert "choices 2 name: it has no name in the form, so its name is row_2 here" in notes(survey, "changed")


def test_a_list_whose_name_is_only_in_its_first_row_is_kept_whole() -> None:
    """Its other answers were left out, and each question with it: *its list has 1 answer*."""
    choices: Lines = [
        ["list_name", "name", "label"],
        ["a", "1", "Tea"],
        [None, "2", "Milk"],
        [None, "3", "Gin"],
        [None, None, None],
        [None, "4", "Rum"],
    ]
    survey = read(["select_one a", "q", "Which?"], choices=choices)
    assert [option.texts["en"] for option in survey.questions[0].options] == ["Tea", "Milk", "Gin"]
    assert [note.partition(":")[0] for note in notes(survey, "changed")] == ["choices 3", "choices 4"]
    assert [note.partition(":")[0] for note in notes(survey, "lost")] == ["choices 6"]


def test_faults_without_a_place_are_found_by_trial() -> None:
    survey = read(
        HIT,
        ["select_one yn", "x", "Lied?", "${hit} = 'yes'", "randomize=maybe"],
        ["image", "photo", "Photo", None, "max-pixels=abc"],
        BRIBE,
    )
    assert questions(survey) == ["hit", "x", "bribe"]
    assert survey.questions[1].condition == {"question": "hit", "options": ["yes"]}
    assert notes(survey, "lost")[:2] == [
        f"survey {row} parameters: the content of this cell is left out, because it is not valid"
        for row in (3, 4)
    ]


def test_what_says_how_others_store_answers_cannot_cost_the_questions() -> None:
    headers = ["type", "name", "label", "save_to"]
    sheets: dict[str, Lines] = {"entities": [["dataset", "label"], ["bad name!", "x"]], "choices": CHOICES}
    survey = xlsform_read(workbook(survey=[headers, [*HIT, "bad!"]], **sheets))
    assert questions(survey) == ["hit"]
    assert notes(survey, "lost") == []


@pytest.mark.parametrize(
    ("row", "repeated", "n_read"),
    [
        (["end group"], False, 0),
        (["begin group", "g{n}", "Part {n}"], False, 0),
        (["range", "n{n}", "How many {n}?", None, "start=x"], False, MANY),
        (["select_one yn", "same{n}", "Lied {n}?"], True, 2 * MANY),
        (["select_one yn", "q{n}", "Lied {n}?", "${{gone{n}}} = 'yes'"], False, MANY),
        (["calculate", "c{n}", None, None, None, "${{gone{n}}} + 1"], False, 0),
        (["caseid", "{n}", "{n}"], False, 0),
    ],
)
def test_many_faults_cost_no_sound_question(row: list[Any], repeated: bool, n_read: int) -> None:
    rows = [
        [cell.format(n=n) if cell else None for cell in row]
        for n in range(MANY)
        for _twice in range(1 + repeated)
    ]
    survey = read(HIT, *rows)
    assert len(questions(survey)) == 1 + n_read
    faulty = range(3 + repeated, 3 + len(rows), 1 + repeated)
    assert {*faulty} <= {note.line for note in survey.notes}


def test_each_missing_name_is_said_at_its_row() -> None:
    conditions = ["${away} = 1", "${gone} = 1 and ${bribe} = 'yes'", "${last-saved#bribe} = 'yes'"]
    asked = [["select_one yn", f"q{n}", f"Lied {n}?", text] for n, text in enumerate(conditions)]
    survey = read(BRIBE, *asked)
    said = {note.line: note.remedy for note in survey.notes if "is not valid" in note.message}
    assert ["'away'" in said[3], "'gone'" in said[4], 5 in said] == [True, True, False]


def test_a_form_whose_faults_need_too_much_time_is_refused_in_the_words_of_pyxform(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader_process, "_MOST_SECONDS", 0.0)
    rows = [["end group"]] * 20
    assert questions(read(HIT, *rows)) == ["hit"]
    with pytest.raises(
        DefinitionError, match=r"more than 20 kinds of faults.*Unmatched 'end_group'"
    ) as caught:
        read(HIT, *rows, ["end group"])
    assert "in the program in which you wrote it" in caught.value.problems[0].remedy


def test_one_missing_list_is_one_cause_for_all_its_questions_and_their_conditions() -> None:
    lacking = [["select_one nowhere", f"k{n}", "Which?"] for n in range(MANY)]
    asked = [["select_one yn", f"q{n}", f"Lied {n}?", f"${{k{n}}} = '1'"] for n in range(MANY)]
    survey = read(*lacking, *asked)
    assert questions(survey) == [f"q{n}" for n in range(MANY)]
    assert [note.message for note in survey.notes if note.effect == "lost"] == [
        "the row is left out, because it is not valid"
    ] * len(lacking)
    assert {note.line for note in survey.notes if note.cause == "relevant"} == {
        question.line for question in survey.questions
    }


def test_one_missing_name_is_one_cause_for_all_conditions_and_formulas() -> None:
    asked = [["select_one yn", f"q{n}", f"Lied {n}?", "${gone} = '1'"] for n in range(MANY)]
    survey = read(*asked, ["calculate", "sum", None, None, None, "${gone} + 1"], [*HIT, "${sum} > 1"])
    assert questions(survey) == [*(f"q{n}" for n in range(MANY)), "hit"]
    found = notes(survey, "lost")
    assert found[0] == "survey 2 relevant: this condition is not valid, so everyone is asked this"
    assert found[-1] == f"survey {MANY + 2}: the row is left out, because it is not valid"
    assert len(found) == MANY + 1


@pytest.mark.parametrize("header", ["label", "Label::English (en)"])
def test_texts_that_refer_to_a_missing_name_stay_with_a_note(header: str) -> None:
    headers = ["type", "name", header, "relevant"]
    choices: Lines = [["list_name", "name", header], ["yn", "yes", "Yes"], ["yn", "no", "Not ${him}"]]
    survey = read(["select_one yn", "smokes", "Did ${who} smoke?"], headers=headers, choices=choices)
    assert [question.texts for question in survey.questions] == [{"en": "Did ${who} smoke?"}]
    assert [option.texts for option in survey.questions[0].options] == [{"en": "Yes"}, {"en": "Not ${him}"}]
    assert [note.message.split()[0] for note in survey.notes if note.cause == "leftover"] == [
        '"${who}"',
        '"${him}"',
    ]
    assert notes(survey, "lost") == []


def test_a_condition_in_a_header_with_capitals_is_emptied_and_its_row_kept() -> None:
    survey = read([*BRIBE, "${nobody} = 1"], headers=["type", "name", "label", "Relevance"])
    assert questions(survey) == ["bribe"]
    assert "everyone is asked" in notes(survey, "lost")[0]


def test_without_a_sheet_of_lists_the_questions_that_need_none_come_in() -> None:
    survey = xlsform_read(workbook(survey=[HEADERS, ["integer", "age", "How old are you?"], HIT]))
    assert questions(survey) == ["age"]
    assert notes(survey, "lost") == ["survey 3: the row is left out, because it is not valid"]


@pytest.mark.parametrize(
    "choices",
    [
        [["num", "code", "text"], ["1", "a", "Alive"], ["2", "b", "Dead"]],
        [["name", "label"], ["yes", "Yes"], ["no", "No"]],
        [["list_name", "name", "label"], ["", "yes", "Yes"], ["", "no", "No"]],
        [["ville", None, "pays"], ["Bamako", None, "Mali"]],
    ],
)
def test_a_sheet_of_choices_that_names_no_list_is_left_out_in_one_note(choices: Lines) -> None:
    survey = read(["integer", "age", "How old are you?"], choices=choices)
    assert questions(survey) == ["age"]
    assert notes(survey, "lost") == [
        "choices: this sheet is not imported, because no answer in it names a list"
    ]


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Something else.",
        "[row : 999] On the 'survey' sheet, the 'name' value 'a' is invalid.",
        "[row : 1] On the 'choices' sheet, the 'a b' value is invalid.",
        "[row : 2] On the 'nowhere' sheet, the 'name' value is invalid.",
    ],
)
def test_messages_that_name_nothing_to_change_change_nothing(said: str) -> None:
    sheets = {"survey": [{"type": "text", "name": "a"}], "choices": [{"name": "b"}]}
    before = copy.deepcopy(sheets)
    assert repair(sheets, said) == []
    assert sheets == before


def test_new_names_avoid_all_names_of_the_form() -> None:
    rows = [{"name": "q"}, {"name": "Q_2"}, {"name": "q"}]
    said = "[row : 4] On the 'survey' sheet, the 'name' value 'q' is invalid. Must be unique."
    (found,) = repair({"survey": rows}, said)
    assert (found.change, found.value, rows[2]["name"]) == ("renamed", "q_3", "q_3")


def test_options_without_a_text_are_noted_at_each_question() -> None:
    choices: Lines = [
        ["list_name", "name", "label", "media::image"],
        ["f", "1", None, "sad.png"],
        ["f", "2", None],
    ]
    survey = read(["select_one f", "a", "Which face?"], ["select_one f", "b", "Which now?"], choices=choices)
    assert notes(survey, "wrong") == [
        f"survey {row} type: 2 of its answers have no text, so their names are shown" for row in (2, 3)
    ]


@pytest.mark.parametrize(
    ("condition", "is_noted"),
    [
        ("${hit} != 'yes'", True),
        ("not(${hit} = 'yes')", True),
        ("${hit} = 'yes'", False),
        ("not(${hit} != 'yes')", False),
    ],
)
def test_conditions_that_hold_for_an_empty_answer_are_noted(condition: str, is_noted: bool) -> None:
    survey = read(HIT, [*BRIBE, condition])
    assert any("people who skip" in note for note in notes(survey, "changed")) == is_noted
