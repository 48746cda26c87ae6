"""XLSForm import: what is kept, omitted, or refused with its location."""

import copy
import json
from typing import Any

import pytest

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.protection import followers, lost_conditions
from surveys.imports.drafts.questionnaire import LOST
from surveys.imports.files.reader_process import form_parse
from surveys.imports.forms import xlsform
from surveys.imports.forms.xlsform import MOST_FORM, form_read, xlsform_plain
from surveys.questionnaire.definition import definition_read
from surveys.questionnaire.document import DefinitionError
from tests.fixtures.memory import peak_megabytes
from tests.fixtures.workbooks import CHOICES, SURVEY, Lines, form, short, with_cell, workbook
from tests.fixtures.workbooks import form_with_skips as xlsform_read
from tests.fixtures.workbooks import xlsform_read as read_as_it_is

LEADS, LONG = {"question": "leads", "options": ["yes"]}, {"question": "years", "options": ["2-on", "to-1"]}


def with_rows(*rows: list[Any], at: int = 2) -> Lines:
    lines = copy.deepcopy(SURVEY)
    lines[at:at] = [list(row) for row in rows]
    return lines


def problems(raw: bytes) -> dict[str, str]:
    with pytest.raises(DefinitionError) as caught:
        xlsform_read(raw)
    assert all(problem.message and problem.remedy for problem in caught.value.problems)
    return {problem.path: problem.message for problem in caught.value.problems}


def test_groups_become_blocks_and_selects_become_questions() -> None:
    read = xlsform_read(form())
    assert read.notes == []
    document = draft_of(read)
    assert document["languages"] == ["en", "zh-hans"]
    assert document["title"] == {"en": "Work", "zh-hans": ""}
    assert document["blocks"][0]["title"]["zh-hans"] == "您的工作"
    questions = [question for block in document["blocks"] for question in block["questions"]]
    assert [(question["key"], question["kind"]) for question in questions] == [
        ("years", "single"),
        ("leads", "yes_no"),
        ("place_office", "yes_no"),
        ("place_home", "yes_no"),
        ("unreported", "yes_no"),
        ("seen_office", "yes_no"),
        ("seen_home", "yes_no"),
    ]
    assert questions[0]["options"][1] == {"key": "2-on", "text": {"en": "Longer", "zh-hans": "更久"}}
    assert document["stems"] == [
        {
            "key": "place",
            "text": {"en": "Where?", "zh-hans": "哪里？"},
            "help": {"en": "Tick.", "zh-hans": "勾选。"},
        },
        {"key": "seen", "text": {"en": "Seen?", "zh-hans": "看到？"}},
    ]
    assert [each.get("stem") for each in questions] == [None, None, "place", "place", None, "seen", "seen"]
    assert "options" not in questions[1]
    assert document["blocks"][-1]["asked_if"] == LEADS


@pytest.mark.parametrize(
    ("english", "chinese", "is_title"),
    [
        ("Your work", "您的工作", True),
        ("Part B.", "B 部分", True),
        ("Now please think of your work in the last year.", "现在请想一想您去年的工作。", False),
        # A sentence in one of its languages.
        ("Think of last year.", "去年", False),
    ],
)
def test_a_group_whose_label_is_a_sentence_has_no_title(english: str, chinese: str, is_title: bool) -> None:
    lines = copy.deepcopy(SURVEY)
    lines[1][2:4] = [english, chinese]
    read = xlsform_read(form(survey=lines))
    label = {"en": english, "zh-hans": chinese}
    blocks = draft_of(read)["blocks"]
    assert (blocks[0].get("title"), blocks[0].get("help")) == ((label, None) if is_title else (None, label))
    assert {"en": "Unsaid", "zh-hans": "没说"} in [block.get("title") for block in blocks]
    notes = [(note.where, note.message) for note in read.notes]
    assert [where for where, message in notes if "is a sentence" in message] == (
        [] if is_title else ["survey, row 2, column label"]
    )


