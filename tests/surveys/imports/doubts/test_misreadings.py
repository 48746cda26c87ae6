"""What the reader leaves in a text shows that it misread a question, in any language."""

from pathlib import Path

import pytest

from benchmarks.shapes import report_on
from surveys.imports.doubts import misreadings
from surveys.imports.doubts.misreadings import LESS_CERTAIN, MISREAD
from surveys.imports.drafts.questionnaire import LOST, UNCERTAIN, UNCLEAR
from surveys.imports.pasted_text import read_paste


def noted(text: str) -> list[tuple[int, str]]:
    return [(note.line, note.message) for note in read_paste(text).notes if note.cause == MISREAD]


@pytest.fixture
def every_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """Note each question that has a sign, however small the doubt is."""
    monkeypatch.setattr(misreadings, "LEAST", -99)


@pytest.mark.usefixtures("every_sign")
@pytest.mark.parametrize(
    ("text", "line", "sign"),
    [
        ("T\n1. How often?\n- Never 31 %\n- Often 69 %\n- Now", 2, "end with numbers"),
        ("T\n1. Bist du da?\n- x ja\n- x nein\n- x egal", 2, "the same sign"),
    ],
)
def test_each_sign_is_noted_at_its_line(text: str, line: int, sign: str) -> None:
    assert [own for own, message in noted(text) if sign in message][:1] == [line], noted(text)


def test_a_cell_that_was_not_read_is_noted_at_its_row() -> None:
    rows = ["No\tText\tKind\tMore", "1\tHow often?\tnumber\tor nearly", "2\tHow old?\tnumber\t"]
    text = "\n".join([*rows, "3\tHow tall?\tnumber\t"])
    notes = [note for note in read_paste(text).notes if note.cause in (MISREAD, LESS_CERTAIN)]
    assert any(note.line == 2 and "a cell of its row" in note.message for note in notes), notes


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("T\n\n2-1 Tell of your day.\n2-2 When do you lie?\n   → ask for one case\n2-3 And then.", [3]),
        ("a | b | c | d\n\nx | f | one | Do you lie? |\ny | f | two | Your age |\nz | f | one | Why? |", []),
        (
            "T\nName: ____\nHome: ____\nSex: 1 = f; 2 = m\n\nPet: 1. dog  2. cat\n\nWay: 1. bus  2. car",
            [],
        ),
    ],
)
def test_a_line_like_those_that_are_asked_is_asked_or_noted(text: str, lines: list[int]) -> None:
    reading = read_paste(text)
    asked = {question.line for question in reading.questions}
    seen = asked | {note.line for note in reading.notes}
    alike = [
        number
        for number, line in enumerate(text.split("\n"), start=1)
        if line[:2] == "2-" or line.count("|") > 3 or ": " in line
    ]
    assert {*alike} <= seen, (alike, seen)
    assert [
        number for number, sign in noted(text) if "may contain a question" in sign and number in lines
    ] == lines


@pytest.mark.parametrize(
    "text",
    [
        "T\n1. Do you lie?\n2. How often?\n- Never\n- Often\n3. How many hours? 0-24",
        "T\n1. How old are you?\n- 18-29\n- 30-49\n- 50 or older",
        "T\n1. How often?\n- Once\n- Other: ____\n2. Where?\n- Home\n- Other: ____",
        "题\n1、您抽烟吗？\n2、您多大？\nA、三十以下\nB、以上",
        "T\n1. How sad? (1 = not, 5 = very)",
        "T\nHow often?\n(0 = Not at all, 1 = Often)\n\n1. Feeling sad\n2. Being ill\n\n3. Hard?\n- No\n- Yes",
    ],
)
def test_plain_questionnaires_have_none_of_these_notes(text: str) -> None:
    assert noted(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "T\n1. How old are you?\n- 18-29\n- 30-44\n- 45-59\n- 60 or older\n2. Do you lie?\n- yes\n- no\n"
        "3. Where do you work? [open]\n- Office\n- Outside\n- At home",
        "T\n1. Do you drink?\n- yes\n- no (go to 3)\n2. How often?\n- once\n- often\n"
        "3. Do you lie?\n- yes\n- no",
        "T\nPurpose: To ask what people do.\nContact: a@example.org\n1. Would you move if you could?",
    ],
)
def test_well_marked_questions_have_no_mark_of_doubt(text: str) -> None:
    """Before, 8 of 11 clean questions needed a check, and nothing was wrong with them."""
    notes = read_paste(text).notes
    assert [note for note in notes if note.cause in (MISREAD, LESS_CERTAIN)] == []


@pytest.mark.parametrize(
    "question",
    [
        "How many a day, if you smoke?",
        "How many a day? (if you smoke)",
        "For smokers, if any: how many a day?",
    ],
)
def test_a_condition_in_a_clause_of_a_question_is_asked_about(question: str) -> None:
    survey = read_paste(f"T\n1. Do you smoke?\n- yes\n- no\n2. {question} 0-60\n3. Do you lie?")
    assert 5 in {note.line for note in survey.notes}


