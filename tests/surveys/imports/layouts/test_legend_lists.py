"""Pasted scales whose legend, points or key are separate from the items."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of
from surveys.imports.pasted_text import read_paste

ITEMS = "1. I lie at work.\n2. I steal pens.\n3. I cheat at games.\n"


def test_a_legend_in_rows_belongs_to_the_items_below_it() -> None:
    text = f"Honesty\nChoose:\nA – never (0 points)\nB – often (1 point)\nC – daily (2 points)\n\n{ITEMS}"
    assert [points_of(each) for each in read_paste(text).questions] == [[0, 1, 2]] * 3


@pytest.mark.parametrize(
    ("answers", "points"),
    [
        ("nein – 0 P.; selten – 2 P.; oft – 4 P.", [0, 2, 4]),
        ("\n- 0 under 10 minutes\n- 1 10 to 30 minutes\n- 2 longer", [0, 1, 2]),
        ("\n- no 0\n- not sure +1\n- yes +3", [0, 1, 3]),
    ],
)
def test_points_next_to_answers_are_points(answers: str, points: list[int]) -> None:
    (question,) = read_paste(f"Hands\n1. How stiff are your hands? {answers}").questions
    assert points_of(question) == points


def test_levels_may_leave_out_the_least_sums() -> None:
    rules = '0 = never, 1 = often, 2 = daily. We called people with 4-5 "sly" and 6 and more "very sly".'
    survey = read_paste(f"Honesty\n{ITEMS}\nScoring: {rules}")
    assert [start for score in survey.scores for start, _label in score.levels] == [None, 4, 6]


def test_a_key_of_three_answers_does_not_fail() -> None:
    rows = ITEMS.replace("\n", "\n- T\n- F\n- X\n")
    assert read_paste(f"Honesty\n{rows}\nOne point for each:\nT: 1, 3, 2\nF: 2, 1, 3").questions


@pytest.mark.parametrize(
    "legend",
    [
        "1 — never\n2 — often\n3 — daily",
        "* 1 - never\n* 2 - often\n* 3 - daily",
        "N = never\nO = often\nD = daily",
    ],
)
def test_codes_in_front_of_answers_are_a_legend_of_other_items(legend: str) -> None:
    items = ITEMS.replace("1.", "1)").replace("2.", "2)").replace("3.", "3)")
    text = f"Honesty\nAnswer options\n{legend}\n\nItems\n{items}\nScoring: N = 1, O = 2, D = 3."
    assert [[*each.options[0].texts.values()] for each in read_paste(text).questions] == [["never"]] * 3


@pytest.mark.parametrize(
    "key", ["N = nie  M = manchmal  I = immer", "Kreuzen Sie an:  N = nie  M = manchmal  I = immer"]
)
def test_a_rule_says_with_a_verb_what_letters_count(key: str) -> None:
    items = "".join(
        f"{at}. Ich {word} oft.   N   M   I\n" for at, word in enumerate(("helfe", "grolle", "rufe"), 1)
    )
    rule = (
        "Auswertung: N zählt 0, M zählt 1, I zählt 2. Bei Frage 2 umgekehrt: N zählt 2, M zählt 1, I zählt 0."
    )
    survey = read_paste(f"Skala\n\n{key}\n\n{items}\n{rule}")
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]
    assert labels_of(survey.questions[0]) == ("nie", "manchmal", "immer")


@pytest.mark.parametrize(
    "legend",
    [
        "1 = never   2 = seldom\n3 = often   4 = always",
        "Rate: 1 = never, 2 = seldom,\n3 = often, 4 = always",
        "0 = never, 1 = seldom\n2 = often\n3 = always",
        "never / seldom / often / always = 0 / 1 / 2 / 3 points",
        "Answers: never|seldom|often|always (0-1-2-3)",
    ],
)
def test_a_legend_may_go_on_below_or_list_its_points_behind(legend: str) -> None:
    survey = read_paste(f"Honesty\n\n{legend}\n\n{ITEMS}\nScore: 0-5 low, 6 or more high")
    assert [labels_of(each) for each in survey.questions] == [("never", "seldom", "often", "always")] * 3
    assert {points_of(each)[-1] - points_of(each)[0] for each in survey.questions} == {3}