@pytest.mark.parametrize("look", ["field-list", "table-list", "table-list minimal"])
def test_the_label_and_the_hint_of_a_group_introduce_its_questions(look: str) -> None:
    """Those of a group shown as a table, and hints of all groups, were lost without a note."""
    survey: Lines = [
        ["type", "name", "label", "hint", "appearance"],
        ["begin group", "g", "Did he ever", "Think of your husband.", look],
        ["select_one a", "hit", "hit you", None, None],
        ["end group", None, None, None, None],
    ]
    choices: Lines = [["list_name", "name", "label"], ["a", "1", "Never"], ["a", "2", "Often"]]
    (part,) = read_as_it_is(workbook(survey=survey, choices=choices)).parts
    assert (part.texts, part.help) == ({"en": "Did he ever"}, {"en": "Think of your husband."})


def test_a_form_with_headers_of_its_own_is_refused_with_the_names_to_write() -> None:
    """The report asked for the form itself, which it was."""
    survey: Lines = [["Typ", "Name", "Beschriftung"], ["select_one yn", "q", "Lied?"]]
    assert "no sheet of this XLSForm" in problems(workbook(survey=survey, choices=CHOICES))["survey"]


def test_questions_are_protected_unless_plain_or_kept_for_a_skip() -> None:
    lines = with_rows(
        ["select_one length", "age", "How old are you?", "几岁？"],
        ["integer", "drinks", "How many drinks?", "几杯？"],
        ["integer", "born", "Your age", "年龄"],
        ["geopoint", "home", "Where do you live?", "住在哪里？"],
    )
    read = xlsform_read(form(survey=lines))
    assert {question.key for question in read.questions if not question.is_protected} == {
        "born",
        "leads",
    }
    assert "you kept the skip" in next(question.why for question in read.questions if question.key == "leads")


def test_blocks_with_a_condition_start_at_medium_protection() -> None:
    # Odds of 4 for yes/no: (p + (1 - p)/2) / ((1 - p)/2) = 4, so p = .6; less with the option to skip.
    block = draft_of(xlsform_read(form(survey=with_cell(9, "type", "select_one yes_no"))))["blocks"][-1]
    assert 1_000 < block["truth_probability"] < 6_000


def test_texts_missing_from_an_xlsform_are_left_to_the_builder() -> None:
    found = {problem.path for problem in definition_read(draft_of(xlsform_read(form())) or {}).problems}
    assert "title.zh-hans" in found
    assert "about.ethics.en" in found
    assert not any(path.startswith("blocks") for path in found)


def test_questions_outside_groups_form_separate_parts() -> None:
    lines = with_rows(["select_one yes_no", "first", "First?", "一？"], at=1)
    lines += [["select_one yes_no", "last", "Last?", "末？"], ["select_one yes_no", "end", "End?", "终？"]]
    parts = xlsform_read(form(survey=lines)).parts
    assert [part.key for part in parts] == ["questions", "work", "silence", "questions"]
    assert [question.key for question in parts[3].questions] == ["last", "end"]


@pytest.mark.parametrize(
    ("lines", "effect", "note"),
    [
        (with_rows(["text", "why", "Why?"]), "lost", "survey 3 type: text: free text can show who"),
        (with_rows(["note", "hi", "Hello"]), "lost", "survey 3 type: note: a text between questions"),
        (
            with_rows(["image", "face", "Face?"]),
            "lost",
            "survey 3 type: photo: there is no such question here",
        ),
        (with_rows(["start", "began"]), "lost", "survey 3 type: start: surveys here record no time"),
        (with_rows(["deviceid", "device"]), "lost", "survey 3 type: deviceid: surveys here record"),
        (with_rows(["geopoint", "where", "Where?"]), "wrong", "survey 3 type: geopoint"),
        (with_cell(3, "constraint", ". != ''"), "lost", "survey 3 constraint: the rule"),
        (with_cell(7, "relevant", "${years} > 3"), "changed", "survey 7 relevant: the condition"),
        (
            with_cell(7, "relevant", "${leads} = 'yes' and selected(${place}, 'pub')"),
            "changed",
            "survey 7 relevant: part of the condition",
        ),
        (
            [
                *SURVEY,
                ["begin_repeat", "r", "R", "重"],
                ["select_one yes_no", "q", "Q?", "问？"],
                ["end_repeat"],
            ],
            "changed",
            "survey 11 type: a group that is repeated",
        ),
        (
            [["disabled", *SURVEY[0]], *([None, *row] for row in SURVEY[1:]), ["yes", "text", "off", "Off"]],
            "lost",
            "survey 11 disabled: the row is switched off",
        ),
    ],
)
def test_import_losses_are_listed_with_their_location(lines: Lines, effect: str, note: str) -> None:
    read = xlsform_read(form(survey=lines))
    said = [f"{short(each.where)}: {each.message}" for each in read.notes if each.effect == effect]
    assert any(note in line for line in said), read.notes
    assert len(draft_of(read)["blocks"]) >= 1


