"""Making a release: every algorithm meets every sensitive column's own bounds."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anonymisation.microdata.column_hierarchies import hierarchies_read
from anonymisation.microdata.config import config_read
from anonymisation.microdata.construction import release_make
from anonymisation.microdata.files import content_digest, csv_bytes, directory_publish
from anonymisation.releases.findings import findings_of
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.requirements import Requirement
from privacy.sdc.table import Table

HEADER = ["age", "sex", "disease", "drinks"]


def configured(algorithm, **own):
    return config_read(
        {
            "release": {"k": 4, "l": 3, "algorithm": algorithm, "seed": 1},
            "columns": {
                "age": {"role": "quasi_identifier", "kind": "numeric", "hierarchy": [5, 10, 40]},
                "sex": {"role": "quasi_identifier", "hierarchy": "flat"},
                "disease": {"role": "sensitive"},
                "drinks": {"role": "sensitive", **own},
            },
        },
        folder=Path(),
    )


def table_read(config, n=160):
    rng = np.random.default_rng(3)
    rows = [
        [
            str(rng.integers(20, 60)),
            str(rng.choice(["f", "m"])),
            str(rng.choice(["flu", "cold", "ulcer", "none"], p=[0.1, 0.1, 0.2, 0.6])),
            str(rng.choice(["yes", "no"], p=[0.12, 0.88])),
        ]
        for _ in range(n)
    ]
    table = Table.from_rows(HEADER, rows, config.rules)
    return table, hierarchies_read(table, config)


@pytest.mark.parametrize("algorithm", ["tight", "bottom-up", "ilp", "kacluk", "samarati"])
def test_every_algorithm_meets_each_sensitive_columns_bounds(algorithm):
    """Counts in the published table, independently of the measures that made it."""
    config = configured(algorithm, l=2, rho1=0.2, rho2=0.7)
    made = release_make(*table_read(config), config)
    classes = Classes.of_columns(made.table.quasi_identifiers)
    drinks = made.table.column("drinks")
    rare = drinks.values.index("yes")
    for number in range(classes.count):
        rows = np.flatnonzero(classes.number == number)
        assert len(rows) >= 4
        assert len({made.table.column("disease").texts[row] for row in rows}) >= 3
        assert len({drinks.texts[row] for row in rows}) == 2
        assert np.mean(drinks.codes[rows] == rare) <= 0.7
    asked = {(one.sensitive, one.model): one.asked for one in made.verdicts}
    assert asked["disease", "distinct_l"] == 3
    assert asked["drinks", "distinct_l"] == 2
    assert asked["drinks", "rho2"] == 0.7


@pytest.mark.parametrize("algorithm", ["tight", "samarati"])
def test_an_unreachable_number_of_values_stops_the_release(algorithm):
    """A column with two values cannot meet l = 3, which the release sets by default."""
    config = configured(algorithm)
    with pytest.raises(PrivacyError):
        release_make(*table_read(config), config)


def test_bounds_on_columns_that_are_not_sensitive_are_refused():
    document = {"release": {"k": 4}, "columns": {"age": {"role": "quasi_identifier", "l": 2}}}
    with pytest.raises(PrivacyError, match="needs a sensitive column"):
        config_read(document, folder=Path())


@pytest.mark.parametrize("algorithm", ["tight", "bottom-up", "ilp", "samarati"])
@pytest.mark.few("samarati", "ilp", "bottom-up", why="the others execute nothing more")
def test_multi_attribute_keeps_columns_diverse_given_the_other(algorithm):
    """Without this option, an attacker infers a disease from the person's class and drinking."""
    certain = {}
    for asked in (False, True):
        config = configured(algorithm, l=2)
        config = replace(config, multi_attribute=asked, requirement=Requirement(k=4, distinct_l=2))
        made = release_make(*table_read(config), config)
        groups: dict[tuple[int, str], set[str]] = {}
        classes = Classes.of_columns(made.table.quasi_identifiers)
        for name, known in (("disease", "drinks"), ("drinks", "disease")):
            texts = zip(
                classes.number, made.table.column(known).texts, made.table.column(name).texts, strict=True
            )
            for number, beside, value in texts:
                groups.setdefault((number, f"{known} {beside}"), set()).add(value)
        certain[asked] = sum(len(values) == 1 for values in groups.values())
        assert classes.sizes.min() >= 4
        assert any("who knows all other sensitive columns" in note for note in made.notes) == asked
        if asked:
            assert {one.reached >= 2 for one in made.verdicts if one.model == "distinct_l"} == {True}
    assert certain[False] > 0
    assert certain[True] == 0


