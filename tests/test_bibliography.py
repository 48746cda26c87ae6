"""Every citation in a docstring has an entry in docs/bibliography.md, and every entry is cited."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.architecture import nodes
from tests.reach import LAYERS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "bibliography.md"
ADD = "add each work to docs/bibliography.md as **Author YEAR**, and cite it by that key"
SECTION = re.compile(r"^References\n-+\n(.*?)(?=\n\n[A-Z][a-z]+\n-+\n|\Z)", re.DOTALL | re.MULTILINE)
NAMES_AND_YEAR = re.compile(r"[A-Z][a-zà-ž-]+(?: et al\.| and others)?,? (?:19|20)\d\d\b")
MONTHS = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December) "
)


ENTRY = re.compile(r"- \*\*(.+?)\*\*: (.+?)\.(?: \*(.+?)\*\.)?(?: doi:(\S+))?")


def entries() -> dict[str, tuple[str, str, str]]:
    """Return title, place and DOI of each entry by its key."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("- ")]
    found = [ENTRY.fullmatch(line) for line in lines]
    assert all(found), [line for line, match in zip(lines, found, strict=True) if not match]
    return {match[1]: (match[2], match[3] or "", match[4] or "") for match in found if match}


KEYS = sorted(entries(), key=len, reverse=True)


@cache
def docstrings() -> list[tuple[str, str]]:
    """Return each docstring of the product, with the place where it is."""
    found = []
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            for node in nodes(path):
                documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
                if documented and (text := ast.get_docstring(node)):
                    found.append((f"{place}:{getattr(node, 'name', '')}", text))
    return found


def plain(text: str) -> str:
    joined = re.sub(r"\s+", " ", text).replace("source 0", "Source 0")
    return re.sub(r"\(((?:19|20)\d\d)\)", r"\1", joined)


def without_keys(text: str) -> str:
    for key in KEYS:
        text = text.replace(key, "")
    return text


def test_references_sections_cite_only_bibliography_keys() -> None:
    wrong = {}
    for place, text in docstrings():
        for section in SECTION.findall(text):
            cited = plain(section)
            rest = without_keys(cited)
            if rest == cited or re.search(r"\b(19|20)\d\d\b", rest):
                wrong[place] = cited
    assert wrong == {}, ADD


def test_docstrings_cite_authors_by_bibliography_key_only() -> None:
    wrong = {
        place: found
        for place, text in docstrings()
        if (found := NAMES_AND_YEAR.findall(MONTHS.sub("", without_keys(plain(text)))))
    }
    assert wrong == {}, ADD


def test_every_bibliography_entry_is_cited() -> None:
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("does-it-work.md", "gallery.md")]
    said = " ".join([*map(plain, pages), *(plain(text) for _, text in docstrings())])
    assert [key for key in KEYS if key not in said] == []


def test_every_entry_has_a_title_and_a_valid_doi() -> None:
    assert list(entries()) == sorted(entries())
    assert len(entries()) > 80
    for key, (title, _place, doi) in entries().items():
        assert title, key
        assert re.fullmatch(r"10\.\d{4,}/\S+|", doi), key
