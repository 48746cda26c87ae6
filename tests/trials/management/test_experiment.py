"""`manage.py experiment` and `manage.py coverage`: what they write, byte for byte, and what they refuse."""

import csv
import json
import math
import xml.etree.ElementTree as ElementTree
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.cast.drawn import assert_readable, marks_of
from tests.cast.runs import answered, mined

FILES = {
    "README.md", "experiment.json", "leak.csv", "mechanisms.csv", "mechanisms.svg", "sweep-k.csv",
    "sweep-k.svg", "sweep-p.csv", "sweep-p.svg",
}  # fmt: skip


def experiment(out: Path, *words: str) -> str:
    said = StringIO()
    call_command(
        "experiment", "--out", str(out), "--repetitions", "10", *words, stdout=said, stderr=StringIO()
    )
    return said.getvalue()


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_one_seed_writes_the_same_tables_byte_by_byte_and_another_does_not(tmp_path: Path) -> None:
    for name, seed in (("a", "5"), ("b", "5"), ("c", "6")):
        experiment(tmp_path / name, "--seed", seed)
    assert {path.name for path in (tmp_path / "a").iterdir()} == FILES
    for name in FILES:
        first, again, other = ((tmp_path / run / name).read_bytes() for run in "abc")
        assert first == again
        assert first != other


def test_the_sweeps_have_every_point_in_both_readings(tmp_path: Path) -> None:
    experiment(tmp_path)
    for name in ("p", "k"):
        table = rows(tmp_path / f"sweep-{name}.csv")
        assert len(table) == 22
        assert {row["reading"] for row in table} == {"direct", "disguised"}
        assert sorted({float(row[name]) for row in table}) == [step / 10 for step in range(11)]
    document = json.loads((tmp_path / "experiment.json").read_text())
    assert document["parameters"] == {"seed": 5, "repetitions": 10, "n": 10_000}
    assert len(document["tables"]["mechanisms"]) == 3 * 4 * 8
    assert all(fact["holds"] for fact in document["facts"])
    for name in ("sweep-p", "sweep-k", "mechanisms"):
        drawn = assert_readable((tmp_path / f"{name}.svg").read_text())
        marks = [len(marks_of(group)) for group, _sample in drawn.series.values()]
        assert marks == ([8, 8, 8] if name == "mechanisms" else [11, 11])


