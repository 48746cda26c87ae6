from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc import Space, answer, answer_mean, k_member, parse
from privacy.sdc.labels import Domain, label_column
from privacy.sdc.queries import Condition, Query, query_text
from privacy.sdc.table import Table
from tests.cast.tables import WORK, random_table, table_of, tree_of

RELEASE = table_of(
    ["age", "work", "disease"],
    [
        ("[20,29]", "public", "flu"),
        ("[20,29]", "public", "cold"),
        ("[35,44]", "*", "flu"),
        ("[35,44]", "*", "flu"),
        ("50", "state", "cold"),
    ],
    sensitive=["disease"],
)
DOMAINS = {
    "age": Domain(name="age", numeric=True, whole=True),
    "work": Domain(
        name="work",
        numeric=False,
        leaves={"public": ("state", "city"), "*": ("state", "city", "own", "firm")},
    ),
}


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
        # All conditions on a column together; a group of the codebook stands for what is below it.
        ("count where age > 25 and age < 25", (0, 0, 0)),
        ("count where age >= 22 and age <= 24", (0, 2 * 0.3, 2)),
        ("count where age >= 20 and age != 20 and age <= 29", (0, 2 * 0.9, 2)),
        ("count where work = public", (3, 3 + 2 * 0.5, 5)),
    ],
)
def test_bounds_and_expected_values_worked_by_hand(text, expected):
    assert only(text) == pytest.approx(expected)


def test_groups_come_in_order_with_counts_of_their_own():
    found = answer(RELEASE, parse("count where age < 40 group by disease"), DOMAINS)
    assert [(one.group, one.lower, one.upper, one.expected) for one in found] == [
        (("cold",), 1, 1, 1.0),
        (("flu",), 1, 3, 2.0),
    ]


def test_a_star_that_the_codebook_does_not_spell_out_is_spread_like_what_is_seen():
    table = table_of(["sex"], [("F",), ("F",), ("M",), ("*",)])
    found = answer(table, parse("count where sex = F"), {"sex": Domain(name="sex", numeric=False)})[0]
    assert (found.lower, found.upper) == (2, 3)
    assert found.expected == pytest.approx(2 + 2 / 3)


def test_quoted_values_may_hold_signs_and_blanks():
    parsed = parse("count where 'salary class' = '<=50K' group by sex, work")
    assert parsed == Query(
        conditions=(Condition(column="salary class", sign="=", values=("<=50K",)),), groups=("sex", "work")
    )


def worlds(table, domains):
    """Every table of true ages and works that reads as the published one."""
    ages, works = table.column("age"), table.column("work")
    cells = []
    for age, work in zip(ages.texts, works.texts, strict=True):
        box = domains["age"].meaning(age)
        cells.append(
            list(
                product(
                    range(int(box.low), int(box.high) + 1),
                    sorted(domains["work"].meaning(work)),
                )
            )
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
    ],
)
def test_the_bounds_are_the_least_and_the_most_of_all_tables_that_read_alike(text, holds):
    """Exactly: 432 tables of four people are written down, and asked."""
    counts, means = set(), set()
    for people in worlds(SMALL, DOMAINS):
        ages = [age for age, work in people if holds(age, work)]
        counts.add(len(ages))
        means |= {sum(ages) / len(ages)} if ages else set()
    found = answer(SMALL, parse(f"count {text}"), DOMAINS)[0]
    assert (found.lower, found.upper) == (min(counts), max(counts))
    mean = answer_mean(SMALL, parse(f"mean age {text}"), DOMAINS)[0]
    assert (mean.least, mean.most) == (min(counts), max(counts))
    assert (mean.lower, mean.upper) == (
        (None, None) if not means else pytest.approx((min(means), max(means)), rel=1e-12)
    )


def test_a_mean_is_worked_by_hand():
    """Of two at 20 to 29 and two at 35 to 44 below 40: 24.5 twice whole, 37 twice by half."""
    (found,) = answer_mean(RELEASE, parse("mean age where age < 40"), DOMAINS)
    assert (found.lower, found.upper) == (20, (29 * 2 + 39 * 2) / 4)
    assert found.expected == pytest.approx((24.5 * 2 + 37) / 3)
    assert [one.expected for one in answer_mean(RELEASE, parse("mean age group by disease"), DOMAINS)] == (
        pytest.approx([(24.5 + 50) / 2, (24.5 + 39.5 * 2) / 3])
    )


@pytest.mark.parametrize(
    ("rows", "domain", "message"),
    [
        ([("a",), ("b",)], Domain(name="age", numeric=False), "holds texts and has no mean"),
        ([("3",), ("*",)], Domain(name="age", numeric=True), "reads '\\*' in some of these records"),
    ],
)
def test_a_mean_without_bounds_is_refused(rows, domain, message):
    with pytest.raises(PrivacyError, match=message):
        answer_mean(table_of(["age"], rows), parse("mean age"), {"age": domain})


def test_an_open_label_that_the_conditions_leave_out_or_close_bounds_a_mean():
    table = table_of(["age"], [("3",), ("*",)])
    domains = {"age": Domain(name="age", numeric=True)}
    (found,) = answer_mean(table, parse("mean age where age between 2 and 5"), domains)
    assert (found.lower, found.upper) == (2.5, 4)


@given(
    st.lists(
        st.tuples(
            st.text(max_size=4),
            st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "in", "between"]),
            st.lists(st.text("aA '\"(),<=", max_size=4), min_size=2, max_size=3),
        ),
        max_size=3,
    ),
    st.lists(st.sampled_from(["a", "group", "it's", 'say "no"', ""]), max_size=2),
    st.none() | st.sampled_from(["age", "where", "a b"]),
)
def test_what_is_written_of_a_query_is_read_as_the_same(conditions, groups, mean_of):
    query = Query(
        conditions=tuple(
            Condition(
                column=column,
                sign=sign,
                values=tuple(values if sign == "in" else values[:2] if sign == "between" else values[:1]),
            )
            for column, sign, values in conditions
        ),
        groups=tuple(groups),
        mean_of=mean_of,
    )
    assert parse(query_text(query)) == query


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mean",
        "sum age",
        "count where",
        "count where age",
        "count where age <",
        "count where age in 4",
        "count group age",
        "count where age < 4 or age > 5",
        "count where age ~ 4",
        "count; drop",
        "count where age in (1",
    ],
)
def test_what_is_no_counting_query_is_refused_with_the_grammar(text):
    with pytest.raises(PrivacyError, match="write: count"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count where age < old", "'old', which is no number"),
        ("count where work < own", "cannot be compared by '<'"),
        ("count where height < 3", "no column 'height'"),
        ("count group by height", "no column 'height'"),
    ],
)
def test_questions_the_release_cannot_answer_are_refused(text, message):
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
    table, _ = random_table(seed, 60)
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
        source_rows=np.arange(60),
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