@pytest.mark.parametrize(
    ("relevant", "options"),
    [
        ("${years} != 'to-1'", ["2-on"]),
        ("not(selected(${years}, 'to-1'))", ["2-on"]),
        ("not(${years} = 'to-1')", ["2-on"]),
        ("selected( ${years} , 'to-1')", ["to-1"]),
    ],
)
def test_inequalities_select_all_other_answers(relevant: str, options: list[str]) -> None:
    read = xlsform_read(form(survey=with_cell(7, "relevant", relevant)))
    assert {note.cause for note in read.notes} <= {"empty"}
    assert draft_of(read)["blocks"][-1]["asked_if"] == {"question": "years", "options": options}


def test_conditions_on_yes_no_follow_the_forms_own_values() -> None:
    survey = [
        ["type", "name", "label", "relevant"],
        ["select_one yn", "hit", "Hit?"],
        ["select_one yn", "hurt", "Hurt?", "${hit} = '1'"],
    ]
    choices: Lines = [["list_name", "name", "label"], ["yn", 2, "No"], ["yn", 1, "Yes"]]
    document = draft_of(xlsform_read(form(survey=survey, choices=choices, settings=[])))
    assert [block.get("asked_if") for block in document["blocks"]] == [
        None,
        {"question": "hit", "options": ["yes"]},
    ]


def test_alternatives_of_one_question_are_read_in_any_notation() -> None:
    lines = with_cell(7, "relevant", "selected(${years}, \"to-1\") OR ${years}='2-on'")
    read = xlsform_read(form(survey=lines))
    assert draft_of(read)["blocks"][-1]["asked_if"] == {"question": "years", "options": ["to-1", "2-on"]}


@pytest.mark.parametrize(
    ("relevant", "asked_if"),
    [
        ("${leads} = 'yes' and (${years} = '2-on' or ${years} = 'to-1')", {"all": [LEADS, LONG]}),
        ("${leads} = 'yes' or ${years} = '2-on' or ${years} = 'to-1'", {"any": [LEADS, LONG]}),
        ("(selected(${years}, '2-on') or selected(${years}, 'to-1')) AND (${leads}=\"yes\")",
         {"all": [LONG, LEADS]}),
    ],
)  # fmt: skip
def test_conditions_on_several_questions_are_imported(relevant: str, asked_if: dict[str, Any]) -> None:
    read = xlsform_read(form(survey=with_cell(7, "relevant", relevant)))
    assert read.notes == []
    assert draft_of(read)["blocks"][-1]["asked_if"] == asked_if


PLACES: Lines = [*CHOICES, ["place", "car", "Car", "车里"], ["place", "none", "None of these", "都没有"]]
HOME, CAR, OFFICE = ({"question": f"place_{key}", "options": ["yes"]} for key in ("home", "car", "office"))
NO_HOME, NO_CAR, NO_OFFICE = ({**each, "options": ["no"]} for each in (HOME, CAR, OFFICE))


@pytest.mark.parametrize(
    ("relevant", "asked_if"),
    [
        ("selected(${place}, 'home')", HOME),
        ("not(selected(${place}, 'home'))", NO_HOME),
        ("selected(${place}, 'home') or selected(${place}, 'car')", {"any": [HOME, CAR]}),
        ("selected(${place}, 'home') and not(selected(${place}, 'car'))", {"all": [HOME, NO_CAR]}),
        ("not(selected(${place}, 'home') or selected(${place}, 'car'))", {"all": [NO_HOME, NO_CAR]}),
        ("${leads} = 'yes' and selected(${place}, 'home')", {"all": [LEADS, HOME]}),
        ("selected(${place}, 'none')", {"all": [NO_OFFICE, NO_HOME, NO_CAR]}),
        ("not(selected(${place}, 'none'))", {"any": [OFFICE, HOME, CAR]}),
        ("${place} = 'none'", {"all": [NO_OFFICE, NO_HOME, NO_CAR]}),
        ("${place} = 'home'", {"all": [NO_OFFICE, HOME, NO_CAR]}),
        ("${place} != 'home'", {"any": [OFFICE, NO_HOME, CAR]}),
    ],
)
def test_conditions_on_several_answers_become_conditions_on_lines(
    relevant: str, asked_if: dict[str, Any]
) -> None:
    read = xlsform_read(form(survey=with_cell(7, "relevant", relevant), choices=PLACES))
    # A negation is also true of an answer that is empty, which is noted.
    assert {note.cause for note in read.notes} <= {"offered", "empty"}
    document = draft_of(read)
    assert document["blocks"][-1]["asked_if"] == asked_if
    places = [
        block
        for block in document["blocks"]
        if any(each.get("stem") == "place" for each in block["questions"])
    ]
    assert [each["protected"] for each in places] == [False]
    assert not [
        problem.path for problem in definition_read(document).problems if problem.path.startswith("blocks")
    ]


