"""The script of an export: one readable file that needs nothing of Sottovoce, and that finds what was
changed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from mining.thresholds import Thresholds
from surveys.export.reproduction import reproduction_script
from surveys.models import Run
from tests.fixtures.drawn_exports import drawn, three_of_eight
from tests.fixtures.exports import lightly, records, script, skipping, unpacked
from tests.fixtures.runs import mined

pytestmark = pytest.mark.django_db

MOST_LINES = 600

PLANTED = """
import math, runpy
parts = runpy.run_path("reproduce.py", run_name="script")
rows = parts["Rows"](parts["read"]("rows.csv"))
for name in ("itemsets", "rules"):
    lines = parts["read"](f"run/{name}.csv").to_dict("records")
    figures = parts["itemset_figures" if name == "itemsets" else "rule_figures"]
    computed = [figures(rows, line) for line in lines]
    if name == "rules":
        parts["add_tests"](lines, computed)
    for column in lines[0].keys() - {"items", "antecedent", "consequent"}:
        # Of the largest figure: a p-value of 1e-30 is as good as 0.
        values = [float(line[column] or "nan") for line in lines]
        sizes = [abs(value) if math.isfinite(value) else -1 for value in values]
        at = sizes.index(max(sizes))
        value, changed = values[at], [dict(line) for line in lines]
        changed[at][column] = repr(value * (1 + 1e-6) or 1e-6)
        print("planted", name, column)
        assert not parts["compare"](name, changed, computed)
"""
"""Change a figure in each column of an export by a millionth, and compare with what the script computes."""


def two_strengths() -> Run:
    return mined(lightly(), Thresholds(support=0.05, max_size=2, confidence=0.1))


def skips() -> Run:
    return mined(skipping(), Thresholds(support=0.1, max_size=2))


def rotation() -> Run:
    return mined(drawn(three_of_eight(), 1_200), Thresholds(support=0.1, max_size=2))


@pytest.mark.parametrize(
    "made", [pytest.param(two_strengths, marks=pytest.mark.slow), skips, pytest.param(rotation)]
)
def test_it_finds_every_figure_the_same_with_two_strengths_skips_and_rotation(
    tmp_path: Path, made: object
) -> None:
    assert callable(made)
    done = script(unpacked(made(), tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
    assert done.stderr == ""
    assert len(records(tmp_path / "run" / "rules.csv")) > 5


def test_it_finds_a_change_of_a_millionth_in_each_column(tmp_path: Path) -> None:
    where = unpacked(two_strengths(), tmp_path)
    command = [sys.executable, "-I", "-c", PLANTED]
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    planted = {tuple(line.split()[1:]) for line in done.stdout.splitlines() if line.startswith("planted")}
    differs = {tuple(line.split()[:2]) for line in done.stdout.splitlines() if line.endswith("DIFFERS")}
    columns = {
        (name, column)
        for name in ("itemsets", "rules")
        for column in records(where / "run" / f"{name}.csv")[0].keys() - {"items", "antecedent", "consequent"}
    }
    assert planted == differs == columns


def test_it_finds_that_a_row_is_gone(tmp_path: Path) -> None:
    where = unpacked(two_strengths(), tmp_path)
    rows = (where / "rows.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (where / "rows.csv").write_text("".join(rows[:-1]), encoding="utf-8")
    done = script(where)
    assert done.returncode == 1
    assert "Some figures differ." in done.stdout


def test_it_is_one_short_file_that_needs_numpy_and_pandas_alone() -> None:
    text = reproduction_script()
    assert len(text.splitlines()) <= MOST_LINES
    assert max(map(len, text.splitlines())) <= 110
    tree = ast.parse(text, feature_version=(3, 9))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
        )
    }
    assert imported - sys.stdlib_module_names == {"numpy", "pandas"}
