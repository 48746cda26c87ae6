"""Public tables of other packages: k, l and risk equal a count by code that shares nothing with the product.

The published file is read with the standard library. Classes, people and values are counted in dictionaries.
"""

import csv
import io
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import polars
import pytest
from django.core.management import CommandError, call_command
from statsmodels import datasets

import sottovoce
from anonymisation.microdata.config import config_read
from anonymisation.microdata.publication import release_publish

STATSMODELS = Path(datasets.__file__).parent.parent


def shipped(name: str) -> pd.DataFrame:
    frame: pd.DataFrame = getattr(datasets, name).load_pandas().data
    return frame


def result(name: str) -> Path:
    return STATSMODELS / name


@dataclass(frozen=True, kw_only=True)
class Public:
    """A public table, the columns that others may know, a sensitive one, and the columns of a person."""

    source: Any
    known: tuple[str, ...]
    sensitive: str
    person: tuple[str, ...] = ()
    weight: str = ""
    k: int = 4
    rows: int = 10_000
    texts: tuple[str, ...] = ()


TABLES = {
    # A sample of 2,000 of 6,366 women.
    "fair": Public(source="fair", known=("age", "educ", "children"), sensitive="occupation", rows=2000),
    "anes96": Public(source="anes96", known=("age", "educ", "TVnews"), sensitive="vote"),
    "heart": Public(source="heart", known=("age",), sensitive="censors"),
    "ccard": Public(source="ccard", known=("AGE", "OWNRENT"), sensitive="INCOME"),
    "spector": Public(source="spector", known=("GPA", "PSI"), sensitive="GRADE"),
    "randhie": Public(source="randhie", known=("lncoins", "physlm", "hlthf"), sensitive="mdvis", rows=3000),
    # Panels: people with several records.
    "epil": Public(
        source=result("genmod/tests/results/epil.csv"),
        known=("age", "trt"),
        sensitive="y",
        person=("subject",),
        texts=("trt",),
    ),
    "modechoice": Public(
        source="modechoice", known=("hinc", "psize"), sensitive="invt", person=("individual",)
    ),
    "anova": Public(
        source=result("stats/tests/results/anova-rm-test-data.csv"),
        known=("D",),
        sensitive="DV",
        person=("id",),
        texts=("D",),
    ),
    # Households and hospitals, with codes.
    "medpar": Public(
        source=result("genmod/tests/results/stata_medpar1_glm.csv"),
        known=("admitype", "codes"),
        texts=("admitype",),
        sensitive="los",
    ),
    "lbw": Public(
        source=result("genmod/tests/results/stata_lbw_glm.csv"),
        known=("age", "race", "ptl"),
        texts=("race",),
        sensitive="smoke",
        weight="lwt",
    ),
    "griliches": Public(
        source=result("sandbox/regression/tests/griliches76.dta"), known=("age", "rns", "med"), sensitive="iq"
    ),
    "cancer": Public(
        source=result("genmod/tests/results/stata_cancer_glm.csv"), known=("age",), sensitive="drug"
    ),
    # R writes row names.
    "framing": Public(
        source=result("stats/tests/results/framing.csv"),
        known=("age", "gender", "educ"),
        sensitive="emo",
        texts=("gender", "educ"),
    ),
    "cataneo": Public(
        source=result("treatment/tests/results/cataneo2.csv"),
        known=("mage", "medu", "mrace"),
        sensitive="msmoke",
        rows=1500,
    ),
    "ucla": Public(
        source=result("miscmodels/tests/results/ologit_ucla.csv"),
        known=("pared", "public"),
        sensitive="apply",
    ),
}


def written(table: Public, folder: Path) -> Path:
    """Return the table as a file: as it is, or written as a program would write it."""
    if isinstance(table.source, Path) and table.rows >= 10_000:
        return table.source
    frame = shipped(table.source) if isinstance(table.source, str) else pd.read_csv(table.source)
    path = folder / "table.csv"
    frame.iloc[: table.rows].to_csv(path, index=False)
    return path


