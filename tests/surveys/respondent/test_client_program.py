"""The respondents' client: its files, their digest, and forbidden constructs."""

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client, override_settings

from surveys.jobs.installed_version import installed_version
from surveys.respondent import client_program, client_releases
from surveys.respondent.client_program import ENTRANCE, MODULES, POLICY, WORKER, client
from surveys.respondent.client_releases import UNRELEASED, published_digests, releases_of
from surveys.respondent.text_modules import voices
from surveys.respondent.texts import texts_by_part
from tests.fixtures.everyday import everyday

ROOT = Path(__file__).resolve().parents[3]


def code_of(name: str) -> str:
    """Return a script without its comments."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", (MODULES / name).read_text(encoding="utf-8"), flags=re.DOTALL)


def imports(name: str) -> set[str]:
    static = re.findall(r'(?:from|import)\s*\(?\s*"\./([^"]+)"', code_of(name))
    return {*static, *(f"{part}.js" for part in re.findall(r'\bpart\("([a-z-]+)"\)', code_of(name)))}


def reached() -> set[str]:
    """Return all scripts reached by imports, in any notation, from the page's scripts."""
    loaded: set[str] = set()
    to_visit = {f"{ENTRANCE}.js"}
    while to_visit:
        name = to_visit.pop()
        loaded.add(name)
        to_visit |= imports(name) - loaded
    return loaded


def sentences() -> set[str]:
    return {f"{part}-{name}.js" for part in texts_by_part() for name, _language, _wording in voices()}


@pytest.mark.soak
def test_every_module_of_the_page_is_bundled_exactly_once() -> None:
    """Modules are recognised by their exports; a browser would fail on a file with a module twice."""
    files = {file.name: file.content.decode() for file in client().program}
    scripts = [text for name, text in files.items() if name in reached()]
    assert len(scripts) == len(files) - len(sentences()) - len({"sottovoce.css", "later.css"})
    exports: Counter[str] = Counter()
    for name in reached():
        source = (MODULES / name).read_text(encoding="utf-8")
        exports.update(re.findall(r"^export (?:async function|function|class) (\w+)", source, re.MULTILINE))
    assert len(exports) > 80
    for exported, modules in exports.items():
        alone = rf"(?:^|[;{{}}])(?:async )?(?:function|class) {exported}\b"
        made = [text for text in scripts if re.search(alone, text, re.MULTILINE)]
        assert len(made) >= modules, exported


def test_browsers_can_parse_every_script(tmp_path: Path) -> None:
    """A duplicate name would fail here, before any page is opened."""
    scripts = [file for file in client().program if file.name.endswith(".js")]
    for script in scripts:
        (tmp_path / script.name).write_bytes(script.content)
    parse = """
        const {readFileSync} = require("fs"), {SourceTextModule} = require("vm");
        for (const name of process.argv.slice(1)) new SourceTextModule(readFileSync(name, "utf8"));
    """
    command = ["node", "--experimental-vm-modules", "--no-warnings", "--eval", parse]
    subprocess.run([*command, *(script.name for script in scripts)], cwd=tmp_path, check=True)


def test_the_page_links_only_its_own_program_files() -> None:
    index = client().index.content.decode()
    below = f"/program/{client().digest}"
    named = re.findall(r'(?:src|href)="([^"]+)"', index)
    scripts = {f"{below}/start.js", f"{below}/client.js", f"{below}/key-file.js"}
    addresses = {address for address in named if not address.startswith("data:")}
    assert addresses == scripts | {f"{below}/sottovoce.css", "#main"}
    assert not re.search(
        r"<script(?![^>]*src=)[^>]*>|\son\w+=|\sstyle=|<(?:form|input|button|iframe)\b", index
    )
    assert f'content="{POLICY}"' in index
    # The page names the scripts' immediate imports, so that they are fetched in parallel.
    file = client().file(f"{ENTRANCE}.js")
    assert file is not None
    static = re.findall(r'^import.*from"\./([^"]+)";', file.content.decode(), re.MULTILINE)
    assert {f"{below}/{name}" for name in static} == scripts - {f"{below}/{ENTRANCE}.js"}


def test_the_script_lists_the_languages_of_pages_and_of_texts_for_respondents() -> None:
    start = client().file("start.js")
    assert start is not None
    # Constants have short names in the program.
    ((name, pages),) = re.findall(r'\blet (_[A-Z]+)=(\["en".*?\]);', start.content.decode())
    assert json.loads(pages) == [language for language, _name in settings.LANGUAGES]
    (listed,) = re.findall(rf"\blet _[A-Z]+=\[\.\.\.{name},?(.*?)\];", start.content.decode())
    further = json.loads(f"[{listed}]")
    assert {*json.loads(pages), *further} == {name for name, _language, _wording in voices()}
    assert {"ar", "de", "de-informal", "zh-hans-formal"} <= {*further}


