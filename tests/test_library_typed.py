"""The library is typed: a correct user program passes strict mypy, and a wrong one does not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

PROGRAM = """
import pandas

import sottovoce

survey = sottovoce.Survey(blocks={"work": ["cheat", "drugs"], "money": ["debts"]}, p=0.5, theta=0.5)
truth = pandas.DataFrame({"cheat": [0, 1], "drugs": [0, 0], "debts": [1, 0]})
reports = survey.on(survey.disguise(truth, seed=1))
share: float = reports.share("cheat").value
design = sottovoce.forced_response(yes=1 / 6, no=1 / 6)
low, high = sottovoce.prevalence({"yes": 60, "no": 40}, design).interval()
print(share, low + high)
"""
# A stub stands in for pandas, which has no stubs and takes mypy two seconds to read.
PANDAS = """
from typing import Any

class DataFrame:
    def __init__(self, data: object) -> None: ...

def __getattr__(name: str) -> Any: ...
"""
WRONG = """
import sottovoce

design: int = sottovoce.warner(0.7)
sottovoce.prevalence({"yes": 60, "no": 40}, sottovoce.warner(0.7), levl=0.9)
"""


@pytest.mark.soak
def test_strict_mypy_accepts_valid_programs_and_reports_wrong_ones(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "pandas").mkdir()
    (tmp_path / "pandas" / "__init__.pyi").write_text(PANDAS)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    said = subprocess.run(
        [*command, "program.py", "wrong.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    ).stdout.splitlines()
    assert [line for line in said if line.startswith("program.py")] == []
    assert any(line.startswith("wrong.py:4") and "Incompatible types" in line for line in said)
    assert any(line.startswith("wrong.py:5") and '"levl"' in line for line in said)
