"""Columns that look like people are found by what they contain; places and chance are not."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from privacy.sdc.panels import _is_constant, may_number_people, panel_check, panel_of
from privacy.tables.columns import ReadTable
from tests.fixtures.refusals import refused

Rows = list[list[str]]


def panel(people: int, waves: int, name: Callable[[int], str] = str, *, seed: int = 7) -> Rows:
    """Return rows of number, wave, sex, year of birth, smoking and hours of work of each person."""
    rng = random.Random(seed)
    rows = []
    for person in range(1, people + 1):
        own = [rng.choice("fm"), str(rng.randrange(1940, 2000))]
        for wave in range(waves):
            changing = [rng.choice(["yes", "no"]), str(rng.randrange(20, 60))]
            rows.append([name(person), str(wave + 1), *own, *changing])
    return rows


def found(header: str, rows: Rows) -> tuple[str, ...] | None:
    result = panel_of(ReadTable.of_rows(header.split(","), rows))
    return None if result is None else result.columns


@pytest.mark.parametrize(("people", "waves"), [(60, 6), (150, 2), (500, 3), (12, 30)])
@pytest.mark.parametrize("name", ["Lfdnr", "proband", "x1", "score"])
def test_numbers_of_people_are_found_whatever_they_are_called(name: str, people: int, waves: int) -> None:
    rows = panel(people, waves, lambda person: f"K{person:03d}" if name == "proband" else str(person))
    assert found(f"{name},wave,sex,yob,smokes,hours", rows) == (name,)


def test_spellings_of_a_number_and_a_few_wrong_values_change_nothing() -> None:
    rows = panel(60, 6)
    rng = random.Random(3)
    for row in rng.sample(rows, 100):
        row[0] = rng.choice([f"{row[0]}.0", f"0{row[0]}", f" {row[0]}"])
    for row in rng.sample(rows, 4):
        row[2] = "f" if row[2] == "m" else "m"
    assert found("nr,wave,sex,yob,smokes,hours", rows) == ("nr",)


def test_household_and_member_are_found_together() -> None:
    rng = random.Random(5)
    rows = []
    for home in range(60):
        region = rng.choice("nsew")
        for member in range(rng.randrange(1, 5)):
            own = [rng.choice("fm"), str(rng.randrange(1940, 2000)), region]
            rows += [[str(home), str(member), str(wave), *own, rng.choice("yn")] for wave in range(2)]
    assert found("haushalt,mitglied,welle,sex,yob,region,smokes", rows) == ("haushalt", "mitglied")


@pytest.mark.parametrize("seed", range(8))
def test_places_and_plain_tables_do_not_look_like_people(seed: int) -> None:
    rng = random.Random(seed)
    regions = [rng.choice("ABCDEFGH") for _place in range(40)]
    rows = []
    for _record in range(500):
        place = rng.randrange(40)
        country = "xyz"[ord(regions[place]) % 3]
        own = [rng.choice("fm"), str(rng.randrange(18, 90)), rng.choice("abcd"), rng.choice(["yes", "no"])]
        rows.append([f"p{place}", regions[place], country, *own])
    assert found("spot,area,land,sex,years,team,smokes", rows) is None
    assert found("sex,years,team,smokes", [row[3:] for row in rows]) is None


def test_centred_copies_of_two_columns_do_not_look_like_people() -> None:
    rng = random.Random(2)
    rows = []
    for _record in range(1_600):
        age, left = rng.randrange(18, 90), rng.randrange(11)
        rows.append([str(age), str(left), str(age - 50), str(left - 5), rng.choice("yn")])
    assert found("years,left,years.c,left.c,vote", rows) is None


@pytest.mark.parametrize("seed", range(3))
def test_large_random_tables_have_no_people(seed: int) -> None:
    """Few answers in large groups: a group holds all of them, and none is constant."""
    rng = random.Random(seed)
    sizes = (2_000, 400, 90, 60, 5, 5, 2)
    rows = [[str(rng.randrange(size)) for size in sizes] for _record in range(10_000)]
    assert found("a,b,c,d,e,f,g", rows) is None


@pytest.mark.parametrize("rows", [[], [["1", "f", "1970"]], [["", "", ""]] * 30, [["1", "f", "1970"]] * 30])
def test_empty_and_constant_tables_have_no_people(rows: Rows) -> None:
    assert found("nr,sex,yob", rows) is None


def test_records_of_people_are_not_counted_as_people_unless_columns_are_plain() -> None:
    table = ReadTable.of_rows(["nr", "wave", "sex", "yob", "smokes", "hours"], panel(60, 6))
    with refused("people", "'nr'", "60 values in 360 records", "'sex'", "'yob'"):
        panel_check(table, ["sex", "yob"])
    with refused("people", "“nr” is published", "60 values in 360 records"):
        panel_check(table, ["nr", "sex"])
    panel_check(ReadTable.of_rows(["a", "b"], [["x", "y"]] * 10), ["a"])


@pytest.mark.parametrize(("errors", "constant"), [(2, True), (3, False)])
def test_a_column_may_differ_in_one_of_fifty_repetitions(errors, constant):
    """Fifty people have three records each: 150 records, 100 repetitions."""
    people, codes = np.repeat(np.arange(50), 3), np.repeat(np.arange(50) % 3, 3)
    codes[np.arange(errors) * 3] += 1
    assert _is_constant(people, codes) == constant


@pytest.mark.parametrize(("name", "columns"), [("nr", ("nr",)), ("wage", None)])
def test_a_measurement_is_never_a_number_of_people(name: str, columns: tuple[str, ...] | None) -> None:
    """Sixty wages, six records each, with a constant sex and year of birth."""
    assert found(f"{name},wave,sex,yob,smokes,hours", panel(60, 6)) == columns


def test_ten_people_are_the_fewest_and_a_missing_number_is_none() -> None:
    header, nine = "nr,wave,sex,yob,smokes,hours", panel(9, 6)
    assert found(header, panel(10, 6)) == ("nr",)
    assert found(header, nine) is None
    assert found(header, [["", *nine[0][1:]], *nine[1:]]) is None


@pytest.mark.parametrize(
    ("values", "may"), [(["1", "2.5"], True), (["1", "2.5", "3.5"], False), (["1", "2", "3.5"], True)]
)
def test_a_column_with_mostly_decimals_is_a_measurement(values: list[str], may: bool) -> None:
    (column,) = ReadTable.of_rows(["nr"], [[value] for value in values]).columns
    assert may_number_people(column) == may
