import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc import Classes, ClassMatrix, beliefs, measure_models, rho_breach
from privacy.sdc.metrics import discernibility
from privacy.sdc.models import (
    basic_beta,
    delta_disclosure,
    distinct_diversity,
    enhanced_beta,
    entropy_diversity,
    k_anonymity,
    multi_attribute_classes,
    recursive_c,
    rho_bound,
)
from tests.cast.tables import eleven, table_of

tables = st.lists(
    st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any), min_size=1, max_size=6
).filter(lambda rows: any(sum(column) for column in zip(*rows, strict=True)))


def test_the_eleven_rows_of_source_001_have_the_published_figures():
    table = eleven()
    classes = Classes.of_columns(table.quasi_identifiers)
    matrix = ClassMatrix.of(classes, table.column("problem"))
    measured = measure_models(matrix, "problem")
    alone = np.bincount(matrix.classes) == 1
    assert measured.k == 2
    assert measured.distinct_l == 1
    assert Fraction(int(alone.sum()), classes.count) == Fraction(2, 5)
    assert discernibility(classes.sizes) == 25
    assert measured.t == pytest.approx(9 / 11, abs=1e-12)


def exact(rows):
    """The definitions with fractions, class by class and value by value."""
    n = sum(map(sum, rows))
    q = [Fraction(sum(column), n) for column in zip(*rows, strict=True)]
    shares = [[Fraction(cell, sum(row)) for cell in row] for row in rows]
    gains = [(p - q[j]) / q[j] for row in shares for j, p in enumerate(row) if p > 0]
    return q, shares, max(gains)


@given(tables)
def test_measures_follow_their_definitions(rows):
    matrix = ClassMatrix.from_counts(rows)
    q, shares, gain = exact(rows)
    assert k_anonymity(matrix) == min(map(sum, rows))
    assert distinct_diversity(matrix) == min(sum(cell > 0 for cell in row) for row in rows)
    assert basic_beta(matrix) == pytest.approx(max(0.0, float(gain)), abs=1e-12)
    entropies = [-sum(float(p) * math.log(p) for p in row if p) for row in shares]
    assert entropy_diversity(matrix) == pytest.approx(math.exp(min(entropies)), abs=1e-9)
    logs = [abs(math.log(p / q[j])) for row in shares for j, p in enumerate(row) if p]
    assert delta_disclosure(matrix) == pytest.approx(max(logs), abs=1e-12)
    assert delta_disclosure(matrix, base=2) == pytest.approx(max(logs) / math.log(2), abs=1e-12)


@given(tables, st.integers(1, 4))
def test_recursive_diversity_holds_above_the_infimum_and_not_at_it(rows, l_value):
    infimum = recursive_c(ClassMatrix.from_counts(rows), l_value)

    def holds(c):
        ordered = [sorted(row, reverse=True) for row in rows]
        return all(row[0] < c * sum(row[l_value - 1 :]) for row in ordered)

    if math.isinf(infimum):
        assert not holds(10**9)
    else:
        assert not holds(infimum * (1 - 1e-12))
        assert holds(infimum * (1 + 1e-9))


@given(tables, st.floats(0.01, 20))
def test_enhanced_beta_is_the_least_beta_that_every_value_keeps(rows, beta):
    q, shares, _ = exact(rows)
    keeps = all(
        (p - q[j]) / q[j] <= min(beta, -math.log(q[j]))
        for row in shares
        for j, p in enumerate(row)
        if p > q[j]
    )
    reached = enhanced_beta(ClassMatrix.from_counts(rows))
    if abs(reached - beta) > 1e-9:
        assert keeps == (reached < beta)


def test_a_value_that_gains_more_than_enhanced_beta_allows_has_no_bound():
    assert enhanced_beta(ClassMatrix.from_counts([[9, 1], [1, 9]])) == math.inf


def test_recursive_diversity_needs_l_of_at_least_one():
    with pytest.raises(PrivacyError, match="l = 0"):
        recursive_c(ClassMatrix.from_counts([[1, 1]]), 0)


def test_multi_attribute_diversity_takes_the_other_sensitive_columns_as_known():
    rows = [("a", "flu", "poor"), ("a", "cold", "rich"), ("b", "flu", "rich"), ("b", "cold", "poor")]
    table = table_of(["zip", "disease", "income"], rows, sensitive=["disease", "income"])
    strict = multi_attribute_classes(table.quasi_identifiers, table.sensitive)
    within = multi_attribute_classes(table.quasi_identifiers, table.sensitive, strict=False)
    disease = table.column("disease")
    assert distinct_diversity(ClassMatrix.of(within["disease"], disease)) == 2
    assert distinct_diversity(ClassMatrix.of(strict["disease"], disease)) == 1


@given(tables, st.integers(0, 5), st.integers(0, 5))
def test_joining_two_classes_never_weakens_a_model_that_is_used_for_joining(rows, one, other):
    one, other = one % len(rows), other % len(rows)
    if one == other:
        return
    joined = [row for place, row in enumerate(rows) if place not in (one, other)]
    joined.append([a + b for a, b in zip(rows[one], rows[other], strict=True)])
    before, after = (
        measure_models(ClassMatrix.from_counts(table), "s", recursive_l=2) for table in (rows, joined)
    )
    assert after.k >= before.k
    assert after.distinct_l >= before.distinct_l
    assert after.entropy_l >= before.entropy_l - 1e-9
    assert after.t <= before.t + 1e-9
    assert after.alpha <= before.alpha + 1e-9
    assert after.c <= before.c + 1e-9
    assert after.basic_beta <= before.basic_beta + 1e-9


@given(tables, st.integers(1, 8), st.integers(2, 9))
def test_the_bound_of_beliefs_is_where_the_breaches_of_the_theorem_begin(rows, low, high):
    """Two computations: shares within classes, and posteriors by theorem 3.1 counted one by one."""
    rho1, rho2 = min(low, high - 1) / 10, high / 10
    cells = [
        (number, value)
        for number, row in enumerate(rows)
        for value, count in enumerate(row)
        for _ in range(count)
    ]
    table = table_of(["group", "s"], [[str(number), str(value)] for number, value in cells], sensitive=["s"])
    classes = Classes.of_columns([table.column("group")])
    matrix = ClassMatrix.of(classes, table.column("s"))
    bound = rho_bound(matrix, rho1)
    if abs(bound - rho2) > 1e-9:
        held = beliefs(classes, classes, table.column("s"))
        assert (rho_breach(held, rho1=rho1, rho2=rho2) == 0) == (bound <= rho2)


def test_a_bound_of_beliefs_that_is_no_chance_is_refused():
    with pytest.raises(PrivacyError, match="rho1"):
        rho_bound(ClassMatrix.from_counts([[1, 1]]), 1.0)
