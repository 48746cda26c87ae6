"""A small table on disk and the plan that goes with it. Tests write plans as TOML, which is shorter."""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path

import numpy as np

CONFIG = """
[release]
k = 4
l = 2
respondent = "name"

[columns.name]
role = "identifier"
[columns.age]
role = "quasi_identifier"
kind = "numeric"
hierarchy = [5, 10, 40]
[columns.work]
role = "quasi_identifier"
hierarchy = "work.csv"
[columns.sex]
role = "quasi_identifier"
hierarchy = "flat"
[columns.coin]
role = "disguised"
[columns.disease]
role = "sensitive"
"""
WORK = "state;public;*\ncity;public;*\nown;private;*\nfirm;private;*\nnone;none;*\n"


def rows_of(seed: int = 1, n: int = 120) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return [
        [
            f"person {number}",
            str(rng.integers(20, 60)),
            str(rng.choice(["state", "city", "own", "firm", "none"])),
            str(rng.choice(["F", "M"])),
            str(rng.choice(["yes", "no"])),
            str(rng.choice(["flu", "cold", "cough", "ulcer"], p=[0.4, 0.3, 0.2, 0.1])),
        ]
        for number in range(n)
    ]


HEADER = ["name", "age", "work", "sex", "coin", "disease"]


def table_write(folder: Path, rows: list[list[str]] | None = None, *, name: str = "people.csv") -> Path:
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        writer.writerows(rows if rows is not None else rows_of())
    return path


def config_write(folder: Path, text: str = CONFIG, *, name: str = "plan.json") -> Path:
    (folder / "work.csv").write_text(WORK, encoding="utf-8")
    return plan_write(folder / name, text)


def plan_write(path: Path, text: str) -> Path:
    """Write the JSON of a plan that is given as TOML."""
    path.write_text(json.dumps(tomllib.loads(text)), encoding="utf-8")
    return path
