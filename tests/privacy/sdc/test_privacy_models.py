import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from privacy.errors import PrivacyError
from privacy.sdc.bayes_beliefs import beliefs, rho_breach
from privacy.sdc.classes import Classes, ClassMatrix, split_classes
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.information_loss import discernibility
from privacy.sdc.privacy_models import (
    class_alphas,
    class_betas,
    class_crowds,
    class_deltas,
    class_entropies,
    class_rhos,
    closeness,
    earth_movers,
    enhanced_beta,
    recursive_c,
)
from privacy.sdc.requirements import Requirement, measure_models, misses, verify
from tests.fixtures.tables import eleven, table_of

tables = st.lists(
    st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any), min_size=1, max_size=6
).filter(lambda rows: any(sum(column) for column in zip(*rows, strict=True)))


def test_the_eleven_rows_of_source_001_match_the_published_values():
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
    """Compute the definitions with fractions, class by class and value by value."""
    n = sum(map(sum, rows))
    q = [Fraction(sum(column), n) for column in zip(*rows, strict=True)]
    shares = [[Fraction(cell, sum(row)) for cell in row] for row in rows]
    gains = [(p - q[j]) / q[j] for row in shares for j, p in enumerate(row) if p > 0]
    return q, shares, max(gains)


@given(tables)
def test_measures_follow_their_definitions(rows):
    matrix = ClassMatrix.from_counts(rows)
    q, shares, gain = exact(rows)
    assert class_crowds(matrix).tolist() == [sum(row) for row in rows]
    assert matrix.distinct.tolist() == [sum(cell > 0 for cell in row) for row in rows]
    assert class_betas(matrix).max() == pytest.approx(max(0.0, float(gain)), abs=1e-12)
    entropies = [-sum(float(p) * math.log(p) for p in row if p) for row in shares]
    assert class_entropies(matrix).tolist() == pytest.approx(entropies, abs=1e-9)
    logs = [max(abs(math.log(p / q[j])) for j, p in enumerate(row) if p) for row in shares]
    assert class_deltas(matrix).tolist() == pytest.approx(logs, abs=1e-12)
    assert class_alphas(matrix).tolist() == pytest.approx([float(max(row)) for row in shares], abs=1e-12)


@given(tables, st.integers(1, 4))
def test_recursive_diversity_holds_only_above_the_infimum(rows, l_value):
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
def test_enhanced_beta_is_the_smallest_beta_every_value_satisfies(rows, beta):
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


def test_enhanced_beta_is_infinite_when_a_value_gains_too_much():
    assert enhanced_beta(ClassMatrix.from_counts([[9, 1], [1, 9]])) == math.inf


def test_recursive_diversity_needs_l_of_at_least_one():
    with pytest.raises(PrivacyError, match="l = 0"):
        recursive_c(ClassMatrix.from_counts([[1, 1]]), 0)


def test_multi_attribute_diversity_assumes_other_columns_are_known():
    rows = [("a", "flu", "poor"), ("a", "cold", "rich"), ("b", "flu", "rich"), ("b", "cold", "poor")]
    table = table_of(["zip", "disease", "income"], rows, sensitive=["disease", "income"])
    within = Classes.of_columns(table.quasi_identifiers)
    strict = split_classes(within, [table.column("income")])
    disease = table.column("disease")
    assert ClassMatrix.of(within, disease).distinct.min() == 2
    assert ClassMatrix.of(strict, disease).distinct.min() == 1


@given(tables, st.integers(0, 5), st.integers(0, 5))
def test_joining_classes_never_weakens_a_joining_model(rows, one, other):
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
def test_belief_bounds_match_the_breaches_of_theorem_3_1(rows, low, high):
    """Compares shares within classes with posteriors by theorem 3.1."""
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
    bound = float(class_rhos(matrix, rho1).max())
    if abs(bound - rho2) > 1e-9:
        held = beliefs(classes, classes, table.column("s"))
        assert (rho_breach(held, rho1=rho1, rho2=rho2) == 0) == (bound <= rho2)


def test_belief_bounds_outside_0_to_1_are_refused():
    with pytest.raises(PrivacyError, match="rho1"):
        class_rhos(ClassMatrix.from_counts([[1, 1]]), 1.0)


# Li, Li and Venkatasubramanian (2007), table 3: salaries 3k .. 11k and diseases; nine people, three classes.
DISEASES = ["gastric ulcer", "gastritis", "stomach cancer", "flu", "bronchitis", "pneumonia"]
TREE = Hierarchy.from_rows(
    "disease",
    [(name, "stomach", "digestive", "*") for name in DISEASES[:3]]
    + [
        ("flu", "infection", "lung", "*"),
        ("bronchitis", "infection", "lung", "*"),
        ("pneumonia", "infection", "lung", "*"),
    ],
)


