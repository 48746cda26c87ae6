"""Tables in notebooks: files and frames are read, published, checked and attacked as on the pages."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars
import pyarrow
import pyreadstat
import pytest

import sottovoce
from privacy.errors import PrivacyError
from privacy.sdc.proposals import propose, with_panel
from privacy.tables.column_names import name_columns
from privacy.tables.table_file import file_table
from tests.fixtures.refusals import refused
from tests.fixtures.workbooks import workbook


def people(n: int = 240) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "age": [*rng.integers(18, 80, n - 4).tolist(), 98, 99, 99, 98],
            "sex": rng.choice(["f", "m", "F"], n, p=[0.5, 0.45, 0.05]),
            "zip": rng.choice(["01067", "01069", "10115"], n),
            "wgt": np.round(rng.lognormal(0, 0.3, n), 4),
            "disease": rng.choice(["flu", "cold", "none", "NA"], n),
        }
    )


def as_stata(frame: pd.DataFrame, folder: Path) -> Path:
    path = folder / "people.dta"
    pyreadstat.write_dta(frame, str(path))
    return path


def as_excel(frame: pd.DataFrame, folder: Path) -> Path:
    path = folder / "people.xlsx"
    rows = [["Survey of 2024"], [], [*frame.columns], *frame.astype(object).to_numpy().tolist()]
    path.write_bytes(workbook(data=rows))
    return path


def as_csv(frame: pd.DataFrame, folder: Path) -> Path:
    path = folder / "people.csv"
    frame.to_csv(path, index=False)
    return path


WAYS = {
    "pandas": lambda frame, _folder: frame,
    "polars": lambda frame, _folder: polars.from_pandas(frame),
    "arrow": lambda frame, _folder: pyarrow.Table.from_pandas(frame),
    "stata": as_stata,
    "excel": as_excel,
    "csv": as_csv,
}


def on_the_page(path: Path) -> dict[str, Any]:
    """Return what the page proposes for a file."""
    table = name_columns(file_table(path.name, io.BytesIO(path.read_bytes())))
    return {each["name"]: each for each in with_panel(table, [propose(column) for column in table.columns])}


@pytest.mark.parametrize("way", WAYS)
def test_the_library_decides_as_the_page_does_however_a_table_arrives(way: str, tmp_path: Path) -> None:
    frame = people()
    read = sottovoce.read_table(WAYS[way](frame, tmp_path))
    page = on_the_page(as_csv(frame, tmp_path))
    assert read.roles == {name: each["role"] for name, each in page.items()}
    assert read.roles == {
        "age": "quasi_identifier",
        "sex": "quasi_identifier",
        "zip": "quasi_identifier",
        "wgt": "weight",
        "disease": "sensitive",
    }
    said = [str(each) for each in read.decisions if each.key not in ("above",)]
    wanted = [str(each) for each in sottovoce.read_table(as_csv(frame, tmp_path)).decisions]
    assert said == wanted
    assert "“age”: 98, 99 means a missing value (4 records)." in said
    assert next(each.key for each in read.decisions) == ("above" if way == "excel" else "missing")
    # The values are typed, and equal for every way.
    assert read.frame.age.isna().sum() == 4
    assert set(read.frame.sex) == {"f", "m"}
    assert set(read.frame.zip) == {"01067", "01069", "10115"}
    assert read.frame.wgt.tolist() == frame.wgt.tolist()
    assert (read.frame.disease.isna() == (frame.disease == "NA")).all()


def test_missing_values_are_stated_in_one_place() -> None:
    frame = pd.DataFrame({"age": [31, 45, 999, 7, 7], "ill": ["a", "b", "x", "a", "b"]})
    read = sottovoce.read_table(frame, missing=[7, "x"])
    assert read.frame.age.tolist()[:3] == [31, 45, 999]
    assert read.frame.age.isna().tolist() == [False, False, False, True, True]
    assert read.frame.ill.isna().sum() == 1


def test_dates_are_dates_in_the_frame_and_months_in_a_release() -> None:
    rng = np.random.default_rng(2)
    days = pd.Series(pd.date_range("2021-01-01", periods=120)).sample(frac=1, random_state=1)
    frame = pd.DataFrame({"seen": days.to_numpy(), "ill": rng.choice(["a", "b", "c"], 120)})
    read = sottovoce.read_table(frame)
    assert read.frame.seen.tolist() == [pd.Timestamp(day) for day in frame.seen]
    for own in (frame, polars.from_pandas(frame), frame.assign(seen=frame.seen.dt.strftime("%d.%m.%Y"))):
        published, report = sottovoce.anonymise(own, quasi_identifiers="seen", sensitive="ill", k=10, l=2)
        # Before, every date became a star.
        assert set(published.seen) <= {f"2021-{month:02}" for month in range(1, 6)} | {
            "2021 Q1",
            "2021 Q2",
            "2021",
        }
        assert report.k >= 10
        assert report.loss.ncp < 0.5


def test_sampling_weights_are_averaged_within_classes(tmp_path: Path) -> None:
    frame = people().iloc[:-4]
    columns = {"quasi_identifiers": ["age", "sex"], "sensitive": "disease", "weights": "wgt"}
    published, report = sottovoce.anonymise(frame, k=5, missing="drop", **columns)
    assert report.dropped == (frame.disease == "NA").sum()
    classes = published.groupby(["age", "sex"]).wgt
    assert (classes.nunique() == 1).all()
    kept = frame[frame.disease != "NA"].wgt
    assert published.wgt.sum() == pytest.approx(kept.sum(), rel=1e-4)
    check = sottovoce.verify(published, quasi_identifiers=["age", "sex"], sensitive="disease", k=5)
    assert check.holds
    assert check.alone == {}
    # The same table with its own weights: they single out nearly everyone.
    raw = sottovoce.verify(published.assign(wgt=kept.to_numpy()), quasi_identifiers=["age", "sex"])
    assert raw.alone["wgt"] > 150
    assert "single out records: wgt" in raw.summary()


def test_a_hierarchy_of_a_missing_or_a_number_column_is_used_or_refused() -> None:
    frame = people().drop(columns="wgt").iloc[:-4]
    columns = {"quasi_identifiers": ["age", "sex"], "k": 5, "missing": "drop"}
    tree = {age: ["young" if age < 40 else "old"] for age in range(18, 80)}
    published, _report = sottovoce.anonymise(frame, hierarchies={"age": tree}, **columns)
    assert set(published.age) <= {"young", "old", "*", *map(str, range(18, 80))}
    table = polars.DataFrame({"age": list(tree), "group": [own[0] for own in tree.values()]})
    again, _report = sottovoce.anonymise(frame, hierarchies={"age": table}, **columns)
    assert again.age.tolist() == published.age.tolist()
    with refused("hierarchy", "'town'", "quasi-identifier"):
        sottovoce.anonymise(frame, hierarchies={"town": {"a": "b"}}, **columns)
    with refused("hierarchy", "'disease'"):
        sottovoce.anonymise(frame, hierarchies={"disease": {"flu": "b"}}, sensitive="disease", **columns)


def test_one_odd_text_among_ages_is_named() -> None:
    frame = pd.DataFrame({"age": [*map(str, range(20, 79)), "about 40"], "ill": ["a", "b"] * 30})
    with refused("not_a_number", "about 40"):
        sottovoce.anonymise(frame, quasi_identifiers="age", sensitive="ill", k=5)
    published, report = sottovoce.anonymise(frame, quasi_identifiers="age", k=5, missing="drop")
    assert (len(published), report.dropped) == (59, 1)
    assert "about 40" in report.summary()


def test_attackers_with_a_list_find_those_who_stand_out() -> None:
    published = pd.DataFrame({"age": ["[20,30)"] * 3 + ["40"], "ill": ["flu", "flu", "flu", "cold"]})
    known = polars.DataFrame({"name": ["Ann", "Bob", "Eve"], "age": [25, 40, 70]})
    found = sottovoce.attack(published, quasi_identifiers="age", sensitive="ill", people=known)
    assert (found.targets, found.found, found.identified, found.fewest) == (3, 2, 1, 1)
    assert found.certain == {"ill": 2}
    assert "1 are identified" in found.summary()
    assert found.to_frame().loc["identified", "value"] == 1
    alone = sottovoce.attack(published.assign(room=[1, 1, 2, 2]), quasi_identifiers="age")
    assert (alone.identified, alone.certain, alone.alone) == (1, {}, {"ill": 1})


@pytest.mark.parametrize(
    ("options", "code", "named"),
    [
        ({"quasi_identifiers": "town"}, "unknown_column", "town"),
        ({"quasi_identifiers": []}, "no_quasi_identifier", ""),
        ({"quasi_identifiers": "age", "sensitive": "age"}, "frame", "two roles"),
        ({"quasi_identifiers": "age", "sensitive": "ill", "anonymity": 3}, "requirement", "anonymity"),
        ({"quasi_identifiers": "age", "respondent": [1, 2]}, "answers", "respondent"),
        ({"quasi_identifiers": "age", "l": 2}, "no_sensitive", "distinct_l"),
    ],
)
def test_impossible_checks_are_refused(options: dict[str, Any], code: str, named: str) -> None:
    frame = pd.DataFrame({"age": [20, 20, 30, 30], "ill": ["a", "b", "a", "b"]})
    with refused(code, named):
        sottovoce.verify(frame, **options)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(PrivacyError, match="cannot be read"):
        sottovoce.read_table("none.csv")


def test_plots_read_polars() -> None:
    table = polars.DataFrame({"estimate": [0.1], "low": [0.05], "high": [0.2]})
    assert "<svg" in sottovoce.plot(table)


def test_codes_that_a_file_declares_as_missing_are_missing(tmp_path: Path) -> None:
    frame = (
        people()
        .drop(columns=["wgt", "disease"])
        .assign(age=[*range(20, 80)] * 4, ill=[1.0, 2.0, 3.0, 7.0] * 60)
    )
    path = tmp_path / "people.sav"
    pyreadstat.write_sav(frame, str(path), missing_ranges={"ill": [7]})
    assert sottovoce.read_table(path).frame.ill.isna().sum() == 60
    columns = {"quasi_identifiers": ["age", "sex"], "sensitive": "ill", "k": 5}
    with refused("frame", "'ill'", "60 of 240"):
        sottovoce.anonymise(path, **columns)
    published, report = sottovoce.anonymise(path, missing="drop", **columns)
    assert (len(published), report.dropped) == (180, 60)
    assert sottovoce.verify(published, quasi_identifiers=["age", "sex"], sensitive="ill", k=5).holds