def test_bounds_no_table_can_meet_are_refused_by_column():
    """People with an ulcer do not drink, so an attacker who knows of the ulcer knows this too."""
    config = replace(configured("tight", l=2), multi_attribute=True)
    table, trees = table_read(config)
    disease, drinks = table.column("disease"), table.column("drinks")
    sober = np.where(disease.codes == disease.values.index("ulcer"), drinks.values.index("no"), drinks.codes)
    columns = tuple(
        replace(column, codes=sober.astype(np.int32)) if column is drinks else column
        for column in table.columns
    )
    with pytest.raises(
        PrivacyError, match="the same values in the other sensitive columns do not reach the bounds of"
    ):
        release_make(replace(table, columns=columns), trees, config)


def test_every_published_column_reports_its_information_loss():
    config = configured("ilp", l=2)
    made = release_make(*table_read(config), config)
    found = {one.name: one for one in made.errors}
    assert set(found) == {"age", "sex", "disease", "drinks"}
    assert found["drinks"].information == pytest.approx(found["drinks"].entropy)
    assert made.changed > 0
    assert found["disease"].information < found["disease"].entropy
    assert found["age"].mean_square == pytest.approx(found["age"].root_mean_square ** 2)
    assert found["sex"].mean_square is None


def people_of_one_kind():
    """Return eight people, k = 4: flu occurs at all ages of one sex, ulcer in both sexes at one age."""
    rows = [["20", "f", "flu"], ["30", "f", "flu"], ["40", "f", "flu"], ["50", "f", "flu"]]
    rows += [["20", "f", "ulcer"], ["20", "m", "ulcer"], ["20", "m", "ulcer"], ["20", "f", "ulcer"]]
    config = config_read(
        {
            "release": {"k": 4, "algorithm": "samarati", "search": "all", "own_values": True},
            "columns": {
                "age": {"role": "quasi_identifier", "kind": "numeric", "hierarchy": [100]},
                "sex": {"role": "quasi_identifier", "hierarchy": "flat"},
                "disease": {"role": "sensitive"},
            },
        },
        folder=Path(),
    )
    table = Table.from_rows(["age", "sex", "disease"], rows, config.rules)
    return table, hierarchies_read(table, config), config


def test_each_records_loss_is_weighted_by_its_own_value():
    """u(flu) = (1, 1/2) and u(ulcer) = (0, 1) give weights 2/3 and 1/3 for flu, 0 and 1 for ulcer."""
    table, trees, config = people_of_one_kind()
    whole = release_make(table, trees, config)
    local = release_make(table, trees, replace(config, algorithm="tight"))
    own = {"flu": {"age": 2 / 3, "sex": 1 / 3}, "ulcer": {"age": 0.0, "sex": 1.0}}
    for made in (whole, local):
        lost = 0.0
        for row, number in enumerate(made.classes.number.tolist()):
            members = np.flatnonzero(made.classes.number == number)
            ages = [int(table.column("age").texts[place]) for place in members]
            sexes = {table.column("sex").texts[place] for place in members}
            weights = own[table.column("disease").texts[row]]
            if made is local:
                lost += weights["age"] * (max(ages) - min(ages)) / 30
                lost += weights["sex"] * (len(sexes) > 1)
            else:
                levels = dict(zip(made.lattice.names, made.node.levels, strict=True))
                lost += weights["age"] * (levels["age"] > 0) + weights["sex"] * (levels["sex"] > 0)
        assert made.own_ilp == pytest.approx(lost)
        assert made.weights == pytest.approx({"age": 1 / 3, "sex": 2 / 3})


