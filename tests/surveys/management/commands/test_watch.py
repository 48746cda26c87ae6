"""The watcher's command: output, memory, mails, refusals, and exit code."""

import functools
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from surveys.models import Version
from surveys.respondent.client_documents import documents_of
from surveys.respondent.client_program import client
from surveys.respondent.survey_digests import digest_in_print
from surveys.watch import download, file_comparison
from surveys.watch.download import BROWSERS, Answer, fetch
from surveys.watch.target import WatchTarget
from tests.conftest import ROOT
from tests.fixtures.devices import published, shipped_definition

pytestmark = pytest.mark.django_db(transaction=True)


@functools.cache
def _program_file(url: str, headers: tuple[tuple[str, str], ...]) -> Answer:
    return fetch(url, dict(headers))


def _fetch_once(url: str, headers: Mapping[str, str], *, seconds: float) -> Answer:
    """Request each file of the program once, because it is the same in all tests; everything else anew."""
    if "/program/" in url:
        return _program_file(url, tuple(headers.items()))
    return fetch(url, headers, seconds=seconds)


@pytest.fixture(autouse=True)
def _one_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(file_comparison.compare.__kwdefaults__, "browsers", BROWSERS[:1])


@pytest.fixture(autouse=True)
def _one_request_per_program_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "fetch", _fetch_once)


