"""k-anonymise a DataFrame: a separate count of the published table confirms every promise of the report."""

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

from privacy.errors import PrivacyError
from privacy.sdc.anonymise import anonymise
from privacy.sdc.hierarchy import Hierarchy
from tests.fixtures.refusals import refused


@pytest.fixture
def people() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    n = 120
    return pd.DataFrame(
        {
            "name": [f"person {number}" for number in range(n)],
            "age": rng.integers(18, 80, n),
            "town": rng.choice(["A", "B", "C"], n),
            "works": rng.random(n) < 0.6,
            "illness": rng.choice(["none", "flu", "ulcer"], n),
            "affair": rng.random(n) < 0.3,
        },
        index=[f"id-{number}" for number in range(n)],
    )


@pytest.mark.parametrize("k", [2, 5, 20])
def test_published_classes_have_k_records_and_l_values(people: pd.DataFrame, k: int) -> None:
    quasi = ["age", "town", "works"]
    published, report = anonymise(people, quasi_identifiers=quasi, k=k, sensitive=["illness", "affair"], l=2)
    classes = published.groupby(quasi)
    assert report.k == classes.size().min() >= k
    assert report.classes == classes.ngroups
    assert report.l == min(classes["illness"].nunique().min(), classes["affair"].nunique().min()) >= 2
    assert report.after.prosecutor_highest == 1 / report.k
    assert report.before.sample_uniques == (people.groupby(quasi).size() == 1).sum()
    assert 0 < report.loss.ncp < 1


def test_published_ranges_contain_each_record_and_keep_sensitive_values(people: pd.DataFrame) -> None:
    published, _ = anonymise(people, quasi_identifiers=["age", "town"], sensitive=["affair"], k=4)
    assert_series_equal(published["affair"], people["affair"].reset_index(drop=True))
    for label, age in zip(published["age"], people["age"], strict=True):
        low, high = map(int, label.strip("[]").split(",")) if "," in label else (int(label), int(label))
        assert low <= age <= high
    assert all(label in ("*", town) for label, town in zip(published["town"], people["town"], strict=True))


def test_names_and_row_labels_are_not_published(people: pd.DataFrame) -> None:
    published, report = anonymise(people, quasi_identifiers=["age"], sensitive=["illness"])
    assert list(published.columns) == ["age", "illness"]
    assert list(published.index) == list(range(len(people)))
    assert report.left_out == ("name", "town", "works", "affair")
    assert "left out, because they have no role: name, town, works, affair" in report.summary()


def test_values_are_generalised_along_their_hierarchy(people: pd.DataFrame) -> None:
    tree = Hierarchy.from_rows("town", [["A", "north", "*"], ["B", "north", "*"], ["C", "C", "*"]])
    published, _ = anonymise(people, quasi_identifiers=["town", "age"], k=30, hierarchies={"town": tree})
    assert set(published["town"]) <= {"A", "B", "C", "north", "*"}
    with refused("coverage", "C"):
        short = Hierarchy.from_rows("town", [["A", "*"], ["B", "*"]])
        anonymise(people, quasi_identifiers=["town", "age"], hierarchies={"town": short})
    with pytest.raises(PrivacyError, match=r"'affair'.*'age', 'town'"):
        anonymise(
            people, quasi_identifiers=["age", "town"], sensitive=["affair"], hierarchies={"affair": tree}
        )


def test_the_report_describes_classes_and_information_loss(people: pd.DataFrame) -> None:
    _, report = anonymise(people, quasi_identifiers=["age", "town"], sensitive=["illness"], k=5, l=2)
    table = report.to_frame()
    assert table.loc["smallest class", "after"] == report.k
    assert table.loc["records alone", "after"] == 0
    assert (
        repr(report)
        == f"<120 records, k = {report.k} records, information lost {100 * report.loss.ncp:.1f}%>"
    )
    assert "illness: 2 or more" in report.summary() or "illness: 3 or more" in report.summary()
    _, without = anonymise(people, quasi_identifiers=["age", "town"])
    assert without.l is None
    assert "no column is sensitive" in without.summary()


