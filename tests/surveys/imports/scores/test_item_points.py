"""Scales whose rule states other points for some items, or says in its own way which items are reversed."""

from typing import Final

import pytest

from surveys.imports.drafts.questionnaire import Questionnaire, points_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.item_points import pairs_in, runs_in, tokens_in
from surveys.imports.scores.reversals import POINTS_UNREAD

USUAL: Final = [0, 1, 2]
TURNED: Final = [2, 1, 0]
ITEMS: Final = "1. I lie at work.{0}\n2. I feel proud.{0}\n3. I hide my pay.{0}\n"
LEGEND: Final = "Honesty\n0 = never, 1 = often, 2 = always\n" + ITEMS.format("") + "\n"
COLUMNS: Final = "Honesty\n" + ITEMS.format("   ☐ never   ☐ often   ☐ always") + "\n"
KEYS: Final = "Honesty\nN = never, O = often, A = always\n" + ITEMS.format("   N  O  A") + "\n"
LETTERS: Final = "Тест\nОтветы: а) никогда; б) часто; в) всегда\n\n1. Я вру.\n2. Я горд.\n3. Я прячу.\n\n"


def points_read(survey: Questionnaire) -> list[list[int]]:
    return [points_of(question) for question in survey.questions]


@pytest.mark.parametrize(
    "text",
    [
        COLUMNS
        + "Scoring\nnever = 0, often = 1, always = 2 for items 1 and 3; "
        + "never = 2, often = 1, always = 0 for item 2.",
        COLUMNS + "Scoring: items are scored 0-1-2, except item 2, which is scored 2-1-0.",
        COLUMNS
        + "Key\nItems 1, 3:  never 0  often 1  always 2\nItem 2, reversed:  never 2  often 1  always 0",
        KEYS + "CORRECCIÓN\nÍtems 1 y 3: N=0, O=1, A=2\nÍtems inversos (2): N=2, O=1, A=0",
        KEYS + "N 0 – O 1 – A 2 ; pour 2 : N 2 – O 1 – A 0",
        KEYS + "Scoring: N = 0, O = 1, A = 2. Item 2 is reverse scored\n(N = 2, O = 1, A = 0).",
        COLUMNS + "Barème : never 0, often 1, always 2 (barème inversé pour la question 2).",
        LETTERS
        + "Ключ\nПрямые (1, 3): а – 0 баллов, б – 1, в – 2.\nОбратные (2): а – 2 балла, б – 1, в – 0.",
    ],
    ids=["behind", "rows", "lines", "keys", "one line", "in brackets", "reversed behind", "letters"],
)
def test_a_rule_may_state_other_points_for_some_items(text: str) -> None:
    assert points_read(read_paste(text)) == [USUAL, TURNED, USUAL]


@pytest.mark.parametrize(
    "rule",
    [
        (
            "Scoring: add the numbers, but turn no. 2 round first (0 becomes 2, 1 becomes 1 a"
            "nd so on). Range 0-6."
        ),
        "Auswertung: Summe bilden. Zuvor Item 2 drehen: aus 0 wird 2, aus 1 wird 1.",
        "Cotação: na pergunta 2 trocar primeiro: o 0 passa a 2, o 1 passa a 1.",
        "Score: item 2: 0→2, 1→1, 2→0.",
        "计分：第2题0变2，1变1，2变0。",
    ],
)
def test_reversed_points_need_no_word_for_it(rule: str) -> None:
    assert points_read(read_paste(LEGEND + rule)) == [USUAL, TURNED, USUAL]


def test_a_sign_may_stand_in_brackets_above_its_statement() -> None:
    text = (
        LEGEND.replace("proud.", "proud. (*)")
        + "(*) These items are inverted (never = 2 ... always = 0)\n0-2 low\n3-6 high"
    )
    survey = read_paste(text)
    assert points_read(survey) == [USUAL, TURNED, USUAL]
    assert not [note for note in survey.notes if note.cause == POINTS_UNREAD]


def test_opposite_signs_need_no_comma_between_them() -> None:
    rows = "q1\tI lie at work.\t+\nq2\tI feel proud.\t-\nq3\tI hide my pay.\t+\n"
    text = (
        f"Honesty\nresponse: 0 never  1 often  2 always\n{rows}\n"
        "key:\t+ as answered\t- reversed (2 - x)\ntotal: 0-2 low, 3-6 high"
    )
    assert points_read(read_paste(text)) == [USUAL, TURNED, USUAL]


def test_the_ends_of_a_scale_name_no_items() -> None:
    text = LEGEND.replace("0 = never", "Circle 0 to 2 (0 = never").replace("2 = always", "2 = always)")
    assert not [note for note in read_paste(text).notes if note.cause == POINTS_UNREAD]


def test_each_item_is_asked_about_if_a_rule_is_unclear() -> None:
    survey = read_paste(
        COLUMNS + "Items 1, 9: never = 0, often = 1, always = 2. Others: never = 2, often = 1, always = 0."
    )
    noted = {note.line for note in survey.notes if note.cause == POINTS_UNREAD}
    assert noted >= {question.line for question in survey.questions}


def test_each_item_is_asked_about_if_none_is_reversed_despite_the_rule() -> None:
    survey = read_paste(
        LEGEND + "Scoring: add the points; the positive statements are reversed. 0-2 low, 3-6 high."
    )
    noted = {note.line for note in survey.notes if note.cause == POINTS_UNREAD}
    assert noted >= {question.line for question in survey.questions}


@pytest.mark.parametrize(
    ("text", "is_behind", "found"),
    [
        ("never = 0, often = 1, always = 2", True, [("never", 0), ("often", 1), ("always", 2)]),
        ("0 for never; 1 for often; 2 for always", False, [("never", 0), ("often", 1), ("always", 2)]),
        ("“never” is scored 0, “always” 2", True, [("never", 0), ("always", 2)]),
        ("never. 0 always", True, []),
        ("选从不得0分", True, []),
    ],
)
def test_answers_are_next_to_their_points(text: str, is_behind: bool, found: list[tuple[str, int]]) -> None:
    names = ["never", "often", "always"]
    tokens = [*tokens_in(text, names)]
    pairs = pairs_in(text, tokens, len(names), is_behind=is_behind)
    assert [(label.label, number.number) for label, number in pairs] == found


def test_only_signs_are_between_one_of_two_answers_and_its_points() -> None:
    text = "no in item 2, yes: 1"
    tokens = [*tokens_in(text, ["no", "yes"])]
    assert [label.label for label, _number in pairs_in(text, tokens, 2, is_behind=True)] == ["yes"]


def test_letters_in_chinese_rules_are_answers() -> None:
    text = "选A得0分，选B得1分，选C得2分；第2题：选A得2分，选B得1分，选C得0分"
    assert [run.points for run in runs_in(text, ("a", "b", "c"))] == [(0, 1, 2), (2, 1, 0)]
