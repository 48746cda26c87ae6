"""One word for a thing: old names are gone; docstrings begin in the words of the field."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.architecture import nodes
from tests.reach import APPS, ROOMS
from tests.test_architecture import modules, named, tracked

BANNED = {
    "apart": "a pattern table, a server-bound cursor, blocks that are not composed",
    "arriving": "a column builder",
    "attention": "careless responses",
    "beat": "a heartbeat",
    "examined": "a search result",
    "cutter": "a design index",
    "examination": "a run of all checks",
    "halve": "a sample that is split",
    "halves": "a sample that is split",
    "halving": "a sample that is split",
    "invert": "test-inversion intervals",
    "judgement": "a verdict",
    "kacluk": "ka-cluster",
    "lone": "a scale question",
    "monotone": "isotonic",
    "opinion": "a verdict",
    "patient": "the context of checks",
    "portion": "a segment, a chunk",
    "pulse": "a heartbeat",
    "recognised": "the rate of reidentification",
    "ring": "to dispatch",
    "shelf": "a segment store",
    "standing": "the status of a survey, the class in a previous release",
    "surest": "the largest posterior",
    "tally": "a cache of counts",
    "tight": "k-member",
    "told": "releasable, direct",
    "unfit": "unsafe",
    "unmixing": "reidentification",
    "withheld": "complementary suppression",
}
"""Part of a name -> what it is in the words of the field. Parts are what ``_`` and capitals divide."""

BANNED_WHOLE = {
    "asked": "the base, the questions drawn, the filters, the body of a request",
    "band": "a channel, its windows",
    "flips": "fragility",
    "found": "what was found: an estimate, errors, itemsets",
    "keep": "a number, a mask, generalised randomised response",
    "kept": "stored, cached, precomputed, selected",
    "law": "a distribution, a channel, a retention probability, an estimator",
    "lost": "skipped, discarded, a loss",
    "one": "the noun that a loop goes over",
    "place": "a location, a position, an index, a path",
}
"""Whole name that held anything -> nouns that it is to be called by."""

STORED: dict[str, set[str]] = {
    # Stored audits, searches and releases.
    "privacy/risk/adversaries.py": {"asked"},
    "privacy/planning/efficiency.py": {"asked"},
    "privacy/risk/report.py": {"apart", "lone", "lost", "recognised", "unmixing"},
    "privacy/sdc/requirements.py": {"asked"},
    "surveys/figures/audit_summary.py": {"recognised", "scale_recognised"},
    # Stored parameters and summaries of runs.
    "mining/thresholds.py": {"halves"},
    "surveys/report/forms.py": {"halves"},
    # Tables and columns of the database.
    "surveys/figures/rule_query.py": {"opinion"},
    "surveys/figures/verdicts.py": {"opinion"},
    "surveys/models/beat.py": {"Beat", "beat"},
    "surveys/models/inference.py": {"flips"},
    "surveys/models/run.py": {"Opinion", "opinion"},
    "surveys/report/verdict_views.py": {"opinion"},
    # The ring of a polygon, in GeoJSON's words.
    "surveys/charts/density_map.py": {"ring"},
    "surveys/questionnaire/outline.py": {"Ring", "ring"},
    "surveys/figures/scales/files.py": {"_ring"},
}
"""File -> names that stay: keys of what is stored, tables and columns, and words of other fields."""


def parts(name: str) -> set[str]:
    """The words of a name."""
    return {part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def is_old(name: str) -> bool:
    """Whether a name has an old word in it."""
    return bool(parts(name) & BANNED.keys())


def held_anything(name: str) -> bool:
    """Whether a name is, as a whole, one that held anything."""
    return name.strip("_").lower() in BANNED_WHOLE


def names_in_python(path: Path) -> Iterator[str]:
    """Names of the module, its functions, classes, arguments, fields and variables."""
    yield path.stem
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if isinstance(node, ast.arg):
            yield node.arg
        if isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name


_JS = re.compile(
    r"\b(?:function\s*\*?|class)\s+(\w+)|\b(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?(?:\(|\w+\s*=>)"
)


def names_in_javascript(path: Path) -> Iterator[str]:
    """Names of the module, its functions and classes."""
    yield path.stem.replace("-", "_")
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for function, arrow in _JS.findall(code):
        yield function or arrow


def refusal(path: str, name: str) -> str:
    """What to call it instead, and where a reason to keep it is written."""
    better = [BANNED[part] for part in sorted(parts(name) & BANNED.keys())]
    better += [BANNED_WHOLE[name.strip("_").lower()]] if held_anything(name) else []
    return (
        f"{path}: {name} is a word that is not used here; say {'; '.join(better)}. A name that is stored, "
        "or of another field, is written into STORED in tests/test_words.py, below its reason"
    )


@cache
def old_names() -> dict[str, set[str]]:
    """By file the names of the product that have an old word in them."""
    found: dict[str, set[str]] = {}
    for path in modules(*ROOMS):
        if "migrations" not in path.parts:
            names = set(names_in_python(path))
            found[named(path)] = {name for name in names if is_old(name) or held_anything(name)}
    for path in tracked(".js"):
        if named(path).split("/")[:2] in [[app, "static"] for app in APPS]:
            found[named(path)] = set(filter(is_old, names_in_javascript(path)))
    return found


def first_lines(path: Path) -> Iterator[str]:
    """The first line of each docstring of the module."""
    for node in nodes(path):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield (ast.get_docstring(node) or "").partition("\n")[0]


def test_docstrings_begin_in_the_words_of_the_field() -> None:
    code_english = re.compile(r"\b(whoever|nobody|somebody)\b", re.IGNORECASE)
    odd = {
        (named(path), line)
        for path in modules(*ROOMS)
        if "migrations" not in path.parts
        for line in first_lines(path)
        if code_english.search(line)
    }
    assert odd == set(), "say an adversary, an account, a worker, a respondent"


def test_old_words_are_gone_from_names() -> None:
    new = {path: names - STORED.get(path, set()) for path, names in old_names().items()}
    refused = [refusal(path, name) for path, names in sorted(new.items()) for name in sorted(names)]
    assert not refused, "\n".join(refused)


def test_a_refused_name_is_answered_with_a_better_one_and_where_a_reason_is_written() -> None:
    assert "surveys/a.py: kept_tally" in refusal("surveys/a.py", "kept_tally")
    assert BANNED["tally"] in refusal("surveys/a.py", "kept_tally")
    assert BANNED_WHOLE["kept"] in refusal("surveys/a.py", "_kept")
    assert "STORED in tests/test_words.py" in refusal("surveys/a.py", "_kept")


def test_what_stays_is_there() -> None:
    there = old_names()
    assert {path: names for path, names in STORED.items() if not names <= there.get(path, set())} == {}


def test_an_old_word_would_be_found(tmp_path: Path) -> None:
    python, javascript = tmp_path / "lone.py", tmp_path / "a.js"
    python.write_text(
        "class Tally:\n    told: int\n\n    def ring(self, loneRows, tallying): apart = _law = one_row = 1\n"
    )
    javascript.write_text("/* class Shelf */ const loneRows = (a) => a; function pulse() {}")
    names = set(names_in_python(python))
    assert set(filter(is_old, names)) == {"lone", "Tally", "told", "ring", "loneRows", "apart"}
    assert set(filter(held_anything, names)) == {"_law"}
    assert set(filter(is_old, names_in_javascript(javascript))) == {"loneRows", "pulse"}
