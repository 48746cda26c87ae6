"""Counts are written alike everywhere: digits in groups of three, in both languages of the interface."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils.translation import override

from privacy.errors import PrivacyError
from privacy.filled_text import fill_fields
from surveys.errors.error import SurveyError, in_words, sentences
from surveys.errors.stored_refusals import refusal_json, refusal_text
from surveys.formats.numbers import count_text
from surveys.formats.shown_counts import shown_count

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "zh-hans")
COUNTS = frozenset(
    [
        "count",
        "n",
        "people",
        "rows",
        "total",
        "missing",
        "needed",
        "all",
        "own",
        "most",
        "least",
        "bins",
        "outputs",
        "tiles",
        "sets",
        "asked",
        "jobs",
        "records",
        "classes",
        "groups",
        "left",
        "pairs",
        "found",
        "tested",
        "few",
    ]
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_templates_messages_and_services_write_a_count_alike(language: str) -> None:
    template = Template(
        "{% load figures i18n %}{{ n }} {{ n|people }} {% blocktranslate %}{{ n }}{% endblocktranslate %}"
    )
    with override(language):
        assert template.render(Context({"n": 63_664})) == "63,664 63,664 63,664"
        assert (count_text(63_664), shown_count(63_664)) == ("63,664", "63,664")


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_of_services_group_the_digits_of_counts_but_not_of_names(language: str) -> None:
    refusal = SurveyError("regression.cells", cells=20_000, most=1_000)
    with override(language):
        for text in (sentences(refusal), refusal_text(refusal_json(refusal))):
            assert "20,000" in text
            assert "1,000" in text
    values = {"line": 1200, "year": 2026, "n": 1200}
    assert fill_fields("%(line)s %(year)s %(n)s", values, counts=None) == "1200 2026 1,200"


def test_identifiers_and_values_of_forms_keep_their_digits() -> None:
    """Templates group the digits of whole numbers; addresses, ids and values must not have commas."""
    attribute = re.compile(r'[a-z-]+="([^"{]*\{\{ *[^}]*\}\}[^"]*)"')
    number = re.compile(
        r"\{\{ *([a-z_.0-9]*?\b(?:id|pk|revision|line|next|turn|percent|n))((?:\|[^}]*)?)\}\}"
    )
    found = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for value in attribute.findall(path.read_text(encoding="utf-8")):
            found += [
                (path.name, name) for name, filters in number.findall(value) if "unlocalize" not in filters
            ]
    # `next` of the login pages is an address, and a percentage has at most three digits.
    allowed = {("second_step.html", "next"), ("login.html", "next"), ("waiting.html", "progress.percent")}
    assert set(found) <= allowed


def _raw_counts(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the counts that a message prints without `count_text`, with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        is_message = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Mod)
        values = getattr(node, "right", None) or getattr(node, "value", None) if is_message else None
        if not isinstance(values, ast.Dict):
            continue
        for key, value in zip(values.keys, values.values, strict=True):
            text = ast.unparse(value)
            is_number = isinstance(value, ast.Attribute | ast.Subscript) or re.match(
                r"(len|sum|math\.\w+|round|min|max)\(|[A-Z_]{4,}$", text
            )
            if isinstance(key, ast.Constant) and key.value in COUNTS and is_number:
                yield path.name, node.lineno, text


def test_counts_in_messages_are_written_by_one_function() -> None:
    # The readers of questionnaires import no formats; their counts have at most three digits.
    folders = [ROOT / "surveys", ROOT / "anonymisation"]
    paths = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    paths = [path for path in paths if not {"imports", "migrations"} & set(path.parts)]
    assert len(paths) > 150
    assert [raw for path in paths for raw in _raw_counts(path)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_of_the_core_group_counts(language: str) -> None:
    with override(language):
        assert "80,123" in " ".join(in_words(PrivacyError("max_candidates", 80_123, shape="2")))


def test_errors_of_the_core_repeat_parameters_as_written() -> None:
    error = str(PrivacyError("frame.missing", 2000, column="c1000", count=1234, n=5678, row=2000))
    assert "1,234 of 5,678 rows, first in row 2000: 2000" in error
