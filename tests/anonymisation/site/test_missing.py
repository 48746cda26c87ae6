"""The command `release` with refused answers, missing numbers, and a workbook's dates and thousands."""

import calendar
import csv
import io
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from django.core.management import CommandError, call_command

from tests.fixtures.releases import plan_write


def people(n: int = 400) -> list[list[str]]:
    rng = np.random.default_rng(3)
    return [
        [
            str(rng.integers(20, 70)),
            str(rng.choice(["north", "south"])),
            str(rng.choice(["flu", "cold", "refused"], p=[0.2, 0.2, 0.6])),
        ]
        for _ in range(n)
    ]


CONFIG = """
[release]
k = 4
l = 2
algorithm = "{algorithm}"
people = "records"
[columns.age]
role = "quasi_identifier"
kind = "numeric"
hierarchy = [10, 20, 60]
{age}
[columns.region]
role = "quasi_identifier"
hierarchy = "flat"
[columns.disease]
role = "sensitive"
missing = "value"
"""


def released(folder: Path, rows: list[list[str]], *, age: str = "", algorithm: str = "tight") -> Any:
    with (folder / "people.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["age", "region", "disease"], *rows])
    plan_write(folder / "r.json", CONFIG.format(age=age, algorithm=algorithm))
    out = folder / f"out-{len(list(folder.iterdir()))}"
    call_command("release", str(folder / "people.csv"), "--plan", str(folder / "r.json"), "--out", str(out))
    text = (out / "deposit" / "data.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("algorithm", ["tight", "bottom-up", "samarati"])
def test_refused_answers_do_not_count_as_a_second_value(tmp_path: Path, algorithm: str) -> None:
    """Sixty in a hundred refused, but every class has two real diseases, by a separate count."""
    groups: dict[tuple[str, str], set[str]] = {}
    rows = released(tmp_path, people(), algorithm=algorithm)
    for row in rows:
        groups.setdefault((row["age"], row["region"]), set()).add(row["disease"])
    assert any("refused" in values for values in groups.values())
    assert min(len(values - {"refused"}) for values in groups.values()) == 2


def test_the_command_asks_how_to_treat_missing_numbers(tmp_path: Path) -> None:
    """By default the column is refused by name; on request, its missing numbers are dropped or kept."""
    rows = [*people(), ["NA", "north", "flu"], ["-9", "north", "flu"]]
    with pytest.raises(CommandError, match=r"'age' has a missing value \('NA'\).*missing_texts"):
        released(tmp_path, rows)
    assert len(released(tmp_path, rows, age='missing = "drop"')) == 400
    kept = released(tmp_path, rows, age='missing = "drop"\nmissing_texts = ["NA"]')
    assert len(kept) == 401


DATED = """
[release]
k = 3
people = "records"
[columns.born]
role = "quasi_identifier"
kind = "month"
[columns.country]
role = "quasi_identifier"
hierarchy = "countries"
[columns.income]
role = "sensitive"
kind = "numeric"
missing = "drop"
[columns.disease]
role = "sensitive"
missing = "value"
"""


def test_the_command_reads_workbooks_with_dates_thousands_and_known_groups(tmp_path: Path) -> None:
    """Months stay or become quarters, years or decades; countries stay or become regions."""
    rng = np.random.default_rng(9)
    rows = []
    for number in range(120):
        year, month = 1990 + number % 3, 1 + int(rng.integers(12))
        born = (f"{year}-{month:02}-05", f"{year}年{month}月5日", f"5 {calendar.month_name[month]} {year}")
        country = str(rng.choice(["France", "Spain", "Germany", "日本"]))
        income = "refused" if number % 20 == 0 else f"{rng.integers(1000, 9000):,}"
        rows.append([born[number % 3], country, income, str(rng.choice(["flu", "cold"]))])
    pandas.DataFrame(rows, columns=["born", "country", "income", "disease"]).to_excel(
        tmp_path / "people.xlsx", index=False
    )
    plan_write(tmp_path / "r.json", DATED)
    out = tmp_path / "out"
    call_command(
        "release", str(tmp_path / "people.xlsx"), "--plan", str(tmp_path / "r.json"), "--out", str(out)
    )
    text = (out / "deposit" / "data.csv").read_text(encoding="utf-8")
    published = list(csv.DictReader(io.StringIO(text)))
    assert len(published) == 114
    groups = "France Spain Germany 日本 Western_Europe Southern_Europe Europe 东亚 亚洲 *".replace(
        "_", "\x20"
    )
    assert {row["country"].replace(" ", "\x20") for row in published} <= set(groups.split())
    for row in published:
        assert re.fullmatch(r"199\d-\d\d|199\d Q[1-4]|199\d|1990s|\*", row["born"])
        assert row["income"].isdecimal()
    sizes = Counter((row["born"], row["country"]) for row in published)
    assert min(sizes.values()) >= 3