def test_invalid_anonymise_arguments_are_rejected(people: pd.DataFrame) -> None:
    age, town, is_other = people["age"], people["town"], people.index != "id-3"
    cases: list[tuple[tuple[object, ...], dict[str, object]]] = [
        (("frame", "'age'"), {"sensitive": ["age"]}),
        (("frame", "'height'"), {"quasi_identifiers": ["height"]}),
        (("frame", "no row"), {"frame": people[:0]}),
        (("frame", "2 columns", "'age'"), {"frame": pd.concat([people, people[["age"]]], axis=1)}),
        (("frame", "'town'", "1 of 120", "'id-3'"), {"frame": people.assign(town=town.where(is_other))}),
        (("frame", "'town'", "'A'"), {"frame": people.assign(town="A")}),
        (("frame", "dict"), {"frame": {"age": [1, 2]}}),
        (("no_quasi_identifier",), {"quasi_identifiers": []}),
        (("k", 121), {"k": 121}),
        (("l", 4, "illness"), {"sensitive": ["illness"], "l": 4}),
        (("l",), {"l": 2}),
        *(((one, repr(wrong)), {one: wrong}) for one in "kl" for wrong in (0, -3, 2.5, True, None, "2")),
        (("not_a_number", "inf"), {"frame": people.assign(age=age.where(is_other, np.inf))}),
        (("singles_out", "'own'"), {"frame": people.assign(own=range(120)), "insensitive": ["own"]}),
        (("free_text",), {"frame": people.assign(name=people["name"] + " of Rome"), "insensitive": ["name"]}),
    ]
    for words, options in cases:
        with refused(*words):  # type: ignore[arg-type]
            anonymise(**{"frame": people, "quasi_identifiers": ["age", "town"]} | options)  # type: ignore[arg-type]


