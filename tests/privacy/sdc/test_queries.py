from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.generalisation import Space
from privacy.sdc.k_member import k_member
from privacy.sdc.published_labels import Domain, label_column
from privacy.sdc.queries import Answer, _least_mean, _least_median, answer
from privacy.sdc.query_accuracy import query_error
from privacy.sdc.query_language import parse
from privacy.sdc.table import Table
from tests.fixtures.queried_release import DOMAINS, RELEASE
from tests.fixtures.tables import WORK, random_table, table_of, tree_of


def only(text):
    found = answer(RELEASE, parse(text), DOMAINS)
    assert len(found) == 1
    return found[0].lower, found[0].expected, found[0].upper


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count", (5, 5, 5)),
        ("count where age < 40", (2, 3, 4)),
        ("count where age <= 44", (4, 4, 4)),
        ("count where age > 35", (1, 1 + 2 * 0.9, 3)),
        ("count where age >= 35", (3, 3, 3)),
        ("count where age = 50", (1, 1, 1)),
        ("count where age = 25", (0, 0.2, 2)),
        ("count where age != 50", (4, 4, 4)),
        ("count where age between 25 and 39", (0, 2 * 0.5 + 2 * 0.5, 4)),
        ("count where age in (20, 21, 50)", (1, 1 + 2 * 0.2, 3)),
        ("count where work = state", (1, 1 + 2 * 0.5 + 2 * 0.25, 5)),
        ("count where work != state", (0, 2 * 0.5 + 2 * 0.75, 4)),
        ("count where work in (state, city)", (3, 3 + 2 * 0.5, 5)),
        ("count where age < 40 and work = own", (0, 2 * 0.5 * 0.25, 2)),
        ("count where disease = flu", (3, 3, 3)),
        # Conditions on a column are combined, and a codebook group stands for the values below it.
        ("count where age > 25 and age < 25", (0, 0, 0)),
        ("count where age >= 22 and age <= 24", (0, 2 * 0.3, 2)),
        ("count where age >= 20 and age != 20 and age <= 29", (0, 2 * 0.9, 2)),
        ("count where work = public", (3, 3 + 2 * 0.5, 5)),
    ],
)
def test_bounds_and_expected_values_match_hand_calculations(text, expected):
    assert only(text) == pytest.approx(expected)


def test_groups_are_ordered_and_counted_separately():
    found = answer(RELEASE, parse("count where age < 40 group by disease"), DOMAINS)
    assert [(one.group, one.lower, one.upper, one.expected) for one in found] == [
        (("cold",), 1, 1, 1.0),
        (("flu",), 1, 3, 2.0),
    ]


def test_undefined_stars_spread_like_the_observed_values():
    table = table_of(["sex"], [("F",), ("F",), ("M",), ("*",)])
    found = answer(table, parse("count where sex = F"), {"sex": Domain(name="sex", numeric=False)})[0]
    assert (found.lower, found.upper) == (2, 3)
    assert found.expected == pytest.approx(2 + 2 / 3)


def worlds(table, domains):
    """Yield every table of true ages and works that is consistent with the published one."""
    ages, works = table.column("age"), table.column("work")
    cells = []
    for age, work in zip(ages.texts, works.texts, strict=True):
        box = domains["age"].meaning(age)
        cells.append(
            list(product(range(int(box.low), int(box.high) + 1), sorted(domains["work"].meaning(work))))
        )
    return product(*cells)


