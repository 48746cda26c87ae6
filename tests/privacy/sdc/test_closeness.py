import numpy as np
import pytest
from scipy.optimize import linprog

from privacy.errors import PrivacyError
from privacy.sdc import ClassMatrix, Hierarchy
from privacy.sdc.closeness import closeness, earth_movers

# Li, Li and Venkatasubramanian (2007), table 3: salaries 3k .. 11k and diseases of nine people in three
# classes.
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


def test_the_published_distances_of_the_t_closeness_paper_come_out():
    distances = closeness(salaries({3, 4, 5}, {6, 8, 11}, {7, 9, 10}), ground="ordered")
    assert distances == pytest.approx([0.375, 1 / 6, 0.2361111111], abs=1e-9)


def transport(p, q, ground):
    """The definition itself: the least work that moves p to q."""
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
def test_each_distance_is_the_least_work_of_moving(kind):
    rng = np.random.default_rng(11)
    for _ in range(25):
        p, q = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(6) * 0.5)
        found = earth_movers((p - q)[None, :], ground=kind, hierarchy=TREE)[0]
        assert found == pytest.approx(transport(p, q, grounds(6)[kind]), abs=1e-7)


def test_a_class_like_the_table_has_distance_zero():
    matrix = ClassMatrix.from_counts([[1, 2, 1], [2, 4, 2]])
    assert closeness(matrix, ground="ordered").max() == 0


def test_an_unknown_ground_distance_is_refused():
    with pytest.raises(PrivacyError, match="'euclid' is unknown"):
        closeness(salaries({3}, {4}), ground="euclid")


def test_the_hierarchical_distance_needs_a_hierarchy_of_the_values():
    with pytest.raises(PrivacyError, match="one leaf per sensitive value"):
        closeness(salaries({3}, {4}), ground="hierarchical", hierarchy=TREE)
