"""The scripts of the respondent's page: all of them, and their digest over the bytes that are served."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from django.test import Client, override_settings

from surveys.respondent import client_program
from surveys.respondent.client_program import BY_INVITATION, CLOSED, ENTRANCES, MODULES, OPEN, client


def imports(name: str) -> set[str]:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", (MODULES / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    return set(re.findall(r'(?:from|import)\s*\(?\s*"\./([^"]+)"', code))


def reached() -> set[str]:
    """Follow the imports of the modules, however they are written, from what the pages name."""
    loaded: set[str] = set()
    to_visit = {f"{entrance}.js" for entrance in ENTRANCES}
    while to_visit:
        name = to_visit.pop()
        loaded.add(name)
        to_visit |= imports(name) - loaded
    return loaded


def test_every_module_that_a_page_reaches_is_in_one_file_and_once() -> None:
    """A file is named after its module, whose lines stand in it as they are; others are functions in it."""
    places: dict[str, list[str]] = {}
    for file in client().files:
        text = file.content.decode()
        inside = [
            f"{name.replace('_', '-')}.js" for name in re.findall(r"^const \$(\w+) = ", text, re.MULTILINE)
        ]
        for module in [file.name, *inside]:
            places.setdefault(module, []).append(file.name)
    assert places.pop("common.js") == ["common.js"]
    assert set(places) == reached()
    assert all(len(files) == 1 for files in places.values()), places


def test_the_templates_of_respondents_load_no_other_script() -> None:
    for template in (Path(__file__).resolve().parents[3] / "templates").rglob("*.html"):
        text = template.read_text(encoding="utf-8")
        if template.parent.name == "respond" or template.name in ("base.html", "base_quiet.html"):
            assert "static '" not in text or not re.findall(r"static '([^']+\.js)'", text)
            assert re.findall(r"<script\b[^>]*>", text) in ([], ['<script type="module" src="{{ script }}">'])


def test_a_page_names_its_entrance_last_after_all_that_it_imports_at_once() -> None:
    for names, others in ((OPEN, {"common.js", "key-file.js"}), (CLOSED, {"common.js", "key-file.js"})):
        assert set(names[:-1]) == others
        assert names[-1].removesuffix(".js") in ENTRANCES
        file = client().file(names[-1])
        assert file is not None
        static = re.findall(r'^import .* from "\./([^"]+)";$', file.content.decode(), re.MULTILINE)
        assert set(static) <= others
    assert {file.name for file in client().files} >= set(BY_INVITATION)


def test_no_script_of_respondents_names_a_storage_of_the_browser_but_that_of_the_waiting_body() -> None:
    """What stays on a device is one sealed body, in `waiting.js`, and its key, in `key-file.js`."""
    storages = r"\b(?:sessionStorage|localStorage|cookie|cookieStore|caches|storage|indexedDB)\b"
    named = {}
    for name in reached():
        code = re.sub(
            r"/\*.*?\*/|//[^\n]*", "", (MODULES / name).read_text(encoding="utf-8"), flags=re.DOTALL
        )
        if found := set(re.findall(storages, code)):
            named[name] = found
    assert named == {"key-file.js": {"storage"}, "post.js": {"indexedDB"}, "seal.js": {"indexedDB"}}


def test_the_digest_is_that_of_the_bytes_that_are_served() -> None:
    shown = client()
    contents = []
    for file in shown.files:
        response = Client().get(file.url)
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert hashlib.sha256(response.content).hexdigest() == file.digest
        contents.append(response.content)
    assert hashlib.sha256(b"".join(contents)).hexdigest() == shown.digest
    assert [file.name for file in shown.files] == sorted(file.name for file in shown.files)


@pytest.mark.parametrize("change", ["digest", "name"])
def test_another_program_s_address_gives_nothing(change: str) -> None:
    """A browser that has the page of another release must not run the scripts of this one with it."""
    url = client().files[0].url
    other = (
        url.replace(client().digest, "0" * 64)
        if change == "digest"
        else url.replace(client().files[0].name, "settings.js")
    )
    assert other != url
    assert Client().get(other).status_code == 404


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path in MODULES.glob("*.js"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(client_program, "MODULES", tmp_path)
    return tmp_path


def test_whoever_writes_the_scripts_gets_each_change_and_its_digest_at_once(copied: Path) -> None:
    coins = copied / "coins.js"
    with override_settings(DEBUG=True):
        before = client()
        coins.write_bytes(coins.read_bytes().replace(b"SCALE = 10000", b"SCALE = 10001"))
        after = client()
    assert after.digest != before.digest
    assert [
        old.name for old, new in zip(before.files, after.files, strict=True) if old.digest != new.digest
    ] == ["respond.js"]


def test_a_server_keeps_the_program_that_it_started_with(copied: Path) -> None:
    before = client()
    (copied / "coins.js").write_text("export const none = 1;\n")
    assert client() is before
