"""A formula is read into names and terms."""

import pandas
import pytest

from privacy.regression.formula import Formula, quote_names
from tests.fixtures.refusals import refused

PEOPLE = pandas.DataFrame(
    {"age": [30.0, 40.0, 50.0, 60.0], "town": ["x", "y", "x", "y"], "a b": [1, 0, 0, 1]}
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("y ~ 1", ()),
        ("y ~ age + age:town", ("age", "town")),
        ("y ~ np.log(age) * C(town)", ("age", "town")),
        ("y ~ I(age**2) + `a b`", ("age", "a b")),
    ],
)
def test_the_columns_of_the_right_side_are_named_once(text: str, names: tuple[str, ...]) -> None:
    formula = Formula.of(text, [*PEOPLE.columns, "y"])
    assert (formula.response, formula.names) == ("y", names)


@pytest.mark.parametrize(("text", "response"), [("`a b` ~ age", "a b"), ("new ~ age", "new")])
def test_a_response_is_a_column_or_a_name_that_a_column_could_have(text: str, response: str) -> None:
    assert Formula.of(text, PEOPLE.columns).response == response
    with refused("formula", "a c"):
        Formula.of("`a c` ~ age", PEOPLE.columns)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("y", "'y'"),
        ("y ~ age ~ town", "y ~ age ~ town"),
        ("np.log(y) ~ age", "np.log(y)"),
        ("y + age ~ town", "y + age"),
        ("y ~ y", "'y'"),
        (3, "3"),
    ],
)
def test_what_is_no_formula_is_refused(text: str, named: str) -> None:
    with refused("formula", named):
        Formula.of(text, [*PEOPLE.columns, "y"])


def test_names_that_are_no_identifiers_get_backticks_once() -> None:
    quoted = quote_names("cheat ~ job=office + age", ["cheat", "job=office", "age"])
    assert quote_names(quoted, ["job=office"]) == quoted == "cheat ~ `job=office` + age"


@pytest.mark.parametrize("names", [["last pay", "last pay 2"], ["last pay 2", "last pay"]])
def test_the_longest_name_gets_the_backticks(names: list[str]) -> None:
    quoted = quote_names("cheat ~ last pay 2 + last pay", names)
    assert quoted == "cheat ~ `last pay 2` + `last pay`"
