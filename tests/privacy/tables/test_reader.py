"""Texts of columns are read the same way from files and data frames, and every decision is said."""

import datetime
from dataclasses import replace

import pytest

from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.decisions import Decision, Decisions
from privacy.tables.reader import Reading, as_read, read_decisions, spellings_of, yes_or_no


def column(*texts: str, name: str = "a") -> ReadColumn:
    return ReadTable.of_rows([name], [[text] for text in texts]).columns[0]


@pytest.mark.parametrize(
    ("texts", "spellings"),
    [
        (["flu", "flu", "Flu", "FLU "], {"Flu": "flu", "FLU": "flu"}),
        (
            ["New  York", "New York", "new york", "New York"],
            {"New  York": "New York", "new york": "New York"},
        ),
        (["f", "F", "m", "M", "f", "m"], {"F": "f", "M": "m"}),
        (["a", "A", "b", "B", "c", "C"], {}),
        (["yes", "No", "Y", "n"], {"No": "no", "Y": "yes", "n": "no"}),
        (["TRUE", "FALSE"], {}),
        (["1", "0", "1.0"], {}),
        (["NA", "na", "x"], {}),
        (["ja", "nein", "JA"], {"JA": "ja"}),
    ],
)
def test_spellings_become_the_most_frequent_one(texts: list[str], spellings: dict[str, str]) -> None:
    assert spellings_of(column(*texts)) == spellings


@pytest.mark.parametrize(
    ("name", "texts", "kind", "missing"),
    [
        ("age", ["31", "45", "62", "-88", "-99"], "numeric", ("-88", "-99")),
        ("age", ["31", "45", "62", "98", "99"], "numeric", ("98", "99")),
        ("age", ["90", "92", "95", "97", "98", "99"], "numeric", ()),
        ("income", ["1.234,5", "0,5", "7,25"], "numeric", ()),
        ("place", ["0110", "1110", "0210"], "categorical", ()),
        ("icd", ["1E2", "1E3", "2E5"], "categorical", ()),
        ("amount", ["1e+05", "2e+05", "3"], "numeric", ()),
        ("born", ["3/4/1980", "25/4/1981", "1/1/1982"], "year", ()),
        ("visit", ["2021-03-04", "2021-04-05", "NA"], "month", ("NA",)),
        ("age", [*map(str, range(20, 60)), "about 40"], "numeric", ("about 40",)),
    ],
)
def test_kinds_and_missing_texts(name: str, texts: list[str], kind: str, missing: tuple[str, ...]) -> None:
    reading = Reading.of(column(*texts, name=name))
    assert (reading.kind, reading.missing) == (kind, missing)


def test_decisions_name_what_was_read_differently() -> None:
    table = ReadTable.of_rows(
        ["age", "ill", "born", "isco"],
        [
            ["31", "flu", "3/4/1980", "0110"],
            ["1,045", "Flu", "4/4/1980", "1110"],
            ["NA", "flu", "5/4/1980", "2110"],
            ["45", "cold", "6/4/1980", "2120"],
        ],
    )
    readings = {each.name: Reading.of(each) for each in table.columns}
    assert str(read_decisions(table, readings)).splitlines() == [
        "“age”: NA means a missing value (1 record).",
        "“age”: “1,045” was read as the number 1045.",
        "“ill”: “Flu” was read as “flu” (1 record).",
        "“born” has dates. “3/4/1980” was read as 1980-04-03.",
        "“born”: it is not certain whether the day or the month comes first in “3/4/1980”.",
        "“isco” has codes such as “0110”, which would change if read as numbers.",
    ]
    assert list(as_read(table, readings).rows())[2] == ("", "flu", "1980", "2110")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["1.5", "2,5", "3"], "“pay” contains numbers written in two ways, such as “1.5” and “2,5”"),
        (["1.5", "2.5", "3"], ""),
        (["1.5", "2,5", "many", "few"], ""),
    ],
)
def test_numbers_in_two_writings_are_named(texts: list[str], said: str) -> None:
    table = ReadTable.of_rows(["pay"], [[text] for text in texts * 20])
    reading = Reading.of(table.columns[0])
    found = str(read_decisions(table, {"pay": reading}))
    assert said in found
    assert bool(said) == ("two ways" in found)


@pytest.mark.parametrize(
    ("texts", "missing"),
    [
        # Three other texts at most, and two more numbers than other texts at least.
        ([*map(str, range(20, 100)), "a", "b", "c"], ("99", "a", "b", "c")),
        ([*map(str, range(20, 100)), "a", "b", "c", "d"], ()),
        (["10", "20", "30", *["30"] * 20, "a"], ("a",)),
        (["10", "20", *["20"] * 20, "a"], ()),
        # At most 5% of the records: 1 of 20, but not 1 of 19.
        (["10", "20", "30", *["30"] * 16, "a"], ("a",)),
        (["10", "20", "30", *["30"] * 15, "a"], ()),
    ],
)
def test_a_few_texts_among_numbers_are_missing(texts: list[str], missing: tuple[str, ...]) -> None:
    assert tuple(text for text in Reading.of(column(*texts)).missing if text != "99") == tuple(
        text for text in missing if text != "99"
    )


