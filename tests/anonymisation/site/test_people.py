"""Releases keep their bounds for people with several records, by a separate count."""

import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymisation.microdata.checks import totals_check
from anonymisation.microdata.column_hierarchies import hierarchies_read
from anonymisation.microdata.config import config_read
from anonymisation.microdata.construction import release_make
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.table import Table
from privacy.tables.columns import ReadTable
from tests.fixtures.releases import plan_write
from tests.privacy.sdc.test_unit import people_of

HEADER = ["patient_id", "age", "region", "disease", "debt"]
REGIONS = ["north", "south", "east", "west"]
DISEASES = ["flu", "cold", "ulcer", "none"]


def visits(people: int, repeated: float, *, copies: bool = False, seed: int = 5) -> list[list[str]]:
    """Return a record of each person, and second records for a share of them."""
    rng = np.random.default_rng(seed)
    rows = [
        [
            f"p{number}",
            str(rng.integers(20, 70)),
            str(rng.choice(REGIONS)),
            str(rng.choice(DISEASES, p=[0.2, 0.2, 0.1, 0.5])),
            str(rng.choice(["yes", "no"], p=[0.3, 0.7])),
        ]
        for number in range(people)
    ]
    second = round(people * repeated / (1 - repeated))
    for number in rng.integers(0, people, second).tolist():
        row = list(rows[number])
        if not copies:
            row[1] = str(int(row[1]) + int(rng.integers(0, 2)))
            row[3] = str(rng.choice(DISEASES))
        rows.append(row)
    return [rows[at] for at in rng.permutation(len(rows)).tolist()]


def configured(**release: Any) -> Any:
    columns = {
        "patient_id": {"role": "identifier"},
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "region": {"role": "quasi_identifier", "hierarchy": "flat"},
        "disease": {"role": "sensitive"},
        "debt": {"role": "sensitive"},
    }
    return config_read(
        {"release": {"k": 5, "multi_attribute": False, **release}, "columns": columns}, folder=Path()
    )


