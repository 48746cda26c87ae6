"""Classifications place each value as their source does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymisation.microdata.classifications import CLASSIFICATIONS, known_groups
from anonymisation.releases.group_trees import propose_tree, tree_read
from privacy.sdc.hierarchy import paths_hierarchy


@pytest.mark.parametrize(
    ("name", "values", "groups"),
    [
        (
            "country",
            ["de", "FRA", "United-States", "South Korea"],
            ["Western Europe", "Western Europe", "Northern America", "Eastern Asia"],
        ),
        ("出生国家", ["日本", "巴西", "肯尼亚"], ["东亚", "南美洲", "东非"]),
        ("region", ["DE212", "FR10", "EL301", "AT1"], ["DE21…", "FR1…", "EL30…", "AT…"]),
        ("diagnosis", ["F32.1", "I10", "T14.0", "Z21"], ["F32…", "I00-I99", "T14…", "Z00-Z99"]),
        ("isco08", ["2221", "9", "0110"], None),
        ("occupation", ["2221", "1120", "0110"], ["222…", "112…", "011…"]),
        (
            "学历",
            ["小学", "初中", "高中", "大专", "硕士研究生"],
            ["ISCED 0-2", "ISCED 0-2", "ISCED 3-4", "ISCED 5-8", "ISCED 5-8"],
        ),
        (
            "education",
            ["HS-grad", "Bachelors", "High school", "Undergraduate degree"],
            ["ISCED 3-4", "ISCED 5-8", "ISCED 3-4", "ISCED 5-8"],
        ),
        ("month", ["1999-12", "2000-01"], ["1999 Q4", "2000 Q1"]),
        ("quarter", ["1999 Q4", "2000 Q1"], ["1999", "2000"]),
        ("month", ["1999-13", "2021-37", "2000-00"], None),
        ("quarter", ["1999 Q5", "2000 Q0"], None),
        ("zip", ["10115", "10117"], None),
        ("colour", ["red", "blue"], None),
    ],
)
def test_each_value_is_placed_in_its_official_group(
    name: str, values: list[str], groups: list[str] | None
) -> None:
    known = known_groups(name, values)
    assert (None if known is None else [known[value][-1] for value in values]) == groups


def test_unknown_values_are_placed_at_the_root_if_four_fifths_are_known() -> None:
    values = ["France", "Spain", "Italy", "Peru", "Atlantis"]
    known = known_groups("country", values)
    assert known is not None
    assert known["Atlantis"] == ()
    assert known_groups("country", [*values, "Lemuria"]) is None
    tree = tree_read("country", propose_tree("country", values), values)
    assert tree.rows() == paths_hierarchy("country", known).rows()


def test_all_iso_countries_are_listed_with_unique_codes_and_names() -> None:
    text = [line.strip().split("|") for line in _countries().splitlines() if line.startswith("    ")]
    names = [name.casefold() for line in text for name in line]
    assert len(names) == len(set(names))
    assert len(text) == 248  # Without Antarctica, which is in no region of the United Nations.
    groups = {name: CLASSIFICATIONS["countries"](name) for name in names}
    assert all(groups.values())
    assert paths_hierarchy("country", {name: found or () for name, found in groups.items()}).height == 3


def _countries() -> str:
    from anonymisation.microdata.classifications import _COUNTRIES

    return _COUNTRIES.read_text(encoding="utf-8")


@given(st.sets(st.dates(), min_size=1, max_size=60))
def test_every_month_generalises_to_quarter_year_and_decade(days: set) -> None:
    values = sorted({f"{day.year:04}-{day.month:02}" for day in days})
    tree = tree_read("month", propose_tree("month", values), values)
    assert tree.height == 4
    for month, quarter, year, decade, root in tree.rows():
        assert (quarter[:4], year, decade, root) == (month[:4], month[:4], f"{month[:3]}0s", "*")
        assert int(quarter[-1]) == (int(month[-2:]) + 2) // 3
