"""Forms and texts as found in public files, and the questionnaire that each must give."""

from typing import Any

import pytest

from surveys.imports.doubts.misreadings import LESS_CERTAIN, MISREAD
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.pasted_text import read_paste
from tests.fixtures.workbooks import Lines, workbook
from tests.fixtures.workbooks import form_with_skips as xlsform_read

YES_NO: Lines = [["list_name", "name", "label"], ["yn", "yes", "Yes"], ["yn", "no", "No"]]
SURVEY: Lines = [
    ["type", "name", "label"],
    ["select_one yn", "hit", "Has anybody hit you?"],
    ["select_one yn", "told", "Did you tell?"],
]


def read(survey: Lines = SURVEY, choices: Lines = YES_NO, **sheets: Lines) -> Questionnaire:
    return xlsform_read(workbook(survey=survey, choices=choices, **sheets))


def asked(reading: Questionnaire) -> list[Any]:
    return [
        (question["key"], question["kind"], block.get("asked_if"))
        for block in draft_of(reading)["blocks"]
        for question in block["questions"]
    ]


def said(reading: Questionnaire) -> str:
    return " | ".join(f"{note.effect}: {note.message}" for note in reading.notes)


BOTH = [("hit", "yes_no", None), ("told", "yes_no", None)]


@pytest.mark.parametrize(
    ("survey", "choices"),
    [
        (SURVEY, [["list name", "name", "label"], *YES_NO[1:]]),
        (SURVEY, [["LIST_NAME", "Name", "Label"], *YES_NO[1:]]),
        (SURVEY, [["list_name", "value", "label"], *YES_NO[1:]]),
        ([["Type", "Name", "Label"], *SURVEY[1:]], YES_NO),
        ([SURVEY[0], [None] * 3, *SURVEY[1:]], [YES_NO[0], [None] * 3, *YES_NO[1:]]),
        ([[*SURVEY[0], "instance::tag"], ["begin_group", "g", "G", "x"], *SURVEY[1:], ["end_group"]], YES_NO),
    ],
    ids=["list name", "capitals", "value", "capitals of survey", "blank rows", "a tag of a group"],
)
def test_alternative_header_spellings_and_blank_rows_are_accepted(survey: Lines, choices: Lines) -> None:
    reading = read(survey, choices)
    assert asked(reading) == BOTH
    assert reading.notes == []


@pytest.mark.parametrize(
    ("header", "languages"),
    [
        (["label:English", "label:French"], ("en", "fr")),
        (["label::English", "label::Chinese"], ("en", "zh-hans")),
        (["label::English (UK)"], ("en",)),
        (["label::English (en)", "label::Português (BR)"], ("en", "pt")),
    ],
)
def test_languages_are_recognised_by_name_or_tag(header: list[str], languages: tuple[str, ...]) -> None:
    texts = [f"Has anybody hit you {number}?" for number in range(len(header))]
    survey = [["type", "name", *header], ["select_one yn", "hit", *texts]]
    choices = [
        ["list_name", "name", *header],
        ["yn", "yes", *["Yes"] * len(header)],
        ["yn", "no", *["No"] * len(header)],
    ]
    reading = read(survey, choices)
    assert reading.languages == languages
    assert reading.questions[0].texts == dict(zip(languages, texts, strict=True))
    assert asked(reading) == BOTH[:1]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("text", "options", "languages"),
    [
        ("Czy ktoś pana uderzył?", ("Tak", "Nie"), ("en", "und")),
        ("有人打过您吗？", ("有", "没有"), ("en", "zh-hans")),
        ("Hit you?", ("Yes", "No"), ("en",)),
    ],
)
def test_texts_without_a_language_are_kept_with_other_languages(
    text: str, options: tuple[str, str], languages: tuple[str, ...]
) -> None:
    survey = [
        ["type", "name", "label", "label::English"],
        ["select_one yn", "hit", text, "Has anybody hit you?"],
    ]
    choices = [[*YES_NO[0], "label::English"]]
    choices += [[*row[:2], own, row[2]] for row, own in zip(YES_NO[1:], options, strict=True)]
    reading = read(survey, choices)
    assert reading.languages == languages
    assert reading.questions[0].texts == {"en": "Has anybody hit you?"} | dict.fromkeys(languages[1:], text)
    assert [note.asks for note in reading.unclear] == ["language"] * ("und" in languages)


def test_remark_rows_are_omitted_with_a_note() -> None:
    survey = [[*SURVEY[0], "remark"], [None, None, None, "section two"], *SURVEY[1:]]
    reading = read(survey)
    assert asked(reading) == BOTH
    assert [(note.line, note.effect) for note in reading.notes] == [(2, "lost")]


def test_duplicate_choices_of_filtered_lists_are_merged_with_a_note() -> None:
    survey = [
        ["type", "name", "label", "choice_filter"],
        ["select_one yn", "reg", "Region?"],
        ["select_one town", "town", "Which town?", "region=${reg}"],
    ]
    towns = [
        ["town", "centre", "Centre", "yes"],
        ["town", "hill", "Hill", "yes"],
        ["town", "centre", "Centre", "no"],
    ]
    choices = [[*YES_NO[0], "region"], *YES_NO[1:], *towns]
    reading = read(survey, choices)
    assert [option.key for option in reading.questions[1].options] == ["centre", "hill"]
    assert 'left out, because others have the same names: "Centre"' in said(reading)
    assert "everyone sees all of it" in said(reading)


