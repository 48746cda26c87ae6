"""Roles are proposed by names, labels and values of columns, and by their place in the table."""

from collections.abc import Iterable

import numpy as np
import pytest

from privacy.sdc.panels import Panel
from privacy.sdc.proposals import is_identifying, may_identify, propose, proposed_panel, with_panel
from privacy.tables.columns import ReadColumn, ReadTable

N = 60


def roles(*names: str, **values: list[str]) -> dict[str, str]:
    """Propose roles of a table whose columns, unless given, are numbers without meaning."""
    rng = np.random.default_rng(len(names))
    columns = {
        name: values.get(name, [str(number) for number in rng.integers(10, 40, N).tolist()]) for name in names
    }
    table = ReadTable.of_rows(names, zip(*columns.values(), strict=True))
    return {each["name"]: each["role"] for each in with_panel(table, list(map(propose, table.columns)))}


def sensitive(*names: str, **values: list[str]) -> list[str]:
    return [name for name, role in roles(*names, **values).items() if role == "sensitive"]


@pytest.mark.parametrize(
    "name",
    [
        "lwage",
        "cigs",
        "docvis",
        "colGPA",
        "MathAch",
        "rfsstat",
        "received_callback",
        "votetrump",
        "is_depressed",
    ],
)
def test_words_in_a_name_say_what_is_private(name: str) -> None:
    assert sensitive("age", "sex", name, "zz") == [name]


@pytest.mark.parametrize(
    "name", ["marstat", "educ", "hispanic", "smsa", "experience", "urban", "covid_wave", "province"]
)
def test_names_that_others_know_or_that_belong_to_the_design_are_not_private(name: str) -> None:
    assert name not in sensitive("age", "sex", name, "income")