@pytest.mark.parametrize(
    "relevant",
    [
        "selected(${place}, 'pub')",
        "selected(${place}, 'none') or ${leads} = 'yes'",
        "count-selected(${place}) > 1",
        "(selected(${place}, 'home') or selected(${place}, 'car')) and ${leads} = 'yes'",
    ],
)
def test_conditions_on_lists_that_no_part_can_have_are_noted(relevant: str) -> None:
    read = xlsform_read(form(survey=with_cell(7, "relevant", relevant), choices=PLACES))
    assert [short(note.where) for note in read.notes if note.cause == "relevant"] == ["survey 7 relevant"]
    assert draft_of(read)["blocks"][-1].get("asked_if") in (None, LEADS)


def test_a_protected_list_that_decides_is_a_point_to_settle() -> None:
    raw = form(survey=with_cell(7, "relevant", "selected(${place}, 'home')"))
    read = read_as_it_is(raw)
    (note,) = [each for each in read.unclear if each.asks == "skip"]
    place = next(question for question in read.questions if question.key == "place")
    assert note.line == place.line
    assert [each.key for each in followers(read)["place"]] == ["unreported", "seen"]
    assert [decider.key for _each, (decider,) in lost_conditions(read)] == ["place", "place"]
    # Until it is settled, everyone is asked: who is asked would reveal the protected answer.
    assert not any("asked_if" in block for block in draft_of(read)["blocks"])


def test_lines_and_questions_have_different_keys() -> None:
    lines = [*SURVEY, ["select_one yes_no", "place_home", "At home?", "在家？", "selected(${place}, 'home')"]]
    read = xlsform_read(form(survey=lines))
    document = draft_of(read)
    keys = [question["key"] for block in document["blocks"] for question in block["questions"]]
    assert len(keys) == len(set(keys))
    assert document["blocks"][-1]["asked_if"] == HOME
    assert keys[-1] == "place_home-2"


def test_a_title_that_no_part_keeps_is_noted_once() -> None:
    lines: Lines = [
        ["type", "name", "label"],
        ["begin group", "money", "Income and spending"],
        ["begin group", "income", "Income"],
        ["select_one yes_no", "earns", "Do you earn?"],
        ["end group"],
        ["begin group", "spending", "Spending"],
        ["select_one yes_no", "buys", "Do you buy?"],
        ["end group"],
        ["end group"],
        ["begin group", "home", "Home"],
        ["begin group", "inner"],
        ["select_one yes_no", "warm", "Is it warm?"],
        ["end group"],
        ["end group"],
    ]
    read = xlsform_read(form(survey=lines))
    assert [part.texts for part in read.parts] == [{"en": "Income"}, {"en": "Spending"}, {"en": "Home"}]
    assert [(short(note.where), note.effect) for note in read.notes if note.cause == "title"] == [
        ("survey 2 label", "lost")
    ]


def test_rows_on_times_places_and_devices_are_noted_as_one_loss() -> None:
    rows: Lines = [["audit", None], ["start", "begun"], ["deviceid", "phone"], ["text", "why", "Why?"]]
    read = xlsform_read(form(survey=with_rows(*rows)))
    losses = [note for note in read.notes if note.effect == LOST]
    assert [note.message.partition(":")[0] for note in losses] == ["audit", "start", "deviceid", "text"]
    assert len({note.cause for note in losses}) == 2