SMALL = table_of(
    ["age", "work"], [("[20,22]", "public"), ("[21,23]", "public"), ("[22,24]", "*"), ("25", "own")]
)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("where age < 22", lambda age, work: age < 22),
        (
            "where age > 20 and age != 22 and work = city",
            lambda age, work: age > 20 and age != 22 and work == "city",
        ),
        ("where age in (21, 24, 25)", lambda age, work: age in (21, 24, 25)),
        (
            "where age between 22 and 23 and work != state",
            lambda age, work: 22 <= age <= 23 and work != "state",
        ),
        ("where age > 25", lambda age, work: age > 25),
        ("", lambda age, work: True),
        # Two conditions that together cover a label are certain, although neither alone is.
        ("where age < 22 or age >= 22", lambda age, work: True),
        ("where work in (state, own) or work != own", lambda age, work: True),
        (
            "where age between 21 and 22 or work = own and age > 23",
            lambda age, work: 21 <= age <= 22 or (work == "own" and age > 23),
        ),
        (
            "where work = state and age < 23 or work = city or age != 24 and work = firm",
            lambda age, work: (
                (work == "state" and age < 23) or work == "city" or (age != 24 and work == "firm")
            ),
        ),
    ],
)
def test_bounds_are_the_extremes_over_all_consistent_tables(text, holds):
    """Enumerates all 432 tables of four people; no answer reveals more than the labels."""
    counts, means, medians = set(), set(), set()
    for people in worlds(SMALL, DOMAINS):
        ages = [age for age, work in people if holds(age, work)]
        counts.add(len(ages))
        means |= {sum(ages) / len(ages)} if ages else set()
        medians |= {float(np.median(ages))} if ages else set()
    found = answer(SMALL, parse(f"count {text}"), DOMAINS)[0]
    assert (found.lower, found.upper) == (min(counts), max(counts))
    for kind, figures in (("mean", means), ("median", medians)):
        (number,) = answer(SMALL, parse(f"{kind} age {text}"), DOMAINS)
        assert (number.least, number.most) == (min(counts), max(counts))
        assert (number.lower, number.upper) == (
            (None, None) if not figures else pytest.approx((min(figures), max(figures)), rel=1e-12)
        )


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 3), st.sampled_from(["a", "b", "*"])),
        min_size=1,
        max_size=4,
    ),
    st.lists(
        st.lists(
            st.tuples(
                st.sampled_from(["<", ">=", "=", "!="]), st.integers(0, 8), st.sampled_from(["", "a", "b"])
            ),
            min_size=1,
            max_size=2,
        ),
        min_size=1,
        max_size=3,
    ),
)
@pytest.mark.soak
def test_query_bounds_are_attained_for_any_table(labels, terms):
    domains = {
        "x": Domain(name="x", numeric=True, whole=True),
        "y": Domain(name="y", numeric=False, leaves={"*": ("a", "b")}),
    }
    table = table_of(
        ["x", "y"], [(f"[{low},{low + width}]" if width else str(low), text) for low, width, text in labels]
    )
    test = {"<": int.__lt__, ">=": int.__ge__, "=": int.__eq__, "!=": int.__ne__}

    def holds(x, y):
        return any(
            all(test[sign](x, edge) and text in ("", y) for sign, edge, text in term) for term in terms
        )

    text = " or ".join(
        " and ".join(
            f"x {sign} {edge}" + (f" and y = {value}" if value else "") for sign, edge, value in term
        )
        for term in terms
    )
    people = [
        [(x, y) for x in range(low, low + width + 1) for y in ("ab" if text == "*" else text)]
        for low, width, text in labels
    ]
    seen = [[x for x, y in world if holds(x, y)] for world in product(*people)]
    (count,) = answer(table, parse(f"count where {text}"), domains)
    assert (count.lower, count.upper) == (min(map(len, seen)), max(map(len, seen)))
    assert count.lower <= count.likely_lower <= count.likely_upper <= count.upper
    if count.lower == count.upper:
        assert count.likely_lower == count.expected == count.likely_upper
    medians = [float(np.median(xs)) for xs in seen if xs]
    (median,) = answer(table, parse(f"median x where {text}"), domains)
    assert (median.lower, median.upper) == ((min(medians), max(medians)) if medians else (None, None))
    if median.expected is not None:
        assert median.lower <= median.likely_lower <= median.likely_upper <= median.upper
        assert median.lower <= median.expected <= median.upper


def test_means_match_hand_calculations():
    """Below 40 are two people at 20 to 29 (24.5, counted fully) and two at 35 to 44 (37, counted half)."""
    (found,) = answer(RELEASE, parse("mean age where age < 40"), DOMAINS)
    assert (found.lower, found.upper) == (20, (29 * 2 + 39 * 2) / 4)
    assert found.expected == pytest.approx((24.5 * 2 + 37) / 3)
    assert [one.expected for one in answer(RELEASE, parse("mean age group by disease"), DOMAINS)] == (
        pytest.approx([(24.5 + 50) / 2, (24.5 + 39.5 * 2) / 3])
    )