HIT = {"question": "hit", "options": ["yes"]}


def test_question_conditions_become_conditional_blocks() -> None:
    survey = [
        [*SURVEY[0], "relevant"],
        SURVEY[1],
        ["select_one yn", "hurt", "Hurt?", "${hit} = 'yes'"],
        ["select_one yn", "sleep", "Do you sleep well?"],
    ]
    reading = read(survey)
    assert asked(reading) == [("hit", "yes_no", None), ("hurt", "yes_no", HIT), ("sleep", "yes_no", None)]
    assert reading.notes == []


def test_conditions_of_nested_groups_are_combined() -> None:
    survey = [
        [*SURVEY[0], "relevant"],
        SURVEY[1],
        ["begin_group", "g", "After it", "${hit} = 'yes'"],
        ["select_one yn", "hurt", "Hurt?"],
        ["begin_group", "g2", "Deeper", "${hurt} = 'yes'"],
        ["select_one yn", "doctor", "Doctor?"],
        ["end_group"],
        ["select_one yn", "later", "And later?"],
        ["end_group"],
    ]
    reading = read(survey)
    both = {"all": [HIT, {"question": "hurt", "options": ["yes"]}]}
    assert asked(reading)[1:] == [
        ("hurt", "yes_no", HIT),
        ("doctor", "yes_no", both),
        ("later", "yes_no", HIT),
    ]
    assert reading.notes == []


def test_some_conditions_stay_if_not_all_can_be_combined() -> None:
    either = "${hit} = 'yes' or ${told} = 'yes'"
    group = ["begin_group", "g", "Then", either]
    survey = [[*SURVEY[0], "relevant"], *SURVEY[1:], group]
    survey += [["select_one yn", "hurt", "Hurt?", "${hit} = 'yes'"], ["end_group"]]
    survey += [["begin_group", "off", "Off", "false()"], ["select_one yn", "no", "No?"], ["end_group"]]
    reading = read(survey)
    assert asked(reading)[2:] == [("hurt", "yes_no", HIT)]
    assert [(note.line, note.effect) for note in reading.notes] == [(5, "changed"), (7, "lost")]
    assert "more people are asked this" in said(reading)


def test_unsupported_conditions_state_who_is_asked() -> None:
    survey = [
        [*SURVEY[0], "relevant"],
        ["integer", "age", "Age?"],
        ["select_one yn", "drinks", "Do you drink?", "${age} > 17"],
    ]
    reading = read(survey)
    assert asked(reading)[1] == ("drinks", "yes_no", None)
    assert "everyone is asked this" in said(reading)


def test_markup_is_removed_and_references_are_flagged() -> None:
    survey = [
        SURVEY[0],
        ["select_one yn", "hit", "**Has** <span style='color:red'>anybody</span> hit you?"],
        ["select_one yn", "sure", "You said ${hit}. Sure?"],
    ]
    reading = read(survey)
    assert reading.questions[0].texts == {"en": "Has anybody hit you?"}
    assert [(note.line, note.effect) for note in reading.notes] == [(3, "changed")]
    assert "${hit}" in reading.notes[0].message


def test_table_header_rows_are_omitted_but_their_text_is_kept() -> None:
    survey = [
        [*SURVEY[0], "appearance"],
        ["begin_group", "t", "Table", "field-list"],
        ["select_one yn", "head", "In the last year, did somebody …", "label"],
        ["select_one yn", "slap", "slap you", "list-nolabel"],
        ["select_one yn", "kick", "kick you", "list-nolabel"],
        ["end_group"],
    ]
    reading = read(survey)
    (block,) = draft_of(reading)["blocks"]
    assert [(question["key"], question["look"]) for question in block["questions"]] == [
        ("slap", "matrix"),
        ("kick", "matrix"),
    ]
    assert [question["help"] for question in block["questions"]] == [
        {"en": "In the last year, did somebody …"}
    ] * 2
    assert "heads a table is left out" in said(reading)


def test_external_choices_are_imported() -> None:
    survey = [
        [*SURVEY[0], "choice_filter"],
        SURVEY[1],
        ["select_one_external town", "town", "Which town?", "region=${hit}"],
    ]
    external = [
        ["list_name", "name", "label", "region"],
        ["town", "a", "Ay", "yes"],
        ["town", "b", "Bee", "no"],
    ]
    reading = read(survey, external_choices=external)
    assert [option.texts["en"] for option in reading.questions[1].options] == ["Ay", "Bee"]


def test_or_other_adds_an_option_and_one_answer_lists_are_noted() -> None:
    survey = [
        SURVEY[0],
        ["select_one yn or_other", "hit", "Has anybody hit you?"],
        ["select_one lone", "alone", "Only one?"],
    ]
    reading = read(survey, [*YES_NO, ["lone", "x", "X"]])
    assert [option.key for option in reading.questions[0].options] == ["yes", "no", "other"]
    assert "its list has 1 answer;" in said(reading)