@pytest.mark.parametrize(
    ("options", "lines", "note"),
    [
        (["a"], [], "its list has 1 answer; a question has 2 to"),
        ([f"o{number}" for number in range(60)], [f"place_o{number}" for number in range(60)], ""),
        (["None of these", "None of the above"], ["place_None-of-these", "place_None-of-the-above"], ""),
        (["a", "None of these"], ["place_a"], "people answer each option with yes or no: “None of these”"),
    ],
)
def test_unusual_lists_are_converted_or_refused_by_name(
    options: list[str], lines: list[str], note: str
) -> None:
    survey = [["type", "name", "label"], ["select_multiple place", "place", "Where?"]]
    names = [option.replace(" ", "-") for option in options]
    choices = [
        ["list_name", "name", "label"],
        *(["place", *pair] for pair in zip(names, options, strict=True)),
    ]
    read = xlsform_read(form(survey=survey, choices=choices, settings=[]))
    document = draft_of(read)
    assert [each["key"] for block in document["blocks"] for each in block["questions"]] == lines
    notes = [each.message for each in read.notes if each.asks != "language"]
    assert any(note in message for message in notes) if note else notes == []


@pytest.mark.parametrize(
    ("changes", "path", "says"),
    [
        ({"survey": []}, "", "this is a sheet of an XLSForm"),
        ({"survey": [line[1:] for line in SURVEY]}, "survey", "no sheet has columns with the names type"),
    ],
)
def test_form_errors_are_reported_at_their_place(changes: Any, path: str, says: str) -> None:
    found = {short(where): message for where, message in problems(form(**changes)).items()}
    place = next((where for where in found if where.startswith(path)), None)
    assert place is not None, found
    assert says in found[place]


@pytest.mark.parametrize(
    ("changes", "tag"),
    [
        ({"survey": with_cell(3, "label::Klingon of mine", "nuq")}, "und"),
        ({"settings": [["default_language"], ["My tongue"]]}, "und"),
    ],
)
def test_unknown_language_names_are_asked_about(changes: Any, tag: str) -> None:
    (note,) = xlsform_read(form(**changes)).unclear
    assert (note.asks, note.where) == ("language", tag)


def repeated_list(questions: int, options: int) -> bytes:
    """Return a form in which all questions have the same list."""
    survey = [
        ["type", "name", "label"],
        *(["select_one place", f"q{n}", f"Where {n}?"] for n in range(questions)),
    ]
    choices = [["list_name", "name", "label"], *(["place", f"o{n}", f"At place {n}"] for n in range(options))]
    return form(survey=survey, choices=choices, settings=[])


def test_questions_with_the_same_list_share_it_while_the_form_is_read() -> None:
    sheets = form_parse(repeated_list(3, 20))
    first, second = sheets["form"]["children"][:2]
    assert first["choices"] is second["choices"] is sheets["form"]["choices"]["place"]
    read = form_read(sheets).questions
    assert read[0].options is read[1].options
    assert len(read[2].options) == 20


def test_a_form_too_large_with_its_lists_written_out_names_the_largest_list() -> None:
    (path, message), *others = problems(repeated_list(2_000, 200)).items()
    assert (path, others) == ("choices", [])
    assert message.endswith('The list "place" needs most: 200 answers in 2,000 questions')
    _plain, pieces = xlsform_plain(repeated_list(20, 200))
    size = float(message.partition(" MB ")[0].rpartition(" ")[2])
    # A hundredth of the questions needs a hundredth of the bytes.
    assert size == pytest.approx(100 * len(pieces[0]) / 1e6, rel=0.02)


def test_a_form_too_large_without_its_lists_is_refused_too() -> None:
    lines = [["type", "name", "label"], *(["integer", f"q{n}", "Why? " * 400] for n in range(2_200))]
    (message,) = problems(form(survey=lines)).values()
    assert f"at most {MOST_FORM / 1e6:g} MB are imported" in message


@pytest.mark.soak
def test_large_forms_cost_the_web_process_no_memory() -> None:
    """A form of 60 kB with 400,000 answers needed 500 MB here when this process read the child's parse."""
    raw = repeated_list(2_000, 200)
    assert len(raw) < 60_000
    with peak_megabytes() as peak, pytest.raises(DefinitionError, match="at most 4 MB"):
        xlsform.xlsform_read(raw)
    assert peak() < 10


