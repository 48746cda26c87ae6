import pytest

from privacy.sdc.published_labels import Domain
from privacy.sdc.query_language import parse
from privacy.sdc.query_rows import QueryRows, _steps
from tests.fixtures.queried_release import DOMAINS, RELEASE
from tests.fixtures.refusals import refused
from tests.fixtures.tables import table_of


def sums(text, release=RELEASE, domains=DOMAINS):
    """Return how many records fit certainly, by expectation of the even model, and possibly."""
    query = parse(text)
    rows = QueryRows(release, query, domains)
    fits = rows.meeting_any(query.terms)
    return tuple(float(rows.counts @ part) for part in (fits.certain, fits.share[0], fits.possible))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count", (5, 5, 5)),
        ("count where age < 40 and work = own", (0, 2 * 0.5 * 0.25, 2)),
        # The rows of 20 to 29 and of 50 fit; of the others, all but half of three quarters.
        ("count where age < 40 or work = state", (3, 3 + 2 * (1 - 0.5 * 0.75), 5)),
        # No condition alone covers [35,44] and each of its values meets one.
        ("count where age < 40 or age >= 40", (5, 5, 5)),
        ("count where age <= 40 or age > 41", (3, 3 + 2 * 0.9, 5)),
        ("count where age between 36 and 40 or age < 36 or age > 40", (5, 5, 5)),
        ("count where age between 36 and 40 or age < 36 or age > 41", (3, 3 + 2 * 0.9, 5)),
        ("count where work in (state, city) or work = own", (3, 3 + 2 * 0.75, 5)),
        ("count where work in (state, city) or work != city", (5, 5, 5)),
        ("count where work != state or work = state", (5, 5, 5)),
        ("count where age = 50 or age != 50", (5, 5, 5)),
        ("count where age = 36 or age = 37 or age = 37", (0, 2 * 0.2, 2)),
    ],
)
def test_terms_are_joined_by_the_values_that_meet_them(text, expected):
    assert sums(text) == pytest.approx(expected)


def test_a_mean_adds_numbers_and_their_squares_over_the_values_that_fit():
    """Even over [a,b], the mean square is (a^2 + ab + b^2) / 3; half of [35,44] is from 35 to 39.5."""
    domains = DOMAINS | {"age": Domain(name="age", numeric=True)}
    query = parse("mean age where work != state and age < 39.5")
    rows = QueryRows(RELEASE, query, domains)
    fits = rows.meeting_any(query.terms)
    low, high, total, square = {}, {}, {}, {}
    for at, code in enumerate(rows.codes["age"].tolist()):
        label = RELEASE.column("age").values[code]
        low[label], high[label] = fits.low[at], fits.high[at]
        total[label], square[label] = fits.total[0, at], fits.square[0, at]
    assert (low["[20,29]"], high["[20,29]"]) == (20, 29)
    assert total["[20,29]"] == pytest.approx(0.5 * 24.5)
    assert square["[20,29]"] == pytest.approx(0.5 * (20**2 + 20 * 29 + 29**2) / 3)
    assert (low["[35,44]"], high["[35,44]"]) == (35, 39.5)
    assert total["[35,44]"] == pytest.approx(0.5 * 0.75 * 37.25)
    assert square["[35,44]"] == pytest.approx(0.5 * 0.75 * (35**2 + 35 * 39.5 + 39.5**2) / 3)
    assert total["50"] == square["50"] == 0
    either = rows.meeting_any(parse("count where age < 25 or age between 24 and 29").terms)
    young = rows.codes["age"] == RELEASE.column("age").values.index("[20,29]")
    assert (either.low[young].tolist(), either.high[young].tolist()) == ([20], [29])
    assert either.total[0, young] == pytest.approx([24.5])


def test_squares_add_the_records_of_a_row_within_each_class():
    """Flu is once in the first class and twice in the second; cold is once in the first and third."""
    rows = QueryRows(RELEASE, parse("count where disease = flu"), DOMAINS)
    of = dict(zip(RELEASE.column("disease").values, range(2), strict=True))
    by_code = dict(zip(rows.codes["disease"].tolist(), rows.squares.tolist(), strict=True))
    assert by_code == {of["flu"]: 1 + 2**2, of["cold"]: 1 + 1}
    open_table = table_of(["disease"], [("flu",), ("flu",), ("cold",)], sensitive=["disease"])
    rows = QueryRows(open_table, parse("count where disease = flu"), {})
    assert sorted(rows.squares.tolist()) == [1, 2**2], "without a quasi-identifier, all are one class"


