"""Every entry point reads a column in the same way, however the table arrives.

Each input is walked through the page, the command ``release``, `read_table`, `anonymise` and `Survey.on`, as
files and as frames of three libraries. Expected values are written down here, not computed by the reader.
"""

import csv
import io
import json
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import polars
import pyarrow
import pytest
from django.core.management import call_command
from django.utils import timezone

import sottovoce
from anonymisation.releases.downloads import FILES, release_download
from anonymisation.releases.drafts import columns_save, release_request
from anonymisation.releases.new_release import upload_begin
from surveys.accounts.roles import Role
from surveys.tasks import run_job
from tests.fixtures.staff import member
from tests.fixtures.workbooks import workbook

pytestmark = pytest.mark.django_db
N = 60


@dataclass(frozen=True, kw_only=True)
class Input:
    """A column: its name, the cells that repeat, its kind, and how other texts are read."""

    name: str
    cells: tuple[str, ...]
    kind: str = "categorical"
    read: Mapping[str, str] = field(default_factory=dict)
    said: str = ""


NFD = unicodedata.normalize("NFD", "Köln")
INPUTS = {
    "several missing codes": Input(
        name="score", cells=("1", "2", "3", "4", "-88", "-99"), kind="numeric",
        read={"-88": "", "-99": ""}, said="-88, -99 means a missing value",
    ),
    "decimal commas": Input(
        name="pay", cells=("1,5", "2,25", "10,0", "3"), kind="numeric",
        read={"1,5": "1.5", "2,25": "2.25", "10,0": "10"}, said="“1,5” was read as the number 1.5",
    ),
    "thousands": Input(
        name="pay", cells=("1,500", "12,000", "950"), kind="numeric",
        read={"1,500": "1500", "12,000": "12000"}, said="“1,500” was read as the number 1500",
    ),
    "one odd text": Input(
        name="hours", cells=(*map(str, range(20, 49)), "about 40"), kind="numeric",
        read={"about 40": ""}, said="about 40 means a missing value",
    ),
    "leading zeros": Input(name="plz", cells=("01067", "01069", "10115"), said="codes such as “01067”"),
    "exponents": Input(name="q", cells=("1E2", "1E3", "2E2"), said="codes such as “1E2”"),
    "17 digits": Input(
        name="big", cells=("12345678901234567", "12345678901234568", "99"), said="codes such as “12345"
    ),
    "versions": Input(
        name="v", cells=("1.10", "1.1", "2.3", "2.4"), kind="numeric", read={"1.10": "1.1"},
        said="“1.10” was read as the number 1.1",
    ),
    "day first": Input(
        name="seen", cells=("13.01.2021", "01.02.2021", "02.02.2021"), kind="month",
        read={"13.01.2021": "2021-01", "01.02.2021": "2021-02", "02.02.2021": "2021-02"}, said="has dates",
    ),
    "months": Input(name="seen", cells=("2021-01", "2021-02", "2021-03"), kind="month", said="has dates"),
    "yes and no": Input(
        name="works", cells=("yes", "Ja", "Y", "no", "NEIN", "N"),
        read={"Ja": "yes", "Y": "yes", "NEIN": "no", "N": "no"}, said="“Ja” was read as “yes”",
    ),
    "capitals": Input(
        name="town", cells=("Bonn", "Bonn", "bonn", "Rom"), read={"bonn": "Bonn"},
        said="“bonn” was read as “Bonn”",
    ),
    "composition": Input(name="town", cells=("Köln", NFD, "Bonn"), read={NFD: "Köln"}),
    "missing words": Input(
        name="town", cells=("Bonn", "Rom", "NA", "n/a", "don’t know"),
        read={"NA": "", "n/a": "", "don’t know": ""}, said="NA, n/a, don’t know means a missing value",
    ),
}  # fmt: skip


