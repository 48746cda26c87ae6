"""Expressions: what is read, what is refused, and that the error holds every covariance."""

import itertools
import math
import random

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation import required_counts, support_intervals
from privacy.estimation.expression import parse
from privacy.estimation.expressions import estimate_expression, expression_interval, expression_terms
from tests.privacy.estimation.designs import (
    MIXED,
    ONE_BLOCK,
    SKIPPABLE,
    THREE_BLOCKS,
    TWO_BLOCKS,
    design,
    protected,
    yes_no,
)
from tests.privacy.estimation.pattern_table import patterns
from tests.privacy.estimation.records import count, sample, score

TEN = design(protected("b", 5000, *(yes_no(key, 5000) for key in ("a", "b", "c", "d", "e"))))


def written(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice("abcde")
    kind = rng.choice(["and", "or", "not", "()"])
    if kind == "not":
        return f"not {written(rng, 0)}" if rng.random() < 0.5 else f"not ({written(rng, depth - 1)})"
    if kind == "()":
        return f"( {written(rng, depth - 1)})"
    return f"{written(rng, depth - 1)} {kind} {written(rng, depth - 1)}"


def test_expressions_mean_what_python_means_by_them() -> None:
    rng = random.Random(5)
    for _ in range(300):
        text = written(rng, 4)
        expression = parse(text, TEN)
        holds = expression.holds()
        for bits in itertools.product((False, True), repeat=len(expression.items)):
            having = dict(zip("abcde", [False] * 5, strict=True))
            having |= {"abcde"[item]: on for item, on in zip(expression.items, bits, strict=True)}
            assert holds[tuple(map(int, bits))] == eval(text, {}, having), text


def test_the_three_words_may_be_written_in_capitals_where_no_item_is_called_so() -> None:
    assert parse("NOT a AND b Or c", TEN).tree == parse("not a and b or c", TEN).tree
    called = design(protected("b", 5000, yes_no("a", 5000), yes_no("AND", 5000)))
    assert parse("AND and a", called).tree == ("and", 1, 0)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", "expression", "'' ends where an item is wanted"),
        ("a and", "expression", "'a and' ends where an item is wanted"),
        ("a b", "expression", "'b' at character 3 follows a whole expression"),
        ("(a or b", "expression", "the bracket at character 1 is not closed"),
        ("a or )", "expression", r"'\)' stands at character 6 where an item is wanted"),
        ("a && b", "expression", "'&' at character 3 has no meaning"),
        ("NOT (a AND &)", "expression", "'&' at character 12 has no meaning"),
        ("a and zebra", "unknown_item", "there is no item 'zebra'; the items are a, b, c, d, e"),
        ("not " * 200 + "a", "expression", "more than 100 nots and brackets"),
        ("a or " * 1000 + "a", "expression", "5001 characters"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text, code, said) -> None:
    with pytest.raises(PrivacyError, match=said) as refusal:
        parse(text, TEN)
    assert refusal.value.code == code


def test_more_than_twelve_items_are_refused_by_number() -> None:
    many = design(protected("b", 5000, *(yes_no(f"q{place}", 5000) for place in range(13))))
    with pytest.raises(PrivacyError, match="names 13 items") as refusal:
        parse(" or ".join(f"q{place}" for place in range(13)), many)
    assert refusal.value.code == "itemset"


CASES = [
    (ONE_BLOCK, "a and not b or c"),
    (TWO_BLOCKS, "a and not b or b and not a and c"),
    (SKIPPABLE, "a or not s=o1"),
    (THREE_BLOCKS, "not (a and s=o1) or d"),
    (MIXED, "oa and not a or m=o1"),
]


@pytest.mark.parametrize(("questionnaire", "text"), CASES)
@pytest.mark.parametrize("direct", [0.0, 0.3])
def test_the_estimate_is_the_mean_score_and_its_error_that_of_the_rows(questionnaire, text, direct) -> None:
    rows = sample(questionnaire, 250, seed=8, direct=direct)
    expression = parse(text, questionnaire)
    counts = count(questionnaire, rows, expression_terms(expression, questionnaire))
    found = estimate_expression(counts, expression, questionnaire)
    true = [
        dict(zip(expression.items, map(bool, bits), strict=True))
        for bits in np.argwhere(expression.holds()).tolist()
    ]
    z = np.array([float(sum(score(questionnaire, row, wanted) for wanted in true)) for row in rows])
    n = len(rows)
    assert found.value == pytest.approx(z.mean(), abs=1e-12)
    assert found.standard_error == pytest.approx(math.sqrt(z.var() / n), abs=1e-12)
    about_these = (z**2 - z).sum() / n**2
    if about_these >= 0:
        assert found.standard_error_respondents == pytest.approx(math.sqrt(about_these), abs=1e-12)


@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
def test_it_is_the_sum_of_its_patterns_by_either_estimator(estimator) -> None:
    rows = sample(TWO_BLOCKS, 300, seed=4)
    expression = parse("a and not c or b", TWO_BLOCKS)
    counts = count(TWO_BLOCKS, rows, expression_terms(expression, TWO_BLOCKS))
    parts = patterns(counts, expression.items, TWO_BLOCKS, estimator=estimator)
    found = estimate_expression(counts, expression, TWO_BLOCKS, estimator=estimator)
    assert found.value == pytest.approx(parts.value[expression.holds()].sum(), abs=1e-12)


def test_an_itemset_written_as_an_expression_has_the_itemsets_interval() -> None:
    rows = sample(TWO_BLOCKS, 400, seed=6)
    expression = parse("a and c", TWO_BLOCKS)
    counts = count(
        TWO_BLOCKS, rows, (*expression_terms(expression, TWO_BLOCKS), *required_counts([(0, 2)], TWO_BLOCKS))
    )
    ours, theirs = (
        expression_interval(counts, expression, TWO_BLOCKS),
        support_intervals(counts, [(0, 2)], TWO_BLOCKS)[0],
    )
    assert (ours.value, ours.low, ours.high) == pytest.approx(
        (theirs.value, theirs.low, theirs.high), abs=1e-9
    )


def test_what_is_always_true_is_true_of_all() -> None:
    rows = sample(TWO_BLOCKS, 100, seed=6)
    expression = parse("a or not a", TWO_BLOCKS)
    counts = count(TWO_BLOCKS, rows, expression_terms(expression, TWO_BLOCKS))
    found = estimate_expression(counts, expression, TWO_BLOCKS)
    assert (found.value, found.standard_error) == pytest.approx((1, 0), abs=1e-9)


def test_counts_that_nobody_took_are_named() -> None:
    expression = parse("a and c", TWO_BLOCKS)
    with pytest.raises(PrivacyError, match="count of columns"):
        estimate_expression(count(TWO_BLOCKS, [], [()]), expression, TWO_BLOCKS)
