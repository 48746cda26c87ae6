import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.bottom_up import bottom_up
from privacy.sdc.generalisation import Space
from privacy.sdc.information_loss import loss
from privacy.sdc.k_member import k_member
from tests.fixtures.tables import random_space, table_of, tree_of


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


@pytest.mark.soak
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