@pytest.mark.parametrize(("low", "high", "median"), [(3, 1, 20 / 3), (1, 3, 40 / 3), (2, 2, 10)])
def test_expected_medians_divide_the_interval_that_holds_the_middle_record(low, high, median):
    table = table_of(["x"], [("[0,10)",)] * low + [("[10,20)",)] * high)
    (found,) = answer(table, parse("median x"), {"x": Domain(name="x", numeric=True)})
    assert found.expected == pytest.approx(median)


def test_the_likely_range_of_a_mean_matches_a_hand_calculation():
    """Ten people of 10 count fully, and twenty of 20 half, each in a class of their own.

    So the mean is (100 + 200) / 20 = 15. Each of the twenty is counted or not, and if so lies 5 above it, so
    the sum of the distances from 15 has the variance 20 times 5^2 / 4.
    """
    certain = [("10", work, f"{work}{place}") for work in ("state", "city") for place in range(10)]
    table = table_of(["age", "work", "zip"], certain + [("20", "public", str(place)) for place in range(20)])
    (found,) = answer(table, parse("mean age where work = state"), DOMAINS)
    assert (found.lower, found.expected, found.upper) == pytest.approx((10, 15, 500 / 30))
    half = 1.959964 * (20 * 25 / 4) ** 0.5 / 20
    assert (found.likely_lower, found.likely_upper) == pytest.approx((15 - half, 15 + half), rel=1e-7)


@pytest.mark.parametrize(
    ("rows", "domain", "message"),
    [
        ([("a",), ("b",)], Domain(name="age", numeric=False), "contains text, so it has no mean"),
        ([("3",), ("*",)], Domain(name="age", numeric=True), "some of these records “age” is “\\*”"),
        ([("3",), ("[60,inf)",)], Domain(name="age", numeric=True), "“age” is “\\[60,inf\\)”"),
        ([("3",), ("(-inf,2]",)], Domain(name="age", numeric=True), "“age” is “\\(-inf,2\\]”"),
    ],
)
def test_means_of_unbounded_labels_are_rejected(rows, domain, message):
    with pytest.raises(PrivacyError, match=message):
        answer(table_of(["age"], rows), parse("mean age"), {"age": domain})


@pytest.mark.parametrize("kind", ["mean", "median"])
def test_a_single_number_in_an_interval_is_possible_but_not_expected(kind):
    """A model spreads an interval evenly, so one of its numbers has probability 0."""
    table = table_of(["age"], [("[20,30]",), ("[40,50]",)])
    (found,) = answer(table, parse(f"{kind} age where age = 25"), {"age": Domain(name="age", numeric=True)})
    assert (found.lower, found.expected, found.upper) == (25, None, 25)
    assert (found.likely_lower, found.likely_upper) == (25, 25)
    assert (found.least, found.most) == (0, 1)


def test_conditions_can_bound_the_mean_of_an_open_label():
    table = table_of(["age"], [("3",), ("*",)])
    domains = {"age": Domain(name="age", numeric=True)}
    (found,) = answer(table, parse("mean age where age between 2 and 5"), domains)
    assert (found.lower, found.upper) == (2.5, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count where age < old", "“old” is not a number"),
        ("count where work < own", "cannot be compared by “<”"),
        ("count where height < 3", "no column 'height'"),
        ("count group by height", "no column 'height'"),
    ],
)
def test_queries_the_release_cannot_answer_are_rejected(text, message):
    with pytest.raises(PrivacyError, match=message):
        answer(RELEASE, parse(text), DOMAINS)


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(
    st.integers(0, 30),
    st.integers(15, 62),
    st.integers(15, 62),
    st.sampled_from(["<", "<=", ">", ">=", "=", "!="]),
    st.sampled_from(["state", "own", "none"]),
)
def test_the_truth_always_lies_between_the_bounds(seed, low, high, sign, work):
    table, _ = random_table(seed, 40)
    trees = tree_of(table, {"work": WORK})
    space = Space.of(table, trees)
    classes = k_member(space, 5)
    labels = dict(zip(space.names, space.labels(space.boxes(classes.number, classes.count)), strict=True))
    released = Table(
        columns=tuple(
            label_column(
                column.name, column.role, [labels[column.name][number] for number in classes.number.tolist()]
            )
            if column.role == "quasi_identifier"
            else column
            for column in table.columns
        ),
        source_rows=np.arange(40),
    )
    domains = {
        column.name: Domain(name=column.name, numeric=True, whole=True)
        if column.numbers is not None
        else Domain.of_hierarchy(trees[column.name])
        for column in table.quasi_identifiers
    }
    exact = {name: Domain(name=name, numeric=name in ("age", "school")) for name in space.names}
    query = parse(
        f"count where age {sign} {low} and age between {min(low, high)} and {max(low, high)} "
        f"and work != {work}"
    )
    true = answer(table, query, exact)[0]
    assert true.lower == true.upper
    found = answer(released, query, domains)[0]
    assert found.lower <= true.lower <= found.upper
    assert found.lower <= found.expected + 1e-9
    assert found.expected <= found.upper + 1e-9


