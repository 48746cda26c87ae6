"""`manage.py experiment-location`: what it writes, byte for byte, and what it refuses."""

import csv
import json
import xml.etree.ElementTree as ElementTree
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.cast.drawn import assert_readable
from trials.pages import location_experiment

PARK = "lat,lon\n" + "".join(f"40.{760 + 3 * k % 41},-73.{950 + 7 * k % 31}\n" for k in range(40))


@pytest.fixture(autouse=True)
def _few_epsilons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(location_experiment, "CENTRAL_AT", (5,))
    monkeypatch.setattr(location_experiment, "RANDOM_AT", (10,))
    monkeypatch.setattr(location_experiment, "COUNTS", (2, 4))


def run(out: Path, *words: str) -> None:
    call_command(
        "experiment-location", "--out", str(out), "--repetitions", "2", "--n", "100", *words,
        stdout=StringIO(), stderr=StringIO(),
    )  # fmt: skip


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.soak
@pytest.mark.slow
def test_one_seed_writes_the_same_files_byte_by_byte_and_another_does_not(tmp_path: Path) -> None:
    data = tmp_path / "park.csv"
    data.write_text(PARK, encoding="utf-8")
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        run(tmp_path / name, "--seed", seed, "--data", str(data))
    names = {path.name for path in (tmp_path / "a").iterdir()}
    assert {"width.csv", "width.svg", "experiment-location.json"} <= names
    for kind in ("uniform", "clusters", "file"):
        assert {f"central-{kind}.csv", f"corners-{kind}.csv", f"random-{kind}.csv"} <= names
        assert {f"corners-{kind}-north-west.svg", f"random-{kind}-4.svg"} <= names
    for name in names:
        first, again = ((tmp_path / part / name).read_bytes() for part in "ab")
        assert first == again
        if name.endswith(".svg"):
            ElementTree.fromstring(first)
    assert (tmp_path / "a" / "central-file.csv").read_bytes() != (
        tmp_path / "c" / "central-file.csv"
    ).read_bytes()


def test_the_widths_are_those_of_the_table_and_every_mechanism_has_its_error(tmp_path: Path) -> None:
    run(tmp_path)
    widths = rows(tmp_path / "width.csv")
    assert [row["epsilon"] for row in widths] == [str(epsilon) for epsilon in range(1, 21)]
    assert (widths[0]["width"], widths[-1]["width"]) == ("1271.69", "15.9777")
    central = rows(tmp_path / "central-uniform.csv")
    at_five = {row["mechanism"]: float(row["error"]) for row in central if row["epsilon"] == "5"}
    assert len(at_five) == 8
    assert at_five["utility_square_own_width"] < at_five["square"] < at_five["piecewise"]
    for picture in tmp_path.glob("*.svg"):
        assert_readable(picture.read_text("utf-8"))
    document = json.loads((tmp_path / "experiment-location.json").read_text("utf-8"))
    assert len(document["tables"]["corners-uniform"]) == 4 * 8
    assert f"{document['tables']['central-uniform'][0]['error']:.6g}" == central[0]["error"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n", "Name two of them lat and lon"),
        ("lat,lon\n1,x\n", "line 2"),
        ("lat,lon\n1\n", "line 2"),
        ("lat,lon\n1,2\n", "1 places"),
        ("lat,lon\n" + "1,2\n" * 12, "All places are one"),
        ("lat,lon\n" + "1,2\n" * 4 + "1,nan\n" + "1,2\n" * 7, "Place 5 of 12 has no two numbers"),
        ("lat,lon\n" + "".join(f"{70 + k},2\n" for k in range(12)), "within 80"),
        ("lat,lon\n" + "".join(f"{k},{179 if k % 2 else -179}\n" for k in range(12)), "antimeridian"),
        ("", "Name two of them lat and lon"),
    ],
)
def test_a_file_that_holds_no_places_is_refused(tmp_path: Path, content: str, message: str) -> None:
    data = tmp_path / "data.csv"
    data.write_text(content, encoding="utf-8")
    with pytest.raises(CommandError, match=message):
        run(tmp_path / "out", "--data", str(data))


@pytest.mark.parametrize("words", [("--seed", "-1"), ("--repetitions", "1"), ("--n", "99")])
def test_numbers_too_small_are_refused(tmp_path: Path, words: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match="is out of range"):
        call_command("experiment-location", "--out", str(tmp_path), *words)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        run(tmp_path / "out", "--data", str(tmp_path / "none.csv"))
