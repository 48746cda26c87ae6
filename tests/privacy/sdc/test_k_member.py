import sys
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.bottom_up import bottom_up
from privacy.sdc.generalisation_cost import Space
from privacy.sdc.k_member import k_member, pays_to_compile
from privacy.sdc.risk import loss
from tests.fixtures.tables import random_space, table_of, tree_of


def values_in(classes, column):
    return [len(set(column.codes[classes.number == number].tolist())) for number in range(classes.count)]


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 7, 25])
def test_all_records_are_in_classes_of_k_or_few_more(k):
    space, _ = random_space(1, 211)
    classes = k_member(space, k)
    assert classes.sizes.sum() == 211
    assert classes.sizes.min() == k
    assert classes.count >= 0.8 * (211 // k)


@pytest.mark.parametrize("l_value", [2, 3, 4])
def test_every_class_has_l_values_and_none_was_changed(l_value):
    space, table = random_space(2, 130)
    classes = k_member(space, 6, sensitive=table.column("disease"), l_value=l_value)
    assert min(values_in(classes, table.column("disease"))) >= l_value
    assert classes.sizes.min() >= 6


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(20, 26), st.sampled_from("FM"), st.integers(0, 3)), min_size=6, max_size=40
    ),
    st.integers(1, 6),
    st.integers(1, 3),
)
def test_any_small_table_is_partitioned_or_refused(rows, k, l_value):
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


def test_it_loses_less_than_doubling_does():
    space, _ = random_space(4, 150)
    for k in (5, 10, 20):
        assert loss(space, k_member(space, k)).ilp < loss(space, bottom_up(space, k)).ilp


def test_records_that_agree_stay_together_at_no_cost():
    table = table_of(["age"], [("20",)] * 6 + [("50",)] * 6, numeric=["age"])
    space = Space.of(table, {})
    assert loss(space, k_member(space, 3)).ilp == 0


def test_it_is_the_same_every_time():
    space, table = random_space(4, 150)
    one, two = (
        k_member(space, 4, sensitive=table.column("disease"), l_value=2).number.tolist() for _ in range(2)
    )
    assert one == two


def test_more_than_sixty_four_values_are_told_apart():
    rows = [(str(number % 7), f"s{number % 90}") for number in range(270)]
    table = table_of(["age", "s"], rows, numeric=["age"], sensitive=["s"])
    classes = k_member(Space.of(table, {}), 5, sensitive=table.column("s"), l_value=5)
    assert min(values_in(classes, table.column("s"))) >= 5


def test_a_value_that_dominates_still_ends_in_diverse_classes():
    rows = [(str(number % 50), "common") for number in range(95)] + [
        (str(number), "rare") for number in range(5)
    ]
    table = table_of(["age", "s"], rows, numeric=["age"], sensitive=["s"])
    classes = k_member(Space.of(table, {}), 3, sensitive=table.column("s"), l_value=2)
    assert classes.count <= 5
    assert min(values_in(classes, table.column("s"))) == 2


def test_progress_is_told_and_may_stop_the_work():
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
def test_wishes_that_cannot_be_met_are_refused(wish, message):
    space, _ = random_space(4, 12)
    with pytest.raises(PrivacyError, match=message):
        k_member(space, **wish)


def test_more_values_than_there_are_is_refused():
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
def test_compiling_happens_where_it_pays_back(
    monkeypatch: pytest.MonkeyPatch,
    combinations: int,
    records: int,
    kept: list[str],
    l_value: int,
    compiles: bool,
) -> None:
    module = sys.modules["privacy.sdc.k_member"]
    loaded = SimpleNamespace(**{name: SimpleNamespace(signatures=[]) for name in EVERY})
    monkeypatch.setattr(module, "find_spec", lambda name: name)
    monkeypatch.setattr(module, "is_kept", lambda function: function.__name__ in kept)
    monkeypatch.setitem(sys.modules, "privacy.sdc.classes_numba", loaded)
    assert pays_to_compile(combinations, records, l_value) is compiles
    # What this process compiled is loaded, whether or not it is kept.
    for name in EVERY:
        getattr(loaded, name).signatures.append("once")
    assert pays_to_compile(combinations, records, l_value) is (combinations >= 500)
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert not pays_to_compile(combinations, records, l_value)