def plan_of(table: Public, header: Sequence[str]) -> dict[str, Any]:
    roles = {name: {"role": "identifier"} for name in header}
    known = {"role": "quasi_identifier", "missing": "drop"}
    roles |= {
        name: {**known, **({"hierarchy": "flat"} if name in table.texts else {"kind": "numeric"})}
        for name in table.known
    }
    roles[table.sensitive] = {"role": "sensitive", "missing": "drop"}
    if table.weight:
        roles[table.weight] = {"role": "weight"}
    people: dict[str, Any] = {"respondent": list(table.person)} if table.person else {"people": "records"}
    return {"release": {"k": table.k, "l": 2, **people}, "columns": roles}


def counted(
    rows: Sequence[dict[str, str]], known: Sequence[str], sensitive: str, owners: Sequence[str]
) -> dict[str, float]:
    """Count people and values of each class in dictionaries."""
    people, values = defaultdict(set), defaultdict(set)
    for row, owner in zip(rows, owners, strict=True):
        label = tuple(row[name] for name in known)
        people[label].add(owner)
        values[label].add(row[sensitive])
    sizes = [len(own) for own in people.values()]
    return {
        "k": min(sizes),
        "l": min(map(len, values.values())),
        "classes": len(sizes),
        "highest": 1 / min(sizes),
        "mean": len(sizes) / sum(sizes),
    }


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] if name == "cataneo" else []) for name in TABLES]
)
@pytest.mark.few("spector", "fair", why="the fewest and the most rows")
def test_k_l_and_risk_of_a_published_table_equal_an_independent_count(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = TABLES[name]
    path = written(table, tmp_path)
    header = list(sottovoce.read_table(path).frame.columns)
    config = config_read(plan_of(table, header), folder=tmp_path)
    prepared = release_publish(
        path,
        config,
        tmp_path / "out",
        day="2026-11-27",
        background=None,
        ledger=None,
        earlier=[],
        extend=None,
        totals=[],
        progress=lambda stage, done, total: None,
    )
    assert prepared is not None
    data = tmp_path / "out" / "deposit" / "data.csv"
    rows = list(csv.DictReader(io.StringIO(data.read_text())))
    assert not set(table.person) & rows[0].keys()
    # The released table in memory still has its order, so the test knows whose record is whose.
    build = prepared.result
    texts = {column.name: column.texts for column in build.table.columns}
    owners = [str(number) for number in (range(len(build.table)) if build.owners is None else build.owners)]
    own = counted(
        [dict(zip(texts, cells, strict=True)) for cells in zip(*texts.values(), strict=True)],
        table.known,
        table.sensitive,
        owners,
    )
    assert own["k"] >= table.k
    assert own["l"] >= 2
    assert {verdict.model: verdict.reached for verdict in build.verdicts}["k"] == own["k"]
    # The file, whose records are shuffled, counted in records.
    count = counted(rows, table.known, table.sensitive, [str(number) for number in range(len(rows))])
    columns = {"quasi_identifiers": list(table.known), "sensitive": table.sensitive}
    check = sottovoce.verify(data, **columns)
    attacked = sottovoce.attack(data, **columns)
    assert (check.k, check.l, check.classes) == (count["k"], count["l"], count["classes"])
    assert check.details["risk"]["prosecutor_highest"] == pytest.approx(count["highest"])
    assert check.details["risk"]["prosecutor_mean"] == pytest.approx(count["mean"])
    assert (attacked.fewest, attacked.identified) == (count["k"], 0)
    assert (attacked.certain[table.sensitive] > 0) == (count["l"] == 1)
    # With people, from the table in memory.
    frame = polars.DataFrame(texts)
    check = sottovoce.verify(frame, respondent=owners, **columns)
    attacked = sottovoce.attack(frame, respondent=owners, **columns)
    assert (check.k, check.l, check.people) == (own["k"], own["l"], len(set(owners)))
    assert attacked.fewest == own["k"]
    if table.weight:
        label = [tuple(row[name] for name in table.known) for row in rows]
        weights = {(one, row[table.weight]) for one, row in zip(label, rows, strict=True)}
        assert len(weights) == len(set(label))
    call_command(
        "verify",
        data,
        quasi_identifiers=",".join(table.known),
        sensitive=table.sensitive,
        k=table.k,
        json=True,
    )
    said = json.loads(capsys.readouterr().out)
    assert said["risk"]["prosecutor_highest"] == pytest.approx(count["highest"])


@pytest.mark.parametrize("name", ["nr", "x1", "Lfdnr", "house code"])
@pytest.mark.few("Lfdnr", why="the others execute nothing more")
def test_a_panel_is_asked_about_and_published_in_people_whatever_its_identifier_is_called(
    name: str, tmp_path: Path
) -> None:
    """Sixty people with six records each: before, groups of single people counted as six records."""
    rng = random.Random(3)
    lines = [[name, "wave", "age", "sex", "region", "drinks"]]
    for person in range(60):
        for wave in range(6):
            about = [str(20 + person * 7 % 50), "fm"[person % 2], ("north", "south", "east")[person % 3]]
            drinks = rng.choice(["never", "once", "often"])
            lines.append([str(1000 + 7 * person), str(wave + 1), *about, drinks])
    path = tmp_path / "panel.csv"
    path.write_text("\n".join(map(",".join, lines)) + "\n")
    roles = {
        name: {"role": "identifier"},
        "wave": {"role": "insensitive"},
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        **{own: {"role": "quasi_identifier", "hierarchy": "flat"} for own in ("sex", "region")},
        "drinks": {"role": "sensitive"},
    }
    (tmp_path / "plan.json").write_text(json.dumps({"release": {"k": 5, "l": 2}, "columns": roles}))
    out = {"plan": tmp_path / "plan.json", "verbosity": 0}
    with pytest.raises(CommandError, match="has 60 values in 360 records"):
        call_command("release", path, out=tmp_path / "one", **out)
    call_command("release", path, out=tmp_path / "two", respondent=[name], **out)
    known = ["age", "sex", "region"]
    columns = {"quasi_identifiers": known, "sensitive": ["drinks"]}
    # The library asks the same, and publishes the same number of people.
    frame = polars.read_csv(path)
    with pytest.raises(ValueError, match="seems to identify people: it has 60 values in 360 records"):
        sottovoce.anonymise(frame, k=5, l=2, **columns)
    published, report = sottovoce.anonymise(frame, k=5, l=2, respondent=name, **columns)
    owners = frame[name].to_list()
    own = counted(published.astype(str).to_dict("records"), known, "drinks", owners)
    assert report.people == 60
    assert (report.k, report.l) == (own["k"], own["l"])
    assert own["k"] >= 5
    check = sottovoce.verify(published, respondent=owners, **columns)
    assert (check.k, check.people) == (own["k"], 60)
    attacked = sottovoce.attack(published, respondent=owners, **columns)
    assert (attacked.fewest, attacked.targets, attacked.identified) == (own["k"], 60, 0)
    # The original table: everyone is alone.
    raw = sottovoce.attack(frame, respondent=name, **columns)
    everyone = counted(frame.to_dicts(), known, "drinks", owners)
    assert raw.fewest == everyone["k"] == 1


@pytest.mark.soak
def test_people_of_households_are_asked_about_and_named_as_in_the_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before, the name that the question printed was an unknown column."""
    rng = random.Random(5)
    lines = ["home,member,wave,age,sex,ill"]
    for person in range(120):
        about = f"{person // 4},{person % 4},%s,{20 + person * 7 % 50},{'fm'[person * 5 % 3 % 2]}"
        lines += [about % wave + "," + rng.choice(["flu", "cold", "none"]) for wave in "12"]
    path = tmp_path / "homes.csv"
    path.write_text("\n".join(lines) + "\n")
    roles = {name: {"role": "identifier"} for name in ("home", "member")}
    roles |= {"wave": {"role": "insensitive"}, "ill": {"role": "sensitive"}}
    roles |= {"age": {"role": "quasi_identifier", "kind": "numeric"}}
    roles |= {"sex": {"role": "quasi_identifier", "hierarchy": "flat"}}
    (tmp_path / "plan.json").write_text(json.dumps({"release": {"k": 3, "l": 2}, "columns": roles}))
    plan = {"plan": tmp_path / "plan.json"}
    with pytest.raises(CommandError, match=r"--respondent 'home \+ member'"):
        call_command("release", path, out=tmp_path / "one", **plan)
    for name, respondent in (("two", ["home + member"]), ("three", ["home", "member"])):
        call_command("release", path, out=tmp_path / name, respondent=respondent, **plan)
        assert "240 records of 120 people" in capsys.readouterr().out
    check = sottovoce.verify(path, quasi_identifiers=["age", "sex"], respondent="home + member")
    assert check.people == 120
    with pytest.raises(CommandError, match="There is no column 'nobody'"):
        call_command("release", path, out=tmp_path / "four", respondent=["home + nobody"], **plan)


NHANES2 = Path(__file__).parents[2] / "fixtures" / "nhanes2.csv"
"""Every tenth person of the second National Health and Nutrition Examination Survey, 1976 to 1980, with its
final sampling weights. In the public domain (National Center for Health Statistics); from samplics 0.6.1."""


def shared(rows: Sequence[dict[str, str]], known: Sequence[str]) -> tuple[int, int]:
    """Return the fewest people, and the fewest answers, among those with the same known values."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in known)].append(row["diabetes"])
    return min(map(len, groups.values())), min(len(set(own)) for own in groups.values())


@pytest.mark.parametrize("way", ["mean", "rounded"])
@pytest.mark.soak
def test_sampling_weights_of_a_survey_single_no_one_out(way: str, tmp_path: Path) -> None:
    """Someone who also knows the published weight finds k people and l answers; exact weights find one."""
    read = sottovoce.read_table(NHANES2)
    assert read.roles == {
        "region": "quasi_identifier",
        "race": "quasi_identifier",
        "diabetes": "sensitive",
        "highbp": "quasi_identifier",
        "finalwgt": "weight",
    }
    known = ["region", "race", "highbp"]
    raw = [row for row in csv.DictReader(NHANES2.open()) if row["diabetes"]]
    assert shared(raw, [*known, "finalwgt"]) == (1, 1)
    roles = {name: {"role": "quasi_identifier", "hierarchy": "flat"} for name in known}
    roles |= {"diabetes": {"role": "sensitive", "missing": "drop"}, "finalwgt": {"role": "weight"}}
    plan = {"release": {"k": 5, "l": 2, "people": "records", "weights_as": way}, "columns": roles}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    call_command("release", NHANES2, plan=tmp_path / "plan.json", out=tmp_path / "out", verbosity=0)
    by_command = list(csv.DictReader((tmp_path / "out" / "deposit" / "data.csv").open()))
    options = {"quasi_identifiers": known, "sensitive": "diabetes", "weights": "finalwgt", "k": 5, "l": 2}
    published, report = sottovoce.anonymise(
        NHANES2, missing="drop", records_are_people=True, weights_as=way, **options
    )
    by_library = published.astype(str).to_dict("records")
    total = sum(float(row["finalwgt"]) for row in raw)
    for rows in (by_command, by_library):
        assert len(rows) == len(raw)
        k, l_value = shared(rows, [*known, "finalwgt"])
        assert k >= 5
        assert l_value >= 2
        assert shared(rows, known)[0] >= k
        assert sum(float(row["finalwgt"]) for row in rows) == pytest.approx(
            total, rel=1e-5 if way == "mean" else 0.02
        )
    # Rounded weights keep differences within groups.
    differs = len({tuple(row[name] for name in (*known, "finalwgt")) for row in by_library})
    groups = len({tuple(row[name] for name in known) for row in by_library})
    assert (differs > 2 * groups) == (way == "rounded")
    assert report.weight_totals["finalwgt"] == pytest.approx(published.finalwgt.sum() / total)
    check = sottovoce.verify(published, quasi_identifiers=known, sensitive="diabetes", k=5, l=2)
    assert check.holds
    assert "finalwgt" not in check.alone
    said = (tmp_path / "out" / "report.html").read_text()
    assert ("Sampling weights (finalwgt) are rounded" in said) == (way == "rounded")


SENSITIVE = {
    "fair": "affairs",
    "anes96": "vote",
    "heart": "survival",
    "ccard": "INCOME",
    "epil": "y",
    "lbw": "smoke",
    "cancer": "drug",
    "cataneo": "msmoke",
    "framing": "income",
    "griliches": "iq",
    "ucla": "apply",
    "spector": "GRADE",
}


@pytest.mark.soak
def test_proposals_protect_what_each_study_measured() -> None:
    found = []
    for name, column in SENSITIVE.items():
        source = TABLES[name].source
        roles = sottovoce.read_table(shipped(source) if isinstance(source, str) else source).roles
        found += [name] if roles[column] == "sensitive" else []
    assert len(found) >= 10, found