def names(text, labels, **domain):
    table = table_of(["x"], [(label,) for label in labels])
    rows = QueryRows(table, parse(f"count group by x {text}"), {"x": Domain(name="x", **domain)})
    return [group for (group,), _terms in rows.groups()]


def test_groups_are_texts_numbers_or_about_ten_round_steps():
    assert names("", ["b", "a", "b"], numeric=False) == ["a", "b"]
    assert names("", ["*", "*"], numeric=False) == ["*"]
    assert names("", [str(n) for n in range(20)], numeric=True) == [str(n) for n in range(20)]
    # 21 numbers up to 87 take steps of 10, the least of 1, 2, 5, 10 above 87 / 9.
    ages = [str(n) for n in (*range(20), 87)]
    assert names("", ages, numeric=True, whole=True) == [
        *(f"[{low},{low + 9}]" for low in range(0, 80, 10)),
        "[80,87]",
    ]
    assert names("", ages, numeric=True)[:2] == ["[0,10)", "[10,20)"]
    assert names("", ages, numeric=True)[-1] == "[80,87]"
    assert names("", ["[0.5,2]", "[2,5]"], numeric=True) == [
        "[0.5,1)", *(f"[{n / 2:g},{n / 2 + 0.5:g})" for n in range(2, 10)), "[5,5]"
    ]  # fmt: skip
    assert names("", ["[60,65)", "[65,inf)"], numeric=True, whole=True)[-1] == "[65,inf)"
    assert names("", ["[-inf,inf]"], numeric=True) == ["[0,inf)"]


def test_the_first_and_last_step_have_no_outer_limit():
    table = table_of(["x"], [(f"[{n},{n + 10}]",) for n in range(0, 90, 10)])
    rows = QueryRows(table, parse("count group by x"), {"x": Domain(name="x", numeric=True)})
    terms = [[(one.sign, *one.values) for one in term] for _group, (term,) in rows.groups()]
    assert terms[0] == [("<", "10")]
    assert terms[3] == [(">=", "30"), ("<", "40")]
    assert terms[-1] == [(">=", "90")]


def test_queries_with_too_many_cells_or_ways_to_fail_are_refused():
    square = table_of(["x", "y"], [(f"a{n}", f"b{n}") for n in range(20)])
    grid = QueryRows(square, parse("count group by x, y"), {}).groups
    assert sum(1 for _group in grid()) == 400
    larger = table_of(["x", "y"], [(f"a{n}", f"b{n % 20}") for n in range(21)])
    with refused("query", 420):
        list(QueryRows(larger, parse("count group by x, y"), {}).groups())
    # Each "between" can be failed on two sides; 64 = 2^6.
    sides = " or ".join(["age between 21 and 40"] * 6)
    assert QueryRows(RELEASE, parse(f"count where {sides}"), DOMAINS).counts.sum() == 5
    with refused("query"):
        QueryRows(RELEASE, parse(f"count where {sides} or age between 21 and 40"), DOMAINS)
    with refused("query", "work"):
        QueryRows(RELEASE, parse("mean work"), DOMAINS)
    assert QueryRows(RELEASE, parse("mean age"), DOMAINS).query.number == "age"


@pytest.mark.parametrize(
    ("ends", "whole", "steps"),
    [
        ((0, 9), False, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ((0, 10), False, [0, 2, 4, 6, 8, 10]),
        ((0, 45), True, [0, 5, 10, 15, 20, 25, 30, 35, 40, 45]),
        ((13, 17), True, [13, 14, 15, 16, 17]),
        ((0, 4.5), False, [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]),
        ((-7, 11), False, [-8, -6, -4, -2, 0, 2, 4, 6, 8, 10]),
        # .9 / .1 is less than 9 in binary numbers.
        ((0, 0.9), False, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
        ((0.3, 1.2), False, [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2]),
    ],
)
def test_steps_are_one_two_or_five_times_a_power_of_ten(ends, whole, steps):
    assert _steps(*map(float, ends), whole=whole) == pytest.approx(steps)