def test_real_rows_are_swept_as_well(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a,b\n" + "1,1\n" * 30 + "1,0\n" * 30 + "0,1\n" * 20 + "0,0\n" * 20, encoding="utf-8")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").touch()
    said = experiment(tmp_path / "out", "--data", str(data))
    names = {path.name for path in (tmp_path / "out").iterdir()} - {"mine.txt"}
    assert set(said.strip().splitlines()[-1].split(": ")[1].split(", ")) == names > FILES
    table = rows(tmp_path / "out" / "data-sweep-p.csv")
    # {a}, {b} and both: .6, .5, .3.
    assert {row["frequent"] for row in table} == {"3"}
    assert float(table[10]["error"]) == 0
    experiment(tmp_path / "fair", "--data", "fair")
    assert (tmp_path / "fair" / "data-sweep-k.svg").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "line 2, column 'b': '2' is neither 0 nor 1"),
        ("a,b\n1\n", "line 2: 1 cells for 2 columns"),
        ("a,b\n", "no row below its header"),
        ("", "no row below its header"),
        ("a,a\n1,0\n", "several columns 'a'"),
        (",".join("abcdefghijk") + "\n" + "1," * 10 + "1\n", "has 11 columns. Give 1 to 10"),
        ("\n\n", "has 0 columns"),
    ],
)
def test_real_rows_that_are_none_are_refused_with_their_place(tmp_path: Path, text: str, said: str) -> None:
    data = tmp_path / "data.csv"
    data.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=said):
        experiment(tmp_path / "out", "--data", str(data))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--repetitions", "9"), "--repetitions 9 is out of range. Give 10 to 1000"),
        (("--seed", "-1"), "--seed -1 is out of range. Give 0 to"),
        (("--n", "499"), "--n 499 is out of range. Give 500 to"),
        (("--data", "nowhere.csv"), "nowhere.csv cannot be read"),
    ],
)
def test_what_cannot_be_simulated_is_refused(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command(
            "experiment", "--out", str(tmp_path), *words, stdout=StringIO(), stderr=StringIO(),
            **({} if "--repetitions" in words else {"repetitions": 10}),
        )  # fmt: skip


@pytest.mark.soak
def test_coverage_writes_a_page_a_picture_and_a_table_of_the_same_points(tmp_path: Path) -> None:
    words = ("--repetitions", "100", "--every", "48", "--part", "rules", "--out")
    for name in ("a", "b"):
        call_command("coverage", *words, str(tmp_path / name), stdout=StringIO(), stderr=StringIO())
    for name in ("coverage.csv", "coverage.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    table = rows(tmp_path / "a" / "coverage.csv")
    assert len(table) == 17 * 5
    assert {row["p0"] for row in table} == {"1.0", "0.85"}
    assert all(0.8 < float(row["held"]) <= 1 for row in table)
    page = (tmp_path / "a" / "coverage.md").read_text(encoding="utf-8")
    assert "`manage.py coverage --repetitions 100 --seed 11 --every 48 --part rules`: 17 surveys" in page
    assert not list((tmp_path / "a").glob("coverage-numbers*"))
    counted = [row for row in table if row["few_rows"] == "0"]
    outside = sum(not 0.935 <= float(row["held"]) <= 0.965 for row in counted)
    assert f"| all | 85 | {85 - len(counted)} | {len(counted)} | {outside} |" in page
    drawing = ElementTree.fromstring((tmp_path / "a" / "coverage.svg").read_text())
    assert sum(part.tag.endswith("circle") for part in drawing.iter()) == 85 + 2
    assert_readable((tmp_path / "a" / "coverage.svg").read_text())


@pytest.mark.soak
def test_coverage_of_numbers_writes_a_page_and_a_table_of_the_same_points(tmp_path: Path) -> None:
    words = ("--repetitions", "100", "--every", "60", "--part", "numbers", "--out")
    for name in ("a", "b"):
        call_command("coverage", *words, str(tmp_path / name), stdout=StringIO(), stderr=StringIO())
    assert {path.name for path in (tmp_path / "a").iterdir()} == {
        "coverage-numbers.csv", "coverage-numbers.md",
    }  # fmt: skip
    table = rows(tmp_path / "a" / "coverage-numbers.csv")
    assert table == rows(tmp_path / "b" / "coverage-numbers.csv")
    assert len(table) == 7 * (5 + 30)
    assert {row["k"] for row in table} == {"0", "0.2"}
    # A test that the printed interval inverts: it can only hold more.
    assert all(0.8 < float(row["accepted"]) <= float(row["held"]) <= 1 for row in table)
    page = (tmp_path / "a" / "coverage-numbers.md").read_text(encoding="utf-8")
    assert "--every 60 --part numbers`: 7 surveys" in page
    for figure in ("quantile", "bar"):
        for few in ("0", "1"):
            own = [
                row for row in table if (row["figure"], row["few_rows"], row["n"]) == (figure, few, "1000")
            ]
            if own:
                below = sum(float(row["accepted"]) < 0.935 for row in own)
                assert (
                    f"| {figure} | 1,000 | {'few' if few == '1' else 'counted'} | {len(own)} | {below} |"
                    in page
                )


@pytest.mark.soak
def test_coverage_of_regressions_writes_a_page_and_a_table_of_the_same_points(tmp_path: Path) -> None:
    words = ("--repetitions", "100", "--every", "9", "--part", "regressions", "--out")
    call_command("coverage", *words, str(tmp_path), stdout=StringIO(), stderr=StringIO())
    assert {path.name for path in tmp_path.iterdir()} == {
        "coverage-regressions.csv", "coverage-regressions.md",
    }  # fmt: skip
    table = rows(tmp_path / "coverage-regressions.csv")
    assert {row["k"] for row in table} == {"0", "0.2"}
    assert {row["kind"] for row in table} == {"response", "predictor", "two answers"}
    counted = [row for row in table if float(row["refused"]) <= 0.01]
    assert 0 < len(counted) < len(table)
    assert all(0.8 < float(row["held"]) <= 1 for row in counted)
    page = (tmp_path / "coverage-regressions.md").read_text(encoding="utf-8")
    assert "--every 9 --part regressions`: 7 surveys, 100 repetitions of each." in page
    outside = sum(not 0.935 <= float(row["held"]) <= 0.965 for row in counted)
    assert f"| all |  | {len(counted)} | {outside} |" in page
    listed = page.split("Surveys in which more than 1 %")[-1]
    often = {(row["kind"], row["n"], row["p"]) for row in table if float(row["refused"]) > 0.01}
    assert listed.count("\n| ") - 1 == len(often)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--repetitions", "10"), "--repetitions 10 is too small"),
        (("--every", "0"), "--every 0 is too small"),
    ],
)
def test_too_little_coverage_is_refused(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("coverage", "--out", str(tmp_path), *words, stdout=StringIO(), stderr=StringIO())


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_running_survey_is_marked_on_the_curve_of_its_error_by_its_privacy(tmp_path: Path) -> None:
    mined(answered(2000, n_direct=400, practice=True))
    call_command("experiment", "--survey", "habits", "--out", str(tmp_path), stdout=StringIO())
    assert {path.name for path in tmp_path.iterdir()} == {
        "privacy-work.csv", "privacy-work.svg", "privacy-life.csv", "privacy-life.svg",
    }  # fmt: skip
    table = rows(tmp_path / "privacy-life.csv")
    (own,) = [row for row in table if row["own"] == "1"]
    assert float(own["p"]) == 0.7
    assert float(own["epsilon"]) == pytest.approx(math.log(1 + 0.7 / (0.3 * 0.5)), rel=1e-5)
    # Stratified, as the run; with theta = .5 the same for whoever has the item and has not.
    variance = 0.8 * 0.85 * 0.15 / (2000 * 0.7**2)
    assert float(own["expected_error"]) == pytest.approx(math.sqrt(2 / math.pi * variance), rel=1e-5)
    errors = [float(row["expected_error"]) for row in table]
    assert errors == sorted(errors, reverse=True)
    epsilons = [float(row["epsilon"]) for row in table]
    assert epsilons == sorted(epsilons)


@pytest.mark.django_db(transaction=True)
def test_a_survey_without_a_run_has_no_curve(tmp_path: Path) -> None:
    answered(600, n_direct=20)
    for slug, said in (
        ("habits", "no finished run whose groups may be shown"),
        ("nothing", "no survey 'nothing'"),
    ):
        with pytest.raises(CommandError, match=said):
            call_command("experiment", "--survey", slug, "--out", str(tmp_path), stdout=StringIO())
