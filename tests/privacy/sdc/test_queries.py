import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc import Space, answer, k_member, parse
from privacy.sdc.labels import Domain, label_column
from privacy.sdc.queries import Condition, Query
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


@pytest.mark.parametrize(
    "text",
    [
        "",
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
@settings(deadline=None, max_examples=60)
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
