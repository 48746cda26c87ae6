"""XLSForm in and out: what is kept, what is left out or refused by its place, and the round trip."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from surveys.questionnaire.catalogue import TEMPLATES
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.problems import DefinitionError
from tests.cast.checked_surveys import document_of, protected, yes_no
from tests.cast.devices import shipped_definition
from tests.cast.rotating_drafts import rotating_document
from tests.cast.workbooks import CHOICES, SETTINGS, SURVEY, Lines, form, xlsform_read
from tests.cast.xlsform_writer import xlsform_file


def with_rows(*rows: list[Any], at: int = 2) -> Lines:
    lines = copy.deepcopy(SURVEY)
    lines[at:at] = [list(row) for row in rows]
    return lines


def with_cell(row: int, column: str, value: Any) -> Lines:
    """The example with one cell changed; rows as the workbook counts them."""
    lines = copy.deepcopy(SURVEY)
    if column not in lines[0]:
        lines[0].append(column)
    line = lines[row - 1]
    line += [None] * (len(lines[0]) - len(line))
    line[lines[0].index(column)] = value
    return lines


def problems(raw: bytes) -> dict[str, str]:
    with pytest.raises(DefinitionError) as caught:
        xlsform_read(raw)
    assert all(problem.message and problem.remedy for problem in caught.value.problems)
    return {problem.path: problem.message for problem in caught.value.problems}


def short(where: str) -> str:
    """Say "survey 3 type" for "survey, row 3, column type"."""
    return where.replace(", row", "").replace(", column", "")


def test_groups_become_blocks_and_selects_become_questions() -> None:
    read = xlsform_read(form())
    assert read.not_kept == ()
    document = read.document
    assert document["languages"] == ["en", "zh-hans"]
    assert document["title"] == {"en": "Work", "zh-hans": ""}
    assert document["group"] == {"policy": "choice"}
    work, silence = document["blocks"]
    assert (work["key"], work["protected"], work["title"]["zh-hans"]) == ("work", False, "您的工作")
    assert [(question["key"], question["kind"]) for question in work["questions"]] == [
        ("years", "single"),
        ("leads", "yes_no"),
        ("place", "multi"),
    ]
    assert work["questions"][0]["options"][1] == {"key": "2-on", "text": {"en": "Longer", "zh-hans": "更久"}}
    assert work["questions"][2]["help"] == {"en": "Tick.", "zh-hans": "勾选。"}
    assert "options" not in work["questions"][1]
    assert silence["asked_if"] == {"question": "leads", "options": ["yes"]}
    assert (silence["protected"], silence["truth_probability"], silence["refusal"]) == (True, 6000, 500)
    assert [(question["unrelated"], question["prevalence"]) for question in silence["questions"]] == [
        ([4000], [3000]),
        ([5000, 4000], [2000, 1000]),
    ]


def test_what_an_xlsform_does_not_say_is_left_to_the_builder() -> None:
    found = {problem.path for problem in definition_read(xlsform_read(form()).document).problems}
    assert "title.zh-hans" in found
    assert "about.ethics.en" in found
    assert not any(path.startswith("blocks") for path in found)


def test_chances_that_are_not_stated_are_even_and_a_prevalence_is_never_made_up() -> None:
    lines = copy.deepcopy(SURVEY)
    for number in (7, 8):
        lines[number][8:10] = [None, None]
    lines[6][6:8] = [None, None]
    lines.insert(9, ["select_one length", "how", "How?", "如何？"])
    silence = xlsform_read(form(survey=lines)).document["blocks"][1]
    assert (silence["truth_probability"], silence["refusal"]) == (5000, None)
    assert [question["unrelated"] for question in silence["questions"]] == [
        [5000],
        [5000, 5000],
        [5000, 5000],
    ]
    assert not any("prevalence" in question for question in silence["questions"])


def test_questions_outside_of_groups_make_open_blocks_of_their_own() -> None:
    lines = with_rows(["select_one yes_no", "first", "First?", "一？"], at=1)
    lines += [["select_one yes_no", "last", "Last?", "末？"], ["select_one yes_no", "end", "End?", "终？"]]
    blocks = xlsform_read(form(survey=lines)).document["blocks"]
    assert [block["key"] for block in blocks] == ["questions", "work", "silence", "questions-2"]
    assert [question["key"] for question in blocks[3]["questions"]] == ["last", "end"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "note"),
    [
        (with_rows(["text", "why", "Why?"]), "survey 3 type: text: questions are yes or no"),
        (with_rows(["geopoint", "where", "Where?"]), "survey 3 type: geopoint"),
        (with_rows(["start", "began"]), "survey 3 type: start: Sotto records no time"),
        (with_rows(["deviceid", "device"]), "survey 3 type: deviceid: Sotto records no time"),
        (with_cell(3, "relevant", "${leads} = 'yes'"), "survey 3 relevant: whole parts"),
        (with_cell(3, "required", "yes"), "survey 3 required: open questions"),
        (with_cell(3, "constraint", ". != ''"), "survey 3 constraint: a question has nothing"),
        (with_cell(3, "appearance", "minimal"), "survey 3 appearance"),
        (
            with_cell(3, "sotto_unrelated", "0.5 0.5"),
            "survey 3 sotto_unrelated: the part is open",
        ),
        (with_cell(3, "type", "select_one length or_other"), "survey 3 type: options are fixed"),
        (with_cell(2, "appearance", "field-list"), "survey 2 appearance: a part has nothing"),
        (
            with_cell(7, "relevant", "${leads} = 'yes' and ${years} = 'to-1' or ${years} = '2-on'"),
            "survey 7 relevant: a part can",
        ),
        (
            with_cell(7, "relevant", "${leads} = 'yes' and selected(${place}, 'home')"),
            "survey 7 relevant: a part can",
        ),
        (with_cell(7, "relevant", "not(${leads} = 'yes')"), "survey 7 relevant"),
        (with_cell(7, "relevant", "${years} != 'to-1'"), "survey 7 relevant"),
        (
            with_cell(7, "relevant", "selected(${place}, 'home')"),
            "survey 7 relevant: a part can",
        ),
        (
            with_rows(
                ["begin_group", "inner", "Inner", "内"],
                ["select_one yes_no", "q", "Q?", "问？"],
                ["end_group"],
            ),
            "survey 3 type: a group inside a group",
        ),
        (
            [
                *SURVEY,
                ["begin_repeat", "r", "R", "重"],
                ["select_one yes_no", "q", "Q?", "问？"],
                ["end_repeat"],
            ],
            "survey 11 type: a part is asked once",
        ),
        (
            [*SURVEY, ["begin_group", "g", "G", "组"], ["note", "n", "Hi", "好"], ["end_group"]],
            "the group g keeps no",
        ),
    ],
)
def test_what_cannot_be_kept_is_listed_with_its_place(lines: Lines, note: str) -> None:
    read = xlsform_read(form(survey=lines))
    assert any(note in short(line) for line in read.not_kept), read.not_kept
    assert len(read.document["blocks"]) >= 2


def test_an_alternative_of_one_question_is_kept_however_it_is_written() -> None:
    lines = with_cell(7, "relevant", "selected(${years}, \"to-1\") OR ${years}='2-on'")
    read = xlsform_read(form(survey=lines))
    assert read.document["blocks"][1]["asked_if"] == {"question": "years", "options": ["to-1", "2-on"]}


LEADS, LONG = {"question": "leads", "options": ["yes"]}, {"question": "years", "options": ["2-on", "to-1"]}


@pytest.mark.parametrize(
    ("relevant", "asked_if"),
    [
        ("${leads} = 'yes' and (${years} = '2-on' or ${years} = 'to-1')", {"all": [LEADS, LONG]}),
        ("${leads} = 'yes' or ${years} = '2-on' or ${years} = 'to-1'", {"any": [LEADS, LONG]}),
        ("(selected(${years}, '2-on') or selected(${years}, 'to-1')) AND (${leads}=\"yes\")",
         {"all": [LONG, LEADS]}),
    ],
)  # fmt: skip
def test_answers_to_several_questions_are_kept_and_come_back_as_they_went(
    relevant: str, asked_if: dict[str, Any]
) -> None:
    read = xlsform_read(form(survey=with_cell(7, "relevant", relevant)))
    assert read.not_kept == ()
    assert read.document["blocks"][1]["asked_if"] == asked_if
    document = shipped_definition("workplace") | {"languages": ["en", "zh-hans"]}
    document["blocks"][2]["asked_if"] = {
        joined: [LEADS, {"question": "years", "options": ["to-1", "2-5"]}] for joined in asked_if
    }
    went = definition_parse(document)
    came = xlsform_read(xlsform_file(went)).document
    assert came["blocks"][2]["asked_if"] == document["blocks"][2]["asked_if"]


def test_other_sheets_settings_and_columns_of_choices_are_listed() -> None:
    choices = [[*CHOICES[0], "media::image"], *CHOICES[1:]]
    settings = [[*SETTINGS[0], "style"], [*SETTINGS[1], "pages"], ["Second"]]
    notes = xlsform_read(form(choices=choices, settings=settings, entities=[["list_name"], ["e"]])).not_kept
    assert [note.split(":")[0] for note in notes] == [
        "entities",
        "settings, row 3",
        "settings, column style",
        "choices, row 1, column media",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "path", "says"),
    [
        ({"survey": []}, "survey", "no sheet of this name, only choices, settings"),
        ({"survey": with_cell(5, "name", "years")}, "survey 5 name", "name of row 3 too"),
        ({"survey": with_cell(8, "name", "leads")}, "survey 8 name", "name of row 4 too"),
        ({"survey": with_cell(3, "name", None)}, "survey 3 name", "has no name"),
        ({"survey": with_cell(2, "name", None)}, "survey 2 name", "has no name"),
        ({"survey": with_cell(3, "type", None)}, "survey 3 type", "no type"),
        ({"survey": with_cell(3, "type", "select_one nowhere")}, "survey 3 type", "no list"),
        ({"survey": with_cell(3, "type", "select_onee length")}, "survey 3 type", "no type of XLSForm"),
        ({"choices": []}, "survey 3 type", "no list"),
        ({"choices": [*CHOICES, ["length", "to-1", "Again", "又"]]}, "choices 8 name", "stands twice"),
        ({"choices": [*CHOICES, ["length", None, "?", "？"]]}, "choices 8 name", "empty"),
        ({"choices": [*CHOICES, [None, "x", "?", "？"]]}, "choices 8 list_name", "empty"),
        ({"survey": with_cell(7, "relevant", "${seen} = 'home'")}, "survey 7 relevant", "no question before"),
        (
            {"survey": with_cell(2, "relevant", "${years} = 'to-1'")},
            "survey 2 relevant",
            "no question before",
        ),
        ({"survey": with_cell(7, "relevant", "${gone} = 'x'")}, "survey 7 relevant", "no question before"),
        ({"survey": with_cell(7, "sotto_protected", "maybe")}, "survey 7 sotto_protected", "no answer"),
        (
            {"survey": with_cell(7, "sotto_truth_probability", "60 %")},
            "survey 7 sotto_truth_probability",
            "no chance",
        ),
        ({"survey": with_cell(7, "sotto_refusal", 1.5)}, "survey 7 sotto_refusal", "no chance"),
        ({"survey": with_cell(8, "sotto_prevalence", "many")}, "survey 8 sotto_prevalence", "no chance"),
        ({"survey": SURVEY[:-1]}, "survey 7 type", "never closed"),
        ({"survey": [*SURVEY, ["end_group"]]}, "survey 11 type", "no group is open"),
        ({"survey": with_cell(3, "label::Klingon of mine", "nuq")}, "survey 1 label", "names no language"),
        ({"settings": [["default_language"], ["My tongue"]]}, "settings 2 default_language", "no language"),
        ({"survey": with_cell(3, "name", "a name")}, "survey", "[row : 3] On the 'survey' sheet"),
    ],
)
def test_what_is_wrong_is_told_by_sheet_row_and_column(changes: Any, path: str, says: str) -> None:
    found = {short(where): message for where, message in problems(form(**changes)).items()}
    place = next((where for where in found if where.startswith(path)), None)
    assert place is not None, found
    assert says in found[place]


def test_all_that_is_wrong_is_told_at_once() -> None:
    lines = with_cell(3, "type", "select_one nowhere")
    lines[7][8] = "often"
    assert len(problems(form(survey=lines))) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["workplace", "marriage", *(f"templates/{name}" for name in TEMPLATES)])
def test_a_definition_comes_back_from_an_xlsform_as_it_went(name: str) -> None:
    document = shipped_definition(name)
    document.setdefault("languages", list(document["title"]))
    document |= {
        "time_zone": "Europe/Berlin",
        "opens_at": "2027-01-01T08:00",
        "closes_at": "2027-02-01T08:00",
    }
    document["group"] |= {"policy": "assigned", "direct_share": 1500}
    document["blocks"][0]["help"] = dict.fromkeys(document["languages"], "=1+1")
    went = definition_parse(document)
    file = xlsform_file(went)
    read = xlsform_read(file)
    assert read.not_kept == ()
    came = definition_parse({**read.document, "slug": document["slug"]})
    assert came.design == went.design
    assert came.wording == went.wording
    assert came.schedule == went.schedule


def test_two_strengths_come_back_as_they_went() -> None:
    hours = {
        "key": "hours",
        "kind": "number",
        "text": {"en": "How many hours?"},
        "number": {"mechanism": "square_wave", "epsilon": 1, "low": 0, "high": 9, "bin": 1},
    }
    number = {"key": "time", "protected": True, "title": {"en": "Time"}, "questions": [hours]}
    document = document_of(
        protected("proposed", yes_no("lie")),
        protected("stated", yes_no("steal"), light=7000),
        {**number, "light": {"epsilon": 1.25}},
        languages=["en"],
        group={"policy": "assigned", "direct_share": 1500, "light": True},
    )
    went = definition_parse(document)
    read = xlsform_read(xlsform_file(went))
    assert read.not_kept == ()
    came = definition_parse({**read.document, "slug": document["slug"]})
    assert came.design == went.design
    assert came.design.has_two_strengths


def test_rotating_parts_come_back_from_a_file_and_other_programs_ask_everything() -> None:
    document = rotating_document()
    went = definition_parse(document)
    read = xlsform_read(xlsform_file(went)).document
    assert definition_parse(read | {"slug": "checked"}).design == definition_parse(document).design
    assert read["blocks"][0]["booklets"] == document["blocks"][0]["booklets"]
    assert read["rotations"] == document["rotations"]


@pytest.mark.parametrize(
    ("column", "text"), [("sotto_questions_per_person", "four"), ("sotto_booklets", "1 2 | x")]
)
def test_what_a_group_says_wrongly_of_rotation_is_refused_at_its_place(column: str, text: str) -> None:
    found = problems(form(survey=with_cell(7, column, text)))
    assert text in found[f"survey, row 7, column {column}"]


def test_a_rotation_that_cannot_be_read_is_refused_at_its_place() -> None:
    settings = [[*SETTINGS[0], "sotto_rotations"], [*SETTINGS[1], "2 from work silence"]]
    assert "2 from work" in problems(form(settings=settings))["settings, row 2, column sotto_rotations"]


def test_keys_that_no_xml_element_can_have_come_back_as_they_were() -> None:
    document = shipped_definition()
    document["languages"] = ["en", "zh-hans"]
    document["blocks"][0]["key"] = "leads"
    document["blocks"][0]["questions"][0]["key"] = "1st+year"
    went = definition_parse(document)
    came = definition_parse({**xlsform_read(xlsform_file(went)).document, "slug": "workplace"})
    assert came.design == went.design


def test_what_the_checks_are_told_comes_back_from_a_workbook() -> None:
    block = protected("b", yes_no("never", known=False), yes_no("week"), exclusive=[["never", "week"]])
    went = definition_parse(document_of(block, series="panel", panel="https://panel.example/?id={id}"))
    came = xlsform_read(xlsform_file(went)).document
    assert came["series"] == "panel"
    assert came["panel"] == "https://panel.example/?id={id}"
    assert came["blocks"][0]["exclusive"] == [["never", "week"]]
    assert [question.get("known") for question in came["blocks"][0]["questions"]] == [False, None]