def test_own_weights_scale_column_weights_and_need_a_sensitive_column():
    table, trees, config = people_of_one_kind()
    made = release_make(table, trees, replace(config, column_weights={"age": 2.0, "sex": 1.0}))
    # Flu has weights of 2 and 1/2; for ulcer, only sex counts.
    assert made.weights == pytest.approx({"age": 0.4, "sex": 0.6})
    bare = replace(table, columns=table.columns[:2])
    with pytest.raises(PrivacyError, match="own_values need a sensitive column, and there is none"):
        release_make(bare, trees, config)


def test_certainty_counts_all_people_not_just_the_most_exposed():
    """For two thousand people in large groups one value implies another; for unique people it does not."""
    rows = [
        [str(20 + n % 40), "f", ["flu", "cold"][n // 40 % 2], ["no", "yes"][n // 40 % 2]] for n in range(2000)
    ]
    rows += [[str(60 + n), "m", ["flu", "cold"][n % 2], ["no", "yes"][n // 2 % 2]] for n in range(40)]
    config = config_read(
        {
            "release": {"k": 4, "l": 2, "multi_attribute": False},
            "columns": {
                "age": {"role": "quasi_identifier", "kind": "numeric"},
                "sex": {"role": "quasi_identifier", "hierarchy": "flat"},
                "disease": {"role": "sensitive"},
                "drinks": {"role": "sensitive"},
            },
        },
        folder=Path(),
    )
    table = Table.from_rows(["age", "sex", "disease", "drinks"], rows, config.rules)
    made = release_make(table, hierarchies_read(table, config), config)
    disease, drinks = made.table.sensitive
    groups = {}
    for number, known, value in zip(made.classes.number.tolist(), drinks.texts, disease.texts, strict=True):
        groups.setdefault((number, known), []).append(value)
    certain = sum(len(values) for values in groups.values() if len(set(values)) == 1)
    assert made.certain_of(disease, [drinks]) == certain >= 1500
    assert made.certain_of(disease) == 0
    (found,) = (one for one in findings_of(made)["attacks"]["knowing"] if one["column"] == "disease")
    assert (found["disclosed"], found["people"]) == (certain, 2040)


def table(rows):
    return Table.from_rows(["a"], [[row] for row in rows], [ColumnRule(name="a", role="insensitive")])


def test_publishing_a_directory_is_atomic(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(PrivacyError, match="No space left"):
        directory_publish(tmp_path / "out", {"a/b.txt": b"x"})
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    directory_publish(tmp_path / "out", {"a/b.txt": b"x"})
    assert (tmp_path / "out" / "a" / "b.txt").read_bytes() == b"x"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_existing_directory_is_left_unchanged(tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(PrivacyError, match="already exists"):
        directory_publish(tmp_path / "out", {"b": b"x"})
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=A1", "'=A1"),
        ("+cmd", "'+cmd"),
        ("@x", "'@x"),
        ("-5", "-5"),
        ("-x", "'-x"),
        ("[1,2]", '"[1,2]"'),
        ("a", "a"),
    ],
)
def test_csv_cells_are_safe_in_spreadsheets(text, written):
    assert csv_bytes(table([text]), [0]).decode() == f"a\n{written}\n"


def test_the_content_digest_ignores_record_order():
    assert content_digest(table(["x", "y", "x"])) == content_digest(table(["y", "x", "x"]))
    assert content_digest(table(["x", "y"])) != content_digest(table(["x", "x"]))


def test_an_interrupted_write_leaves_no_files(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        directory_publish(tmp_path / "out", {"a.txt": b"x"})
    assert list(tmp_path.iterdir()) == []