def test_labels_beside_the_names_yes_and_no_are_kept() -> None:
    reading = read(choices=[YES_NO[0], ["yn", "yes", "Yes, often"], ["yn", "no", "Not yet"]])
    assert [option.texts["en"] for option in reading.questions[0].options] == ["Yes, often", "Not yet"]


def test_forms_in_an_unknown_language_ask_for_it() -> None:
    survey = [["type", "name", "label"], ["select_one yn", "hit", "Ingabe ukhona okushayile?"]]
    reading = read(survey, [["list_name", "name", "label"], ["yn", "yes", "Yebo"], ["yn", "no", "Cha"]])
    assert [note.asks for note in reading.unclear] == ["language"]
    assert asked(reading) == [("hit", "single", None)]


def understood(text: str) -> list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Return kind, texts and options of each question, in all languages."""
    return [
        (
            question.kind,
            tuple(question.texts.values()),
            [tuple(option.texts.values()) for option in question.options],
        )
        for question in read_paste(text).questions
    ]


def test_chinese_and_english_on_the_same_line_are_two_languages() -> None:
    text = """健康问卷 Health survey
1. 您是否吸烟？ Do you smoke?
○ 是 Yes
○ 否（No）
2. 您的年龄段 Your age group
○ 18-24
○ 25+
3. 您去年作弊过吗？
Did you cheat last year?
○ 从不 Never
○ 每月1-2次 1-2 times a month
"""
    assert read_paste(text).languages == ("zh-hans", "en")
    assert understood(text) == [
        ("yes_no", ("您是否吸烟？", "Do you smoke?"), []),
        ("single", ("您的年龄段", "Your age group"), [("18-24", "18-24"), ("25+", "25+")]),
        (
            "single",
            ("您去年作弊过吗？", "Did you cheat last year?"),
            [("从不", "Never"), ("每月1-2次", "1-2 times a month")],
        ),
    ]


def test_instructions_of_google_forms_are_understood_in_two_languages() -> None:
    text = """Student survey
学生调查
1. Your gender 您的性别 *
Mark only one oval.
Male 男
Female 女
2. Which have you done? 您做过以下哪些？
Check all that apply.
Copied homework 抄作业
Bought an essay 买论文
Other: 其他：
3. How satisfied are you? 您有多满意？ *
Mark only one oval.
Not at all 一点也不
1
2
3
Very 非常
"""
    assert understood(text) == [
        ("single", ("Your gender", "您的性别"), [("Male", "男"), ("Female", "女")]),
        (
            "several",
            ("Which have you done?", "您做过以下哪些？"),
            [("Copied homework", "抄作业"), ("Bought an essay", "买论文"), ("Other", "其他")],
        ),
        (
            "single",
            ("How satisfied are you?", "您有多满意？"),
            [("1 – Not at all", "1 – 一点也不"), ("2", "2"), ("3 – Very", "3 – 非常")],
        ),
    ]


@pytest.mark.parametrize("option", ["Other:", "Other: ____", "Other (please specify): ____"])
def test_options_lose_the_colon_before_a_line_to_write_on(option: str) -> None:
    text = f"Work\n1. Where do you work?\n- Office\n- {option}"
    assert understood(text) == [("single", ("Where do you work?",), [("Office",), ("Other",)])]
    assert "the write-in space is left out" in said(read_paste(text))


@pytest.mark.parametrize(
    "text",
    [
        "Work\n\nHow often did you ...\n\n| | Never | Often |\n|---|---|---|\n| feel ill | | |\n| lie | | |",
        "Work\n1. How often did you\n| Item | Never | Often |\n|:--|:-:|--:|\n| feel ill | ☐ | ☐ |\n"
        "| lie | ☐ | ☐ |",
        "Work\n1. How often did you?\n\tNever\tOften\nfeel ill\t\t\nlie\t\t",
    ],
    ids=["markdown", "markdown with marks", "tabs"],
)
def test_grids_with_empty_cells_and_markdown_tables_are_tables(text: str) -> None:
    scale = [("Never",), ("Often",)]
    assert understood(text) == [("single", ("feel ill",), scale), ("single", ("lie",), scale)]
    assert read_paste(text).parts[-1].texts["en"].startswith("How often did you")
    # So short a table may be doubted, and a stem with a number above it.
    assert {note.cause for note in read_paste(text).notes} <= {MISREAD, LESS_CERTAIN, "uncertain"}


def test_items_below_a_scale_in_the_question_are_rows_of_a_table() -> None:
    text = "调查\n1. 您是否同意（1=不同意，3=同意）\n{}\n2. 您吸烟吗？"
    rows = read_paste(text.format("(1) 我觉得安全\n(2) 我信任老师")).questions[:2]
    assert ["table" in row.flags for row in rows] == [True, True]
    assert [option.points for option in rows[1].options] == [1, 2, 3]
    (scale, _other) = read_paste(text.format("1 不同意\n2\n3 同意")).questions
    assert len(scale.options) == 3
