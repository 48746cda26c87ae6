"""The client of respondents: all of its files, their digest, and what may not stand in them."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client, override_settings

from surveys.respondent import client_program
from surveys.respondent.client_program import ENTRANCE, MODULES, POLICY, WORKER, client

ROOT = Path(__file__).resolve().parents[3]


def imports(name: str) -> set[str]:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", (MODULES / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    return set(re.findall(r'(?:from|import)\s*\(?\s*"\./([^"]+)"', code))


def reached() -> set[str]:
    """Follow the imports of the modules, however they are written, from what the page names."""
    loaded: set[str] = set()
    to_visit = {f"{ENTRANCE}.js"}
    while to_visit:
        name = to_visit.pop()
        loaded.add(name)
        to_visit |= imports(name) - loaded
    return loaded


def sentences() -> set[str]:
    parts = ("first", "later", "rare")
    return {f"{part}-{language}.js" for part in parts for language, _name in settings.LANGUAGES}


def test_every_module_that_the_page_reaches_is_in_one_file_and_once() -> None:
    """Known by what it exports; where one stood in a file twice, no browser would read that."""
    files = {file.name: file.content.decode() for file in client().program}
    scripts = [text for name, text in files.items() if name in reached()]
    assert len(scripts) == len(files) - len(sentences()) - len({"sottovoce.css"})
    exports: Counter[str] = Counter()
    for name in reached():
        source = (MODULES / name).read_text(encoding="utf-8")
        exports.update(re.findall(r"^export (?:async function|function|class) (\w+)", source, re.MULTILINE))
    assert len(exports) > 80
    for exported, modules in exports.items():
        alone = rf"(?:^|[;{{}}])(?:async )?(?:function|class) {exported}\b"
        made = [text for text in scripts if re.search(alone, text, re.MULTILINE)]
        assert len(made) >= modules, exported


def test_each_script_is_one_that_a_browser_reads(tmp_path: Path) -> None:
    """A name that stands twice would be found here, before any page is opened."""
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for file in client().program:
        script = tmp_path / file.name
        script.write_bytes(file.content)
        if script.suffix == ".js":
            subprocess.run(["node", "--check", script], check=True)


def test_the_page_names_its_program_and_nothing_else() -> None:
    index = client().index.content.decode()
    below = f"/program/{client().digest}"
    named = re.findall(r'(?:src|href)="([^"]+)"', index)
    scripts = {f"{below}/start.js", f"{below}/client.js", f"{below}/key-file.js"}
    assert {address for address in named if not address.startswith("data:")} == {
        *scripts,
        f"{below}/sottovoce.css",
        "#main",
    }
    assert not re.search(
        r"<script(?![^>]*src=)[^>]*>|\son\w+=|\sstyle=|<(?:form|input|button|iframe)\b", index
    )
    assert f'content="{POLICY}"' in index
    # What the scripts import at once is named, so that it is fetched with them and not after them.
    file = client().file(f"{ENTRANCE}.js")
    assert file is not None
    static = re.findall(r'^import.*from"\./([^"]+)";', file.content.decode(), re.MULTILINE)
    assert {f"{below}/{name}" for name in static} == scripts - {f"{below}/{ENTRANCE}.js"}


def test_the_script_knows_the_languages_of_sottovoces_sentences() -> None:
    start = client().file("start.js")
    assert start is not None
    (listed,) = re.findall(r"\bconst OWN=(\[.*?\]);", start.content.decode())
    assert json.loads(listed) == [language for language, _name in settings.LANGUAGES]


def test_no_script_of_respondents_names_a_storage_of_the_browser_but_that_of_the_waiting_body() -> None:
    """What stays on a device is one sealed body, in `waiting.js`, and its key, in `key-file.js`.

    A tab keeps the code of an invitation besides, until the answers are sealed.
    """
    storages = r"\b(?:sessionStorage|localStorage|cookie|cookieStore|caches|storage|indexedDB)\b"
    named = {}
    for name in reached():
        code = re.sub(
            r"/\*.*?\*/|//[^\n]*", "", (MODULES / name).read_text(encoding="utf-8"), flags=re.DOTALL
        )
        if found := set(re.findall(storages, code)):
            named[name] = found
    assert named == {
        "invitation.js": {"sessionStorage", "storage"},
        "key-file.js": {"storage"},
        "post.js": {"indexedDB"},
        "seal.js": {"indexedDB"},
    }


def test_the_digest_is_that_of_the_bytes_that_are_served_the_page_among_them() -> None:
    shown = client()
    contents = []
    for file in shown.program:
        response = Client().get(file.url)
        assert response.status_code == 200
        assert response.headers["Content-Type"] == file.content_type
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert hashlib.sha256(response.content).hexdigest() == file.digest
        contents.append(response.content)
        # The page's policy is that of all that it loads; a worker has its own, and loads nothing.
        policy = "default-src 'none'" if file.name == WORKER else None
        assert response.headers.get("Content-Security-Policy") == policy
    page = Client().get("/en/s/anything/").content
    whole = b"".join(contents) + page.replace(shown.digest.encode(), b"DIGEST")
    assert hashlib.sha256(whole).hexdigest() == shown.digest
    assert [file.name for file in shown.program] == sorted(file.name for file in shown.program)


def test_the_manifest_has_the_digest_of_each_file_as_it_is_served() -> None:
    response = Client().get("/manifest.json")
    assert response.headers["Content-Type"] == "application/json; charset=utf-8"
    manifest = json.loads(response.content)
    assert (manifest["name"], manifest["digest"]) == ("sottovoce-client", client().digest)
    at = {"index.html": "/zh-hans/s/anything/"}
    assert {f"program/{client().digest}/{name}" for name in ("client.js", "sottovoce.css")} < set(
        manifest["files"]
    )
    for path, digest in manifest["files"].items():
        content = Client().get(at.get(path, f"/{path}")).content
        assert hashlib.sha256(content).hexdigest() == digest, path


def test_another_process_builds_the_same_bytes() -> None:
    code = (
        "import django; django.setup()\n"
        "from surveys.respondent.client_program import client\n"
        "print(client().manifest.digest)"
    )
    surroundings = {
        **os.environ,
        "PYTHONHASHSEED": "7",
        "LANG": "C",
        "TZ": "Asia/Tokyo",
        "PYTHONPATH": str(ROOT),
    }
    said = subprocess.run(
        [sys.executable, "-c", code], cwd="/", env=surroundings, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == client().manifest.digest


def test_a_file_of_the_program_is_packed_once_and_has_no_head_that_only_pages_need() -> None:
    for file in client().program:
        answers = [Client().get(file.url, headers={"Accept-Encoding": "gzip"}) for _ in range(2)]
        assert answers[0].content == answers[1].content
        assert gzip.decompress(answers[0].content) == file.content
        assert "Accept-Encoding" in answers[0].headers["Vary"]
        assert answers[0].headers["X-Content-Type-Options"] == "nosniff"
        for head in ("X-Frame-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy", "Content-Language"):
            assert head not in answers[0].headers, (file.name, head)


def test_a_host_that_this_server_is_not_gets_no_program() -> None:
    assert Client().get(client().program[0].url, headers={"Host": "elsewhere.example"}).status_code == 400
    assert Client().post(client().program[0].url).status_code == 405


@pytest.mark.parametrize("change", ["digest", "name"])
def test_another_program_s_address_gives_nothing(change: str) -> None:
    """A browser that has the page of another release must not run the scripts of this one with it."""
    url = client().program[0].url
    other = (
        url.replace(client().digest, "0" * 64)
        if change == "digest"
        else url.replace(client().program[0].name, "settings.js")
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
        old.name for old, new in zip(before.program, after.program, strict=True) if old.digest != new.digest
    ] == ["client.js"]


def test_a_server_keeps_the_program_that_it_started_with(copied: Path) -> None:
    before = client()
    (copied / "coins.js").write_text("export const none = 1;\n")
    assert client() is before


def test_a_host_of_another_owner_says_the_whole_policy_by_header_with_one_server_and_nobody_around() -> None:
    text = (ROOT / "deploy" / "proxy" / "client.conf").read_text(encoding="utf-8")
    (header,) = re.findall(r'add_header Content-Security-Policy "([^"]+)" always;', text)
    said = dict(part.split(" ", 1) for part in header.split("; "))
    page = dict(part.split(" ", 1) for part in POLICY.split("; "))
    own = {"connect-src": "'self' https://survey.example.org", "frame-ancestors": "'none'"}
    assert said == page | own


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("client", "--out", str(tmp_path / "file" / "below"))
