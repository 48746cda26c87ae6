import itertools
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc import classes as module
from privacy.sdc.bottom_up import bottom_up
from privacy.sdc.class_growth import FREE, MADE, free_records, grow
from privacy.sdc.classes import Classes, ClassMatrix, blocks, in_blocks
from privacy.sdc.generalisation import Space, distinct_rows
from privacy.sdc.information_loss import loss
from privacy.sdc.k_member import _INTERPRETED, k_member, pays_to_compile
from privacy.sdc.partition import box_cost, box_tree, cheapest, lines_of
from tests.fixtures.tables import codes_column, eleven, random_space, table_of, tree_of


def values_in(classes, column):
    return [len(set(column.codes[classes.number == number].tolist())) for number in range(classes.count)]


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 7, 25])
def test_classes_hold_all_records_and_are_close_to_size_k(k):
    space, _ = random_space(1, 211)
    classes = k_member(space, k)
    assert classes.sizes.sum() == 211
    assert classes.sizes.min() == k
    assert classes.count >= 0.8 * (211 // k)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(20, 26), st.sampled_from("FM"), st.integers(0, 3)), min_size=6, max_size=40
    ),
    st.integers(1, 6),
    st.integers(1, 3),
)
def test_small_tables_are_partitioned_or_rejected(rows, k, l_value):
    table = table_of(
        ["age", "sex", "s"], [(str(a), b, str(c)) for a, b, c in rows], numeric=["age"], sensitive=["s"]
    )
    space = Space.of(table, tree_of(table, {}))
    try:
        classes = k_member(space, k, sensitive=table.column("s"), l_value=l_value)
    except PrivacyError:
        assert len({row[2] for row in rows}) < l_value or len(rows) < max(k, l_value)
        return
    assert classes.sizes.sum() == len(rows)
    assert classes.sizes.min() >= max(k, l_value)
    assert min(values_in(classes, table.column("s"))) >= l_value


def test_k_member_loses_less_than_bottom_up():
    space, _ = random_space(4, 150)
    for k in (5, 10, 20):
        assert loss(space, k_member(space, k)).ilp < loss(space, bottom_up(space, k)).ilp


def test_identical_records_stay_together_without_loss():
    table = table_of(["age"], [("20",)] * 6 + [("50",)] * 6, numeric=["age"])
    space = Space.of(table, {})
    assert loss(space, k_member(space, 3)).ilp == 0


def test_k_member_is_deterministic():
    space, table = random_space(4, 150)
    one, two = (
        k_member(space, 4, sensitive=table.column("disease"), l_value=2).number.tolist() for _ in range(2)
    )
    assert one == two


def test_more_than_64_values_are_distinguished():
    rows = [(str(number % 7), f"s{number % 90}") for number in range(270)]
    table = table_of(["age", "s"], rows, numeric=["age"], sensitive=["s"])
    classes = k_member(Space.of(table, {}), 5, sensitive=table.column("s"), l_value=5)
    assert min(values_in(classes, table.column("s"))) >= 5


def test_dominant_values_still_end_in_diverse_classes():
    rows = [(str(number % 50), "common") for number in range(95)] + [
        (str(number), "rare") for number in range(5)
    ]
    table = table_of(["age", "s"], rows, numeric=["age"], sensitive=["s"])
    classes = k_member(Space.of(table, {}), 3, sensitive=table.column("s"), l_value=2)
    assert classes.count <= 5
    assert min(values_in(classes, table.column("s"))) == 2


def test_the_progress_callback_can_stop_the_work():
    space, _ = random_space(4, 300)

    def stop(done, total):
        assert 0 < done <= total == 300
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        k_member(space, 2, progress=stop)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"k": 13}, "k = 13"),
        ({"k": 2, "l_value": 0}, "l = 0"),
        ({"k": 2, "l_value": 2}, "needs a sensitive column"),
    ],
)
def test_unattainable_requirements_are_rejected(wish, message):
    space, _ = random_space(4, 12)
    with pytest.raises(PrivacyError, match=message):
        k_member(space, **wish)


def test_l_above_the_number_of_values_is_rejected():
    space, table = random_space(4, 100)
    with pytest.raises(PrivacyError, match="l = 5 is more than the 4 values"):
        k_member(space, 6, sensitive=table.column("disease"), l_value=5)


EVERY = ["grow", "measure_all", "exchange", "dissolve", "diversify"]


