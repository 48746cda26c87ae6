"""Layouts of printed instruments and survey tools' exports are read, or flagged at their line.

The layouts are those of AUDIT, PHQ-9, DAST-10 and the CTS in print, pasted from PDF and word processors, and
of Chinese and English web surveys. The wording is our own.
"""

from typing import Any

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import Questionnaire, draft_of

YES_NO = ("yes_no", ())


def one(*options: str) -> tuple[str, tuple[str, ...]]:
    return "single", options


def many(*options: str) -> tuple[str, tuple[str, ...]]:
    return "multi", options


def number(low: int, high: int) -> tuple[str, tuple[int, int]]:
    return "number", (low, high)


DRINKS = one("Never", "Monthly or less", "2-4 times a month")
MOOD = one("Not at all", "Several days", "Nearly every day")
SAYS = one("disagree", "agree")
FREE, UNCLEAR = ("text", ()), ("", ())

SHAPES: dict[str, tuple[str, list[Any]]] = {
    # AUDIT
    "codes in brackets, a line each": (
        "A\n1. How often do you drink?\n(0) Never\n(1) Monthly or less\n(2) 2-4 times a month",
        [DRINKS],
    ),
    "codes in brackets in one line": (
        "A\n1. How often do you drink?\n(0) Never (1) Monthly or less (2) 2-4 times a month",
        [DRINKS],
    ),
    "codes with gaps": (
        "A\n1. Was anybody hurt?\n(0) No (2) Yes, before this year (4) Yes, this year",
        [one("No", "Yes, before this year", "Yes, this year")],
    ),
    "options that begin with numbers": (
        "A\n1. How many glasses?\n(0) 1 or 2\n(1) 3 or 4\n(2) 10 or more",
        [one("1 or 2", "3 or 4", "10 or more")],
    ),
    "scores in a column of their own": (
        "A\n1. How often do you drink?\nNever\t0\nMonthly or less\t1\n2-4 times a month\t2",
        [DRINKS],
    ),
    "an instruction to skip behind an option": (
        "A\n1. How often do you drink?\n(0) Never [Skip to Qs 9-10]\n(1) Monthly\n2. Do you?",
        [one("Never", "Monthly"), YES_NO],
    ),
    "codes with an equals sign": (
        "A\n1. How often?\n0 = Never\n1 = Weekly\n2 = Daily",
        [one("Never", "Weekly", "Daily")],
    ),
    "a stem and boxes behind it": (
        "A\n1. Do you black out?   ☐ Yes   ☐ No   ☐ Not sure",
        [one("Yes", "No", "Not sure")],
    ),
    # PHQ-9
    "a table from a word processor": (
        "P\nHow often were you:\tNot at all\tSeveral days\tNearly every day\n"
        "1. Sad\t0\t1\t2\n2. Tired\t0\t1\t2",
        [MOOD, MOOD],
    ),
    "a table in wide blanks": (
        "P\nHow often were you:      Not at all    Several days    Nearly every day\n"
        "1.  Sad                        0             1               2\n"
        "2.  Tired                      0             1               2",
        [MOOD, MOOD],
    ),
    "a heading with a legend": (
        "P\nFor each, answer 0 = Not at all, 1 = Several days, 2 = Nearly every day.\n1. Sad\n2. Tired",
        [MOOD, MOOD],
    ),
    "a table whose labels are gone": (
        "P\nIn the last weeks\n1. Sad 0 1 2\n2. Tired 0 1 2",
        [one("0", "1", "2")] * 2,
    ),
    "circles below the labels": (
        "P\n\tdisagree\tagree\nCheating is common\t○\t○\nTeachers look away\t○\t○",
        [SAYS, SAYS],
    ),
    "a question above the table": (
        "P\n1. What do you think?\n\tdisagree\tagree\nCheating is common\t○\t○\n"
        "Teachers look away\t○\t○\n2. Do you cheat?",
        [SAYS, SAYS, YES_NO],
    ),
    # DAST-10
    "yes and no in columns": (
        "D\n1. Did you use drugs?    No    Yes\n2. Did you stop?    No    Yes",
        [YES_NO, YES_NO],
    ),
    "yes and no behind the question": (
        "D\n1. Did you use drugs? Yes No\n2. Did you stop? Y / N",
        [YES_NO, YES_NO],
    ),
    "yes and no with scores": ("D\n1. Did you use drugs? No 0 Yes 1", [YES_NO]),
    "a table of yes and no": (
        "D\nIn the last year:\tNo\tYes\n1. Did you use drugs?\t0\t1\n2. Did you stop?\t0\t1",
        [YES_NO, YES_NO],
    ),
    "dots to a code": ("D\n1. Were you hit?\nYES ........ 1\nNO ......... 2", [YES_NO]),
    "dots to codes with a gap": (
        "D\n1. Were you hit?\nYES ........ 1\nNO ......... 2\nDK ......... 8",
        [one("YES", "NO", "DK")],
    ),
    # CTS
    "codes behind each item": (
        "C\nHow often in a year? 0 = never 1 = once 2 = 3-5 times\n"
        "1. Somebody hit me\t0 1 2\n2. I hit somebody\t0 1 2",
        [one("never", "once", "3-5 times")] * 2,
    ),
    "lettered items with yes and no": (
        "C\n1. Has your partner ever:\na) pushed you   Yes   No\nb) kicked you   Yes   No",
        [YES_NO, YES_NO],
    ),
    "lettered items below a scale": (
        "C\n1. How often did somebody: (0) Never (1) Once (2) Often\na. push you\n"
        "b. kick you\n2. Did you tell?",
        [one("Never", "Once", "Often")] * 2 + [YES_NO],
    ),
    "a scale in brackets in the heading": (
        "C\nHow often? (0 = never, 1 = once, 2 = often)\na. pushed you\nb. kicked you",
        [one("never", "once", "often")] * 2,
    ),
    "lettered options stay options": (
        "C\n1. How often?\na. Never\nb. Once\n2. And now?\na) No\nb) Yes",
        [one("Never", "Once"), YES_NO],
    ),
    "parts with letters": (
        "C\nPart A\n1) Were you hit?\n   a) yes\n   b) no\nPart B\n2) How often?\n   a) once\n   b) often",
        [YES_NO, one("once", "often")],
    ),
    # Web surveys
    "an export with letters o": ("W\nQ1 Have you hit somebody?\n\no Yes  (1) \n\no No  (2) ", [YES_NO]),
    "an export with squares": (
        "W\nQ1 Which? Select all that apply.\n▢ Beer  (1)\n▢ Wine  (2)",
        [many("Beer", "Wine")],
    ),
    "lines of blocks": (
        "W\nStart of Block: One\nQ1 Do you?\no Yes\no No\nEnd of Block: One\nQ2 And you?",
        [YES_NO, YES_NO],
    ),
    "a display condition": (
        "W\nQ1 Do you?\nDisplay This Question:\nIf Q1 = Yes\nQ2 How often?\no Once\no Often",
        [YES_NO, one("Once", "Often")],
    ),
    "a matrix of an export": (
        "W\nQ1 What do you think?\n\tdisagree (1)\tagree (2)\nIt is bad (1)\to\to\nIt is fine (2)\to\to",
        [SAYS, SAYS],
    ),
    "boxes in brackets": (
        "W\n1. Did you tell?\n[ ] Yes\n[ ] No\n2. Whom?\n( ) A friend\n( ) The police",
        [YES_NO, one("A friend", "The police")],
    ),
    "a form's page": ("W\n1. Which?\nMark any.\nCheck all that apply.\nA\nB\nSubmit", [many("A", "B")]),
    "a grid with bars": ("W\n1. Which?\nbad | so | good\nTea o o o", [one("bad", "so", "good")]),
    "a grid without labels": ("W\n1. Which?\nMark one per row.\na\nb\nTea o o o", [one("a", "b")]),
    "an answer to write": ("W\n1. Whom?\n( ) A friend\n( ) Other: ________", [one("A friend", "Other")]),
    "lines to tick": ("W\n1. Which?\n___ Beer\n___ Wine", [one("Beer", "Wine")]),
    "stars for required questions": (
        "W\n1. Do you? *\nYes\nNo\n2. How often? (required)\nNever\nOften",
        [YES_NO, one("Never", "Often")],
    ),
    "bullets before digits": (
        "W\n1. How old?\n- 18 to 24\n- 25 to 34\n2. And your partner?\n-18 to 24\n-25 to 34",
        [one("18 to 24", "25 to 34")] * 2,
    ),
    "Markdown": ("# W\n**1. Do you?**\n* Yes\n* No", [YES_NO]),
    # Broken lines, numbers, dates, free text
    "a broken question": (
        "B\n1. In the last twelve months, did anybody\nin your home hit you?\nYes\nNo\n2. Did you tell?",
        [YES_NO, YES_NO],
    ),
    "a broken option": (
        "B\n1. Which?\n- I was calm and had no trouble with anybody in\nmy home\n- I was sad",
        [one("I was calm and had no trouble with anybody in my home", "I was sad")],
    ),
    "a line of numbers": ("B\n1. How bad is it?\n0 1 2 3 4 5", [one("0", "1", "2", "3", "4", "5")]),
    "numbers between two words": (
        "B\n1. How sad?\nNot at all 1 2 3 Extremely",
        [one("1 – Not at all", "2", "3 – Extremely")],
    ),
    "an age": ("B\n1. Your age:\n2. Age: ____ years", [number(0, 99)] * 2),
    "numbers of things": (
        "B\n1. Number of children\n2. On how many days of a week?\n3. Number of glasses (0 - 14)",
        [number(0, 20), number(0, 7), number(0, 14)],
    ),
    "a date to fill in": ("B\n1. Date of birth: __/__/____", [UNCLEAR]),
    "free text": (
        "B\n1. Please describe what happened.\n2. Why did you not tell?\n3. Any other comments?",
        [FREE] * 3,
    ),
    "a word without options": ("B\n1. Marital status\n2. Gender", [UNCLEAR] * 2),
    # Chinese surveys
    "Chinese kinds in brackets": (
        "诚信\n1. 你作弊过吗？ [单选题] *\n○有\n○没有\n2. 用过什么？ [多选题] *\n□抄袭\n□代写",
        [YES_NO, many("抄袭", "代写")],
    ),
    "a Chinese table": (
        "诚信\n3. 你同意吗 [矩阵量表题] *\n \t不同意\t同意\n作弊很普遍\t○\t○\n老师不管\t○\t○",
        [one("不同意", "同意")] * 2,
    ),
    "a Chinese scale": (
        "诚信\n4. 压力多大？ [量表题] *\n很小\t○1\t○2\t○3\t很大",
        [one("1 – 很小", "2", "3 – 很大")],
    ),
    "Chinese letters in one line": (
        "校园\n1. 你的年级？\nA、大一 B、大二 C、大三\n2. 你的性别：□男 □女",
        [one("大一", "大二", "大三"), one("男", "女")],
    ),
    "Chinese kinds in round brackets": (
        "校园\n1、你作弊过吗（单选题）\nA. 是\nB. 否\n2、用过什么方法？（多选）\n①抄袭\n②代写",
        [YES_NO, many("抄袭", "代写")],
    ),
    "a Chinese number and free text": (
        "校园\n1. 每天抽多少支烟？____支\n2. 请说明原因 [填空题]",
        [number(0, 99), FREE],
    ),
    "a Chinese instruction to skip": (
        "校园\n1. 你抽烟吗？\nA. 是\nB. 否（请跳至第3题）\n2. 你喝酒吗？",
        [YES_NO, YES_NO],
    ),
}