@pytest.mark.parametrize(
    ("texts", "spellings"),
    [
        # Yes and no need three writings, of both.
        (["yes", "NO", "Yes"], {"Yes": "yes"}),
        (["yes", "y", "true"], {}),
        (["1", "0", "true"], {"1": "yes", "0": "no", "true": "yes"}),
        (["yes", "y", "no", "maybe"], {}),
        # Short codes stay if there are more than two, in more than half of the groups.
        (["a", "A", "b", "B"], {"A": "a", "B": "b"}),
        (["a", "A", "b", "B", "c", "C", "d", "e"], {}),
        (["a", "A", "b", "B", "c", "C", "d", "e", "f"], {"A": "a", "B": "b", "C": "c"}),
        (["ab", "AB", "b", "B", "cde", "CDE"], {"AB": "ab", "B": "b", "CDE": "cde"}),
    ],
)
def test_short_codes_and_other_yes_and_no_stay(texts: list[str], spellings: dict[str, str]) -> None:
    assert spellings_of(column(*texts)) == spellings


def test_labelled_values_keep_their_spelling() -> None:
    assert spellings_of(replace(column("flu", "flu", "Flu"), value_labels={"Flu": "influenza"})) == {}


@pytest.mark.parametrize(
    ("name", "texts", "kind"),
    [
        ("a", ["1", "2"], "categorical"),
        ("a", ["1", "2", "3"], "numeric"),
        ("zip", ["1", "2", "3"], "categorical"),
        ("a", ["1", "2", "03"], "categorical"),
        ("a", ["1", "2", "12345678901234567"], "categorical"),
        ("birthday", ["1/2/1980", "1/3/1981", "1/4/1982"], "year"),
        ("visit", ["1/2/1980", "1/3/1981", "1/4/1982"], "month"),
    ],
)
def test_two_numbers_and_codes_are_categories(name: str, texts: list[str], kind: str) -> None:
    assert Reading.of(column(*texts, name=name)).kind == kind


def test_labelled_numbers_are_categories_if_all_are_labelled() -> None:
    labels = {"1": "low", "2": "fair", "3": "high"}
    numbers = column("1", "2", "3")
    assert Reading.of(replace(numbers, value_labels=labels)).kind == "categorical"
    assert Reading.of(replace(numbers, value_labels={"1": "low"})).kind == "numeric"


def test_values_are_numbers_dates_or_texts() -> None:
    numbers = column("-3", "1.5", "12", "NA", "")
    assert Reading.of(numbers).values(numbers) == [-3, 1.5, 12, None, None]
    days = column("2021-03-04", "NA", "2021-04-05")
    assert Reading.of(days).values(days) == [datetime.date(2021, 3, 4), None, datetime.date(2021, 4, 5)]
    # American notation, if someone says so.
    days = column("3/4/2021", "5/6/2021")
    read = [Reading.of(days, month_first=first).values(days)[0] for first in (False, True)]
    assert read == [datetime.date(2021, 4, 3), datetime.date(2021, 3, 4)]
    words = column("flu", "", "cold")
    assert Reading.of(words).values(words) == ["flu", None, "cold"]


def test_stated_missing_texts_replace_the_proposed_ones() -> None:
    texts = column("31", "NA", "45", "62")
    assert Reading.of(texts, missing=()).missing == ()
    assert Reading.of(texts, missing=["45"]).missing == ("45",)
    assert Reading.of(texts, missing=["45"]).asked == ("NA",)
    assert Reading.of(column("flu", "flu", "Flu"), as_written=True).spellings == {}
    assert Reading.of(texts, kind="categorical").kind == "categorical"


def test_missing_texts_stay_or_become_empty_cells() -> None:
    table = ReadTable.of_rows(["age", "sex"], [["31", "f"], ["NA", "m"], ["45", "NA"]])
    readings = {"age": Reading.of(table.columns[0])}
    assert list(as_read(table, readings).rows()) == [("31", "f"), ("", "m"), ("45", "NA")]
    assert list(as_read(table, readings, empty=False).rows())[1] == ("NA", "m")


def test_row_numbers_and_equal_numbers_are_said() -> None:
    table = ReadTable.of_rows(["column 1", "pay"], [["1", "1.10"], ["2", "1.1"], ["3", "7"]])
    readings = {each.name: Reading.of(each) for each in table.columns}
    assert [(each.key, each.fields["name"]) for each in read_decisions(table, readings)] == [
        ("rows", "column 1"),
        ("numbers", "pay"),
    ]


@pytest.mark.parametrize(
    ("text", "meaning"), [(" Oui ", "yes"), ("NÃO", "no"), ("1.0", "yes"), ("2", ""), ("", "")]
)
def test_yes_and_no_are_read_in_several_languages(text: str, meaning: str) -> None:
    assert yes_or_no(text) == meaning


def test_decisions_of_the_file_come_first_without_the_one_about_row_numbers() -> None:
    table = ReadTable.of_rows(["a"], [["Yes"], ["yes"], ["yes"]])
    about_file = [Decision.of("rows", name="a"), Decision.of("unnamed", name="b")]
    told = replace(table, decisions=Decisions(about_file))
    assert [each.key for each in read_decisions(told, {})] == ["unnamed"]