@pytest.mark.soak
def test_the_largest_form_that_is_imported_needs_little_memory_in_the_web_process() -> None:
    raw = repeated_list(300, 200)
    with peak_megabytes() as peak:
        survey = xlsform.xlsform_read(raw)
    assert len(json.dumps(survey.to_json())) > MOST_FORM * 3 / 4
    assert sum(len(question.options) for question in survey.questions) == 60_000
    assert peak() < 60


def test_pictures_within_texts_are_noted_and_answers_with_nothing_else_have_no_text() -> None:
    choices: Lines = [["list_name", "name", "label", "media::image"]]
    choices += [["f", "1", "<img src='sad.png'>"], ["f", "2", "happy face.PNG"], ["f", "3", "Calm"]]
    choices += [["g", "1", "1", "sad.png"], ["g", "2", "2.", "calm.png"]]
    rows: Lines = [["type", "name", "label"]]
    rows += [
        ["select_one f", "a", "Which?"],
        ["select_one g", "b", "![x](y.png)<b></b>"],
        ["integer", "c", "a.gif"],
    ]
    read = read_as_it_is(workbook(survey=rows, choices=choices))
    assert [each.texts for each in read.questions] == [{"en": "Which?"}, {"en": "x"}, {"en": "c"}]
    assert [short(note.where) + ": " + note.message for note in read.notes if note.effect == "wrong"] == [
        "survey 2 type: 2 of its answers have no text, so their names are shown",
        "survey 3 type: 2 of its answers have no text, so their names are shown",
        "survey 4 label: the question has no text, so its name is shown",
    ]
    assert [note.line for note in read.notes if "pictures and sound" in note.message] == [2, 3, 4]


@pytest.mark.parametrize(
    ("condition", "n_asked"), [("true()", 2), ("1 = 1", 2), ("1 = 2", 1), ("false()", 1)]
)
def test_conditions_that_use_no_answer_ask_everyone_or_no_one(condition: str, n_asked: int) -> None:
    rows: Lines = [["type", "name", "label", "relevant"], ["integer", "a", "How many cats?"]]
    read = read_as_it_is(workbook(survey=[*rows, ["integer", "b", "How many drinks?", condition]]))
    assert [each.condition for each in read.questions] == [None] * n_asked
    assert [note.message for note in read.notes if note.where.endswith("relevant")] == [
        "the row is switched off in the form"
    ] * (2 - n_asked)


def test_options_that_are_left_out_because_of_their_names_are_named() -> None:
    choices: Lines = [
        ["list_name", "name", "label"],
        ["a", "1", "Tea"],
        ["a", "2", "Milk"],
        ["a", "2", "Gin"],
    ]
    rows: Lines = [["type", "name", "label"], ["select_one a", "q", "Which?"]]
    read = read_as_it_is(workbook(survey=rows, choices=choices))
    assert [option.texts["en"] for option in read.questions[0].options] == ["Tea", "Milk"]
    (note,) = [note for note in read.notes if note.effect == "lost"]
    assert '"Gin"' in note.message


def test_a_form_without_rows_says_so() -> None:
    read = read_as_it_is(workbook(survey=[SURVEY[0]], choices=CHOICES))
    (note,) = read.notes
    assert (note.where, note.message) == ("survey", "this sheet has no rows below its header")


@pytest.mark.parametrize("label", ["NO_LABEL", "no_label", "SIN_ETIQUETA", "x_1", "ohne_Text"])
def test_a_name_that_stands_for_several_labels_is_not_shown(label: str) -> None:
    read = read_as_it_is(
        workbook(
            survey=[
                SURVEY[0],
                ["begin group", "a", "Your home"],
                ["begin group", "b", label, label],
                ["integer", "rooms", label],
                ["end group"],
                ["end group"],
                ["begin group", "c", "hh_asset", "hh_asset"],
                ["integer", "cars", "n_cars"],
                ["end group"],
            ],
            choices=CHOICES,
        )
    )
    assert [
        (part.texts.get("en"), question.texts["en"]) for part in read.parts for question in part.questions
    ] == [
        ("Your home", "rooms"),
        ("hh_asset", "n_cars"),
    ]
    said = {(note.line, note.message) for note in read.notes}
    assert (3, "the label of this group has no words, so it is not shown") in said
    assert (4, "the question has no text, so its name is shown") in said
