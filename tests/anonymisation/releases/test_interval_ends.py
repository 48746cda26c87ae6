"""Interval ends are read, proposed, and refused with the wrong value."""

import pytest

from anonymisation.releases.interval_ends import (
    MOST_ENDS,
    MOST_INTERVAL_LEVELS,
    Span,
    ends_read,
    interval_widths,
    numbers_of,
    propose_ends,
    typed_ends,
)
from anonymisation.releases.plan import MOST_NUMBERS, plan_check
from privacy.sdc.hierarchy import ends_hierarchy, interval_hierarchy
from privacy.sdc.published_labels import Domain
from privacy.tables.columns import ReadTable
from surveys.errors.error import SurveyError

HEADER = ["age", "ill"]
AGES = [17, 18, 19, 24, 25, 30, 34, 35, 49, 50, 64, 65, 66, 90]
COLUMNS = [
    {
        "name": "age",
        "role": "quasi_identifier",
        "kind": "numeric",
        "policy": "drop",
        "distinct": 14,
        "missing": 0,
    },
    {
        "name": "ill",
        "role": "sensitive",
        "kind": "categorical",
        "policy": "value",
        "distinct": 2,
        "missing": 0,
    },
]
WRITTEN = "18, 25, 35, 50, 65\n18 35；65"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("18, 25\n\n18, young", "line 3 .* “young”, which is not a number"),
        ("18, nan", "“nan”, which is not a number"),
        ("18, 35, 25", "line 1 .* 25 follows 35"),
        ("18, 25, 25", "25 follows 25"),
        ("5, 10, 18, 25", "end 5 \\(line 1\\) separates no values of “age”, which range from 17 to 90"),
        ("18, 25, 91, 200", "interval end 200"),
        ("17", "interval end 17"),
        ("91", "interval end 91"),
        ("18, 25, 35\n18, 30", "line 2 .* 30, which is not on the line above"),
        (", ".join(str(18 + number / 10) for number in range(MOST_ENDS + 1)), f"has {MOST_ENDS + 1} ends"),
        ("\n".join(["18, 25"] * (MOST_INTERVAL_LEVELS + 1)), f"have {MOST_INTERVAL_LEVELS + 1} lines"),
    ],
)
def test_useless_interval_ends_are_rejected_by_value_and_line(text: str, message: str) -> None:
    with pytest.raises(SurveyError, match=message):
        ends_read("age", text, 17, 90)


def test_the_maximum_of_ends_is_accepted_and_one_may_exceed_the_range() -> None:
    ends = ", ".join(str(18 + number / 10) for number in range(MOST_ENDS))
    assert len(ends_read("age", ends, 17, 90)[0]) == MOST_ENDS
    assert (
        ends_read("age", "\n".join(["17, 18, 99"] * MOST_INTERVAL_LEVELS), 17, 90)
        == ((17, 18, 99),) * MOST_INTERVAL_LEVELS
    )


@pytest.mark.parametrize(("least", "largest"), [(17, 90), (0, 1), (-40, 3), (1900, 2026), (0, 99_999)])
def test_proposed_interval_ends_are_readable_and_equal_the_defaults(least: int, largest: int) -> None:
    ends = ends_read("x", propose_ends(least, largest), least, largest)
    step = max(1, (largest - least) // 50)
    values = [str(value) for value in (*range(least, largest, step), largest)]
    widths = interval_widths(largest - least)
    if min(widths) >= 1:
        assert ends_hierarchy("x", values, ends).rows() == interval_hierarchy("x", values, widths).rows()
    assert typed_ends({"x": propose_ends(least, largest), "y": " \r\n"}, {"x": Span(least, largest)}) == {}


def test_each_interval_contains_exactly_what_its_label_states() -> None:
    """Compares each number with its label, and with a manual list."""
    tree = ends_hierarchy("age", [str(age) for age in AGES], ends_read("age", WRITTEN, 17, 90))
    domain = Domain(name="age", numeric=True, whole=True)
    labels = {int(row[0]): row for row in tree.rows()}
    for age in AGES:
        for label in labels[age][1:]:
            meaning = domain.meaning(label)
            assert not isinstance(meaning, frozenset)
            assert meaning.holds(age)  # type: ignore[arg-type]
    assert [labels[age][1] for age in (17, 18, 24, 25, 64, 65)] == [
        "(-inf,18)", "[18,25)", "[18,25)", "[25,35)", "[50,65)", "[65,inf)",
    ]  # fmt: skip
    assert [labels[age][2] for age in (17, 34, 35, 90)] == [
        "(-inf,18)", "[18,35)", "[35,65)", "[65,inf)",
    ]  # fmt: skip


def test_local_grouping_refuses_intervals_over_too_many_numbers() -> None:
    many = [{**COLUMNS[0], "distinct": MOST_NUMBERS + 1}, COLUMNS[1]]
    bounds = {"k": 2, "algorithm": "tight", "max_suppressed": 0, "columns": {}}
    with pytest.raises(SurveyError, match=f"“age”, which has {MOST_NUMBERS + 1:,} different numbers"):
        plan_check(many, bounds, 5000, {"age"})
    plan_check(many, bounds, 5000, set())
    plan_check(many, {**bounds, "algorithm": "samarati"}, 5000, {"age"})
    plan_check([{**COLUMNS[0], "distinct": MOST_NUMBERS}, COLUMNS[1]], bounds, 5000, {"age"})


@pytest.mark.parametrize(("numbers", "ends"), [("123", "1, 2, 3, 4"), (["1.5", "2", "3"], "1.5, 1.6, 1.7")])
def test_whole_numbers_get_whole_interval_ends(numbers: list[str], ends: str) -> None:
    spans = numbers_of(COLUMNS, ReadTable.of_rows(HEADER, [[number, "yes"] for number in numbers]))
    assert propose_ends(*spans["age"]).startswith(ends)
