import pytest

from privacy.sdc.labels import Domain, label_column
from privacy.sdc.marginals import marginal
from tests.cast.tables import random_table, table_of


def test_a_column_published_as_it_is_keeps_its_marginal():
    table, _ = random_table(1, 200)
    for name in ("age", "work"):
        found = marginal(table.column(name), table.column(name), Domain(name=name, numeric=name == "age"))
        assert found.distance == pytest.approx(0)
        assert sum(found.before) == pytest.approx(1)


def test_a_group_is_spread_evenly_over_what_it_can_mean():
    source = table_of(["work"], [("state",), ("state",), ("state",), ("city",), ("own",)]).column("work")
    released = label_column("work", "quasi_identifier", ["public"] * 4 + ["own"])
    found = marginal(
        source, released, Domain(name="work", numeric=False, leaves={"public": ("state", "city")})
    )
    assert dict(zip(found.cells, found.after, strict=True)) == pytest.approx(
        {"state": 0.4, "city": 0.4, "own": 0.2}
    )
    assert found.distance == pytest.approx(0.2)


def test_intervals_are_spread_over_the_numbers_inside():
    source = table_of(["age"], [(str(age),) for age in range(20, 31)], numeric=["age"]).column("age")
    released = label_column("age", "quasi_identifier", ["[20,24]"] * 5 + ["[25,30]"] * 6)
    found = marginal(source, released, Domain(name="age", numeric=True), bins=2)
    assert found.cells == ("20 to 25", "25 to 30")
    assert found.before == pytest.approx((5 / 11, 6 / 11))
    assert found.after == pytest.approx((5 / 11, 6 / 11))


def test_a_named_group_of_numbers_is_spread_over_its_own_numbers_only():
    source = table_of(["school"], [("9",), ("10",), ("11",), ("13",)], numeric=["school"]).column("school")
    released = label_column("school", "quasi_identifier", ["9", "college", "11", "college"])
    domain = Domain(name="school", numeric=True, leaves={"college": ("10", "13")})
    found = marginal(source, released, domain, bins=4)
    assert found.after == pytest.approx((0.25, 0.25, 0.25, 0.25))