@pytest.mark.parametrize(
    ("combinations", "records", "kept", "l_value", "compiles"),
    [
        (499, 10**6, EVERY, 2, False),
        (500, 600, EVERY, 2, True),
        (500, 600, EVERY[:-1], 2, False),
        (500, 600, EVERY[:-1], 1, True),
        (15_999, 199_999, [], 1, False),
        (16_000, 16_000, [], 2, True),
        (500, 200_000, [], 1, True),
    ],
)
def test_compilation_is_used_only_when_it_saves_time(
    monkeypatch: pytest.MonkeyPatch,
    combinations: int,
    records: int,
    kept: list[str],
    l_value: int,
    compiles: bool,
) -> None:
    imported = sys.modules["privacy.sdc.k_member"]
    loaded = SimpleNamespace(**{name: SimpleNamespace(signatures=[]) for name in EVERY})
    monkeypatch.setattr(imported, "find_spec", lambda name: name)
    monkeypatch.setattr(imported, "is_kept", lambda function: function.__name__ in kept)
    monkeypatch.setitem(sys.modules, "privacy.sdc.classes_numba", loaded)
    assert pays_to_compile(combinations, records, l_value) is compiles
    # Functions that this process compiled are loaded, cached or not.
    for name in EVERY:
        getattr(loaded, name).signatures.append("once")
    assert pays_to_compile(combinations, records, l_value) is (combinations >= 500)
    monkeypatch.setattr(imported, "find_spec", lambda name: None)
    assert not pays_to_compile(combinations, records, l_value)


def grown(ages, size):
    """Return the classes grown while enough records are free, as tuples of ages in order of creation."""
    table = table_of(["age"], [(str(age),) for age in ages], numeric=["age"])
    lines, places = lines_of(Space.of(table, {}), np.array([1.0]))
    first, combination = distinct_rows(places)
    free, counters = free_records(combination)
    corner, none = np.ascontiguousarray(places[first].T), np.zeros(len(first), dtype=np.int64)
    items = box_tree(corner, corner, none, none, np.ones((1, len(first)), dtype=np.uint64))
    every = np.arange(len(first))
    grow(lines, items, every, every, free, counters, size, 1)
    assert counters[MADE] == 1
    assert counters[FREE] == len(ages) - size
    while counters[FREE] >= size:
        # Here used records stay among the items for a while, but they are not chosen again.
        counters[0] = 0
        grow(lines, items, every, every, free, counters, size, 1)
    return [
        tuple(sorted(ages[record] for record in np.flatnonzero(free.number == made)))
        for made in range(int(counters[MADE]))
    ]


def test_classes_grow_from_the_densest_records_to_the_nearest():
    assert grown([20, 29, 31, 31, 31, 32, 60], 4) == [(31, 31, 31, 32)]


def test_classes_are_formed_while_enough_records_remain():
    assert grown([20, 21, 30, 30, 31, 60, 61], 3) == [(30, 30, 31), (20, 21, 60)]


WHOLE = 2**26


def test_box_costs_equal_the_weighted_penalty():
    space, _ = random_space(7, 80)
    weights = np.array([0.4, 0.3, 0.2, 0.1])
    lines, places = lines_of(space, weights)
    number = np.random.default_rng(8).permutation(80) % 12
    penalties = space.penalties(space.boxes(number, 12)) @ weights
    for each in range(12):
        members = places[number == each]
        found = box_cost(lines, members.min(axis=0), members.max(axis=0))
        assert abs(found / WHOLE - penalties[each]) <= 4 / WHOLE


@pytest.mark.parametrize("most", [1, 3, 50])
def test_the_cheapest_boxes_match_exhaustive_comparison(most):
    space, _ = random_space(3, 60)
    lines, places = lines_of(space, space.weights(None))
    places = places[np.lexsort(places.T[::-1])]
    rng = np.random.default_rng(0)
    sizes, has = rng.integers(0, 4, 60), rng.integers(0, 4, (1, 60)).astype(np.uint64)
    corner = np.ascontiguousarray(places.T)
    items = box_tree(corner, corner, sizes, np.zeros(60, dtype=np.int64), has)
    for record in range(0, 60, 7):
        found, joined = cheapest(
            lines, items, places[record], places[record], np.full(1, np.uint64(2)), most, record
        )
        costs = [
            int(box_cost(lines, np.minimum(place, places[record]), np.maximum(place, places[record])))
            for place in places
        ]
        wanted = [at for at in range(60) if int(has[0, at]) & 2]
        wanted.sort(key=lambda at: ((sizes[at] + 1) * costs[at], at))
        assert found.tolist() == wanted[:most]
        assert joined.tolist() == [costs[at] for at in wanted[:most]]