EXACT = {
    name: Domain(name=name, numeric=name in ("age", "school")) for name in ("age", "school", "work", "sex")
}


def test_bounds_of_a_fully_generalised_table_contain_the_truth():
    table, _ = random_table(1, 80)
    stars = Table(
        columns=tuple(
            label_column(column.name, column.role, ["*"] * 80)
            if column.role == "quasi_identifier"
            else column
            for column in table.columns
        ),
        source_rows=np.arange(80),
    )
    found = query_error(table, stars, EXACT, rng=np.random.default_rng(0), queries=20)
    assert found.inside == 1
    assert found.median_relative > 0.2
    everyone = answer(stars, parse("count where age < 40"), {"age": EXACT["age"]})[0]
    assert (everyone.lower, everyone.upper) == (0, 80)


def test_a_cross_table_has_a_cell_for_each_pair_of_values():
    """Cells are values, not labels: two people with "public" may be in state or city."""
    cells = answer(RELEASE, parse("count group by work, disease"), DOMAINS)
    found = {cell.group: (cell.lower, cell.expected, cell.upper) for cell in cells}
    assert len(found) == 4 * 2
    assert found["state", "cold"] == (1, 1.5, 2)
    assert found["city", "flu"] == (0, 0.5 + 2 * 0.25, 3)
    assert found["own", "cold"] == (0, 0, 0)
    assert sum(cell.expected for cell in cells) == pytest.approx(5)


def test_numbers_group_into_round_steps_counting_each_record_once():
    rows = [(f"[{low},{low + 7}]",) for low in range(18, 80, 3)]
    domains = {"age": Domain(name="age", numeric=True, whole=True)}
    cells = answer(table_of(["age"], rows), parse("count group by age"), domains)
    assert [cell.group[0] for cell in cells] == [
        "[10,19]", "[20,29]", "[30,39]", "[40,49]", "[50,59]", "[60,69]", "[70,79]", "[80,85]",
    ]  # fmt: skip
    assert sum(cell.expected for cell in cells) == pytest.approx(len(rows))
    # Two of the eight numbers in [18,25] are below 20.
    assert cells[0].expected == pytest.approx(2 / 8)
    few = answer(table_of(["age"], [("3",), ("5",), ("5",)]), parse("count group by age"), domains)
    assert [(cell.group[0], cell.lower) for cell in few] == [("3", 1), ("5", 2)]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("count group by x, y", "would have 441 cells"),
        ("count where " + " or ".join(["x = 1 and y = 2"] * 7), "too many conditions are joined by “or”"),
    ],
)
def test_oversized_cross_tables_are_rejected(query, message):
    table = table_of(["x", "y"], [(f"v{at}", f"w{at}") for at in range(21)])
    with pytest.raises(PrivacyError, match=message):
        answer(table, parse(query), {})


WAGES = tuple(range(5))


K, L = 4, 3


ATTACKED_AGES, WORKS = (20, 30, 40, 50), ("city", "firm", "own")


Ask = Callable[[str], tuple[Answer, ...]]


@pytest.fixture(scope="module")
def people() -> list[tuple[int, str, int]]:
    rng = np.random.default_rng(12)
    return [(int(rng.integers(20, 60)), WORKS[rng.integers(3)], int(rng.integers(5))) for _ in range(14)]


def table_of_people(people: list[tuple[int, str, int]]) -> Table:
    rows = [tuple(map(str, person)) for person in people]
    return table_of(["age", "work", "wage"], rows, sensitive=["wage"], numeric=["age"])


