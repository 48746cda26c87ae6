"""The README is short, links work, and the command page lists the existing commands."""

import re
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands

from docs import reference
from privacy.catalogue import WORDS as privacy_words
from surveys.errors.error import WORDS as survey_words
from surveys.extension import extensions
from tests.reach import APPS

ROOT = Path(__file__).resolve().parents[1]
PAGES = (
    "README.md",
    *(
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if path.parent.name not in {"adr", "site"}
    ),
)
MOST_WORDS = 600


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def test_the_readme_is_short() -> None:
    assert len(text_of("README.md").split()) <= MOST_WORDS, f"shorten README to {MOST_WORDS} words"


def test_the_readme_installs_only_what_a_reader_can_get() -> None:
    """No release is published, so a wheel of one cannot be had."""
    assert ".whl" not in text_of("README.md")
    assert '".[server]"' in text_of("README.md")


def test_the_readme_has_one_picture_and_ten_promises() -> None:
    assert len(re.findall(r"!\[[^]]*\]\(", text_of("README.md"))) == 1
    assert re.findall(r"^(\d+)\. ", text_of("README.md"), re.MULTILINE) == [str(n) for n in range(1, 11)]


@pytest.mark.parametrize("page", PAGES)
def test_links_to_files_work(page: str) -> None:
    here = (ROOT / page).parent
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text_of(page))
    assert [link for link in links if not (here / link).exists()] == [], f"correct these links in {page}"


def test_every_manual_page_is_linked_from_the_first() -> None:
    listed = set(re.findall(r"\]\(((?:evidence/)?[a-z-]+\.md)\)", text_of("docs/README.md")))
    assert {page.removeprefix("docs/") for page in PAGES} - listed == {"README.md"}


def test_the_settings_page_is_generated_from_the_settings() -> None:
    assert text_of("docs/settings.md") == reference.page(), "python -m docs.reference writes it"


def test_the_refusals_page_lists_every_code_with_its_message() -> None:
    listed = reference.refusals()
    for words in (privacy_words, survey_words, *(app.refusals for app in extensions())):
        for code, (message, remedy, *_status) in words.items():
            assert f"| `{code}` | {reference.cell(message)} | {reference.cell(remedy)} |" in listed, code


def test_the_commands_page_lists_exactly_the_existing_commands() -> None:
    table = re.findall(r"^\| (`.*?`) \|", text_of("docs/commands.md"), re.MULTILINE)
    named = {name for line in table for name in re.findall(r"`([a-z0-9_-]+)[` ]", line)}
    own = {path.stem for app in APPS for path in (ROOT / app / "management/commands").glob("[a-z]*.py")}
    assert {name.replace("-", "_") for name in named} == {name.replace("-", "_") for name in own}


def test_places_listed_under_to_add_exist() -> None:
    """Files and folders in *To add* exist; a short path may begin in any of several folders."""
    section = text_of("ARCHITECTURE.md").split("## To add")[1].split("\n## ")[0]
    named = set(re.findall(r"`([\w./-]+/[\w./-]+|[\w-]+\.py)`", section))
    roots = (
        ".",
        "surveys",
        "surveys/static/surveys",
        "surveys/static/surveys/js",
        "surveys/accounts",
        "surveys/report",
    )
    assert len(named) > 20
    assert [name for name in sorted(named) if not any((ROOT / root / name).exists() for root in roots)] == []


def test_every_draft_check_is_called() -> None:
    """A generator of findings that nothing calls would be a check that never runs."""
    folder = ROOT / "surveys/questionnaire/checks"
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    written = {
        name for text in texts.values() for name in re.findall(r"^def (check_\w+)", text, re.MULTILINE)
    }
    assert len(written) > 5
    called = set(re.findall(r"(check_\w+)\(", texts["check.py"]))
    assert written - called == set(), "call these in surveys/questionnaire/checks/check.py"


# Skips imports, and `sottovoce sottovoce dev`, where the first word is a container image.
COMMAND = re.compile(r"(?<!from )(?<!import )\b(?:manage\.py\s+|sottovoce )(?!sottovoce)([a-z][a-z_-]+)")
KINDS = (".py", ".md", ".html", ".sh", ".service", ".timer", ".container", ".yaml", ".yml", ".toml", "")


def test_commands_that_texts_and_scripts_name_exist() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    # The changelog also names removed commands.
    pages = [
        page
        for page in tracked.splitlines()
        if Path(page).suffix in KINDS and page != "CHANGELOG.md" and not page.startswith("tests/")
    ]
    named = {(page, name) for page in pages for name in COMMAND.findall(text_of(page))}
    assert len(named) > 80
    known = {"help", *get_commands()}
    assert sorted((page, name) for page, name in named if name not in known) == []


def test_files_of_the_debugging_page_exist() -> None:
    page = text_of("docs/debug.md")
    files = set(re.findall(r"\b(?:tests|surveys)/[\w/.-]+\.(?:py|js)\b", page))
    assert len(files) > 3
    gone = [name for name in sorted(files) if not (ROOT / name).exists()]
    assert gone == [], "correct docs/debug.md"


def test_files_and_names_of_the_good_first_issues_exist() -> None:
    table = text_of("CONTRIBUTING.md").split("## Good first issues")[1].split("\n## ")[0]
    issues = [line.split(" | ") for line in table.splitlines() if line.startswith("| ") and "`" in line]
    assert issues
    for change, files in issues:
        named = re.findall(r"`([^`]+)`", files)
        texts = [text_of(name) for name in named]
        assert texts
        gone = [word for word in re.findall(r"`([^`]+)`", change) if word not in "".join(texts)]
        assert gone == [], "done or renamed: correct the good first issues in CONTRIBUTING.md"