def test_the_progress_callback_is_called_and_can_stop_the_run() -> None:
    people = pd.DataFrame({"age": range(400), "sex": [0, 1] * 200})
    said: list[tuple[int, int]] = []
    anonymise(people, quasi_identifiers=["age", "sex"], k=4, progress=lambda *placed: said.append(placed))
    assert said
    assert {total for _, total in said} == {400}

    def stop(*placed: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        anonymise(people, quasi_identifiers=["age", "sex"], k=4, progress=stop)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("names", ["nr", ["home", "member"]])
def test_people_with_several_records_count_once(seed: int, names: str | list[str]) -> None:
    rng = np.random.default_rng(seed)
    base = pd.DataFrame(
        {
            "nr": range(80),
            "home": [number // 2 for number in range(80)],
            "member": [number % 2 for number in range(80)],
            "age": rng.integers(20, 60, 80),
            "sex": rng.choice(["f", "m"], 80),
        }
    )
    frame = (
        base.loc[rng.integers(0, 80, 400)].reset_index(drop=True).assign(ill=rng.choice(list("abcd"), 400))
    )
    quasi = ["age", "sex"]
    published, report = anonymise(
        frame, quasi_identifiers=quasi, sensitive=["ill"], k=5, l=2, respondent=names
    )
    groups = published.assign(nr=frame["nr"]).groupby(quasi)
    assert report.k == groups["nr"].nunique().min() >= 5
    assert report.people == frame["nr"].nunique()
    # No value is certain: none is shared by everyone in a class.
    for _, group in groups:
        everyone = group["nr"].nunique()
        assert group.groupby("ill")["nr"].nunique().max() < everyone
    assert f"of {report.people} people" in report.summary()
    assert "records alone" not in report.to_frame().index


def test_columns_that_repeat_and_were_left_out_are_named(people: pd.DataFrame) -> None:
    twice = pd.concat([people, people], ignore_index=True)
    columns = {"quasi_identifiers": ["age"], "sensitive": ["illness"], "k": 4}
    # Age and town are the same in all records of a name.
    with refused("people", "'name' seems to identify people: it has 120 values in 240 records"):
        anonymise(twice, **columns)
    report = anonymise(twice, **columns, records_are_people=True)[1]
    assert report.people is None
    assert report.repeated["name"] == 120
    assert "name (120 values)" in report.summary()
    assert f"k = {report.k} records" in repr(report)


@pytest.mark.parametrize(
    ("respondent", "code", "named"),
    [
        ("missing", "frame", "no column 'missing'"),
        ("age", "frame", "has two roles"),
        ("town", "k", "3"),
        ("blank", "frame", "'id-0'"),
        ("same", "frame", "all 120 records"),
    ],
)
def test_a_wrong_respondent_column_is_refused(
    people: pd.DataFrame, respondent: str, code: str, named: str
) -> None:
    people = people.assign(blank=["", *["x"] * 119], same="x")
    with refused(code, named):
        anonymise(people, quasi_identifiers=["age"], sensitive=["illness"], respondent=respondent)


def test_mappings_and_tables_are_hierarchies() -> None:
    """These raised "'dict' object has no attribute 'for_values'"."""
    people = pd.DataFrame({"town": [*"abcd"] * 3, "ill": [0, 1] * 6})
    tree = Hierarchy.from_rows("town", [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*")])
    wanted, _ = anonymise(people, quasi_identifiers=["town"], hierarchies={"town": tree}, k=6)
    assert set(wanted.town) == {"x", "y"}
    labels = {"a": "x", "b": "x", "c": "y", "d": "y"}
    for given in (labels, {town: [label] for town, label in labels.items()}, pd.DataFrame(labels.items())):
        found, _ = anonymise(people, quasi_identifiers=["town"], hierarchies={"town": given}, k=6)
        assert_frame_equal(found, wanted)
    with refused("hierarchy", "'town' is a int"):
        anonymise(people, quasi_identifiers=["town"], hierarchies={"town": 3})
    with refused("hierarchy", "'town'"):
        anonymise(people, quasi_identifiers=["town"], hierarchies={"town": {}})


def test_polars_and_arrow_tables_are_read() -> None:
    """These raised "DataFrame is not a DataFrame"."""
    people = pd.DataFrame({"age": [*range(20, 32)], "ill": [0, 1] * 6})
    wanted, _ = anonymise(people, quasi_identifiers=["age"], sensitive=["ill"], k=3)
    for table in (polars.from_pandas(people), pyarrow.Table.from_pandas(people)):
        found, _ = anonymise(table, quasi_identifiers=["age"], sensitive=["ill"], k=3)
        assert_frame_equal(found, wanted)


def test_a_report_names_categories_that_can_only_become_a_star() -> None:
    people = pd.DataFrame({"town": [*"abcd"] * 3, "sex": ["f", "m"] * 6, "ill": [0, 1] * 6})
    report = anonymise(people, quasi_identifiers=["town", "sex"], k=6)[1]
    assert report.flat == ("town",)
    assert "gets * in town; pass hierarchies={'town': ...}" in report.summary()
    tree = {"a": "x", "b": "x", "c": "y", "d": "y"}
    report = anonymise(people, quasi_identifiers=["town", "sex"], hierarchies={"town": tree}, k=6)[1]
    assert report.flat == ()


def test_weights_can_be_rounded_instead_of_averaged() -> None:
    people = pd.DataFrame({"age": [30] * 6 + [50] * 6, "w": [0.52, 0.54, 0.53, 2.1, 1.9, 2.2] * 2})
    given = {"quasi_identifiers": ["age"], "weights": "w", "k": 3}
    assert set(anonymise(people, **given)[0].w) == {1.29833}
    assert (
        anonymise(people, **given, weights_as="rounded")[0].w.tolist()
        == [0.53, 0.53, 0.53, 2.07, 2.07, 2.07] * 2
    )
    with refused("weights", "weights_as"):
        anonymise(people, **given, weights_as="exact")


def test_codes_without_a_hierarchy_are_grouped_by_their_beginnings() -> None:
    people = pd.DataFrame({"job": ["a-1", "a-2", "a-3", "b-1", "b-2", "b-3"] * 2, "ill": [0, 1] * 6})
    published, report = anonymise(people, quasi_identifiers=["job"], k=6)
    assert set(published.job) == {"a …", "b …"}
    assert report.flat == ()


def test_numbers_of_many_digits_are_codes() -> None:
    """Before, they were refused as numbers, although `read_table` and the page read them as codes."""
    people = pd.DataFrame({"nr": [(10 + row % 4) * 10**17 + row % 8 for row in range(80)]})
    published, report = anonymise(people, quasi_identifiers=["nr"], k=20, records_are_people=True)
    assert report.k >= 20
    assert set(published.nr) == {f"{start} …" for start in range(10, 14)}
    assert "codes such as “1100000000000000001”" in report.summary()


def test_texts_are_published_as_they_were_read() -> None:
    """Before, "1,5" was said to be read as 1.5, and published as "1,5"."""
    people = pd.DataFrame({"age": [30, 40] * 20, "pay": ["1,5", "2,5", "3,25", "NA"] * 10})
    published, report = anonymise(people, quasi_identifiers=["age"], sensitive=["pay"], k=5, missing="value")
    assert set(published.pay.dropna()) == {1.5, 2.5, 3.25}
    assert "“1,5” was read as the number 1.5" in report.summary()


def test_a_report_compares_the_table_before_and_after():
    """Classes of 5, 2 and 1 records; the last one is left out or joined to others."""
    frame = pd.DataFrame({"town": [*"aaaaabbc"], "ill": [*"xyxyxyxy"]})
    _, report = anonymise(frame, quasi_identifiers=["town"], k=2)
    rows = report.to_frame()
    assert rows.before["smallest class"] == 1
    assert rows.after["smallest class"] == report.k >= 2
    assert rows.before["records alone"] == 1
    assert rows.after["records alone"] == 0
    assert rows.before["prosecutor risk, highest"] == 1.0
    assert rows.before["prosecutor risk, mean"] == pytest.approx(3 / 8)
    two = frame[frame.town != "c"]
    before = anonymise(two, quasi_identifiers=["town"], k=2)[1].to_frame().before
    assert (before["smallest class"], before["prosecutor risk, highest"]) == (2, 0.5)


@pytest.mark.parametrize(("missing", "town", "age"), [("value", 10, 6), ("drop", 6, 6)])
def test_a_missing_category_can_be_a_value_and_a_missing_number_cannot(
    missing: str, town: int, age: int
) -> None:
    """Of ten records, four lack both; these form a class of their own only as a category."""
    frame = pd.DataFrame({"town": [*"aaabbb", *[None] * 4], "age": [30.5, 31, 32, 33, 34, 35, *[None] * 4]})
    kept = [len(anonymise(frame, quasi_identifiers=[name], k=3, missing=missing)[0]) for name in frame]
    assert kept == [town, age]


def visits() -> pd.DataFrame:
    """Return a day of each of 72 records: three in each month of two years, of two towns."""
    days = [f"{2020 + n // 36}-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(72)]
    return pd.DataFrame({"town": [*"ab"] * 36, "visit": days})


@pytest.mark.parametrize(("k", "labels", "fewest"), [(3, 24, 3), (6, 8, 9), (10, 2, 36), (40, 1, 72)])
def test_days_become_months_quarters_years_or_decades(k: int, labels: int, fewest: int) -> None:
    sizes = anonymise(visits(), quasi_identifiers=["visit"], k=k)[0].visit.value_counts()
    assert (len(sizes), sizes.min()) == (labels, fewest)


def test_protected_days_are_published_as_months_and_missing_ones_stay_missing() -> None:
    frame = visits()
    frame.loc[:3, "visit"] = None
    published, _ = anonymise(frame, quasi_identifiers=["town"], sensitive=["visit"], k=3, missing="value")
    assert published.visit.isna().sum() == 4
    assert published.visit[4:].tolist() == [day[:7] for day in frame.visit[4:]]
    dates, _ = anonymise(frame, quasi_identifiers=["visit"], k=3, missing="value")
    assert (dates.visit == "").sum() == 4
