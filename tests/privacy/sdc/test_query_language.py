import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.label_conditions import Condition
from privacy.sdc.query_language import Query, parse, query_text


def test_quoted_values_may_contain_signs_and_spaces():
    parsed = parse("count where 'salary class' = '<=50K' group by sex, work")
    assert parsed == Query(
        conditions=(Condition(column="salary class", sign="=", values=("<=50K",)),), groups=("sex", "work")
    )


@given(
    st.lists(
        st.tuples(
            st.text(max_size=4),
            st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "in", "between"]),
            st.lists(st.text("aA '\"(),<=", max_size=4), min_size=2, max_size=3),
        ),
        max_size=3,
    ),
    st.lists(st.sampled_from(["a", "group", "or", "it's", 'say "no"', ""]), max_size=2),
    st.none() | st.sampled_from(["age", "where", "a b"]),
    st.booleans(),
    st.integers(1, 3),
)
def test_queries_survive_writing_and_parsing(conditions, groups, number, median, first):
    written = tuple(
        Condition(
            column=column,
            sign=sign,
            values=tuple(values if sign == "in" else values[:2] if sign == "between" else values[:1]),
        )
        for column, sign, values in conditions
    )
    query = Query(
        conditions=written[:first],
        alternatives=tuple((condition,) for condition in written[first:]),
        groups=tuple(groups),
        mean_of=None if median else number,
        median_of=number if median else None,
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
        "count where age < 4 or",
        "count where or age > 5",
        "count where age ~ 4",
        "count; drop",
        "count where age in (1",
    ],
)
def test_invalid_queries_are_refused_with_the_grammar(text):
    with pytest.raises(PrivacyError, match="write: count"):
        parse(text)


def condition(sign, *values):
    return [Condition(column="x", sign=sign, values=values)]


def test_a_query_names_each_of_its_columns_once():
    count = parse("count where age > 30 and town = a or sex = f and age < 20 group by town, job")
    assert count.columns == ("town", "job", "age", "sex")
    assert (count.kind, count.number) == ("count", None)
    for kind in ("mean", "median"):
        query = parse(f"{kind} pay where age > 30 group by town")
        assert query.columns == ("pay", "town", "age")
        assert (query.kind, query.number) == (kind, "pay")