@pytest.mark.soak
@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
def test_compiled_code_makes_the_same_classes():
    for (k, l_value), seed in itertools.product([(1, 1), (2, 2), (5, 3), (7, 1), (25, 4)], range(4)):
        space, table = random_space(seed, 400)
        one, two = (
            k_member(space, k, sensitive=table.column("disease"), l_value=l_value, compiled=compiled)
            for compiled in (True, False)
        )
        assert one.number.tolist() == two.number.tolist()


@pytest.mark.soak
@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
def test_each_search_is_compiled_for_only_one_signature():
    from privacy.sdc import classes_numba

    space, table = random_space(5, 300)
    for l_value in (1, 3):
        k_member(space, 4, sensitive=table.column("disease"), l_value=l_value, compiled=True)
    searches = [getattr(classes_numba, name) for name in vars(_INTERPRETED)]
    assert [len(search.signatures) for search in searches] == [1] * 5


def test_blocks_contain_each_record_once_within_their_maximum_size():
    space, _ = random_space(1, 500)
    parts = blocks(space, largest=80)
    assert sorted(np.concatenate(parts).tolist()) == list(range(500))
    assert max(len(part) for part in parts) <= 80


def test_every_block_keeps_enough_sensitive_values():
    space, table = random_space(2, 500)
    codes = table.column("disease").codes
    for part in blocks(space, largest=40, values=codes, l_value=3):
        assert len(set(codes[part].tolist())) >= 3


def test_identical_records_form_one_block_of_any_size():
    table = table_of(["age"], [("30",)] * 50, numeric=["age"])
    assert len(blocks(Space.of(table, {}), largest=10)) == 1


def test_blocks_split_even_if_the_median_is_the_maximum():
    table = table_of(["age"], [("30",)] * 20 + [("90",)] * 40, numeric=["age"])
    assert sorted(len(part) for part in blocks(Space.of(table, {}), largest=45)) == [20, 40]


def test_grouping_in_blocks_keeps_class_sizes_at_some_loss():
    space, _ = random_space(3, 240)
    whole = k_member(space, 5)
    cut = in_blocks(space, lambda part, rows: k_member(part, 5), largest=90)
    assert cut.sizes.sum() == 240
    assert cut.sizes.min() >= 5
    assert loss(space, whole).ilp <= loss(space, cut).ilp


def test_blocks_of_a_table_hold_adjacent_leaves():
    space, table = random_space(3, 300)
    only_work = Space(
        numeric=(), categorical=space.categorical[:1], codes=space.codes[:, 2:3], names=("work",)
    )
    order = ["city", "state", "firm", "own", "none"]
    for part in blocks(only_work, largest=100):
        held = {table.column("work").values[code] for code in only_work.codes[part, 0].tolist()}
        places = sorted(order.index(value) for value in held)
        assert places == list(range(places[0], places[-1] + 1))


def test_identical_records_form_one_class():
    table = eleven()
    assert sorted(Classes.of_columns(table.quasi_identifiers).sizes.tolist()) == [2, 2, 2, 2, 3]


def test_grouping_without_columns_is_rejected():
    with pytest.raises(PrivacyError, match="no column groups"):
        Classes.of_columns([])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=1))
def test_class_matrices_count_class_and_value_pairs(pairs):
    classes = Classes.from_numbers([pair[0] for pair in pairs])
    column = codes_column("s", [*(pair[1] for pair in pairs)])
    matrix = ClassMatrix.of(classes, column)
    dense = np.zeros((classes.count, len(column.values)), dtype=int)
    for number, (_, value) in zip(classes.number.tolist(), pairs, strict=True):
        dense[number, value] += 1
    assert (matrix.dense() == dense).all()
    assert (ClassMatrix.from_counts(dense.tolist()).dense() == dense).all()
    assert matrix.sizes.tolist() == dense.sum(axis=1).tolist()
    assert matrix.totals.tolist() == dense.sum(axis=0).tolist()


def test_row_blocks_concatenate_to_the_whole_matrix(monkeypatch):
    monkeypatch.setattr(module, "_CELLS_AT_ONCE", 6)
    matrix = ClassMatrix.from_counts([[1, 0, 2], [0, 1, 0], [3, 1, 1], [0, 0, 1], [1, 1, 0]])
    parts = list(matrix.blocks())
    assert len(parts) == 3
    assert (np.concatenate(parts) == matrix.dense()).all()


def test_sparse_and_dense_class_counts_agree(monkeypatch):
    rng = np.random.default_rng(5)
    classes = Classes.from_numbers(rng.integers(0, 40, 200))
    column = codes_column("s", rng.integers(0, 30, 200).tolist())
    dense = ClassMatrix.of(classes, column).dense()
    monkeypatch.setattr(module, "_CELLS_AT_ONCE", 0)
    assert (ClassMatrix.of(classes, column).dense() == dense).all()
