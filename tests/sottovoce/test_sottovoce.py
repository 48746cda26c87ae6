"""The front of the library: light to import, one screen of help, and every name where it says."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pandas
import pytest
from statsmodels.datasets import fair

import sottovoce

SCREEN = 40
ROOT = Path(__file__).resolve().parents[2]


def test_importing_sottovoce_loads_neither_pandas_nor_numpy() -> None:
    code = "import sys, sottovoce; print(sorted({'pandas', 'numpy', 'scipy', 'django'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_dir_lists_exactly_the_public_names() -> None:
    for name in dir(sottovoce):
        assert getattr(sottovoce, name) is not None
    assert {"Survey", "prevalence", "crosstab", "logistic_regression", "risk", "read_export"} <= set(
        dir(sottovoce)
    )
    with pytest.raises(AttributeError, match="surveys"):
        _ = sottovoce.surveys  # type: ignore[attr-defined]


def test_the_example_data_match_statsmodels() -> None:
    data = sottovoce.example_data()
    occupations = ["occupation", "occupation_husb"]
    published = fair.load_pandas().data.drop(columns=occupations)
    pandas.testing.assert_frame_equal(data.astype(float), published)
    words = "Included with permission of the author."
    assert words == fair.COPYRIGHT
    assert words in (ROOT / "sottovoce/fair.csv").read_text(encoding="utf-8")
    assert words in (ROOT / "NOTICE").read_text(encoding="utf-8")


def test_help_fits_on_one_screen() -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        help(sottovoce)
    lines = said.getvalue().splitlines()
    assert "Survey(blocks=" in said.getvalue()
    assert len(lines) <= SCREEN


@pytest.mark.parametrize("name", ["privacy", "mining"])
def test_errors_name_a_script_that_shadows_a_package(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.py").write_text("", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", "import sottovoce"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"{name}.py hides the package {name!r} that sottovoce needs. Rename that file" in done.stderr


def test_similarly_named_scripts_do_not_shadow_the_library(tmp_path: Path) -> None:
    (tmp_path / "surveys_of_mine.py").write_text("", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "import sottovoce; sottovoce.warner"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
