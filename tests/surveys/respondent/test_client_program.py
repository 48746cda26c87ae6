"""The scripts of the respondent's page: all of them, and their digest over the bytes that are served."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import Client, override_settings

from surveys.errors.error import SurveyError
from surveys.respondent.client_program import FILES, client

# The scripts that the respondent's templates name.
ENTRANCES = ("surveys/js/respond.js", "surveys/js/closed.js")


def imports(name: str) -> set[str]:
    source = Path(str(finders.find(name))).read_text(encoding="utf-8")
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)
    return {f"surveys/js/{module}" for module in re.findall(r'(?:from|import)\s*\(?\s*"\./([^"]+)"', code)}


def test_the_list_is_what_the_pages_load_and_nothing_else() -> None:
    loaded: set[str] = set()
    to_visit = set(ENTRANCES)
    while to_visit:
        name = to_visit.pop()
        loaded.add(name)
        to_visit |= imports(name) - loaded
    assert list(FILES) == sorted(loaded)


def test_the_templates_of_respondents_load_no_other_script() -> None:
    named = set()
    for template in (Path(__file__).resolve().parents[3] / "templates").rglob("*.html"):
        if template.parent.name == "respond" or template.name in ("base.html", "base_quiet.html"):
            named |= set(re.findall(r"static '([^']+\.js)'", template.read_text(encoding="utf-8")))
    assert named == set(ENTRANCES)


def test_no_script_of_respondents_names_a_storage_of_the_browser_but_that_of_the_waiting_body() -> None:
    """What stays on a device is one sealed body, in `waiting.js`, and its key, in `key-file.js`."""
    storages = r"\b(?:sessionStorage|localStorage|cookie|cookieStore|caches|storage|indexedDB)\b"
    named = {}
    for name in FILES:
        source = Path(str(finders.find(name))).read_text(encoding="utf-8")
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)
        if found := set(re.findall(storages, code)):
            named[name.rpartition("/")[2]] = found
    assert named == {"key-file.js": {"storage"}, "post.js": {"indexedDB"}, "seal.js": {"indexedDB"}}


def served(url: str) -> bytes:
    response = Client().get(url)
    assert response.status_code == 200
    return b"".join(response.streaming_content)  # type: ignore[attr-defined]  # a file response streams


def test_the_digest_is_that_of_the_bytes_that_are_served() -> None:
    shown = client()
    contents = [served(file.url) for file in shown.files]
    assert [hashlib.sha256(content).hexdigest() for content in contents] == [
        file.digest for file in shown.files
    ]
    assert hashlib.sha256(b"".join(contents)).hexdigest() == shown.digest


@pytest.fixture
def collected(tmp_path: Path) -> Path:
    return tmp_path / "static"


@pytest.mark.slow
def test_under_hashed_names_it_is_that_of_the_collected_bytes(collected: Path) -> None:
    storages = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "surveys.server.assets.ManifestStorage"},
    }
    with override_settings(STATIC_ROOT=str(collected), STORAGES=storages):
        with pytest.raises(SurveyError, match="collectstatic"):
            client()
        call_command("collectstatic", verbosity=0, interactive=False)
        shown = client()
        for file in shown.files:
            name = file.url.removeprefix(staticfiles_storage.base_url)
            assert name != file.name, "the name carries a digest"
            assert hashlib.sha256((collected / name).read_bytes()).hexdigest() == file.digest
        disguise = next(file for file in shown.files if file.name.endswith("/disguise.js"))
        text = (collected / disguise.url.removeprefix(staticfiles_storage.base_url)).read_text(
            encoding="utf-8"
        )
        assert '"./coins.js"' not in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL), "imports are hashed too"


def test_one_changed_byte_changes_the_digest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = client().digest
    altered = tmp_path / "coins.js"
    altered.write_bytes(Path(str(finders.find("surveys/js/coins.js"))).read_bytes().replace(b"4", b"5", 1))
    find = finders.find
    monkeypatch.setattr(
        finders, "find", lambda name: str(altered) if name.endswith("/coins.js") else find(name)
    )
    assert client().digest != before
