"""Layouts of printed instruments and survey tools' exports are read, or flagged at their line.

`shapes.txt` has the layouts.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import UNCERTAIN, UNCLEAR, WRONG, Questionnaire, labels_of, text_of
from surveys.imports.pasted_text import read_paste


def case(text: str) -> tuple[str, list[Any]]:
    """Return a pasted text, and the kind, the text and the options or the range of each of its questions."""
    pasted, _rule, below = text.replace("⇥", "\t").rpartition("\n--\n")
    questions: list[Any] = []
    for line in below.split("\n"):
        asked, *options = line.split(" | ")
        kind, _colon, words = asked.partition(": ")
        ends = tuple(map(int, options)) if kind == "number" else tuple(options)
        questions.append(("" if kind == "unclear" else kind, words, ends))
    return pasted, questions


_HEAD, *_CASES = (
    Path(__file__).parent.with_name("shapes.txt").read_text(encoding="utf-8").strip().split("\n\n## ")
)
SHAPES = {name: case(text) for name, _break, text in (each.partition("\n") for each in _CASES)}


def shape(reading: Questionnaire) -> list[Any]:
    found: list[Any] = []
    for question in reading.questions:
        stated = question.own.get("number")
        options = tuple(next(iter(option.texts.values())) for option in question.options)
        ends = (stated["low"], stated["high"]) if stated else options if question.kind else ()
        found.append((question.kind, next(iter(question.texts.values())), ends))
    return found


def verdict(name: str) -> str:
    """Return how a layout was read: right, flagged at a line, or silently wrong."""
    text, expected = SHAPES[name]
    reading = read_paste(text)
    flagged = any(
        note.effect in (UNCERTAIN, UNCLEAR, WRONG) and note.message != "the survey has no title"
        for note in reading.notes
    )
    return "right" if shape(reading) == expected else "flagged" if flagged else "silent"


def test_layouts_are_read_or_flagged_and_none_is_wrong_in_silence() -> None:
    found = {name: verdict(name) for name in SHAPES}
    counts = Counter(found.values())
    assert [name for name, each in found.items() if each == "silent"] == []
    assert len(SHAPES) == 394
    assert counts["right"] >= 349


def test_every_line_has_a_role_and_only_doubtful_ones_are_uncertain() -> None:
    text = (
        "Work\n\nAbout you\n\n1. Do you lie?\n- Yes\n- No\n\nAt home\n\n"
        "2. How often?\n- Once\n- Often\nGoodbye"
    )
    lines = [(each.line, each.role, each.is_certain) for each in read_paste(text).lines]
    assert lines == [
        (1, "title", True),
        (3, "heading", True),
        (5, "question", True),
        (6, "answer", True),
        (7, "answer", True),
        (9, "heading", True),
        (11, "question", True),
        (12, "answer", True),
        (13, "answer", True),
        (14, "left", False),
    ]


@pytest.mark.parametrize("heading", ["# Days", "**Days**", "DAYS OFF"])
def test_headings_with_a_mark_are_kept_among_answers_with_marks(heading: str) -> None:
    survey = read_paste(f"Work\n# Nights\n1. Do you?\n- yes\n- no\n{heading}\n2. Do you?\n- yes\n- no")
    assert len(survey.parts) == 2
    assert [each.kind for each in survey.questions] == ["yes_no", "yes_no"]
    assert [note for note in survey.notes if note.effect == UNCERTAIN] == []


def test_joiners_are_kept() -> None:
    reading = read_paste("پرسش‌نامه\n1. آیا می‌خواهید؟\nبله\nخیر")
    assert reading.questions[0].texts == {"fa": "آیا می‌خواهید؟"}
    assert reading.questions[0].kind == "yes_no"


def test_unknown_languages_are_asked_for() -> None:
    text = "Imibuzo\n1. Ingabe uyabhema?\n- yebo\n- cha"
    reading = read_paste(text)
    assert [*reading.questions[0].texts] == ["und"]
    assert [note.asks for note in reading.unclear] == ["language"]
    stated = read_paste(text, ("zu",))
    assert stated.unclear == []
    assert draft_of(stated)["languages"] == ["zu"]


def test_unknown_language_questions_are_not_assumed_yes_no() -> None:
    reading = read_paste("Ikhaya\n1. Ingabe uke walala lapha?")
    assert reading.questions[0].kind == ""
    assert {note.asks for note in reading.unclear} == {"language", "answers"}


THANKS = "Thank you for taking part in this study about work and health; it takes you ten minutes."
THANKS_ZH = "感谢您参加这项关于工厂工作、健康与睡眠的研究；大约需要您十分钟，回答不会被别人看到。"


@pytest.mark.parametrize(
    ("language", "paragraph", "asked"),
    [
        ("en", THANKS, ("1. Do you smoke?", "2. Do you drink?", "3. Do you run?")),
        ("zh-hans", THANKS_ZH, ("1. 你抽烟吗？", "2. 你喝酒吗？", "3. 你跑步吗？")),
    ],
)
@pytest.mark.parametrize("mark", ["", "# ", "## "])
def test_an_opening_paragraph_is_the_introduction_and_never_a_title(
    mark: str, language: str, paragraph: str, asked: tuple[str, ...]
) -> None:
    reading = read_paste("\n".join([mark + paragraph, *asked]))
    draft = draft_of(reading)
    assert draft["about"]["purpose"][language] == paragraph
    assert not any(draft["title"].values())
    assert ["title" in block for block in draft["blocks"]] == [False]
    assert not mark or any(note.line == 1 for note in reading.notes)


@pytest.mark.parametrize(("paragraph", "title"), [(THANKS, "Work"), (THANKS_ZH, "工作")])
def test_a_paragraph_with_the_mark_of_a_heading_explains_a_part_without_a_title(
    paragraph: str, title: str
) -> None:
    pasted = f"# {title}\n\n## {title} 1\n1. Do you smoke?\n## {paragraph}\n2. Do you drink?\n"
    first, second = read_paste(pasted).parts
    assert [*first.texts.values()] == [f"{title} 1"]
    assert second.texts == {}
    assert [*second.help.values()] == [paragraph]
    # A heading as long as that, but not a sentence, stays a heading.
    long = paragraph.rstrip(".。")
    assert [*read_paste(pasted.replace(paragraph, long)).parts[1].texts.values()] == [long]


@pytest.mark.parametrize("mark", ["-", "•", "o", "☐"])
def test_a_range_among_answers_with_the_same_mark_is_no_page_number(mark: str) -> None:
    answers = ("under 30", "30 to 49", "50 or older")
    text = "\n".join(["How old are you?", *(f"{mark} {answer}" for answer in answers), "", "Page 1 of 2"])
    (question,) = read_paste(text).questions
    assert [option.texts["en"] for option in question.options] == [*answers]


@pytest.mark.parametrize("rule", ["-----", "====="])
def test_the_last_answer_above_a_rule_is_no_heading(rule: str) -> None:
    text = f"Work\n1. How often?\n  a) never\n  b) often\n{rule}\n2. Where?\n  a) here\n  b) there\n{rule}"
    assert [len(question.options) for question in read_paste(text).questions] == [2, 2]


def test_an_answer_without_a_question_is_noted() -> None:
    survey = read_paste("Work\n# Part\n- never\n1. Do you lie?\n- yes\n- no\n2. How often?\n- never\n- often")
    assert any(note.line == 3 and note.effect == UNCERTAIN for note in survey.notes)


def test_flags_on_a_line_of_their_own_are_those_of_the_line_above() -> None:
    survey = read_paste(
        "Work\n1. How often?\n   [one]\n  a) never\n  b) often\n2. Where? [one]\n  a) here\n  b) there"
    )
    assert [question.flags >= {"one"} for question in survey.questions] == [True, True]
    assert [len(question.options) for question in survey.questions] == [2, 2]


@pytest.mark.parametrize(
    "rows",
    [
        "a. Do you smoke?          [ ]    [ ]\nb. Did you ever fall\n   ill abroad?            [ ]    [ ]",
        "Do you smoke?             [ ]    [ ]\nDid you ever fall\nill abroad?               [ ]    [ ]",
        "أ. هل تدخن؟               [ ]    [ ]\nب. هل سبق أن\n   مرضت؟                  [ ]    [ ]",
    ],
)
def test_rows_that_continue_on_the_line_with_their_boxes_are_joined(rows: str) -> None:
    survey = read_paste(f"Form\n\n                          YES    NO\n{rows}\n\nYour weight (kg): ______")
    assert [question.line for question in survey.questions] == [4, 5, 8]
    assert [question.kind for question in survey.questions] == ["yes_no", "yes_no", "number"]


def test_a_labelled_space_below_a_table_is_a_question() -> None:
    rows = "a. Do you smoke?   [ ]    [ ]\nb. Do you?         [ ]    [ ]\nHeight (cm): ______"
    assert [
        question.line for question in read_paste(f"Form\n                   YES    NO\n{rows}").questions
    ] == [3, 4, 5]


@pytest.mark.parametrize("heading", ["Remarks", "Bemerkungen", "Uwagi", "Observaciones", "備考", "टिप्पणी"])
@pytest.mark.parametrize("cell", ["", "____"])
def test_a_column_for_remarks_is_no_answer_and_is_noted(heading: str, cell: str) -> None:
    rows = "".join(
        f"{n}\t{act}\t\t\t{cell}\n" for n, act in ((1, "The gate is shut"), (2, "The shed is dry"))
    )
    reading = read_paste(f"Checks\n\nNo.\tPoint\tYes\tNo\t{heading}\n{rows}")
    assert [question.kind for question in reading.questions] == ["yes_no", "yes_no"]
    assert [note.line for note in reading.notes if heading in note.message] == [3]


@pytest.mark.parametrize("last", ["|", ""])
def test_a_column_without_boxes_is_no_answer_and_a_last_bar_is_no_column(last: str) -> None:
    head, own = ("Point | Yes | No |", "") if last else ("Point | Yes | No | Seen by", " ")
    text = f"Checks\n\n{head}\nThe gate is shut | [ ] | [ ] |{own}\nThe shed is dry | [ ] | [ ] |{own}\n"
    reading = read_paste(text)
    assert [question.kind for question in reading.questions] == ["yes_no", "yes_no"]
    assert [note.line for note in reading.notes if "Seen by" in note.message] == ([] if last else [3])


def test_a_row_for_remarks_below_a_table_is_free_text() -> None:
    rows = "I dig at night\t\t\t\nI sing to the beans\t\t\t\nComments\t\t\t"
    reading = read_paste(f"Garden\n\nAct\tNever\tAt times\tOften\n{rows}")
    assert [question.kind for question in reading.questions] == ["single", "single", "text"]


def test_words_in_brackets_after_the_last_answer_say_how_many_are_meant() -> None:
    asked = read_paste("Garden\n1. What do you grow? figs, leeks, beans, (more than one answer)").questions[0]
    assert asked.kind == "several"
    assert [next(iter(each.texts.values())) for each in asked.options] == ["figs", "leeks", "beans"]


def test_several_as_an_answer_stays_one() -> None:
    asked = read_paste("Garden\n1. How many sheds have you? (none, one, several)\n2. Who digs?").questions[0]
    assert (asked.kind, len(asked.options)) == ("single", 3)


def test_spaces_in_front_of_numbered_items_are_theirs() -> None:
    items = "(....) 1- I dig at night.\n(....) 2- I sing to beans.\n(....) 3- I talk to worms."
    reading = read_paste(f"Write a letter into each space (N: never, T: at times, O: often)\n\n{items}")
    assert [next(iter(each.texts.values())) for each in reading.questions] == [
        "I dig at night.",
        "I sing to beans.",
        "I talk to worms.",
    ]
    assert {len(each.options) for each in reading.questions} == {3}


@pytest.mark.parametrize("labels", ["1st, 2nd, 3rd, 4th or later", "1re, 2e, 3e, 4e ou plus"])
def test_ordinal_numbers_are_not_codes(labels: str) -> None:
    asked = read_paste(f"Garden\n1. Which bed is it?\n{labels}\n2. Who digs?\nI, you").questions[0]
    assert [next(iter(each.texts.values())) for each in asked.options] == labels.split(", ")


@pytest.mark.parametrize("tail", ["never / rarely / often", "nie / selten / oft", "从不 / 偶尔 / 经常"])
def test_items_that_end_with_the_same_list_are_rows(tail: str) -> None:
    items = [f"a) I dig at night {tail}", f"b) We sing to beans {tail}", f"c) Worms like me {tail}"]
    reading = read_paste("Garden\n\n" + "\n".join(items) + "\n\n1. Who digs?\nI / you")
    assert [len(each.options) for each in reading.questions] == [3, 3, 3, 2]


@pytest.mark.parametrize("codes", ["(0)      (1)      (3)", "0        1        3"])
def test_codes_below_the_labels_of_a_table_are_its_points(codes: str) -> None:
    rows = "\n".join(f"• {text:30}☐        ☐        ☐" for text in ("I dig", "I sing", "I sleep"))
    head = f"{' ' * 32}nie      selten   oft\n{' ' * 32}{codes}"
    reading = read_paste(f"Garten\n\n{head}\n{rows}")
    assert [[option.points for option in each.options] for each in reading.questions] == [[0, 1, 3]] * 3


def test_a_line_of_codes_is_left_out_with_a_note_if_no_table_follows() -> None:
    reading = read_paste("T\n\nNever\tSometimes\tOften\n0\t1\t2\n\n1. Do you cook?\n2. Do you sing?")
    assert [note.line for note in reading.notes if note.message == "this line is left out"] == [4]


@pytest.mark.parametrize("space", ["____________", "……………… лет"])
def test_a_space_to_write_ends_its_question(space: str) -> None:
    reading = read_paste(
        f"Garden\n\n1. How old is it?\n{space}\n\n(a / b / c)\n(i) I dig\n(ii) I sing\n\n2. Why?\n____"
    )
    assert reading.questions[0].options == []


@pytest.mark.parametrize("words", ["more than one", "más de una", "mehr als eine"])
def test_whether_people_have_more_than_one_is_a_yes_no_question(words: str) -> None:
    asked = read_paste(f"T\n1. Haben Sie {words} Schaufel?\nJa, Nein\n2. Wo?\n- a\n- b").questions[0]
    assert asked.kind == "yes_no"


@pytest.mark.parametrize("label", ["En unión libre", "Logement libre", "Open to offers", "Frei von Schulden"])
def test_an_answer_with_a_word_for_free_is_not_a_write_in_space(label: str) -> None:
    asked = read_paste(
        f"T\n1. Which?\n    One\n    {label}\n    Two\n\n2. Why?\n    Fun\n    Work"
    ).questions[0]
    assert [next(iter(each.texts.values())) for each in asked.options] == ["One", label, "Two"]


@pytest.mark.parametrize("wrap", ["1 = never, 2 = rarely,\n3 = often.", "1 – nie, 2 – selten, 3\n– oft."])
def test_a_legend_may_go_on_below(wrap: str) -> None:
    reading = read_paste(f"Garden\nAnswer with: {wrap}\n\n1. I dig.  ____\n2. I sing.  ____")
    assert [len(each.options) for each in reading.questions] == [3, 3]


@pytest.mark.parametrize(
    ("question", "other"), [("How noisy is it here?", "Why?"), ("这里吵不吵，您觉得怎么样？", "为什么？")]
)
def test_a_question_may_occur_twice(question: str, other: str) -> None:
    text = f"1. {question}\n- 1a\n- 1b\n2. {other}\n- 1a\n- 2c\n3. {question}\n- 1a\n- 1b"
    assert [each.line for each in read_paste(text).questions] == [1, 4, 7]


def test_codes_in_a_separate_column_are_not_items() -> None:
    rows = "".join(
        f"| V{n} | I {verb} often | 0 | 1 | 2 |\n" for n, verb in enumerate(("steal", "lie", "hide"), 1)
    )
    survey = read_paste(f"| Code | Item | Never | Once | Often |\n|---|---|---|---|---|\n{rows}")
    assert [next(iter(each.texts.values())) for each in survey.questions] == [
        "I steal often",
        "I lie often",
        "I hide often",
    ]


@pytest.mark.parametrize(
    "end",
    [
        "\n\nThanks and regards\nM. Kessler\nStaff office",
        "\n\nSigned by                 Date",
        "\nuntil Friday, please",
    ],
)
def test_lines_after_the_last_question_are_not_answers_if_others_are_next_to_theirs(end: str) -> None:
    text = (
        "Work\n\n1) Is it well paid? yes/no\n2) Do you like it? yes/no/sometimes\n3) What do you like best?"
    )
    assert read_paste(text + end).questions[2].options == []


def test_a_question_for_some_people_interrupts_a_table() -> None:
    rows = ("            yes     no", "Do you smoke?     □     □", "Do you drink?     □     □")
    text = "\n".join(("T", *rows[:2], "   if yes: how many a day? ......", rows[2]))
    found = read_paste(text).questions
    assert [each.kind for each in found] == ["yes_no", "number", "yes_no"]
    assert found[1].condition


@pytest.mark.parametrize(
    "answers", ["□ under 1   □ 1–5 years   □ more than 5", "A. 1–5   B. 6–10   C. 11–20"]
)
def test_ranges_with_boxes_or_letters_are_answers_and_not_levels(answers: str) -> None:
    text = f"Work\n\n1. How long have you been here:\n   {answers}\n\n2. Do you like it?\n   □ yes   □ no"
    assert len(read_paste(text).questions[0].options) == 3


def test_page_numbers_interrupt_no_list() -> None:
    text = "T\n\n1. Which?\n\n          Page 1 of 2\n\n  A. Work\n  B. Home\n\n2. Who?\n  A. I\n  B. You"
    assert [len(each.options) for each in read_paste(text).questions] == [2, 2]


def test_the_opening_of_a_message_is_not_a_list_of_answers() -> None:
    text = "Dear all, please answer until Friday, it is anonymous.\n1. Do you smoke?\n2. How old are you?"
    assert [each.options for each in read_paste(text).questions] == [[], []]


@pytest.mark.parametrize(
    ("first", "is_title"),
    [
        ("Umfrage des Betriebsrats: Gesund arbeiten bei der Nordlicht Logistik GmbH", True),
        ("Data protection: we store nothing about you, and no one can see what you answered.", False),
    ],
)
def test_a_first_line_alone_with_a_colon_is_the_title_unless_it_is_a_sentence(
    first: str, is_title: bool
) -> None:
    survey = read_paste(f"{first}\n\nThank you for your help.\n\n1. Do you smoke?\n2. Do you drink?")
    assert (first in survey.title.values()) is is_title
    assert any(note.line == 1 and "title" in note.message for note in survey.notes) is not is_title


def test_a_title_and_a_sentence_behind_answers_without_marks_begin_a_part() -> None:
    above = (
        "1. Do you lie?\nYes\nNo\n\nYour health\nThe next questions are about your health. Nobody sees them."
    )
    survey = read_paste(f"Survey\n\n{above}\n2. Do you smoke?\nYes\nNo")
    assert [(each.texts, len(each.questions)) for each in survey.parts[1:]] == [({"en": "Your health"}, 1)]
    assert [each.kind for each in survey.questions] == ["yes_no", "yes_no"]


@pytest.mark.parametrize("greeting", ["Dear colleague,", "Liebe Kolleginnen und Kollegen,", "各位同事，"])
def test_a_salutation_is_no_title(greeting: str) -> None:
    survey = read_paste(f"{greeting}\nthis takes 5 minutes. Thank you!\n\n1. Do you lie?\nO Yes\nO No")
    assert survey.title == {}
    assert all(text.startswith(greeting) for text in survey.about["purpose"].values())
    assert "the survey has no title" in {note.message for note in survey.notes}


def test_rows_between_bars_whose_last_cells_are_empty_are_read() -> None:
    """Taking away the last cell of each row twice left none, and reading stopped."""
    rows = (
        "| K2 | Which share of your pay? | 0 to 100 | |",
        "| K5 | Were you paid in cash? | yes; no; refused | |",
    )
    survey = read_paste("\n".join([*rows, "| K6 | How did your pay change? | better; equal; worse | |"]))
    assert "Were you paid in cash?" in [each.texts["en"] for each in survey.questions]


def rows_of(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(text_of(each), labels_of(each)) for each in read_paste(text).questions]


@pytest.mark.parametrize("empty", ["", "\t\t"])
@pytest.mark.parametrize("gap", ["", "\n"])
def test_headings_between_the_rows_of_a_table_are_no_rows(empty: str, gap: str) -> None:
    """Before, a heading with empty cells was a row, and without them the header was lost."""
    first = "A. Family{0}\n1. They hit me\tO\tO\n2. I hit them\tO\tO\n"
    rows = first + "{1}B. School{0}\n3. I skipped it\tO\tO\n4. I hid\tO\tO"
    found = rows_of(f"Survey\n\tyes, often\trarely\n{rows.format(empty, gap)}")
    assert [row for row, _labels in found] == ["They hit me", "I hit them", "I skipped it", "I hid"]
    assert {labels for _row, labels in found} == {("yes, often", "rarely")}


def test_rows_behind_a_gap_have_the_header_of_the_table_above() -> None:
    text = "Eating\n\tNever\tOften\nI fast\to\to\nI vomit\to\to\n\nAt night\nI eat\to\to\nI lie\to\to"
    survey = read_paste(text)
    assert rows_of(text)[2:] == [("I eat", ("Never", "Often")), ("I lie", ("Never", "Often"))]
    assert UNCERTAIN in {note.effect for note in survey.notes if note.line == 7}


def test_a_recurring_line_that_may_be_an_answer_is_asked_about() -> None:
    """Before, it was left out as if nothing else were possible."""
    survey = read_paste("T\n1. Bribes?\n( ) Yes\n( ) No\nDon't know\n2. Gifts?\n( ) Yes\n( ) No\nDon't know")
    assert {5, 9} <= {note.line for note in survey.notes if note.effect == UNCERTAIN}


@pytest.mark.parametrize(
    "jump",
    [
        "If you answered NO to question 1, skip question 2.",
        "(If no, go to 3)",
        "If no, end of survey",
        "Si contestó NO pase a la pregunta 3",
        "Wenn nein, weiter mit Frage 3",
        "如果选否，请跳到第3题",
    ],
)
def test_a_jump_below_answers_without_marks_is_no_answer(jump: str) -> None:
    survey = read_paste(
        f"T\n1. Are you well?\nYes\nNo\n{jump}\n2. Why?\nWork\nLove\nLuck\n3. Are you ill?\nYes\nNo"
    )
    assert [question.kind for question in survey.questions] == ["yes_no", "single", "yes_no"]


@pytest.mark.parametrize("labels", ["None\t1-2\t3+", "0–1\t2–3\t≥ 4"])
def test_ranges_are_labels_of_a_table(labels: str) -> None:
    rows = rows_of(f"Drinks\nDay\t{labels}\nMonday\t☐\t☐\t☐\nTuesday\t☐\t☐\t☐")
    assert rows == [(day, tuple(labels.split("\t"))) for day in ("Monday", "Tuesday")]


def test_a_question_above_a_row_that_asks_is_no_heading() -> None:
    text = "T\n1. Do you drink? yes/no\n2. How many guests?\n3. Do you smoke? yes/no\n4. Are you ill? yes/no"
    assert [each.kind for each in read_paste(text).questions] == ["yes_no", "number", "yes_no", "yes_no"]


def test_answers_behind_a_remark_about_some_people_are_read() -> None:
    question = read_paste("T\n1. Do you drink? yes / no\n2. (If yes) Where? home / work / school").questions[
        1
    ]
    assert (text_of(question), labels_of(question)) == ("Where?", ("home", "work", "school"))
    assert question.condition


def test_brackets_to_write_in_are_cut_from_the_items_of_a_table() -> None:
    text = (
        "T\nHow true is it? (1=not, 2=a bit, 3=very)\n1. I hate my job (  )\n2. I steal (  )\n3. I drink ____"
    )
    assert [row for row, _labels in rows_of(text)] == ["I hate my job", "I steal", "I drink"]


@pytest.mark.parametrize("last", [">8", "> 8 hours"])
def test_an_amount_behind_a_sign_is_an_answer_and_no_explanation(last: str) -> None:
    question = read_paste(
        f"Sleep\nHow long do you sleep?\n<5\n5-8\n{last}\nDo you dream?\nYes\nNo"
    ).questions[0]
    assert labels_of(question) == ("<5", "5-8", last)


@pytest.mark.parametrize(
    "title",
    [
        "Quick test: are you drinking too much?  (Leaflet 4, page 1)",
        "How is school going? (Year 5, class 2)",
        "Wie geht es dir in der Schule? (5. und 6. Klasse)",
        "Comment ça va au collège ? (6e et 5e)",
        "¿Cómo te va en clase? (1.º y 2.º de ESO)",
        "快速自测：你上瘾了吗？（社区发，第1页）",
        "Are you safe at home?",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_title_may_ask(title: str, gap: str) -> None:
    survey = read_paste(
        f"{title}{gap}1. Do you lie? yes / no\n2. Do you hide? yes / no\n3. Are you ill? yes / no"
    )
    assert [text_of(each) for each in survey.questions] == ["Do you lie?", "Do you hide?", "Are you ill?"]


@pytest.mark.parametrize(
    "first",
    ["How old are you? (under 18, 18 or over)", "Where do you live? (town, village)", "Your age? ____"],
)
def test_a_first_question_with_answers_or_a_space_is_no_title(first: str) -> None:
    survey = read_paste(f"{first}\n\n1. Do you lie? yes / no\n2. Do you hide? yes / no")
    assert len(survey.questions) == 3


def test_a_question_with_an_instruction_behind_it_is_asked() -> None:
    survey = read_paste(
        "Carer list (nurses)\n\nWhich of these happened to you? Tick all that apply.\n☐ fear\n☐ pain"
    )
    (question,) = survey.questions
    assert text_of(question).startswith("Which of these happened to you?")
    assert survey.title == {"en": "Carer list (nurses)"}


@pytest.mark.parametrize("glue", ["or", "oder", "ou"])
def test_items_with_a_comma_leave_the_question_above_their_key(glue: str) -> None:
    text = (
        "Mood\nHow often have these troubled you?\n(0 = Never, 1 = Rarely, 2 = Often)\n\n"
        f"1. Sleeping badly, {glue} too much\n2. Having no energy\n3. Moving slowly, {glue} being restless"
    )
    assert [len(question.options) for question in read_paste(text).questions] == [3, 3, 3]


@pytest.mark.parametrize(
    "text",
    [
        "Scheda\n1) Età: ___\n2) Titolo\n- medie\n- diploma\nSettore:\n- edilizia\n- altro\n3) Note: ____",
        "FICHE\n1. Âge : ___\n2. Travaillez-vous ?\n  o souvent\n  o rarement\nSecteur\n  o bois\n  o eau",
        "登记表\n1. 年龄：___\n学历：\n□小学\n□初中\n单位性质：\n□国企\n□私企",
    ],
)
def test_a_label_between_two_lists_of_answers_asks(text: str) -> None:
    """Before, it was left out, and its answers were added to those of the question above."""
    assert [len(question.options) for question in read_paste(text).questions][-2:] in ([2, 2], [2, 0])


def test_answers_in_one_line_of_boxes_have_the_label_above_them() -> None:
    text = "FICHE\n\nProduit consommé : [1 seule réponse]\n[ ] vin  [ ] bière  [ ] rien\n\nÂge : ____ ans"
    assert len(read_paste(text).questions[0].options) == 3


@pytest.mark.parametrize(
    "text",
    [
        "Points: 1\n1. Do you lie?\na. Yes\nb. No\nPoints: 1\n2. Do you steal?\na. Yes\nb. No",
        "Start of Block: Theft\nQ1 Do you steal?\no Yes\no No\nEnd of Block: Theft",
        "question;answers\nDo you lie?;Yes|No\nDo you steal?;Yes|No",
    ],
)
def test_a_line_of_a_tool_is_no_certain_title(text: str) -> None:
    """Before, it was the title without a note."""
    assert any(note.line == 1 and note.effect == UNCERTAIN for note in read_paste(text).notes)


@pytest.mark.parametrize("space", ["....... rooms", "____ rooms", "[    ]"])
@pytest.mark.parametrize("remark", ["(0 to 20)", "(whole rooms)", ""])
def test_a_question_behind_another_may_end_with_a_remark_and_a_space(remark: str, space: str) -> None:
    """Before, it was a space to write for the question above it."""
    text = (
        f"Home\n\nDo you live alone?\n\nHow many rooms have you? {remark} {space}\n\nWho cooks?\n- all\n- me"
    )
    assert [each.kind for each in read_paste(text, ("en",)).questions] == ["yes_no", "number", "single"]
