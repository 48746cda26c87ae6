"""The direction of each item of a score follows from the points of the other items, and from the text."""

import pytest

from surveys.imports.drafts.questionnaire import Option, Part, Question, Questionnaire, Score
from surveys.imports.drafts.score_items import missing_rule, parts_of, sums_of
from surveys.imports.pasted_text import read_paste

SCALE = "Rest\nHow often?\n(0 = never, 1 = seldom, 2 = often)\n{items}\nScore: 0-3 low, 4 or more high"


def read(items: str) -> Questionnaire:
    return read_paste(SCALE.format(items=items))


@pytest.mark.parametrize(
    ("items", "turned"),
    [
        ("1. I sleep badly\n2. I rest (R)\n3. I wake early", [False, True, False]),
        ("1. I sleep badly (R)\n2. I rest\n3. I wake early (R)", [True, False, True]),
        ("1. I sleep badly (R)\n2. I rest", [True, False]),
        ("1. I sleep badly\n2. I rest", [False, False]),
    ],
)
def test_marked_items_are_the_reversed_ones_even_if_they_are_the_majority(
    items: str, turned: list[bool]
) -> None:
    survey = read(items)
    parts = parts_of(survey, survey.scores[0])
    assert [item.is_reversed for item in parts.items] == turned
    assert [own.points for own in parts.sets] == [(0, 1, 2)]
    assert [parts.points_of(item, {}) for item in parts.items] == [
        [2, 1, 0] if is_turned else [0, 1, 2] for is_turned in turned
    ]


def test_a_key_for_two_answers_reverses_the_minority_although_it_gives_each_item_its_points() -> None:
    items = "".join(f"{number}. I do thing {number}\n- True\n- False\n" for number in range(1, 5))
    survey = read_paste(
        f"Traits\n{items}Scoring: one point for “True” in items 1, 2 and 4, and for “False” in item 3.\n"
        "0-1 low, 2-4 high"
    )
    parts = parts_of(survey, survey.scores[0])
    assert [item.is_reversed for item in parts.items] == [False, False, True, False]
    assert parts.sets[0].points == (1, 0)


def test_the_same_answers_in_the_opposite_order_with_the_same_points_are_not_reversed() -> None:
    questions = [
        Question(
            line=line,
            texts={"en": f"Item {line}"},
            kind="single",
            options=[Option(line=line, texts={"en": label}, points=own) for label, own in answers],
        )
        for line, answers in enumerate(
            ([("never", 0), ("often", 1)], [("often", 1), ("never", 0)], [("never", 1), ("often", 0)])
        )
    ]
    survey = Questionnaire(parts=[Part(line=0, texts={}, questions=questions)])
    survey.scores = [Score(line=9, questions=[0, 1, 2], levels=[(None, ""), (2, "")])]
    parts = parts_of(survey, survey.scores[0])
    assert [item.is_reversed for item in parts.items] == [False, False, True]
    # Points are in the order of each item's own answers.
    assert [parts.points_of(item, {}) for item in parts.items] == [[0, 1], [1, 0], [1, 0]]


def test_the_first_value_for_missing_answers_is_a_fifth_as_the_mean_or_as_no() -> None:
    scale = read("\n".join(f"{number}. I do thing {number}" for number in range(1, 11)))
    assert missing_rule(scale, scale.scores[0]) == {"at_most": 2, "as": "mean"}
    acts = read_paste("Acts\n1. Do you lie?\n2. Do you steal?\nA score of 2 or more: both")
    assert missing_rule(acts, acts.scores[0]) == {"at_most": 0, "as": "no_points"}


def test_too_many_items_to_enumerate_have_only_their_least_and_largest_sum() -> None:
    found = sums_of([[0, 3]] * 41)
    assert (found.sums, found.is_exact) == ((0, 123), False)
