import pytest

from privacy.errors import PrivacyError
from privacy.sdc.labels import Domain
from privacy.sdc.queries import answer
from privacy.sdc.query_language import parse
from tests.fixtures.tables import table_of
from tests.privacy.sdc.test_queries import DOMAINS, RELEASE


def test_a_cross_table_has_a_cell_for_each_pair_of_values():
    """Values, not labels: two in public work are in state or in city, and of steps of ages all are."""
    cells = answer(RELEASE, parse("count group by work, disease"), DOMAINS)
    found = {cell.group: (cell.lower, cell.expected, cell.upper) for cell in cells}
    assert len(found) == 4 * 2
    assert found["state", "cold"] == (1, 1.5, 2)
    assert found["city", "flu"] == (0, 0.5 + 2 * 0.25, 3)
    assert found["own", "cold"] == (0, 0, 0)
    assert sum(cell.expected for cell in cells) == pytest.approx(5)


def test_numbers_are_split_by_round_steps_that_hold_every_record_once():
    rows = [(f"[{low},{low + 7}]",) for low in range(18, 80, 3)]
    domains = {"age": Domain(name="age", numeric=True, whole=True)}
    cells = answer(table_of(["age"], rows), parse("count group by age"), domains)
    assert [cell.group[0] for cell in cells] == [
        "[10,19]", "[20,29]", "[30,39]", "[40,49]", "[50,59]", "[60,69]", "[70,79]", "[80,85]",
    ]  # fmt: skip
    assert sum(cell.expected for cell in cells) == pytest.approx(len(rows))
    # Eight of [18,25], two of them below 20.
    assert cells[0].expected == pytest.approx(2 / 8)
    few = answer(table_of(["age"], [("3",), ("5",), ("5",)]), parse("count group by age"), domains)
    assert [(cell.group[0], cell.lower) for cell in few] == [("3", 1), ("5", 2)]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("count group by x, y", "would have 441 cells"),
        ("count where " + " or ".join(["x = 1 and y = 2"] * 7), "128 ways to miss all alternatives"),
    ],
)
def test_what_would_be_too_large_is_refused(query, message):
    table = table_of(["x", "y"], [(f"v{at}", f"w{at}") for at in range(21)])
    with pytest.raises(PrivacyError, match=message):
        answer(table, parse(query), {})