@pytest.fixture(scope="module")
def release(people: list[tuple[int, str, int]]) -> tuple[Table, dict[str, Domain], np.ndarray]:
    """Return the published table, what its labels mean, and each person's class."""
    table = table_of_people(people)
    trees = tree_of(table, {})
    space = Space.of(table, trees)
    classes = k_member(space, K, sensitive=table.sensitive[0], l_value=L)
    labels = dict(zip(space.names, space.labels(space.boxes(classes.number, classes.count)), strict=True))
    columns = tuple(
        label_column(name, table.column(name).role, [labels[name][at] for at in classes.number.tolist()])
        if name in labels
        else table.column(name)
        for name in ("age", "work", "wage")
    )
    domains = {
        "age": Domain(name="age", numeric=True, whole=True),
        "work": Domain.of_hierarchy(trees["work"]),
        "wage": Domain(name="wage", numeric=True, whole=True),
    }
    return Table(columns=columns, source_rows=np.arange(len(people))), domains, classes.number


@pytest.fixture(scope="module")
def ask(release: tuple[Table, dict[str, Domain], np.ndarray]) -> Ask:
    """Return a function that answers a query from the published table."""
    table, domains, _number = release
    return cache(lambda text: answer(table, parse(text), domains))


def questions(people: list[tuple[int, str, int]]) -> Iterator[tuple[str, Callable[[int, str], bool]]]:
    """Yield conditions on known columns, each with its meaning: single cells, trackers, alternatives."""
    ages = sorted({age for age, _work, _wage in people})
    for work in WORKS:
        for age in ages:
            yield f"age = {age} and work = {work}", lambda a, w, age=age, work=work: (a, w) == (age, work)
        for age in ATTACKED_AGES:
            yield f"age < {age} or work = {work}", lambda a, w, age=age, work=work: a < age or w == work
            yield (
                f"age >= {age} and work = {work} or age < {age} and work != {work}",
                lambda a, w, age=age, work=work: (a >= age) == (w == work),
            )
    for age in ages:
        yield f"age <= {age}", lambda a, _w, age=age: a <= age
        yield f"age > {age}", lambda a, _w, age=age: a > age


def possible_wages(people: list[tuple[int, str, int]], ask: Ask) -> list[set[int]]:
    """Return the wages that each person can have in tables that fit every answer."""
    n, width = len(people), len(WAGES)
    rows, low, high = [], [], []

    def bound(weights: np.ndarray, least: float, most: float) -> None:
        rows.append(weights.ravel())
        low.append(least)
        high.append(most)

    for person in range(n):
        one = np.zeros((n, width))
        one[person] = 1
        bound(one, 1, 1)
    for condition, holds in questions(people):
        inside = np.array([holds(age, work) for age, work, _wage in people], dtype=float)[:, None]
        count = inside.sum()
        for cell in ask(f"count where {condition} group by wage"):
            of_wage = (np.arange(width) == int(cell.group[0]))[None, :]
            bound(inside * of_wage, cell.lower or 0, cell.upper or 0)
        if not count:
            continue
        (mean,) = ask(f"mean wage where {condition}")
        bound(inside * np.array(WAGES), count * mean.lower - 1e-6, count * mean.upper + 1e-6)
        (median,) = ask(f"median wage where {condition}")
        bound(inside * (np.array(WAGES) <= median.upper), np.ceil(count / 2), count)
        bound(inside * (np.array(WAGES) >= median.lower), np.ceil(count / 2), count)
    told = scipy.optimize.LinearConstraint(np.array(rows), low, high)
    is_possible = np.zeros(n * width, dtype=bool)
    while True:
        # Find a table that fits the answers and shows as many new possible wages as any does.
        solved = scipy.optimize.milp(
            is_possible - 1.0, constraints=told, integrality=np.ones(n * width), bounds=(0, 1)
        )
        assert solved.success, "the answers contradict each other"
        shown = solved.x > 0.5
        if not (shown & ~is_possible).any():
            break
        is_possible |= shown
    return [set(np.flatnonzero(wages).tolist()) for wages in is_possible.reshape(n, width)]


def test_all_answers_combined_keep_every_wage_of_the_class_possible(people, release, ask):
    _table, _domains, number = release
    found = possible_wages(people, ask)
    for person, wages in enumerate(found):
        of_class = {people[other][2] for other in np.flatnonzero(number == number[person]).tolist()}
        assert wages >= of_class
        assert len(of_class) >= L