@pytest.fixture(autouse=True)
def _mail_server(settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example.org"


@pytest.fixture
def version(live_server: Any) -> Version:
    return published(shipped_definition("workplace"))


@pytest.fixture
def address(live_server: Any, version: Version) -> str:
    return f"{live_server.url}/en/s/workplace/"


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    if code:
        with pytest.raises(SystemExit) as ended:
            call_command("watch", *arguments)
        assert ended.value.code == code
    else:
        call_command("watch", *arguments)
    return capsys.readouterr().out


@pytest.mark.soak
def test_one_line_reports_that_everything_is_as_built(address: str, version: Version, capsys: Any) -> None:
    (line,) = said(capsys, address).splitlines()
    assert line.startswith(
        f"as built {address}: survey {digest_in_print(documents_of(version).root)}, open; "
    )
    assert client().digest in line


def test_a_manifest_of_another_build_is_compared(address: str, tmp_path: Path, capsys: Any) -> None:
    manifest = json.loads(client().manifest.content)
    path = tmp_path / "manifest.json"
    path.write_bytes(client().manifest.content)
    assert said(capsys, address, "--manifest", str(path)).startswith("as built")
    name = next(name for name in manifest["files"] if name.endswith("client.js"))
    path.write_text(
        json.dumps({**manifest, "files": {**manifest["files"], name: "0" * 64}}), encoding="utf-8"
    )
    lines = said(capsys, address, "--manifest", str(path), code=1).splitlines()
    assert f"DIFFERS  {address}: /program/.../client.js: differs from the build" in lines[0]
    assert "/manifest.json: differs" in lines[1]


@pytest.mark.soak
def test_a_changed_survey_is_reported_and_mailed_once(
    address: str, version: Version, tmp_path: Path, capsys: Any
) -> None:
    seen = tmp_path / "seen.json"
    options = ["--remember", str(seen), "--mail", "board@example.org"]
    assert said(capsys, address, *options).startswith("as built")
    assert mail.outbox == []
    before = documents_of(version).root
    document = shipped_definition("workplace")
    document["title"]["en"] = "Another title"
    now = documents_of(published(document)).root
    (line,) = said(capsys, address, *options, code=1).splitlines()
    assert "the survey is another one since " in line
    assert line.endswith(f"{before} before, {now} now")
    assert said(capsys, address, *options).startswith("as built")
    (sent,) = mail.outbox
    assert (sent.to, now in sent.body) == (["board@example.org"], True)


@pytest.mark.soak
def test_unsent_mail_is_reported_and_retried_next_time(
    live_server: Any, version: Version, tmp_path: Path, settings: Any
) -> None:
    seen = tmp_path / "seen.json"
    missing = f"{live_server.url}/en/s/nowhere/"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    with pytest.raises(CommandError, match="Could not send mail to board@example"):
        call_command("watch", missing, "--remember", str(seen), "--mail", "board@example.org")
    assert not seen.exists()
    settings.EMAIL_HOST = ""
    with pytest.raises(CommandError, match="needs a mail server"):
        call_command("watch", missing, "--mail", "board@example.org")


@pytest.mark.soak
def test_json_output_reports_what_was_seen(address: str, version: Version, capsys: Any) -> None:
    (record,) = json.loads(said(capsys, address, "--json"))
    assert (record["root"], record["differences"]) == (documents_of(version).root, [])


def without_database(address: str, home: Path) -> subprocess.CompletedProcess[str]:
    nobody = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "SOTTOVOCE_HOME": str(home)}
    return subprocess.run(
        [sys.executable, "manage.py", "watch", address],
        cwd=ROOT,
        env={**os.environ, **nobody, "DJANGO_SETTINGS_MODULE": "surveys.settings"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.soak
def test_the_watcher_needs_no_database(address: str, tmp_path: Path) -> None:
    done = without_database(address, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("as built")


@pytest.mark.soak
def test_unreachable_servers_are_reported_without_a_database(tmp_path: Path) -> None:
    done = without_database("http://127.0.0.1:1/en/s/work/", tmp_path)
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.startswith("UNCHECKED http://127.0.0.1:1/en/s/work/: 127.0.0.1 refuses connections")
    assert len(done.stdout.splitlines()) == 1


def test_unreachable_servers_are_mailed_once_and_differences_decide_the_exit_code(
    live_server: Any, tmp_path: Path, capsys: Any
) -> None:
    absent, missing = "http://127.0.0.1:1/en/s/work/", f"{live_server.url}/en/s/nowhere/"
    options = ["--remember", str(tmp_path / "seen.json"), "--mail", "board@example.org"]
    for _time in range(2):
        (line,) = said(capsys, absent, *options, code=3).splitlines()
        assert line.startswith(f"UNCHECKED {absent}: 127.0.0.1 refuses connections to port 1.")
    (sent,) = mail.outbox
    assert sent.subject == f"[Sottovoce] {absent}: could not be checked"
    assert "- not checked: 127.0.0.1 refuses connections to port 1." in sent.body
    lines = said(capsys, absent, missing, code=1).splitlines()
    assert lines[0].startswith("UNCHECKED ")
    assert lines[1] == f"NO SURVEY {missing}: this server has no survey named 'nowhere'. Check the address"
    (record,) = json.loads(said(capsys, absent, "--json", code=3))
    assert record["differences"] == []
    assert record["unchecked"][0].startswith("127.0.0.1 refuses connections")


@pytest.mark.parametrize(
    ("url", "refused"),
    [
        ("ftp://a.example/en/s/work/", "is not the address of a survey"),
        ("https://a.example/", "is not the address of a survey"),
        ("https://a.example/en/staff/", "is not the address of a survey"),
        ("https://me:word@a.example/en/s/work/", "is not the address of a survey"),
        ("https://a.example/?s=../x&l=en", "is not the address of a survey"),
        ("https://a.example/en/s/work/#ABCDEFGHJK0123456789", "contains an invitation code"),
        ("https://a.example/en/s/work/#c=ABCDEFGHJK0123456789&d=x", "contains an invitation code"),
    ],
)
def test_invalid_urls_and_codes_are_refused_without_repeating_the_code(url: str, refused: str) -> None:
    with pytest.raises(CommandError, match=refused) as error:
        call_command("watch", url)
    assert "ABCDE" not in str(error.value)
    # 1 is for a page that differs.
    assert error.value.returncode == 2


@pytest.mark.parametrize("content", [None, "", "[]", '{"files": 3, "digest": ""}', '{"a": 3}'])
def test_unreadable_files_are_refused(content: str | None, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(CommandError, match=r"Name a manifest\.json that you can read"):
        call_command("watch", "https://a.example/en/s/work/", "--manifest", str(path))
    if content in ("", "[]", '{"a": 3}'):
        with pytest.raises(CommandError, match="Name a file of an earlier watch"):
            call_command("watch", "https://a.example/en/s/work/", "--remember", str(path))


def test_urls_of_letters_and_static_hosts_are_accepted() -> None:
    for language, path in (("en", "/en/s/work/"), ("ar", "/en/s/work/ar/"), ("zh-hans", "/zh-hans/s/work/")):
        read = WatchTarget.read(f"https://a.example:8443{path}")
        assert (read.origin, read.language, read.page(language)) == (
            "https://a.example:8443",
            language,
            f"https://a.example:8443{path}",
        )
    assert WatchTarget.read("https://a.example/?s=work&l=ar").page("en") == "https://a.example/?s=work&l=en"
