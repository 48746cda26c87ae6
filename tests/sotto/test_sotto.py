"""The front of the library: light to import, one screen of help, and every name where it says."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys

import pytest

import sotto

SCREEN = 40


def test_importing_it_loads_neither_pandas_nor_numpy() -> None:
    code = "import sys, sotto; print(sorted({'pandas', 'numpy', 'scipy', 'django'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_name_is_there_and_no_other() -> None:
    for name in dir(sotto):
        assert getattr(sotto, name) is not None
    assert {"Survey", "prevalence", "crosstab", "logistic_regression", "risk", "read_export"} <= set(
        dir(sotto)
    )
    with pytest.raises(AttributeError, match="surveys"):
        _ = sotto.surveys  # type: ignore[attr-defined]


def test_help_is_one_screen() -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        help(sotto)
    lines = said.getvalue().splitlines()
    assert "Survey(blocks=" in said.getvalue()
    assert len(lines) <= SCREEN