def test_the_attack_detects_bounds_computed_from_the_records(people, ask):
    """A naive service: counts of four or more are exact, and smaller ones are bounded by the labels."""
    truth = table_of_people(people)
    exact = {name: Domain(name=name, numeric=name != "work") for name in ("age", "work", "wage")}

    def ask_naive(text: str) -> tuple[Answer, ...]:
        said = ask(text)
        if not text.startswith("count"):
            return said
        true = answer(truth, parse(text), exact)
        return tuple(
            replace(one, lower=of.lower, upper=of.upper) if of.most >= K else one
            for one, of in zip(said, true, strict=True)
        )

    found = possible_wages(people, ask_naive)
    assert all(person[2] in wages for person, wages in zip(people, found, strict=True))
    assert min(map(len, found)) < L


@pytest.mark.soak
def test_swapping_wages_within_a_class_changes_no_answer(people, release, ask):
    """Bounds, expected values and likely ranges are functions of the published table."""
    table, domains, number = release
    rng = np.random.default_rng(3)
    order = np.arange(len(people))
    for at in np.unique(number):
        inside = np.flatnonzero(number == at)
        order[inside] = rng.permutation(inside)
    wage = table.column("wage")
    moved = Table(
        columns=(table.column("age"), table.column("work"), replace(wage, codes=wage.codes[order])),
        source_rows=table.source_rows,
    )
    assert (moved.column("wage").codes != wage.codes).any()
    for condition, _holds in questions(people):
        groups = "wage" if "work" in condition else "work, wage"
        for text in (f"count where {condition} group by {groups}", f"median wage where {condition}"):
            assert answer(moved, parse(text), domains) == ask(text)


def test_the_likely_range_of_a_count_is_two_deviations_of_its_classes():
    """In each of 16 classes of one record, one record in two is below 5: 8 expected, variance 16/4.

    The range 8 - 3.92 to 8 + 3.92 is widened to whole numbers. With 32 classes it is 16 - 5.54 to 16 + 5.54.
    """
    for classes, expected in ((16, (8, 4, 12)), (32, (16, 10, 22))):
        rows = [("[0,9]", f"w{number}", "flu") for number in range(classes)]
        release = table_of(["age", "work", "disease"], rows, sensitive=["disease"])
        domains = {"age": DOMAINS["age"], "work": Domain(name="work", numeric=False, leaves={})}
        (found,) = answer(release, parse("count where age < 5"), domains)
        assert (found.expected, found.likely_lower, found.likely_upper) == expected
        assert (found.lower, found.upper) == (0, classes)


def test_a_certain_count_has_no_range():
    table = table_of(["x"], [("5",)] * 3 + [("0",)])
    (found,) = answer(table, parse("count where x > 1"), {"x": Domain(name="x", numeric=True)})
    assert (found.lower, found.likely_lower, found.expected, found.likely_upper, found.upper) == (3,) * 5


def test_the_likely_range_of_a_median_matches_a_hand_calculation():
    """A hundred people, each alone in a class, have any number from 0 to 100.

    Each is below 50 with probability one half, so the number below has the variance 100 / 4, and the share
    below has the deviation .05. The median is likely between the quantiles .5 - 1.96 .05 and .5 + 1.96 .05.
    """
    table = table_of(["age", "zip"], [("[0,100)", str(place)) for place in range(100)])
    (found,) = answer(table, parse("median age"), DOMAINS | {"age": Domain(name="age", numeric=True)})
    assert found.expected == pytest.approx(50)
    ends = (50 - 100 * 1.959964 * 0.05, 50 + 100 * 1.959964 * 0.05)
    assert (found.likely_lower, found.likely_upper) == pytest.approx(ends, rel=1e-6)


@pytest.mark.parametrize(("least", "figure"), [(_least_mean, np.mean), (_least_median, np.median)])
def test_least_means_and_medians_are_those_of_the_best_choice_of_uncertain_records(
    least: Callable[..., float], figure: Callable[..., float]
) -> None:
    """All certain records count, and any number of records of each uncertain value."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        sure, across = rng.integers(0, 9, 2).astype(float), np.sort(rng.integers(0, 9, 3)).astype(float)
        counts, more = rng.integers(1, 3, 2), rng.integers(1, 3, 3)
        choices = product(*(range(most + 1) for most in more.tolist()))
        ways = [np.concatenate([sure.repeat(counts), across.repeat(chosen)]) for chosen in choices]
        assert least(sure, counts, across, more) == pytest.approx(min(map(figure, ways)))
