"""Answers get the points that another line states, in any language and order."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.stated_points import points_of_labels

ITEMS = "Home\nnever – seldom – often\n\na. I cook.\nb. I sing.\nc. I rest.\n\n"


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("“never” is scored 0, “seldom” 1 and “often” 2", [0, 1, 2]),
        ("never = 2, seldom = 1, often = 0", [2, 1, 0]),
        ("0 = never; 1 = seldom; 3 = often", [0, 1, 3]),
        ("often 2 / seldom 1 / never 0", [0, 1, 2]),
        ("2 points for never, 1 for seldom, 0 for often", [2, 1, 0]),
        ("never = 0, often = 1", None),
        ("never = 0, seldom = 1, often = 2, but never = 2 at home", None),
        ("never, seldom and often, 3 answers", None),
    ],
)
def test_each_answer_is_next_to_its_points(text: str, points: list[int] | None) -> None:
    assert points_of_labels(text, ["never", "seldom", "often"]) == points


def test_a_longer_answer_is_not_the_shorter_one_within_it() -> None:
    text = "«неверно» — 1 балл, «скорее неверно» — 2, «верно» — 3"
    assert points_of_labels(text, ["неверно", "скорее неверно", "верно"]) == [1, 2, 3]


def test_a_rule_below_the_items_gives_their_answers_points() -> None:
    survey = read_paste(ITEMS + "Scoring: never is 0, seldom 1, often 2. Item b is re-coded. 4 or more: high")
    assert [points_of(question) for question in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]


def test_a_key_for_each_question_gives_its_letters_points() -> None:
    text = "Home\n1. How often?\nA) Never\nB) Once\n2. How long?\nA) An hour\nB) A day\n\nKEY (staff)\n"
    survey = read_paste(text + "1: A=0, B=3\n2: A=1, B=0\nSum: 0-1 low, 2-4 high")
    assert [points_of(question) for question in survey.questions] == [[0, 3], [1, 0]]


@pytest.mark.parametrize(
    "rule",
    [
        "Scoring\nNever = 0, Often = 1, Always = 2.\nReversed: item 2 (Never = 2 ... Always = 0).",
        "Scoring: Never = 0, Often = 1, Always = 2, but item 2 is reversed (Never = 2, Always = 0).",
    ],
)
def test_a_heading_of_the_rule_and_the_points_of_reversed_items_are_understood(rule: str) -> None:
    rows = "".join(f"{n}\tI {verb}\t( )\t( )\t( )\n" for n, verb in enumerate(("steal", "rest", "lie"), 1))
    survey = read_paste(f"Home\n\nNo.\tItem\tNever\tOften\tAlways\n{rows}\n{rule}\n0-3 low, 4-6 high")
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]


def test_the_answer_in_capitals_scores_and_is_noted_if_no_words_say_so() -> None:
    items = "1. Do you hide bills? YES / no\n2. Are you calm? yes / NO"
    said = read_paste(f"Money\n\nAnswers in CAPITALS score a point.\n\n{items}\n\n0 fine, 1-2 risk")
    unsaid = read_paste(f"Money\n\n{items}\n\nTotal: 0 fine, 1-2 risk")
    for survey in (said, unsaid):
        assert [points_of(question) for question in survey.questions] == [[0, 1], [1, 0]]
    lines = [note.line for note in unsaid.notes if "capital letters" in note.message]
    assert lines == [question.line for question in unsaid.questions]
    assert not any("capital letters" in note.message for note in said.notes)


def test_letters_with_other_points_in_each_question_are_read_in_order_or_not_at_all() -> None:
    text = "Home\nI. How often?\na) never\nb) once\nII. How long?\na) an hour\nb) a day\nc) longer\n\nKey\n"
    survey = read_paste(
        text + "Question I: a = 0, b = 2\nQuestion II: a = 0, b = 1, c = 3\nTotal: 0-2 low, 3-5 high"
    )
    assert [points_of(question) for question in survey.questions] == [[0, 2], [0, 1, 3]]
    assert [score.levels for score in survey.scores] == [[(None, "low"), (3, "high")]]


def test_points_in_a_row_or_at_both_ends_are_those_of_all_answers() -> None:
    items = "".join(
        f"{number}. How {word}?\n[ ] never [ ] rarely [ ] often [ ] always\n"
        for number, word in ((1, "sad"), (2, "ill"))
    )
    row = read_paste(f"Mood\n{items}\nScoring: the boxes count 0-0-1-1. 0 fine, 1-2 risk")
    assert [points_of(question) for question in row.questions] == [[0, 0, 1, 1]] * 2
    ends = read_paste(
        f"Mood\n{items}\nScoring: from never = 1 point to always = 4 points. 2-4 fine, 5-8 risk"
    )
    assert [points_of(question) for question in ends.questions] == [[1, 2, 3, 4]] * 2


def test_points_of_yes_may_follow_the_question() -> None:
    survey = read_paste(
        "Risk\n\nDo you lie? (yes = 2 points)\n\nAre you calm? (no = 3 points)\n\nTotal: 0 fine, 1-5 risk"
    )
    assert [points_of(question) for question in survey.questions] == [[0, 2], [3, 0]]


def test_items_with_points_of_their_own_keep_them() -> None:
    key = "Points: yes 2, no 0, unsure 1. Item b the other way round: yes 0, no 2, unsure 1."
    text = f"Home\nyes / no / unsure\n\na. I cook.\nb. I sing.\nc. I rest.\n\n{key}\nTotal of 3 or more: high"
    assert [points_of(each) for each in read_paste(text).questions] == [[2, 0, 1], [0, 2, 1], [2, 0, 1]]


def test_codes_in_a_header_are_points_and_no_part_of_the_labels() -> None:
    rule = "Item 2 is scored the other way round (never = 2, often = 1, always = 0). Sum 0-3 low, 4-6 high"
    rows = "| 1. I cook | | | |\n| 2. I sing | | | |\n| 3. I rest | | | |"
    text = f"Home\n\n| Item | Never (0) | Often (1) | Always (2) |\n|---|---|---|---|\n{rows}\n\n{rule}"
    assert [points_of(each) for each in read_paste(text).questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]


def test_points_of_one_answer_of_each_item_are_not_those_of_the_other() -> None:
    key = "Points: question 1: yes = 1; question 2: no = 1. One point or more: see a friend."
    survey = read_paste(f"Home\n1. Do you cry? yes / no\n2. Do you laugh? yes / no\n\n{key}")
    assert [points_of(each) for each in survey.questions] == [[0, 1], [1, 0]]


def test_points_of_some_items_are_not_those_of_the_others() -> None:
    rows = "".join(
        f"{number}) I {verb}.\t[ ]\t[ ]\t[ ]\n" for number, verb in enumerate(("eat", "cry", "go"), 1)
    )
    rule = "In item 2, never counts 2, seldom 1 and often 0.\nA total of three or more suggests worry."
    survey = read_paste(f"Home\n\n\tnever (0)\tseldom (1)\toften (2)\n{rows}\n{rule}")
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]


@pytest.mark.parametrize(
    "rule",
    [
        "Answers count 1 to 4 from left (never) to right (always).",
        "From “never” to “always” the answers score 1, 2, 3, 4 points.",
        "从“never”到“always”依次计1、2、3、4分。",
    ],
)
def test_points_in_a_row_belong_to_the_answers_in_their_order(rule: str) -> None:
    items = "".join(
        f"{n}. I {verb}.\n[ ] never [ ] rarely [ ] often [ ] always\n" for n, verb in ((1, "cry"), (2, "lie"))
    )
    survey = read_paste(f"Mood\n{items}\nScoring: {rule} 2-4 points: fine, 5-8 points: risk")
    assert [points_of(question) for question in survey.questions] == [[1, 2, 3, 4]] * 2


@pytest.mark.parametrize(
    "answers",
    [
        "For each sentence choose: (a) never (b) often (c) daily",
        "A never  B often  C daily",
        "a: never, b: often, c: daily",
    ],
)
def test_letters_in_front_of_shared_answers_may_name_them_in_a_rule(answers: str) -> None:
    """Before, the letters above items were lost."""
    items = "\n".join(f"{n}. I {verb} alone" for n, verb in enumerate(("cook", "sing", "rest"), 1))
    rule = "Every a is 0 points, every b 1 point, every c 3 points."
    survey = read_paste(f"Home\n\n{answers}\n\n{items}\n\nScoring: {rule}\n0-3: low, 4-9: high")
    assert [points_of(each) for each in survey.questions] == [[0, 1, 3]] * 3


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        ("From left to right, the answers count 0, 1, 2 and 3.", [0, 1, 2, 3]),
        ("Von links nach rechts 0, 1, 2 und 3 Punkte.", [0, 1, 2, 3]),
        ("De gauche à droite : 3, 2, 1 et 0.", [3, 2, 1, 0]),
        ("从左到右计0、1、2和3分。", [0, 1, 2, 3]),
        ("From always to never: 0, 1, 2 and 3 points.", [3, 2, 1, 0]),
        ("Add up the points of items 1, 2, 3 and 4.", [0, 0, 0, 0]),
    ],
)
def test_points_are_listed_in_the_order_of_the_answers(rule: str, points: list[int]) -> None:
    items = "\n".join(f"{number}. I sleep badly in room {number}." for number in (1, 2, 3, 4))
    survey = read_paste(f"Rest\n\nnever | rarely | often | always\n\n{items}\n\n{rule} 0-4 low, 5-12 high.")
    assert [points_of(each) for each in survey.questions] == [points] * 4


@pytest.mark.parametrize(
    "rule",
    [
        "Für jedes A gibt es 0 Punkte, für jedes B 1 Punkt, für jedes C 3 Punkte.",
        "Comptez 0 point par a, 1 point par b et 3 points par c.",
    ],
)
def test_letters_score_in_questions_with_answers_of_their_own(rule: str) -> None:
    quiz = "1. Who cooks?\nA I do\nB my friend\nC no one\n2. Who sings?\nA all of us\nB my dog\nC the rain"
    survey = read_paste(f"Home quiz\n\n{quiz}\n\n{rule}\n0-2 points: calm\n3-6 points: loud", ("en",))
    assert [points_of(each) for each in survey.questions] == [[0, 1, 3]] * 2
