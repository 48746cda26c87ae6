"""The README is short, its links lead somewhere, and the page of commands names those that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.reach import APPS

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))
MOST_WORDS = 900


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def test_the_readme_is_read_in_a_few_minutes() -> None:
    assert len(text_of("README.md").split()) <= MOST_WORDS


def test_the_readme_has_one_picture_and_ten_promises() -> None:
    assert len(re.findall(r"!\[[^]]*\]\(", text_of("README.md"))) == 1
    assert re.findall(r"^(\d+)\. ", text_of("README.md"), re.MULTILINE) == [str(n) for n in range(1, 11)]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_to_a_file_leads_to_one(page: str) -> None:
    here = (ROOT / page).parent
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text_of(page))
    assert [link for link in links if not (here / link).exists()] == []


def test_every_page_of_the_manual_is_found_from_its_first() -> None:
    listed = set(re.findall(r"\]\(([a-z-]+\.md)\)", text_of("docs/README.md")))
    assert {Path(page).name for page in PAGES} - listed == {"README.md"}


def test_the_page_of_commands_names_every_command_and_no_other() -> None:
    table = re.findall(r"^\| (`.*?`) \|", text_of("docs/commands.md"), re.MULTILINE)
    named = {name for line in table for name in re.findall(r"`([a-z0-9_-]+)[` ]", line)}
    own = {path.stem for app in APPS for path in (ROOT / app / "management/commands").glob("[a-z]*.py")}
    assert {name.replace("-", "_") for name in named} == {name.replace("-", "_") for name in own}