def shape(reading: Questionnaire) -> list[Any]:
    found: list[Any] = []
    for question in reading.questions:
        stated = question.own.get("number")
        options = tuple(next(iter(option.texts.values())) for option in question.options)
        found.append(
            (question.kind, (stated["low"], stated["high"]) if stated else options if question.kind else ())
        )
    return found


@pytest.mark.parametrize("name", SHAPES)
def test_layouts_are_read_and_unclear_lines_flagged(name: str) -> None:
    text, expected = SHAPES[name]
    reading = read_paste(text)
    assert shape(reading) == expected
    flagged = {note.line for note in reading.unclear}
    assert all(question.is_asked or question.line in flagged for question in reading.questions)


def test_all_56_layouts_are_tested() -> None:
    assert len(SHAPES) == 56


@pytest.mark.parametrize(
    ("name", "line", "effect", "said"),
    [
        ("codes in brackets, a line each", 2, "changed", "codes of the answers"),
        ("an instruction to skip behind an option", 3, "changed", "everyone is asked"),
        ("a Chinese instruction to skip", 4, "changed", "everyone is asked"),
        ("a display condition", 4, "unclear", "only after certain answers"),
        ("an answer to write", 4, "changed", "line to write on"),
        ("a form's page", 7, "changed", "left out"),
        ("a grid without labels", 3, "changed", "this grid"),
        ("a table whose labels are gone", 3, "changed", "words of this scale"),
        ("an age", 2, "changed", "0 to 99"),
        ("free text", 3, "unclear", "free text"),
        ("a word without options", 2, "unclear", "needs options"),
    ],
)
def test_every_change_is_noted_with_a_remedy(name: str, line: int, effect: str, said: str) -> None:
    notes = [
        note for note in read_paste(SHAPES[name][0]).notes if note.line == line and note.effect == effect
    ]
    assert any(said in note.message for note in notes), read_paste(SHAPES[name][0]).notes
    assert all(note.remedy for note in notes)


def test_joiners_are_kept_and_unknown_languages_asked_for() -> None:
    reading = read_paste("پرسش‌نامه\n1. آیا می‌خواهید؟\nبله\nخیر")
    assert reading.questions[0].texts["und"] == "آیا می‌خواهید؟"
    assert reading.questions[0].kind == "yes_no"
    assert [note.asks for note in reading.unclear] == ["language"]
    told = read_paste("پرسش‌نامه\n1. آیا می‌خواهید؟\nبله\nخیر", ("fa",))
    assert told.unclear == []
    assert draft_of(told)["languages"] == ["fa"]


@pytest.mark.parametrize(
    "text", ["Maison\n1. Est-ce que vous dormez ?", "Haus\n1. Haben Sie das schon getan?"]
)
def test_unknown_language_questions_are_not_assumed_yes_no(text: str) -> None:
    reading = read_paste(text)
    assert reading.questions[0].kind == ""
    assert {note.asks for note in reading.unclear} == {"language", "answers"}