def test_values_and_labels_say_what_is_private() -> None:
    habit = ["smoker", "nonsmoker", "nonsmoker"] * (N // 3)
    assert sensitive("age", "habit", "town", habit=habit) == ["habit"]
    codes = np.arange(N) % 2
    labelled = ReadColumn(name="v17", values=("1", "2"), codes=codes, label="Ever arrested by the police")
    assert propose(labelled)["role"] == "sensitive"
    answers = ReadColumn(
        name="v18", values=("1", "2"), codes=codes, value_labels={"1": "Agree", "2": "Disagree"}
    )
    assert propose(answers)["role"] == "sensitive"
    assert propose(ReadColumn(name="v19", values=("1", "2"), codes=codes))["role"] == "quasi_identifier"


def test_without_such_words_the_first_and_the_last_column_are_proposed() -> None:
    assert sensitive("age", "ahe", "zz", "q7") == ["ahe", "q7"]
    # In a language that is not understood, only the last one.
    assert sensitive("alder", "sivilstand", "q7") == ["q7"]
    # What stands first is proposed even if another name says what is private.
    assert sensitive("narr", "age", "income", "zz") == ["narr", "income"]


def test_squares_dummies_and_columns_of_the_design_are_not_proposed_for_their_place() -> None:
    years = dict.fromkeys(["y81", "y82", "y83"], ["0", "1"] * (N // 2))
    assert sensitive("trt", "age", "re78", "agesq", "y81", "y82", "y83", **years) == ["re78"]


def test_numbers_of_children_and_schools_are_left_out() -> None:
    found = roles("schoolid", "childid", "math", "age")
    assert (found["schoolid"], found["childid"], found["math"]) == ("identifier", "identifier", "sensitive")


def test_measurements_are_not_taken_for_people() -> None:
    """Wages repeat within a region by coincidence; before, some tables of wages were said to be panels."""
    wages = [f"{number / 4 + 3:.2f}" for number in range(20) for _record in range(3)]
    constant = {
        name: [str(number * step % 7) for number in range(20) for _record in range(3)]
        for name, step in (("region", 2), ("tuition", 3))
    }
    columns = {"wages": wages, "pay": wages, "h": wages, **constant}
    assert not {"h", "wages", "pay"} & {
        name
        for name, role in roles("h", "pay", "wages", "region", "tuition", **columns).items()
        if role == "identifier"
    }


@pytest.mark.parametrize(("name", "step"), [("nr", 7), ("x1", 1), ("x1", 2), ("x1", 1000)])
def test_numbers_of_records_are_never_proposed_as_what_a_study_measured(name: str, step: int) -> None:
    """A column that differs for everyone must not be published unchanged because it stands first."""
    numbers = [str(100 + step * (row * 7 % N)) for row in range(N)]
    role = roles(name, "age", "sex", "drinks", **{name: numbers})[name]
    assert role == ("identifier" if name == "nr" else "quasi_identifier")


def test_left_out_columns_identify_by_name_or_by_texts_that_differ() -> None:
    """Numbers, days and long remarks differ between people without naming them."""
    words = [f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(N)]
    assert is_identifying("name", ["x"], N)
    assert is_identifying("label", words, N)
    assert not is_identifying("label", words[:5], N)
    assert not is_identifying("label", [f"{n}.5" for n in range(N)], N)
    assert not is_identifying("label", [f"2026-11-29T10:00:{n:02}" for n in range(N)], N)


@pytest.mark.parametrize(("name", "reason"), [("label", "person"), ("patient id", "identifying_name")])
def test_columns_that_look_like_people_are_kept_with_the_proposals(name: str, reason: str) -> None:
    rng = np.random.default_rng(2)
    rows = [
        [f"K{person}", sex, year, *rng.choice(["yes", "no", "often"], 2)]
        for person in range(60)
        for sex, year in [(str(rng.choice(["f", "m"])), str(rng.integers(1940, 2000)))]
        for _ in range(4)
    ]
    table = ReadTable.of_rows([name, "sex", "yob", "smokes", "drinks"], rows)
    plain = list(map(propose, table.columns))
    assert proposed_panel(plain) is None
    found = with_panel(table, plain)
    assert proposed_panel(found) == Panel(columns=(name,), values=60, constant=("sex", "yob"))
    assert (found[0]["role"], found[0]["reason"]) == ("identifier", reason)


def test_a_single_value_is_harmless_only_if_every_record_has_it() -> None:
    """A missing value says something about the record that lacks it."""

    def site(values: list[str]) -> ReadColumn:
        return ReadTable.of_rows(["site"], [[value] for value in values]).columns[0]

    assert propose(site(["north"] * 9))["role"] == "insensitive"
    lacking = propose(site(["north"] * 8 + [""]))
    assert (lacking["role"], lacking["missing"]) == ("quasi_identifier", 1)


@pytest.mark.parametrize(
    ("distinct", "n", "may"), [(20, 39, True), (20, 40, False), (19, 19, False), (501, 1_000, True)]
)
def test_twenty_values_of_more_than_half_of_the_records_may_identify(
    distinct: int, n: int, may: bool
) -> None:
    assert may_identify("answer", distinct, n) == may
    assert may_identify("patient id", distinct, n)


@pytest.mark.parametrize(
    ("numbers", "is_number"),
    [
        (range(N), True),
        (range(1, N + 1), True),
        (range(2, N + 2), False),
        # One number is skipped, or comes twice.
        ([*range(30), *range(31, N + 1)], False),
        ([*range(1, 30), 1, *range(31, N + 1)], False),
        ([number + 0.5 for number in range(N)], False),
    ],
)
def test_only_numbers_from_0_or_1_on_without_a_gap_number_the_records(
    numbers: Iterable[float], is_number: bool
) -> None:
    (column,) = ReadTable.of_rows(["x1"], [[str(number)] for number in numbers]).columns
    found = propose(column)
    wanted = ("identifier", "own_value") if is_number else ("quasi_identifier", "known_perhaps")
    assert (found["role"], found["reason"]) == wanted


@pytest.mark.parametrize(
    ("name", "mean", "is_weight"),
    [("w", 1.0, True), ("w", 1.2, True), ("w", 1.3, False), ("weight", 70.0, False), ("pweight", 70.0, True)],
)
def test_numbers_called_weight_are_sampling_weights_if_their_mean_is_near_1(
    name: str, mean: float, is_weight: bool
) -> None:
    """A weight of 70 is that of a person."""
    values = [f"{mean * share:.3f}" for share in (0.6, 0.8, 1.0, 1.2, 1.4)] * (N // 5)
    (column,) = ReadTable.of_rows([name], [[value] for value in values]).columns
    assert (propose(column)["role"] == "weight") == is_weight
    (column,) = ReadTable.of_rows([name], [["0"], *([value] for value in values)]).columns
    assert propose(column)["role"] != "weight", "who has the weight 0"


@pytest.mark.parametrize(
    ("values", "reason", "roles"),
    [
        ([f"2026-11-29 10:00:{row:02}" for row in range(N)], "time_stamp", ["identifier"]),
        ([f"lives near the old mill, house {row}" for row in range(N)], "free_text", ["identifier"]),
        # Numbers that differ between people can be put into classes, but not published unchanged.
        ([f"{row}.5" for row in range(N)], None, ["identifier", "quasi_identifier", "sensitive", "weight"]),
        (
            ["7.5", "8.5"] * (N // 2),
            None,
            ["identifier", "quasi_identifier", "sensitive", "insensitive", "weight"],
        ),
    ],
)
def test_only_roles_in_which_a_column_can_be_published_are_offered(
    values: list[str], reason: str | None, roles: list[str]
) -> None:
    (column,) = ReadTable.of_rows(["x1"], [[value] for value in values]).columns
    found = propose(column)
    assert found["roles"] == roles
    assert (found["reason"] == reason) == (reason is not None)