def salaries(*groups):
    return ClassMatrix.from_counts([[int(salary in group) for salary in range(3, 12)] for group in groups])


def test_distances_of_the_t_closeness_paper_are_reproduced():
    distances = closeness(salaries({3, 4, 5}, {6, 8, 11}, {7, 9, 10}), ground="ordered")
    assert distances == pytest.approx([0.375, 1 / 6, 0.2361111111], abs=1e-9)


def transport(p, q, ground):
    """Compute the definition, the least work that moves p to q."""
    m = len(p)
    sums = np.zeros((2 * m, m * m))
    for source in range(m):
        sums[source, source * m : (source + 1) * m] = 1
        sums[m + source, source::m] = 1
    return linprog(ground.ravel(), A_eq=sums, b_eq=np.concatenate([p, q])).fun


def grounds(m):
    order = np.abs(np.subtract.outer(np.arange(m), np.arange(m))) / (m - 1)
    equal = 1.0 - np.eye(m)
    levels = np.zeros((m, m))
    for one in range(m):
        for other in range(m):
            meets = next(level for level in range(4) if TREE.node[level, one] == TREE.node[level, other])
            levels[one, other] = meets / 3
    return {"ordered": order, "equal": equal, "hierarchical": levels}


@pytest.mark.parametrize("kind", ["ordered", "equal", "hierarchical"])
def test_each_distance_is_the_minimum_transport_cost(kind):
    rng = np.random.default_rng(11)
    for _ in range(25):
        p, q = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(6) * 0.5)
        found = earth_movers((p - q)[None, :], ground=kind, hierarchy=TREE)[0]
        assert found == pytest.approx(transport(p, q, grounds(6)[kind]), abs=1e-7)


def test_classes_distributed_like_the_table_have_distance_zero():
    matrix = ClassMatrix.from_counts([[1, 2, 1], [2, 4, 2]])
    assert closeness(matrix, ground="ordered").max() == 0


def test_an_unknown_ground_distance_is_refused():
    with pytest.raises(PrivacyError, match="'euclid' is unknown"):
        closeness(salaries({3}, {4}), ground="euclid")


def test_hierarchical_distance_needs_a_leaf_per_sensitive_value():
    with pytest.raises(PrivacyError, match="one leaf per sensitive value"):
        closeness(salaries({3}, {4}), ground="hierarchical", hierarchy=TREE)


@given(tables, st.floats(0.05, 3))
def test_classes_fail_a_bound_exactly_when_the_table_fails_it(rows, bound):
    """Joining applies the same criterion to classes as to a table, even exactly at the bound."""
    matrix = ClassMatrix.from_counts(rows)
    measures = measure_models(matrix, "s", recursive_l=2, rho1=0.3)
    share = min(bound, 1.0)
    asked = [
        *(Requirement(k=k) for k in (measures.k, measures.k + 1)),
        *(Requirement(distinct_l=low) for low in (measures.distinct_l, measures.distinct_l + 1)),
        *(Requirement(entropy_l=low) for low in (measures.entropy_l, 1 + bound)),
        *(Requirement(alpha=alpha) for alpha in (measures.alpha, share)),
        *(Requirement(t=t) for t in (measures.t, share)),
        *(Requirement(basic_beta=beta) for beta in (measures.basic_beta or 1.0, bound)),
        *(Requirement(delta=delta) for delta in (measures.delta or 1.0, bound)),
        Requirement(c=bound, recursive_l=2),
        Requirement(enhanced_beta=bound),
        Requirement(rho1=0.3, rho2=min(max(measures.rho2, 0.31), 0.99)),
    ]
    for requirement in asked:
        holds = all(verdict.holds for verdict in verify(measures, requirement))
        assert holds == bool((misses(matrix, requirement) <= 0).all()), requirement


def test_a_subset_of_classes_is_compared_with_the_whole_table():
    rows = [[4, 0, 1], [1, 3, 2], [0, 2, 5]]
    whole = ClassMatrix.from_counts(rows)
    part = ClassMatrix.from_counts(rows[:1], table=ClassMatrix.from_counts([np.sum(rows, axis=0).tolist()]))
    for measured in (class_betas, class_deltas, class_alphas, class_entropies):
        assert measured(part)[0] == measured(whole)[0]
    assert closeness(part, ground="ordered")[0] == closeness(whole, ground="ordered")[0]