def frame_of(given: Input) -> pd.DataFrame:
    cells = [given.cells[row % len(given.cells)] for row in range(N)]
    return pd.DataFrame(
        {"age": [str(20 + row % 7) for row in range(N)], "sex": ["f", "m"] * (N // 2), given.name: cells}
    )


def expected(given: Input) -> Counter[str]:
    """Return how often each value occurs; missing ones do not count."""
    counts = Counter(given.read.get(text, text) for text in frame_of(given)[given.name])
    return Counter({text: number for text, number in counts.items() if text})


def as_csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def as_sheet(frame: pd.DataFrame) -> bytes:
    return workbook(
        data=[["Survey"], ["made", "2024-05-01"], [], [*frame.columns], *frame.to_numpy().tolist()]
    )


FILE_WAYS: dict[str, Callable[[pd.DataFrame], bytes]] = {"people.csv": as_csv, "people.xlsx": as_sheet}
FRAME_WAYS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "texts": lambda frame: frame,
    "arrow texts": lambda frame: frame.astype("string[pyarrow]"),
    "polars": polars.from_pandas,
    "arrow": pyarrow.Table.from_pandas,
}


def texts(values: Any, kind: str) -> Counter[str]:
    """Return published or read values as texts: numbers without a point, dates as months."""
    found = []
    for value in values:
        if pd.isna(value) or value == "":
            continue
        if kind == "month":
            value = str(value)[:7]
        elif kind == "numeric":
            value = f"{float(value):g}"
        found.append(str(value))
    return Counter(found)


@pytest.mark.soak
@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.few(
    "decimal commas", "17 digits", "missing words", why="a format, the longest number, and texts"
)
def test_every_entry_point_reads_a_column_alike(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = INPUTS[name]
    frame, wanted = frame_of(given), expected(given)
    survey = sottovoce.Survey(blocks={"a": ["cheat"]}, p=0.5)
    answers = ["yes", "no"] * (N // 2)
    columns = {"quasi_identifiers": ["age"], "insensitive": ["sex", given.name], "k": 2, "missing": "drop"}
    tables: dict[str, Any] = {way: make(frame) for way, make in FRAME_WAYS.items()}
    for file, write in FILE_WAYS.items():
        path = tmp_path / file
        path.write_bytes(write(frame))
        tables[file] = path
    for way, table in tables.items():
        read = sottovoce.read_table(table)
        assert texts(read.frame[given.name], given.kind) == wanted, way
        assert given.said in str(read.decisions), way
        published, report = sottovoce.anonymise(table, records_are_people=True, **columns)
        assert texts(published[given.name], given.kind) == wanted, way
        assert given.said in report.summary(), way
    reports = survey.on(frame.assign(cheat=answers))
    assert texts(reports.frame[given.name], given.kind) == wanted
    assert given.said in str(reports.decisions)
    for file, write in FILE_WAYS.items():
        rosa = member(f"rosa-{file}", Role.RESEARCHER)
        release = upload_begin(owner=rosa, name=file, raw=write(frame), now=timezone.now())
        about = {column["name"]: column for column in release.columns}
        assert about[given.name]["kind"] == given.kind
        kept = [
            {name: column[name] for name in ("kind", "policy", "as_written", "missing_texts")}
            | {"role": "quasi_identifier" if column["name"] == "age" else "insensitive"}
            for column in release.columns
        ]
        columns_save(release, kept, by=rosa, people="records")
        bounds = {"k": 2, "algorithm": "tight", "max_suppressed": 0, "columns": {}}
        run_job(release_request(release, bounds, by=rosa, now=timezone.now()).pk)
        release.refresh_from_db()
        assert release.finished_at is not None
        with zipfile.ZipFile(io.BytesIO(release_download(release, FILES, by=rosa))) as archive:
            page = list(csv.DictReader(io.StringIO(archive.read("data.csv").decode())))
        assert texts([row[given.name] for row in page], given.kind) == wanted
        plan = {"release": {"k": 2, "people": "records"}, "columns": {
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "sex": {"role": "insensitive"},
            given.name: {"role": "insensitive", "kind": given.kind, "missing": "drop"},
        }}  # fmt: skip
        (tmp_path / "plan.json").write_text(json.dumps(plan))
        out = tmp_path / f"out-{file}"
        call_command("release", tmp_path / file, plan=tmp_path / "plan.json", out=out, verbosity=1)
        assert given.said in capsys.readouterr().out
        data = csv.DictReader(io.StringIO((out / "deposit" / "data.csv").read_text()))
        assert texts([row[given.name] for row in data], given.kind) == wanted
