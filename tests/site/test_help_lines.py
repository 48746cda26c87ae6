"""The list of help lines: each number can be dialled, has a publisher, and has to be checked first."""

import re
from pathlib import Path
from typing import Final

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs/help-lines.md").read_text(encoding="utf-8")
# As people write numbers within a country: digits in groups, with hyphens in North America.
NUMBER: Final = re.compile(r"\d{1,5}(?:[ -]\d{1,4}){0,4}")


def rows() -> list[list[str]]:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_number_has_the_form_of_a_number_and_a_publisher() -> None:
    assert len(rows()) > 15
    for _country, emergency, talk, violence, publisher in rows():
        for cell in (emergency, talk, violence):
            assert cell == "–" or all(map(NUMBER.fullmatch, cell.split(", "))), cell
        assert emergency != "–"
        named = sum(cell != "–" for cell in (talk, violence))
        assert named
        # A publisher can have both.
        assert 1 <= len(publisher.split("; ")) <= named


def test_countries_are_sorted_and_named_once() -> None:
    countries = [row[0] for row in rows()]
    assert countries == sorted(set(countries))


def test_the_numbers_that_templates_name_are_listed() -> None:
    (china,) = (row for row in rows() if row[0] == "China, mainland")
    assert {"120", "12356"} <= {*", ".join(china[1:4]).split(", ")}


def test_the_page_says_that_each_number_has_to_be_checked() -> None:
    assert "**Check each number before you publish**" in PAGE
    assert "we have called none of them" in PAGE
