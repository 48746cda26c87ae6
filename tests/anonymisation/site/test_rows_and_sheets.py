"""Commands leave out row numbers, and read the sheet that they are told."""

import json

import pytest
from django.core.management import CommandError, call_command

from tests.fixtures.workbooks import workbook


def test_the_commands_drop_unnamed_row_numbers(tmp_path, capsys):
    """R and pandas write row numbers by default: `analysis_10`."""
    rows = "".join(f"{n},{20 + n % 3},{'mf'[n % 2]},{('flu', 'cold')[n % 4 // 2]}\n" for n in range(24))
    path = tmp_path / "t.csv"
    path.write_text(f",age,sex,ill\n{rows}")
    known = {name: {"role": "quasi_identifier", "hierarchy": "flat"} for name in ("age", "sex")}
    plan = {"release": {"k": 2, "l": 2}, "columns": {**known, "ill": {"role": "sensitive"}}}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    call_command("release", path, plan=tmp_path / "plan.json", out=tmp_path / "out")
    data = (tmp_path / "out" / "deposit" / "data.csv").read_text().splitlines()
    assert (data[0], len(data)) == ("age,sex,ill", 25)
    call_command("verify", path, quasi_identifiers="age,sex", sensitive="ill", k=4)
    with pytest.raises(CommandError, match="does not hold"):
        call_command("verify", path, quasi_identifiers="column 1,age", sensitive="ill", k=2)


def test_commands_read_the_requested_sheet(tmp_path, capsys):
    """The workbook has a sheet of notes and one of data: `analysis_13`."""
    rows = [[20 + n % 2, ("flu", "cold")[n % 4 // 2]] for n in range(8)]
    (tmp_path / "people.xlsx").write_bytes(workbook(Sheet=[["note"]], data=[["age", "ill"], *rows]))
    wish = {"quasi_identifiers": "age", "sensitive": "ill", "k": 4, "l": 2}
    with pytest.raises(CommandError, match="2 sheets of the workbook contain cells: Sheet, data"):
        call_command("verify", tmp_path / "people.xlsx", **wish)
    call_command("verify", tmp_path / "people.xlsx", sheet="data", **wish)
    plan = {"release": {"k": 4}, "columns": {"age": {"role": "quasi_identifier", "hierarchy": "flat"}}}
    plan["columns"]["ill"] = {"role": "sensitive"}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    out = {"plan": tmp_path / "plan.json", "out": tmp_path / "out"}
    call_command("release", tmp_path / "people.xlsx", sheet="data", **out)
    assert (tmp_path / "out" / "deposit" / "data.csv").is_file()
