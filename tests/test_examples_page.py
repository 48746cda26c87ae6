"""Each example is short and listed in docs/examples.md, and its figures match its tables."""

import csv
from pathlib import Path

import pandas as pd
import pytest

from examples import grouping, location, utility_matrix
from tests.conftest import ROOT

SHOWN = ROOT / "docs" / "examples"
SCRIPTS = sorted(set((ROOT / "examples").glob("*.py")) - {ROOT / "examples" / "__init__.py"})
LONGEST = 250


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_each_example_is_short_explains_its_command_and_is_documented(script: Path) -> None:
    text = script.read_text("utf-8")
    assert len(text.splitlines()) <= LONGEST
    assert f"-m examples.{script.stem}" in text
    assert f"(../examples/{script.name})" in (ROOT / "docs" / "examples.md").read_text("utf-8")


def test_example_figures_match_their_tables() -> None:
    drawn = {"width": location.width_figure(), "windows": location.windows_figure()}
    with (SHOWN / "errors.csv").open(encoding="utf-8", newline="") as file:
        points = [
            grouping.Point(
                along=row.pop("along"),
                reading=row.pop("reading"),
                **{name: float(value) for name, value in row.items()},
            )
            for row in csv.DictReader(file)
        ]
    drawn |= {f"error-by-{along}": grouping.figure(points, along) for along in ("p", "k")}
    table = pd.read_csv(SHOWN / "location.csv")
    drawn |= {name: location.error_figure(table, name) for name in location.TITLES}
    table = pd.read_csv(SHOWN / "points.csv")
    for field, (name, _, _) in utility_matrix.FIGURES.items():
        drawn[name] = utility_matrix.figure(table, field)
    assert {path.stem for path in SHOWN.glob("*.svg")} == set(drawn)
    for name, figure in drawn.items():
        assert (SHOWN / f"{name}.svg").read_text("utf-8") == figure + "\n", name