def test_only_known_scripts_use_browser_storage() -> None:
    """A device stores only one sealed body, in `waiting-body.js`, and its key, in `key-file.js`.

    In addition, a tab keeps an invitation code until the answers are sealed.
    """
    storages = r"\b(?:sessionStorage|localStorage|cookie|cookieStore|caches|storage|indexedDB)\b"
    named = {name: set(re.findall(storages, code_of(name))) for name in reached()}
    assert {name: found for name, found in named.items() if found} == {
        "invitation.js": {"sessionStorage", "storage"},
        "key-file.js": {"storage"},
        "post.js": {"indexedDB"},
        "seal.js": {"indexedDB"},
    }


def test_no_script_shows_an_errors_own_words() -> None:
    """A browser's words, such as "Failed to fetch dynamically imported module", help no respondent.

    `trouble.js` decides what they read about an error. The worker of `key-file.js` has to copy its errors.
    """
    words = r"\b\w*\.message\b|\bString\((?:error|reason)\b|\$\{(?:error|reason)\b|\bmessage \}\) =>"
    named = {name for name in reached() | {"embed.js", "frame-memory.js"} if re.search(words, code_of(name))}
    assert named == {"key-file.js"}
    texts = json.dumps([file.content.decode() for file in client().program if "-en.js" in file.name])
    assert "{error}" not in texts


def test_every_part_is_loaded_by_the_function_that_requests_it_again() -> None:
    """`start.js` begins with two parts that `client.js` and the page itself request again."""
    direct = {name for name in reached() | {"embed.js"} if re.search(r"\bimport\(", code_of(name))}
    assert direct == {"program.js", "start.js"}


def test_the_digest_covers_the_served_files_and_the_page() -> None:
    shown = client()
    contents = []
    for file in shown.program:
        response = Client().get(file.url)
        assert response.status_code == 200
        assert response.headers["Content-Type"] == file.content_type
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert hashlib.sha256(response.content).hexdigest() == file.digest
        contents.append(response.content)
        # The page's policy applies to everything it loads. A worker has its own policy, and loads nothing.
        policy = "default-src 'none'" if file.name == WORKER else None
        assert response.headers.get("Content-Security-Policy") == policy
    page = Client().get("/en/s/anything/").content
    whole = b"".join(contents) + page.replace(shown.digest.encode(), b"DIGEST")
    assert hashlib.sha256(whole).hexdigest() == shown.digest
    assert [file.name for file in shown.program] == sorted(file.name for file in shown.program)


@pytest.mark.soak
def test_the_manifest_lists_the_digest_of_each_served_file() -> None:
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


@pytest.mark.soak
def test_another_process_builds_identical_files() -> None:
    code = (
        "import django; django.setup()\n"
        "from surveys.respondent.client_program import client\n"
        "print(client().manifest.digest)"
    )
    other = {"PYTHONHASHSEED": "7", "LANG": "C", "TZ": "Asia/Tokyo", "PYTHONPATH": str(ROOT)}
    env = {**os.environ, **other}
    said = subprocess.check_output([sys.executable, "-c", code], cwd="/", env=env, text=True)
    assert said.strip() == client().manifest.digest


@pytest.mark.soak
def test_program_files_are_compressed_once_and_sent_without_page_headers() -> None:
    for file in client().program:
        answers = [Client().get(file.url, headers={"Accept-Encoding": "gzip"}) for _ in range(2)]
        assert answers[0].content == answers[1].content
        assert gzip.decompress(answers[0].content) == file.content
        # It is at most as long as in one block; the header has ten bytes either way.
        assert len(answers[0].content) <= len(gzip.compress(file.content, mtime=0))
        assert "Accept-Encoding" in answers[0].headers["Vary"]
        assert answers[0].headers["X-Content-Type-Options"] == "nosniff"
        for head in ("X-Frame-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy", "Content-Language"):
            assert head not in answers[0].headers, (file.name, head)


def test_unknown_hosts_do_not_get_the_program() -> None:
    assert Client().get(client().program[0].url, headers={"Host": "elsewhere.example"}).status_code == 400
    assert Client().post(client().program[0].url).status_code == 405