@pytest.mark.parametrize(
    ("number", "count", "right"),
    [
        (1, 60, 51),
        (2, 60, 40),
        (3, 60, 43),
        (4, 87, 82),
        (5, 50, 23),
        (6, 50, 20),
        (7, 74, 74),
        (8, 36, 34),
        (9, 32, 32),
        (11, 309, 309),
    ],
)
@pytest.mark.few("2-60-40", "5-50-23", why="of each kind of collection the one that is hardest to read")
def test_shapes_are_read_or_flagged(number: int, count: int, right: int) -> None:
    report = report_on(Path(__file__).parent.with_name(f"shapes-{number}.jsonl"))
    assert len(report.results) == count
    assert [each.shape.name for each in report.results if each.verdict == "silent"] == []
    assert report.counts["right"] >= right


@pytest.mark.usefixtures("every_sign")
@pytest.mark.parametrize(
    ("text", "line", "sign"),
    [
        (
            "T\n1. Wie oft?\n- viel\n- wenig\n- Ich grabe\n- Ich singe\n2. Wo?\n- hier\n- dort",
            2,
            "a capital letter",
        ),
        ("T\n1. Сколько?\n- мало\n- Много\n- очень\n2. Где?\n- тут\n- там", 2, "a capital letter"),
        (
            "T\n1. Wo?\n- hier im Garten hinter dem Haus\n- dort\n2. Wie?\n- a\n- b",
            2,
            "longer than the question",
        ),
    ],
)
def test_answers_that_differ_are_noted(text: str, line: int, sign: str) -> None:
    assert line in [own for own, message in noted(text) if sign in message], noted(text)


def test_a_scoring_rule_that_is_not_understood_is_noted_once_at_its_line() -> None:
    text = "T\n1. Bad?\n- no (0)\n- yes (1)\n2. Sad?\n- no (0)\n- yes (1)\nTotal score: add up 1 to 9"
    found = [note.message for note in read_paste(text).notes if note.line == 8]
    assert found == ["this line is about the score, and is not an answer"]


def test_a_number_among_questions_with_answers_is_ordinary() -> None:
    text = (
        "Work\n1. Do you lie?\n- never\n- often\n2. Do you steal?\n- never\n- often\n"
        "3. How many hours do you work (in a week)? (0-80)\n4. Do you cheat?\n- never\n- often"
    )
    assert not [message for _line, message in noted(text) if "laid out like it" in message]


def test_equal_lists_of_answers_raise_no_doubt_about_their_last_answer() -> None:
    items = "".join(
        f"{number}. How often are you {word}?\nNever\nNow and then\nAlways\n\n"
        for number, word in enumerate(("sad", "tired", "late"), 1)
    )
    assert noted(f"Work\n\n{items}") == []


def test_a_role_is_asked_about_only_if_its_doubt_is_large() -> None:
    text = "Work\n\nAbout you\n\n1. Do you lie?\n- Yes\n- No\n\n2. Do you steal?\n- Yes\n- No"
    reading = read_paste(text)
    assert [each.is_certain for each in reading.lines if each.role == "heading"] == [True]
    assert not [note for note in reading.notes if note.cause == "uncertain"]


TABLE = (
    "Mood\n0 = never, 1 = rarely, 2 = often\n\n\t0\t1\t2\n1. Low\t0\t1\t2\n2. Bored\t0\t1\t2\n3. Ill\t0\t1\t2"
)


def test_the_head_of_a_table_names_no_question_and_is_not_called_left_out() -> None:
    """The numbers above the columns were mistaken for numbers of questions."""
    survey = read_paste(TABLE)
    assert not [note.message for note in survey.notes if "is left out" in note.message]
    assert {each.line: each.role for each in survey.lines}[4] == "scale"


def test_the_fact_that_adds_most_is_given_if_there_is_no_other_reason() -> None:
    """The report called the layout of a plain text unusual."""
    facts = dict.fromkeys(misreadings._WEAK_REASONS, 0.0)
    assert misreadings._weak_reason(facts | {"moved": 1}) == "without indents, it would be read differently"
    assert misreadings._weak_reason(facts) == "the layout of the text suggests another reading"


CLEAN = """Wellbeing of staff

1. How old are you?
( ) under 30
( ) 30-49
( ) 50 or older

2. Have you ever taken medicines from the ward?
( ) Yes
( ) No

3. Over the last two weeks, how often have you been bothered by the following?

                                   Not at all   Several days   Nearly every day
a) Feeling exhausted before work       0             1               2
b) Trouble sleeping                    0             1               2
c) Thinking of quitting                0             1               2

4. Which of these have you experienced? (tick all that apply)
[ ] Shouting by superiors
[ ] Unpaid overtime
[ ] None of these"""