def groups_of(made: Any, rows: list[list[str]]) -> list[dict[str, set[str]]]:
    """Return for each published class the people with each value, counted from the input rows."""
    labels = zip(*(column.texts for column in made.table.quasi_identifiers), strict=True)
    groups: dict[tuple[str, ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for label, number in zip(labels, made.table.source_rows.tolist(), strict=True):
        person = rows[number][0]
        for name in ("disease", "debt"):
            groups[label][f"{name}={rows[number][HEADER.index(name)]}"].add(person)
        groups[label]["all"].add(person)
    return list(groups.values())


@pytest.mark.parametrize("algorithm", ["tight", "bottom-up"])
@pytest.mark.parametrize("repeated", [0.0, 0.05, 0.4])
@pytest.mark.parametrize("copies", [False, True])
def test_every_bound_holds_per_person(repeated: float, algorithm: str, copies: bool) -> None:
    """Checks k, l, beta, delta and rho with a separate count of the people in each class."""
    rows = visits(300, repeated, copies=copies)
    bounds = {"l": 2, "alpha": 0.9, "beta": 3.0, "delta": 2.0, "rho1": 0.25, "rho2": 0.8, "t": 0.5}
    config = configured(algorithm=algorithm, **bounds)
    people = people_of(ReadTable.of_rows(HEADER, rows), {"patient_id"}, "patient_id")
    assert (people is None) == (repeated == 0)
    table = Table.from_rows(HEADER, rows, config.rules)
    owners = None if people is None else people.of(table)
    made = release_make(table, hierarchies_read(table, config), config, people=owners)
    groups = groups_of(made, rows)
    assert min(len(group["all"]) for group in groups) >= 5
    everybody = len({row[0] for row in rows})
    for name in ("disease", "debt"):
        at = HEADER.index(name)
        share = {
            f"{name}={value}": len({row[0] for row in rows if row[at] == value}) / everybody
            for value in {row[at] for row in rows}
        }
        for group in groups:
            p = {value: len(group[value]) / len(group["all"]) for value in share if value in group}
            assert len(p) >= 2
            assert max(p.values()) <= 0.9
            assert all((p[value] - share[value]) / share[value] <= 3 + 1e-9 for value in p)
            assert all(abs(np.log(p[value] / share[value])) < 2 for value in p)
            assert all(p.get(value, 0) <= 0.8 for value in share if share[value] < 0.25)
    measured = made.measures[0]
    assert measured.k == min(len(group["all"]) for group in groups)
    shares = [
        len(who) / len(group["all"]) for group in groups for name, who in group.items() if "disease" in name
    ]
    assert measured.alpha == pytest.approx(max(shares))
    if owners is not None:
        # All records of a person have the same labels, so that an attacker cannot intersect two classes.
        labels: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        read = zip(*(column.texts for column in made.table.quasi_identifiers), strict=True)
        for label, number in zip(read, made.table.source_rows.tolist(), strict=True):
            labels[rows[number][0]].add(label)
        assert {len(own) for own in labels.values()} == {1}


@pytest.mark.soak
def test_counting_records_instead_of_people_makes_classes_too_small() -> None:
    """A planted bug: with records counted as people, a class has fewer than k people."""
    rows = visits(300, 0.4)
    config = configured(l=2)
    table = Table.from_rows(HEADER, rows, config.rules)
    made = release_make(table, hierarchies_read(table, config), config)
    assert min(len(group["all"]) for group in groups_of(made, rows)) < 5
    assert Classes.of_columns(made.table.quasi_identifiers).sizes.min() >= 5


def test_a_value_shared_by_the_whole_group_adds_no_diversity() -> None:
    """Everyone has the flu and something else: there are many values, but one is certain."""
    rows = [[f"p{n}", "30", "north", "flu", "no"] for n in range(10)]
    rows += [[f"p{n}", "30", "north", DISEASES[1 + n % 3], "yes"] for n in range(10)]
    config = configured(l=2)
    table = Table.from_rows(HEADER, rows, config.rules)
    people = people_of(ReadTable.of_rows(HEADER, rows), {"patient_id"}, "patient_id")
    assert people is not None
    with pytest.raises(Exception, match="disease"):
        release_make(table, hierarchies_read(table, config), config, people=people.of(table))


@pytest.mark.parametrize(
    ("case", "release", "previous"),
    [
        ("people.algorithm", {"algorithm": "samarati"}, None),
        ("people.algorithm", {"algorithm": "kacluk", "seed": 1}, None),
        ("people.earlier", {}, np.zeros(75, dtype=np.int64)),
        ("people.k", {"k": 70}, None),
        ("people.beside", {"multi_attribute": True}, None),
    ],
)
def test_unsupported_settings_for_repeated_people_are_refused(
    case: str, release: dict[str, Any], previous: Any
) -> None:
    rows = visits(60, 0.2)
    config = configured(**release)
    table = Table.from_rows(HEADER, rows, config.rules)
    people = people_of(ReadTable.of_rows(HEADER, rows), {"patient_id"}, "patient_id")
    assert people is not None
    with pytest.raises(PrivacyError) as refused:
        release_make(
            table, hierarchies_read(table, config), config, people=people.of(table), previous_class=previous
        )
    assert refused.value.case == case


def panel(seed: int, *, people: int, most: int) -> list[list[str]]:
    """Return one to `most` records of each person, who may move but keep their sex."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(people):
        age, sex = int(rng.integers(20, 60)), str(rng.choice(["f", "m"]))
        for _ in range(int(rng.integers(1, most + 1))):
            region = str(rng.choice(REGIONS)) if rng.random() < 0.2 else REGIONS[number % 4]
            rows.append([f"n{number}", str(age), sex, region, str(rng.choice(DISEASES))])
    return [rows[at] for at in rng.permutation(len(rows)).tolist()]


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    people=st.integers(12, 60),
    most=st.integers(2, 7),
    k=st.integers(2, 5),
    l_value=st.integers(1, 2),
)
@pytest.mark.soak
def test_k_and_l_of_random_panels_equal_an_independent_count(
    seed: int, people: int, most: int, k: int, l_value: int
) -> None:
    """k and l are counted again from the input rows, with sets of people and no code of the product."""
    header = ["nr", "age", "sex", "region", "disease"]
    rows = panel(seed, people=people, most=most)
    columns = {
        "nr": {"role": "identifier"},
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "sex": {"role": "quasi_identifier", "hierarchy": "flat"},
        "region": {"role": "quasi_identifier", "hierarchy": "flat"},
        "disease": {"role": "sensitive"},
    }
    config = config_read({"release": {"k": k, "l": l_value}, "columns": columns}, folder=Path())
    table = Table.from_rows(header, rows, config.rules)
    who = people_of(ReadTable.of_rows(header, rows), {"nr"}, "nr")
    owners = None if who is None else who.of(table)
    try:
        made = release_make(table, hierarchies_read(table, config), config, people=owners)
    except PrivacyError:
        # One value that everyone has had at some time cannot be made diverse.
        assert l_value > 1
        return
    labels = zip(*(column.texts for column in made.table.quasi_identifiers), strict=True)
    classes: dict[tuple[str, ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for label, number in zip(labels, made.table.source_rows.tolist(), strict=True):
        classes[label][rows[number][4]].add(rows[number][0])
    crowds = [set.union(*values.values()) for values in classes.values()]
    assert made.measures[0].k == min(map(len, crowds)) >= k
    diversity = [
        1 if any(own == crowd for own in values.values()) else len(values)
        for values, crowd in zip(classes.values(), crowds, strict=True)
    ]
    assert min(diversity) >= l_value
    assert made.published_people == people
    assert made.loss.smallest == min(map(len, crowds))


def sixty(folder: Path) -> list[list[str]]:
    """Write a file of sixty people with six records each, and a plan in which their column is left out."""
    rng = np.random.default_rng(60)
    rows = []
    for number in range(60):
        fixed = [str(int(rng.integers(20, 70))), str(rng.choice(["f", "m"])), str(rng.choice(REGIONS))]
        rows += [[str(1000 + number), str(wave), *fixed, str(rng.choice(DISEASES))] for wave in range(6)]
    header = ["nr", "wave", "age", "sex", "region", "drinks"]
    with (folder / "panel.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    roles = {"nr": "identifier", "wave": "insensitive", "drinks": "sensitive"}
    columns: dict[str, Any] = {name: {"role": roles.get(name, "quasi_identifier")} for name in header}
    columns["age"]["kind"] = "numeric"
    columns["sex"]["hierarchy"] = columns["region"]["hierarchy"] = "flat"
    (folder / "plan.json").write_text(json.dumps({"release": {"k": 5}, "columns": columns}), encoding="utf-8")
    return rows


@pytest.mark.soak
def test_a_published_column_that_looks_like_people_is_asked_about(tmp_path: Path) -> None:
    """Generalised, the number of the person was published without a question: each class was one person."""
    sixty(tmp_path)
    plan = json.loads((tmp_path / "plan.json").read_text())
    plan["columns"]["nr"] = {"role": "quasi_identifier", "kind": "numeric"}
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    wish = ["release", str(tmp_path / "panel.csv"), "--plan", str(tmp_path / "plan.json"), "--out"]
    with pytest.raises(
        CommandError, match="'nr' is published, but seems to identify people: it has 60 values"
    ):
        call_command(*wish, str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()
    call_command(*wish, str(tmp_path / "out"), "--records-are-people")
    assert (tmp_path / "out").exists()


@pytest.mark.soak
def test_a_panel_is_published_as_that_many_people(tmp_path: Path, capsys: Any) -> None:
    """Sixty people were once published as 360 records with k = 6, each class of them one person."""
    rows = sixty(tmp_path)
    wish = ["release", str(tmp_path / "panel.csv"), "--plan", str(tmp_path / "plan.json"), "--out"]
    with pytest.raises(CommandError) as refused:
        call_command(*wish, str(tmp_path / "out"))
    assert "'nr' has 60 values in 360 records, up to 6 records each" in str(refused.value)
    assert "--respondent 'nr'" in str(refused.value)
    assert "--records-are-people" in str(refused.value)
    assert not (tmp_path / "out").exists()
    call_command(*wish, str(tmp_path / "out"), "--respondent", "nr")
    assert "360 records of 60 people" in capsys.readouterr().out
    # An independent count: whom of the sixty does each published class contain?
    with (tmp_path / "out" / "deposit" / "data.csv").open(encoding="utf-8") as file:
        published = list(csv.DictReader(file))
    sizes = []
    for label in {(row["age"], row["sex"], row["region"]) for row in published}:
        low, *high = map(int, label[0].strip("[]").split(","))
        inside = {
            row[0]
            for row in rows
            if low <= int(row[2]) <= (high or [low])[0]
            and label[1] in ("*", row[3])
            and label[2] in ("*", row[4])
        }
        sizes.append(len(inside))
    assert min(sizes) >= 5
    manifest = json.loads((tmp_path / "out" / "deposit" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["people"], manifest["records"]) == (60, 360)
    assert manifest["counted"] == {"unit": "people", "why": "named"}
    assert manifest["reached"][0]["k"] >= 5
    call_command("query", str(tmp_path / "out"), "count")
    assert "the 360 records belong to 60 people" in capsys.readouterr().out
    call_command(*wish, str(tmp_path / "same"), "--records-are-people")
    said = capsys.readouterr().out
    assert "the publisher stated that each record belongs to a different person" in said
    assert "these columns repeat but do not distinguish people: nr (60 values)" in said
    # A manifest of an earlier program does not say what was counted.
    path = tmp_path / "same" / "deposit" / "manifest.json"
    path.write_text(
        json.dumps(json.loads(path.read_text()) | {"counted": None}).replace('"counted": null, ', "")
    )
    call_command("query", str(tmp_path / "same"), "count")
    assert "count records, not people" in capsys.readouterr().out


def test_verify_counts_people_or_names_the_columns_that_repeat(tmp_path: Path, capsys: Any) -> None:
    sixty(tmp_path)
    check = ["verify", str(tmp_path / "panel.csv"), "--quasi-identifiers", "age,sex,region"]
    check += ["--sensitive", "drinks", "--k", "5"]
    call_command(*check)
    said = capsys.readouterr().out
    assert "k required 5, reached 6: holds" in said
    assert "Columns that were not checked and repeat: nr (60 values), wave (6 values)." in said
    with pytest.raises(CommandError, match="does not hold"):
        call_command(*check, "--respondent", "nr")
    said = capsys.readouterr().out
    assert "k required 5, reached 1: FAILS" in said
    assert "Counted in people: the records belong to 60 people." in said


def test_published_totals_may_not_isolate_a_person_with_many_records(tmp_path: Path) -> None:
    """Six records are left over, enough for k = 5 records, but they are of one person."""
    rows = [[f"n{number // 6}", "flu"] for number in range(60)]
    rules = [ColumnRule(name="nr", role="insensitive"), ColumnRule(name="ill", role="sensitive")]
    table = Table.from_rows(["nr", "ill"], rows, rules)
    (tmp_path / "t.csv").write_text("ill,count\nflu,66\n", encoding="utf-8")
    totals_check(table, tmp_path / "t.csv", k=5, l_of=lambda name: 1)
    people = people_of(ReadTable.of_rows(["nr", "ill"], rows), set(), "nr")
    assert people is not None
    with pytest.raises(PrivacyError) as refused:
        totals_check(table, tmp_path / "t.csv", k=5, l_of=lambda name: 1, people=people.of(table))
    assert refused.value.case == "totals.people"


@pytest.mark.soak
def test_the_command_counts_and_reports_people(tmp_path: Path, capsys: Any) -> None:
    rows = visits(200, 0.05)
    with (tmp_path / "visits.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([HEADER, *rows])
    roles = {"patient_id": "identifier", "age": "quasi_identifier", "region": "quasi_identifier"}
    text = '[release]\nk = 5\nmulti_attribute = false\nl = 2\nrespondent = "patient_id"\n' + "".join(
        f'[columns.{name}]\nrole = "{roles.get(name, "sensitive")}"\n'
        + {"age": 'kind = "numeric"\n', "region": 'hierarchy = "flat"\n'}.get(name, "")
        for name in HEADER
    )
    plan_write(tmp_path / "r.json", text)
    wish = ["release", str(tmp_path / "visits.csv"), "--plan", str(tmp_path / "r.json"), "--out"]
    call_command(*wish, str(tmp_path / "out"))
    assert "Bounds count people: 200 people have the 211 records." in capsys.readouterr().out
    manifest = json.loads((tmp_path / "out" / "deposit" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["people"], manifest["records"]) == (200, 211)
    assert "They belong to 200 people" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    # The properties that readers can check from the records also hold.
    table = ["verify", str(tmp_path / "out" / "deposit" / "data.csv"), "--quasi-identifiers", "age,region"]
    call_command(*table, "--sensitive", "disease,debt", "--k", "5", "--l", "2")
    text = text.replace('respondent = "patient_id"\n', "")
    plan_write(tmp_path / "r.json", text)
    with pytest.raises(CommandError, match=r"Use --respondent 'patient_id' .* or --records-are-people"):
        call_command(*wish, str(tmp_path / "again"))
    plan_write(tmp_path / "r.json", text.replace("l = 2\n", 'l = 2\npeople = "records"\n'))
    capsys.readouterr()
    call_command(*wish, str(tmp_path / "again"))
    assert "Bounds count people" not in capsys.readouterr().out
    plan_write(tmp_path / "r.json", text.replace("l = 2\n", 'l = 2\npeople = "some"\n'))
    with pytest.raises(CommandError, match="records, alike"):
        call_command(*wish, str(tmp_path / "third"))