def test_files_of_other_client_versions_return_404() -> None:
    """A browser with another release's page must not run this release's scripts."""
    file = client().program[0]
    for part, changed in ((client().digest, "0" * 64), (file.name, "settings.js")):
        assert part in file.url
        assert Client().get(file.url.replace(part, changed)).status_code == 404


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path in MODULES.glob("*.js"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(client_program, "MODULES", tmp_path)
    return tmp_path


def test_debug_mode_serves_script_changes_immediately(copied: Path) -> None:
    coins = copied / "coins.js"
    with override_settings(DEBUG=True):
        before = client()
        coins.write_bytes(coins.read_bytes().replace(b"SCALE = 10000", b"SCALE = 10001"))
        after = client()
    assert after.digest != before.digest
    assert [
        old.name for old, new in zip(before.program, after.program, strict=True) if old.digest != new.digest
    ] == ["client.js"]


def test_a_running_server_keeps_its_loaded_program(copied: Path) -> None:
    before = client()
    (copied / "coins.js").write_text("export const none = 1;\n")
    assert client() is before


def test_the_proxy_config_sends_the_full_content_security_policy() -> None:
    text = (ROOT / "deploy" / "proxy" / "client.conf").read_text(encoding="utf-8")
    (header,) = re.findall(r'add_header Content-Security-Policy "([^"]+)" always;', text)
    said = dict(part.split(" ", 1) for part in header.split("; "))
    page = dict(part.split(" ", 1) for part in POLICY.split("; "))
    own = {"connect-src": "'self' https://survey.example.org", "frame-ancestors": "'none'"}
    assert said == page | own


def test_the_client_command_writes_the_served_files_to_empty_folders(tmp_path: Path) -> None:
    folder = tmp_path / "client"
    call_command("client", "--out", str(folder), "--server", "http://localhost:8000", verbosity=0)
    written = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    assert json.loads(written.pop("config.json")) == {"server": "http://localhost:8000"}
    assert written == {file.path: file.content for file in client().files}
    with pytest.raises(CommandError, match="already exists and is not empty"):
        call_command("client", "--out", str(folder))
    with pytest.raises(CommandError, match="is not the origin"):
        call_command("client", "--out", str(tmp_path / "other"), "--server", "https://survey.example.org/en/")
    assert not (tmp_path / "other").exists()


def test_an_unwritable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("client", "--out", str(tmp_path / "file" / "below"))


def test_the_digest_of_the_current_scripts_is_listed() -> None:
    """A change of the respondents' texts, styles or scripts changes the digest."""
    names = releases_of(client().digest)
    assert names, (
        f"the last line of {client_releases.LIST.relative_to(ROOT)} must be: {UNRELEASED}  {client().digest}"
    )
    assert set(names) <= {UNRELEASED, installed_version()}


def test_the_command_lists_all_digests_and_marks_the_served_one() -> None:
    out = StringIO()
    call_command("client", "--published", stdout=out)
    assert (
        f"{client().digest}  {releases_of(client().digest)[0]} (served here)" in out.getvalue().splitlines()
    )
    assert len(out.getvalue().splitlines()) == len(published_digests())


def test_an_unreleased_program_makes_the_command_fail(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "list").write_text(f"1.0  {'a' * 64}\n# between\n1.1  {'b' * 64}  # of May\n")
    monkeypatch.setattr(client_releases, "LIST", tmp_path / "list")
    assert replace(client(), digest="b" * 64).digest in published_digests().values()
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("client", "--published", stdout=out)
    assert ended.value.code == 1
    assert out.getvalue().splitlines() == [
        f"{'a' * 64}  1.0",
        f"{'b' * 64}  1.1",
        f"{client().digest}  served here, but no release has it",
    ]


# Average bytes of response headers: 300 for files of the program, 560 for page and state.
HEAD = 350


# What question 1 of a survey of all kinds waits for, and all that loads before its second question.
FIRST = (
    "sottovoce.css",
    "start.js",
    "client.js",
    "key-file.js",
    "first-{}.js",
    "places.js",
    "drawing.js",
    "later.js",
)
LATER = (
    "number.js",
    "scale.js",
    "before.js",
    "end.js",
    "scale-{}.js",
    "before-{}.js",
    "end-{}.js",
    "later.css",
)


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.parametrize(("voice", "language"), [(name, language) for name, language, _form in voices()])
def test_all_question_kinds_need_40_kb_until_question_1_and_70_in_all(voice: str, language: str) -> None:
    """The survey with everything, in each language and form of address."""
    everyday()
    answer = Client().get(
        f"/client/surveys/everyday?language={language}", headers={"Accept-Encoding": "gzip, br"}
    )
    assert answer.headers["Content-Encoding"] == "gzip"
    state = gzip.decompress(answer.content)
    assert len(answer.content) < len(state) / 2
    named = {file.name: file.content for file in client().program}
    first = [state, client().index.content, *(named[name.format(voice)] for name in FIRST)]
    later = [named[name.format(voice)] for name in LATER]
    assert sum(HEAD + len(gzip.compress(part)) for part in first) <= 40_000
    assert sum(HEAD + len(gzip.compress(part)) for part in (*first, *later)) <= 70_000
