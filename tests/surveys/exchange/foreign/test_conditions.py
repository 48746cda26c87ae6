"""Conditions of other programs: what can be followed, and what is not taken for something it does not say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.exchange.foreign.conditions import LONGEST, limesurvey_clauses, options_meant, surveyjs_clauses

FOUR = ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("{q} = 2", [1]),
        ("{q} == '2'", [1]),
        ('{q} = "2"', [1]),
        ("{ q } equal 2", [1]),
        ("{q} anyof ['1', 3]", [0, 2]),
        ("{q} anyof [4]", [3]),
        ("{q} notempty", [0, 1, 2, 3]),
        ("{q} = 1 or {q} = 4", [0, 3]),
        ("({q} = 1) || ({q} = 4)", [0, 3]),
        ("{q} >= 3", [2, 3]),
        ("{q} > 3", [3]),
        ("{q} < 2.5", [0, 1]),
        ("{q} <= 1 or {q} greater 3", [0, 3]),
    ],
)
def test_what_surveyjs_says_of_one_question(text: str, places: list[int]) -> None:
    clauses = surveyjs_clauses(text)
    assert clauses is not None
    (terms,) = clauses
    assert {term.name for term in terms} == {"q"}
    assert options_meant(terms, FOUR) == places


@pytest.mark.parametrize(
    "text",
    [
        "{q} = 1 and {r} = 2 or {q} = 3", "({q} = 1", "{q} = 1)", "()", "{q} = 1 and",
        "(" * 101 + "{q} = 1" + ")" * 101, "!({q} = 1)",
        "!{q} = 1", "not ({q} = 1)", "{q} <> 1", "{q} != 1", "{q} empty",
        "{q} contains 1", "{q} + 1 = 2", "iif({q} = 1, 2, 3) = 2", "{q} = {r}", "{q}", "",
        "{q} = 'a or {q} = 'b'", "{q} anyof []",
        "age({q}) > 3", "{q} = 1 or", "{q} = 1 or true", "{q} =", "x" * (LONGEST + 1),
    ],
)  # fmt: skip
def test_what_says_more_is_not_followed(text: str) -> None:
    assert surveyjs_clauses(text) is None


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ('((q.NAOK == "2"))', [1]),
        ("q == '2'", [1]),
        ("q.NAOK eq 2", [1]),
        ('((q.NAOK == "1")) or ((q.NAOK == "4"))', [0, 3]),
        ("!is_empty(q.NAOK)", [0, 1, 2, 3]),
        ("q.NAOK > 2", [2, 3]),
        ("q.NAOK le 2", [0, 1]),
    ],
)
def test_what_limesurvey_says_of_one_question(text: str, places: list[int]) -> None:
    clauses = limesurvey_clauses(text)
    assert clauses is not None
    assert options_meant(clauses[0], FOUR) == places
    assert len(clauses) == 1


@pytest.mark.parametrize(
    "text",
    [
        '(q.NAOK == "1" and r.NAOK == "2") or q.NAOK == "3"', '!(q.NAOK == "1")',
        'q.NAOK != "1"', "is_empty(q.NAOK)", 'not (q.NAOK == "1")',
        'q.NAOK == r.NAOK + 1', "count(q) > 1", "0 == 1 and q", 'regexMatch("/a/", q)', "x" * (LONGEST + 1),
        'q.NAOK ne "1"',
    ],
)  # fmt: skip
def test_an_equation_that_says_more_is_not_followed(text: str) -> None:
    assert limesurvey_clauses(text) is None


def test_a_number_that_no_answer_is_and_an_answer_that_is_none_are_told_apart_from_nobody() -> None:
    clauses = surveyjs_clauses("{q} >= 3")
    assert clauses is not None
    assert options_meant(clauses[0], ["low", "high"]) is None
    assert options_meant(clauses[0], ["1", "2"]) is None
    none = surveyjs_clauses("{q} = 9")
    assert none is not None
    assert options_meant(none[0], FOUR) is None
    infinite = surveyjs_clauses("{q} < Infinity")
    assert infinite is not None
    assert options_meant(infinite[0], FOUR) is None


@given(st.text(alphabet="{}q=<>!'\"[](),. 12orandtempy|&", max_size=60))
def test_any_text_is_followed_or_not_and_means_answers_that_there_are(text: str) -> None:
    for read in (surveyjs_clauses, limesurvey_clauses):
        for clause in read(text) or ():
            places = options_meant(clause, FOUR)
            assert places is None or (places and set(places) <= set(range(4)))
            # A negation of its own is never followed.
            assert "<>" not in text


@pytest.mark.parametrize(
    "text",
    ["({q} = 1 or {q} = 2) and {r} = 'and so on'", "{q} anyof [1, 2] && ({r} = 'and so on')",
     "(({q} = 1) || ({q} = 2)) AND (({r} = 'and so on'))"],
)  # fmt: skip
def test_answers_to_several_questions_are_clauses_that_all_have_to_hold(text: str) -> None:
    clauses = surveyjs_clauses(text)
    assert clauses is not None
    first, second = clauses
    assert options_meant(first, FOUR) == [0, 1]
    assert [(term.name, term.values) for term in second] == [("r", ("and so on",))]