def test_no_question_of_a_clean_form_is_marked() -> None:
    """The heading of the table counted as a lost question, and letters of its rows as other marks."""
    notes = [note for note in read_paste(CLEAN).notes if note.cause in (MISREAD, LESS_CERTAIN)]
    assert notes == []


@pytest.mark.parametrize(
    "rule",
    [
        "HOW TO SCORE\nScore 1 point for each Yes, except for the question about the bill: there No scores.",
        "HOW TO SCORE\nOne point for each answer that is unlike others\n0-1 points: well\n3-4 points: see us",
    ],
)
def test_every_item_is_listed_if_a_rule_about_points_is_not_understood(rule: str) -> None:
    """Items that such a rule reverses had the points of other items, without a note."""
    items = "- Do you steal?   Yes / No\n- Do you pay your bill?   Yes / No\n- Do you lie?   Yes / No"
    survey = read_paste(f"Check\n\n{items}\n\n{rule}")
    assert {3, 4, 5} <= {note.line for note in survey.notes if note.cause == MISREAD}


def test_a_rule_about_missing_answers_that_is_not_understood_leaves_no_doubt_about_items() -> None:
    """It changes the points of none, but each item was listed."""
    items = "".join(
        f"{n}. I {verb}.   ( ) never (0)   ( ) often (1)\n" for n, verb in enumerate(("rest", "lie"), 1)
    )
    survey = read_paste(f"Check\n\n{items}\nTotal: 0 fine, 1-2 risk. A missing answer counts 7.")
    assert [note.cause for note in survey.notes if "missing answers" in note.message] == ["gaps unread"]
    assert not [note.line for note in survey.notes if note.cause == MISREAD]


@pytest.mark.parametrize("blank", ["\u00a0\u00a0", "\t", "    "])
def test_blanks_behind_a_mark_are_no_columns(blank: str) -> None:
    text = f"T\n1. How often?\n–{blank}Never\n–{blank}Often\n2. Are you ill?\n–{blank}Yes\n–{blank}No"
    assert not [note for note in read_paste(text).notes if note.cause == MISREAD]


def test_all_questions_behind_a_jump_that_is_not_read_are_asked_about() -> None:
    text = (
        "vaping\n\n- have you ever tried a vape? y/n   -> if no skip to the bottom\n"
        "- how old were you the first time?\n- where do you get them: shop / friends / online\n"
        "- do your parents know? y/n\n- what would a ban change?"
    )
    asked = {note.line for note in read_paste(text).notes if note.effect in ("uncertain", "unclear")}
    assert {4, 5, 6} <= asked


def test_a_line_whose_role_is_uncertain_is_never_silent() -> None:
    text = (
        "Science\n\nPut ONE tick in each row.\n\n\tAlways\tMostly\tNever\n"
        "I understand\t\t\t\nI am bored\t\t\t\n\n"
        "Are you:\ta girl\ta boy\tprefer not to say\n\nOne thing I would change:\n______"
    )
    survey = read_paste(text)
    asked = {question.line for question in survey.questions}
    assert 9 in asked | {note.line for note in survey.notes}


def test_a_first_line_that_asks_is_a_question_or_asked_about() -> None:
    """The first question of a text without a title, with its space in brackets, was lost in silence."""
    rest = "\n\nDo you live alone?\nyes / no\n\nWho helps?\nfriends / nobody\n"
    for first in ("How many rooms are there? [    ] rooms", "How safe is it here?"):
        survey = read_paste(first + rest)
        is_noted = any(note.line == 1 and "may contain a question" in note.message for note in survey.notes)
        assert is_noted or survey.questions[0].line == 1


@pytest.mark.parametrize("field", ["Form: ______", "Gruppe: ........", "姓名：______", "Code: |__|__|"])
def test_a_space_to_write_that_no_question_has_is_asked_about(field: str) -> None:
    items = "\n".join(f"{n}. {text} ☐ yes ☐ no" for n, text in enumerate(("I run.", "I sing.", "I lie."), 1))
    survey = read_paste(f"Club\n\nWelcome.\n{field}\n\n{items}")
    asked = {note.line for note in survey.notes if note.effect in (UNCERTAIN, UNCLEAR, LOST)}
    assert 4 in asked or any(question.line == 4 for question in survey.questions)


def test_the_only_answer_of_a_question_may_be_a_question() -> None:
    survey = read_paste("Notes\n\nage?\nhome: alone, with others\nhow much?\nwhere: at home, out")
    noted = {note.line for note in survey.notes if note.effect in (UNCERTAIN, UNCLEAR, LOST)}
    lone = {each.options[0].line for each in survey.questions if len(each.options) == 1}
    assert lone <= noted
