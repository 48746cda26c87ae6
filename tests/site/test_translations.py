"""The Simplified Chinese catalogue: complete, well-formed, and compiled from its current text."""

import ast
import gettext
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django.utils.translation.template import templatize

from tests.architecture import nodes
from tests.reach import LAYERS

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy", "plural"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
CALL = re.compile(rb"\b(?:" + "|".join(KEYWORDS).encode() + rb")\s*\(")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|%%|\{\w*\}|</?\w+[^>]*>")

Text = tuple[str | None, str | tuple[str, ...]]


def sources() -> Iterator[tuple[Path, bytes]]:
    """Yield sources that may contain texts, with templates converted to Python as Django does."""
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            yield path, path.read_bytes()
    for path in sorted((ROOT / "templates").rglob("*.*")):
        lines = templatize(path.read_text(encoding="utf-8"), origin=str(path)).splitlines()
        yield path, "\n".join(line.strip() for line in lines).encode()


def texts_of(source: bytes) -> Iterator[Text]:
    # Two thirds of the files have no texts; skipping them saves Babel's tokenising.
    if not CALL.search(source):
        return
    for _line, found, _comments, context in extract("python", BytesIO(source), keywords=KEYWORDS):
        # Babel returns a text with a context as (context, text, ...).
        texts = (found,) if isinstance(found, str) else tuple(found)
        texts = tuple(text for text in texts if text is not None and text != context)
        yield context, texts[0] if len(texts) == 1 else texts


@pytest.fixture(scope="module")
def texts() -> dict[str, list[Text]]:
    """Return the texts of each file that has any."""
    found = {path.relative_to(ROOT).as_posix(): list(texts_of(source)) for path, source in sources()}
    return {name: listed for name, listed in found.items() if listed}


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="zh_Hans")


@pytest.fixture(scope="module")
def messages(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


def named(message: Message) -> Text:
    return message.context, message.id if isinstance(message.id, str) else tuple(message.id)


def by_file(texts: Mapping[str, Iterable[Text]], wanted: set[Text]) -> str:
    """Return a list of the wanted texts, grouped by file, one per line."""
    lines = []
    for name, found in texts.items():
        here = [text for text in dict.fromkeys(found) if text in wanted]
        lines += [name, *(f"  {text[1]!r}" for text in here)] if here else []
    return "\n".join(lines)


def is_open(message: Message) -> bool:
    return bool(message.fuzzy) or (not "".join(message.string).strip() and named(message) != (None, " "))


def translated(messages: list[Message]) -> list[Message]:
    return [message for message in messages if not is_open(message)]


def warn_or_refuse(listed: str, what: str) -> None:
    """Fail for listed texts before a release (``./test --soak``); otherwise only warn."""
    if not listed:
        return
    if os.environ.get("SOTTOVOCE_SOAK") == "1":
        pytest.fail(f"{what}:\n{listed}")
    warnings.warn(f"{what}; a release refuses them:\n{listed}", stacklevel=2)


def test_every_text_has_a_chinese_translation(texts: dict[str, list[Text]], messages: list[Message]) -> None:
    used = {text for found in texts.values() for text in found}
    assert len(used) > 1000
    missing = used - {named(message) for message in messages if not is_open(message)}
    warn_or_refuse(by_file(texts, missing), f"texts without Chinese in {CATALOGUE.relative_to(ROOT)}")


def test_the_catalogue_has_no_unused_texts(texts: dict[str, list[Text]], messages: list[Message]) -> None:
    used = {text for found in texts.values() for text in found}
    unused = [message for message in messages if named(message) not in used]
    lines = "\n".join(f"  line {message.lineno}: {message.id!r}" for message in unused)
    warn_or_refuse(lines, "texts of the catalogue that no page shows any more")


def test_a_missing_chinese_translation_is_a_warning_that_names_its_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts: dict[str, list[Text]] = {"a.py": [(None, "Go on"), (None, "Stop")], "b.html": [(None, "Stop")]}
    listed = by_file(texts, {(None, "Go on")})
    assert listed == "a.py\n  'Go on'"
    monkeypatch.delenv("SOTTOVOCE_SOAK", raising=False)
    with pytest.warns(UserWarning, match=r"a\.py"):
        warn_or_refuse(listed, "texts without Chinese")


def test_a_missing_chinese_translation_fails_the_release_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOTTOVOCE_SOAK", "1")
    with pytest.raises(pytest.fail.Exception, match=r"a\.py"):
        warn_or_refuse("a.py\n  'Go on'", "texts without Chinese")
    warn_or_refuse("", "texts without Chinese")


def test_the_header_declares_language_charset_and_plural_form(catalogue: Catalog) -> None:
    head = dict(catalogue.mime_headers)
    assert head["Language"] == "zh_Hans"
    assert head["Plural-Forms"] == "nplurals=1; plural=0;"
    assert head["Content-Type"] == "text/plain; charset=utf-8"
    assert not catalogue.fuzzy


def test_translations_keep_placeholders_and_markup(messages: list[Message]) -> None:
    for message in translated(messages):
        # In plurals, only the second form, the general one, must show the number.
        source = message.id if isinstance(message.id, str) else message.id[1]
        target = message.string if isinstance(message.string, str) else message.string[0]
        assert sorted(PLACEHOLDER.findall(target)) == sorted(PLACEHOLDER.findall(source)), source


def test_only_texts_with_placeholders_are_marked_python_format() -> None:
    """Otherwise Babel would parse a percent sign before "of" as a placeholder."""
    for block in re.split(r"\n\s*\n", CATALOGUE.read_text(encoding="utf-8")):
        assert "#, python-format" not in block or re.search(r"%(\(\w+\))?[sdgf.]", block), block


def test_chinese_texts_address_readers_informally() -> None:
    shipped = [
        CATALOGUE,
        *sorted((ROOT / "surveys").rglob("*.json")),
        ROOT / "surveys/questionnaire/sensitive.py",
    ]
    assert [path.name for path in shipped if "您" in path.read_text(encoding="utf-8")] == [], "write 你"


def test_the_compiled_catalogue_matches_its_source(messages: list[Message]) -> None:
    with CATALOGUE.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in translated(messages):
        if isinstance(message.id, str):
            said = (
                compiled.pgettext(message.context, message.id)
                if message.context
                else compiled.gettext(message.id)
            )
            assert said == message.string
        else:
            assert compiled.ngettext(*message.id, 2) == message.string[0]


def hidden_texts(parts: Iterable[ast.AST]) -> list[int]:
    """Return the lines on which a text is translated inside an f-string."""
    return [
        call.lineno
        for joined in parts
        if isinstance(joined, ast.JoinedStr)
        for call in ast.walk(joined)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS
    ]


def test_f_strings_contain_no_translatable_text() -> None:
    """Extraction would miss it, and it would stay English on every page."""
    assert hidden_texts(ast.walk(ast.parse("f\"{value or _('mean')}, {name}\""))) == [1]
    paths = (path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
    python = [path for path in paths if CALL.search(path.read_bytes())]
    assert [(str(path), lines) for path in python if (lines := hidden_texts(nodes(path)))] == []
