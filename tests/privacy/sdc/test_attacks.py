import pytest

from privacy.errors import PrivacyError
from privacy.sdc.attacks import background_knowledge, homogeneous, link
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.marginals import marginal
from privacy.sdc.published_labels import Domain, label_column
from tests.fixtures.tables import VOTERS, eleven, patients, random_table, table_of


def test_linking_the_tables_of_source_003_identifies_only_betty():
    found = link(patients(), VOTERS)
    identified = [(VOTERS["name"][one.person], one.values) for one in found if one.identified]
    assert identified == [("Betty", ("AIDS",))]
    assert [one.candidates for one in found] == [1, 0, 0, 0, 0]


def test_a_generalised_release_hides_betty_among_several_candidates():
    rows = [
        ("[25,29]", "F", "1****", "AIDS"),
        ("[25,29]", "F", "1****", "pneumonia"),
        ("[26,40]", "M", "1****", "flu"),
    ]
    table = table_of(["age", "sex", "zip", "disease"], rows, sensitive=["disease"])
    found = link(table, VOTERS, {"age": Domain(name="age", numeric=True)})
    betty = found[0]
    assert (betty.candidates, betty.values) == (2, ("AIDS", "pneumonia"))
    assert not betty.identified
    assert not betty.disclosed
    sam = found[3]
    assert (sam.candidates, sam.disclosed) == (0, False)


@pytest.mark.parametrize("pairs", [1, 25, 1000])
def test_people_are_linked_in_blocks_of_any_size(monkeypatch, pairs):
    whole = link(patients(), VOTERS)
    monkeypatch.setattr("privacy.sdc.attacks._PAIRS_AT_ONCE", pairs)
    assert link(patients(), VOTERS) == whole


def test_several_candidates_sharing_one_value_are_disclosed():
    table = table_of(["sex", "disease"], [("F", "flu"), ("F", "flu")], sensitive=["disease"])
    found = link(table, {"sex": ["F"]})[0]
    assert found.disclosed
    assert not found.identified


def test_lists_without_shared_quasi_identifiers_are_refused():
    with pytest.raises(PrivacyError, match="shares no quasi-identifier"):
        link(patients(), {"name": ["Betty"]})


def test_text_in_a_numeric_column_is_rejected_with_its_value():
    with pytest.raises(PrivacyError, match="'old' in the numeric column 'age'"):
        link(patients(), {"age": ["old"]})


def test_the_homogeneity_attack_lists_single_valued_classes():
    table = eleven()
    matrix = ClassMatrix.of(Classes.of_columns(table.quasi_identifiers), table.column("problem"))
    found = homogeneous(matrix, table.column("problem").values)
    assert sorted((one.size, one.value) for one in found) == [(2, "chest pain"), (2, "hypertension")]


def test_background_knowledge_narrows_a_class_step_by_step():
    matrix = ClassMatrix.from_counts([[5, 3, 2, 0], [1, 1, 1, 1]])
    found = background_knowledge(matrix, most_exclusions=3)
    assert found.weakest == 2
    assert found.certainty == pytest.approx((5 / 10, 5 / 7, 1.0, 1.0))


def test_unchanged_columns_keep_their_marginal():
    table, _ = random_table(1, 200)
    for name in ("age", "work"):
        found = marginal(table.column(name), table.column(name), Domain(name=name, numeric=name == "age"))
        assert found.distance == pytest.approx(0)
        assert sum(found.before) == pytest.approx(1)


def test_grouped_labels_spread_evenly_over_their_values():
    source = table_of(["work"], [("state",), ("state",), ("state",), ("city",), ("own",)]).column("work")
    released = label_column("work", "quasi_identifier", ["public"] * 4 + ["own"])
    found = marginal(
        source, released, Domain(name="work", numeric=False, leaves={"public": ("state", "city")})
    )
    assert dict(zip(found.cells, found.after, strict=True)) == pytest.approx(
        {"state": 0.4, "city": 0.4, "own": 0.2}
    )
    assert found.distance == pytest.approx(0.2)


def test_intervals_spread_over_the_numbers_they_contain():
    source = table_of(["age"], [(str(age),) for age in range(20, 31)], numeric=["age"]).column("age")
    released = label_column("age", "quasi_identifier", ["[20,24]"] * 5 + ["[25,30]"] * 6)
    found = marginal(source, released, Domain(name="age", numeric=True), bins=2)
    assert found.cells == ("20 to 25", "25 to 30")
    assert found.before == pytest.approx((5 / 11, 6 / 11))
    assert found.after == pytest.approx((5 / 11, 6 / 11))


def test_named_groups_spread_only_over_their_own_numbers():
    source = table_of(["school"], [("9",), ("10",), ("11",), ("13",)], numeric=["school"]).column("school")
    released = label_column("school", "quasi_identifier", ["9", "college", "11", "college"])
    domain = Domain(name="school", numeric=True, leaves={"college": ("10", "13")})
    found = marginal(source, released, domain, bins=4)
    assert found.after == pytest.approx((0.25, 0.25, 0.25, 0.25))
