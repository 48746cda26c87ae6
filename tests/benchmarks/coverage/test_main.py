"""Pages, pictures and tables written by `python -m benchmarks.coverage`."""

import csv
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from benchmarks.coverage.__main__ import main
from tests.fixtures.svg_reading import assert_readable


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.soak
def test_coverage_writes_a_page_picture_and_table_of_the_same_points(tmp_path: Path) -> None:
    words = ("--repetitions", "100", "--every", "48", "--part", "rules", "--out")
    for name in ("a", "b"):
        main([*words, str(tmp_path / name)])
    for name in ("coverage.csv", "coverage.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    table = rows(tmp_path / "a" / "coverage.csv")
    assert len(table) == 17 * 5
    assert {row["p0"] for row in table} == {"1.0", "0.85"}
    assert all(0.8 < float(row["held"]) <= 1 for row in table)
    page = (tmp_path / "a" / "coverage.md").read_text(encoding="utf-8")
    assert (
        "`python -m benchmarks.coverage --repetitions 100 --seed 11 --every 48 --part rules`: 17 surveys"
        in page
    )
    assert not list((tmp_path / "a").glob("coverage-numbers*"))
    counted = [row for row in table if row["few_rows"] == "0"]
    outside = sum(not 0.935 <= float(row["held"]) <= 0.965 for row in counted)
    assert f"| all | 85 | {85 - len(counted)} | {len(counted)} | {outside} |" in page
    drawing = ElementTree.fromstring((tmp_path / "a" / "coverage.svg").read_text())
    assert sum(part.tag.endswith("circle") for part in drawing.iter()) == 85 + 2
    assert_readable((tmp_path / "a" / "coverage.svg").read_text())


@pytest.mark.soak
def test_number_coverage_writes_a_page_and_table_of_the_same_points(tmp_path: Path) -> None:
    words = ("--repetitions", "100", "--every", "40", "--part", "numbers", "--out")
    for name in ("a", "b"):
        main([*words, str(tmp_path / name)])
    assert {path.name for path in (tmp_path / "a").iterdir()} == {
        "coverage-numbers.csv", "coverage-numbers.md",
    }  # fmt: skip
    table = rows(tmp_path / "a" / "coverage-numbers.csv")
    assert table == rows(tmp_path / "b" / "coverage-numbers.csv")
    assert len(table) == 6 * (5 + 30)
    assert {row["k"] for row in table} == {"0", "0.2"}
    # The interval contains every value that the test accepts, and perhaps more.
    assert all(0.8 < float(row["accepted"]) <= float(row["held"]) <= 1 for row in table)
    page = (tmp_path / "a" / "coverage-numbers.md").read_text(encoding="utf-8")
    assert "--every 40 --part numbers`: 6 surveys" in page
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
def test_regression_coverage_writes_a_page_and_table_of_the_same_points(tmp_path: Path) -> None:
    words = ("--repetitions", "100", "--every", "3", "--part", "regressions", "--out")
    main([*words, str(tmp_path)])
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
    assert "--every 3 --part regressions`: 20 surveys, 100 repetitions of each." in page
    held = [float(row["held"]) for row in counted]
    mean, low, high = (f"{100 * own:.2f}" for own in (sum(held) / len(held), min(held), max(held)))
    assert f"| all |  | {len(counted)} | {mean} | {low} | {high} | " in page
    # Of 100 intervals that hold in 95%, 89 or fewer hold in 1.15% of the cases, and all 100 in .95^100.
    assert "a coverage of 95% has a Monte Carlo error of 2.18 points" in page
    assert "puts 1.15% of the points below 90.00% and 0.59% above 99.00%" in page
    below, above = sum(own < 0.9 for own in held), sum(own > 0.99 for own in held)
    assert f"of {len(counted)}. There are {below} and {above}. " in page
    listed = page.split("Surveys in which more than 1%")[-1]
    often = {(row["kind"], row["n"], row["p"]) for row in table if float(row["refused"]) > 0.01}
    assert listed.count("\n| ") - 1 == len(often)


@pytest.mark.parametrize("words", [("--repetitions", "10"), ("--every", "0")])
def test_too_few_repetitions_or_too_small_a_step_are_refused(
    tmp_path: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--out", str(tmp_path), *words])
    assert "--repetitions needs at least 100, --every at least 1" in capsys.readouterr().err
