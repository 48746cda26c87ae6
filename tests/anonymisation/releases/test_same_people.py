"""A table of the same people is recognised by a digest of them all; no digest of one person is stored."""

import base64
import hashlib
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils.crypto import salted_hmac
from pytest_django import Settings

from anonymisation.models import Release
from anonymisation.releases.deletion import release_erase
from anonymisation.releases.downloads import FILES
from anonymisation.releases.same_people import identifying_column, people_digest
from anonymisation.releases.sealed_documents import LEDGER, REPORT, bytes_open, bytes_seal
from privacy.tables.columns import ReadTable
from surveys.accounts.roles import Role
from surveys.models.stored_json import UnreadableJSON
from tests.anonymisation.releases.test_views import BOUNDS, address, finished, stepped, unzipped
from tests.attack.stored import table_rows, tables
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

ASKED = {name: value for name, value in BOUNDS.items() if name not in ("l_1", "uncompared")} | {
    "k": 3,
    "l_0": 2,
}


def people(n: int, *, first: int = 0, backwards: bool = False) -> bytes:
    rows = [
        b"patient-%d,%d,%s,%s\n"
        % (number, 20 + number % 24, (b"city", b"state")[number % 2], (b"flu", b"cold", b"ulcer")[number % 3])
        for number in range(first, first + n)
    ]
    return b"patient,age,work,disease\n" + b"".join(reversed(rows) if backwards else rows)


def asked(client: Client, table: bytes, bounds: dict[str, Any] | None = None, **columns: Any) -> Any:
    stepped(client, table, **columns)
    return client.post(address("bounds"), ASKED | (bounds or {}))


def made(client: Client, table: bytes, bounds: dict[str, Any] | None = None, **columns: Any) -> Release:
    stepped(client, table, **columns)
    return finished(client, ASKED | (bounds or {}))


def test_the_same_people_are_refused_unless_their_ledger_is_lost(researcher: Client) -> None:
    first = made(researcher, people(48))
    page = researcher.get(address("release")).content.decode()
    assert "No release on this server has exactly the same people" in page
    # Another order and other roles do not change who the people are.
    refused = asked(researcher, people(48, backwards=True), role_2="identifier", people="records")
    assert refused.status_code == 422
    assert "a table of exactly these people was published" in refused.context["problem"].lower()
    assert refused.context["published_before"].pk == first.pk
    assert "Its ledger is lost" in refused.content.decode()
    again = made(researcher, people(48), {"uncompared": "on"})
    assert again.result["published_before"] == f"{first.finished_at:%Y-%m-%d}"
    page = researcher.get(address("release")).content.decode()
    assert "you confirmed that there is no ledger" in page
    assert "note--bad" in page


@pytest.mark.soak
def test_one_extra_person_prevents_recognition_and_the_page_warns(researcher: Client) -> None:
    made(researcher, people(48))
    assert made(researcher, people(49)).result["published_before"] is None
    page = researcher.get(address("release")).content.decode()
    assert "A release with one person more or less is not recognised" in page


@pytest.mark.soak
def test_a_ledger_allows_comparison_with_the_first_release(researcher: Client) -> None:
    made(researcher, people(48), respondent="patient")
    ledger = unzipped(researcher.get(address("report")))["ledger.json"]
    given = {"respondent": "patient", "ledgers": SimpleUploadedFile("ledger.json", ledger)}
    again = made(researcher, people(48), **given)
    assert (again.result["earlier"], again.result["published_before"]) == (1, None)


def test_the_people_digest_survives_file_deletion_but_drafts_are_erased(researcher: Client) -> None:
    first = made(researcher, people(48))
    rosa = member("rosa", Role.RESEARCHER)
    assert not release_erase(first, by=rosa)
    assert asked(researcher, people(48)).status_code == 422
    assert release_erase(Release.objects.latest("pk"), by=rosa)
    first.refresh_from_db()
    assert (first.files, first.report) == (None, None)


def test_the_people_digest_is_the_same_for_every_spelling_of_a_number() -> None:
    """7, 007 and 7.0 are one person in ledgers, too. Digests of earlier programs are of the texts."""
    digest = people_digest(["7", "8", "Ann\x1f1"])
    assert digest == people_digest(["007", "8.0", "ann\x1f01"])
    assert digest != people_digest(["7", "8", "Ann\x1f2"])
    written = [people_digest([text], as_written=True) for text in ("7", "007")]
    assert written[0] != written[1]
    assert written[0] == people_digest(["7"])


def test_the_people_digest_covers_all_people_and_the_secret_key(settings: Any) -> None:
    digest = people_digest(["b", "a", "a"])
    assert digest == people_digest(["a", "b"])
    # Other people whose joined names look similar have another digest.
    assert digest not in (people_digest(["ab"]), people_digest(["a"]), people_digest(['a", "b']))
    settings.SECRET_KEY = "another key"
    assert digest != people_digest(["a", "b"])
    rows = [["u1", "s", "1"], ["u2", "s", "2"], ["u3", "t", "3"]]
    table = ReadTable.of_rows(["user", "street", "day"], rows)
    assert identifying_column(table) == "user"
    assert identifying_column(ReadTable.of_rows(["day"], [["1"], ["2"]])) == ""


# The attack: the attacker has the database, its secret key and all files.

_DIGESTS = re.compile(rb"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{32,128}|[A-Za-z0-9+/_-]{43}=?)(?![0-9A-Za-z=])")


def cells() -> Iterator[tuple[str, bytes]]:
    """Yield every cell of every table of the database, and every file of the installation."""
    for table in tables():
        for names, rows in table_rows(table):
            for row in rows:
                yield from ((f"{table}.{name}", cell or b"") for name, cell in zip(names, row, strict=True))
    database = str(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else ""
    for path in Path(settings.SOTTOVOCE_HOME).rglob("*"):
        # Skip the database, which is read above: reading its files would drop this process's locks. Skip
        # compiled code and static files, which contain no data.
        is_of_database = bool(database) and str(path).startswith(database)
        if path.is_file() and not is_of_database and path.suffix not in (".nbi", ".nbc", ".js", ".css"):
            yield path.name, path.read_bytes()


def opened() -> Iterator[tuple[str, bytes]]:
    """Yield the same, with the encrypted parts of releases decrypted."""
    sealed = {"files": FILES, "report": REPORT, "ledger": LEDGER}
    for place, content in cells():
        if (
            place.removeprefix("anonymisation_release.") not in sealed
            and place != "anonymisation_releasetable.sealed"
        ):
            yield place, content
    for release in Release.objects.all():
        for column, kind in sealed.items():
            if (held := getattr(release, column)) is None:
                continue
            content = bytes_open(held, release_id=release.pk, kind=kind)
            if not zipfile.is_zipfile(io.BytesIO(content)):
                yield f"{column} (opened)", content
                continue
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                for name in archive.namelist():
                    yield f"{column}/{name}", archive.read(name)


def digests_held() -> dict[str, int]:
    """Count by place everything that looks like a digest, and the bytes of binary cells."""
    found: Counter[str] = Counter()
    for place, content in opened():
        found[place] += len(_DIGESTS.findall(content))
        try:
            content.decode()
        except UnicodeDecodeError:
            if "/" not in place:
                found[f"{place}, bytes"] += len(content)
    return {place: count for place, count in found.items() if count}


def grown(
    client: Client, plant: Callable[[Release, list[str]], None] = lambda *_: None, **columns: Any
) -> list[set[str]]:
    """Publish 24 and then 72 people; return the places with more digests for more people.

    The places are those before and after `plant` was called.
    """
    worlds = []
    for n in (24, 72):
        release = made(client, people(n, first=n), **columns)
        clean = digests_held()
        plant(release, [f"patient-{number}" for number in range(n, 2 * n)])
        worlds.append((clean, digests_held()))
        # Both worlds begin with the same tables and files.
        Release.objects.all().delete()
        (Path(settings.SOTTOVOCE_HOME) / "seen.log").unlink(missing_ok=True)
    return [
        {place for place in many if many[place] > few.get(place, 0) + 8}
        for few, many in zip(*worlds, strict=True)
    ]


def keyed(person: str) -> str:
    return salted_hmac("planted", person, algorithm="sha256").hexdigest()


def in_the_result(release: Release, names: list[str]) -> None:
    release.result["seen"] = [keyed(name) for name in names]
    release.save()


def in_base64(release: Release, names: list[str]) -> None:
    text = [base64.b64encode(hashlib.sha256(name.encode()).digest()).decode() for name in names]
    release.bounds["seen"] = text
    release.save()


def sealed_and_raw(release: Release, names: list[str]) -> None:
    raw = b"".join(hashlib.sha256(name.encode()).digest() for name in names)
    release.ledger = bytes_seal(raw, release_id=release.pk, kind=LEDGER)
    release.save()


def on_the_disk(_release: Release, names: list[str]) -> None:
    path = Path(settings.SOTTOVOCE_HOME) / "seen.log"
    path.write_text("\n".join(keyed(name) for name in names), encoding="utf-8")


def in_a_file(release: Release, names: list[str]) -> None:
    content = io.BytesIO(bytes_open(release.files or b"", release_id=release.pk, kind=FILES))
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("seen.txt", "\n".join(keyed(name) for name in names))
    release.files = bytes_seal(content.getvalue(), release_id=release.pk, kind=FILES)
    release.save()


def test_only_planted_digests_of_people_are_found_and_everywhere(
    researcher: Client, settings: Any, tmp_path: Path
) -> None:
    settings.SOTTOVOCE_HOME = tmp_path
    plants = {
        "anonymisation_release.result": in_the_result,
        "anonymisation_release.bounds": in_base64,
        "ledger (opened), bytes": sealed_and_raw,
        "files/seen.txt": in_a_file,
        "seen.log": on_the_disk,
    }

    def plant(release: Release, names: list[str]) -> None:
        for planted in plants.values():
            planted(release, names)

    assert grown(researcher, plant) == [set(), set(plants)]


@pytest.mark.soak
def test_a_requested_ledger_is_found_only_in_the_report(researcher: Client) -> None:
    assert grown(researcher, respondent="patient") == [{"report/ledger.json"}] * 2


# Releases made before the publisher was asked which records belong to one person.


def test_a_release_made_before_the_question_says_that_it_counts_records(researcher: Client) -> None:
    """Every page and every download that prints its figures says so; a new release does not."""
    release = made(researcher, people(48), respondent="patient")
    researcher.post(address("open"), {"each": 5})
    pages = [address(step) for step in ("release", "questions", "ask")]
    pages.append(reverse("releases:begin"))
    said = "records, not people"
    for page in pages:
        assert said not in researcher.get(page).content.decode(), page
    assert "differs in every record, so records are counted" in researcher.get(pages[0]).content.decode()
    assert "COUNTS-RECORDS.txt" not in unzipped(researcher.get(address("files")))
    api = researcher.get(reverse("releases:list_json")).json()["releases"][0]
    assert (api["people_asked"], api["people"]) == (True, None)
    files = unzipped(researcher.get(address("files")))
    release.result.pop("counted")
    release.save(update_fields=["result"])
    for page in pages:
        assert said in researcher.get(page).content.decode(), page
    old = unzipped(researcher.get(address("files")))
    assert said in old.pop("COUNTS-RECORDS.txt").decode()
    # The published files themselves still match the digests of the manifest.
    assert old == files
    report = unzipped(researcher.get(address("report")))
    assert said in report["report.html"].decode()
    assert said in report["COUNTS-RECORDS.txt"].decode()
    assert researcher.get(reverse("releases:list_json")).json()["releases"][0]["people_asked"] is False
    # Its ledger does not say what was counted either.
    ledger = json.loads(report["ledger.json"])
    del ledger["counted"]
    given = {
        "respondent": "patient",
        "ledgers": SimpleUploadedFile("ledger.json", json.dumps(ledger).encode()),
    }
    made(researcher, people(48), **given)
    assert "of the earlier releases counted records, not people" in (
        researcher.get(address("release")).content.decode()
    )


@pytest.mark.soak
def test_a_release_that_counted_people_before_the_question_is_not_doubted(researcher: Client) -> None:
    release = made(researcher, people(48), respondent="patient")
    release.result = {name: value for name, value in release.result.items() if name != "counted"}
    assert release.is_unasked
    release.result["people"] = 40
    assert not release.is_unasked
    # A result that a later program wrote cannot be judged; lists of releases still open.
    release.result = UnreadableJSON("release result", {"stored_format": 99})
    assert not release.is_unasked


def test_digests_of_people_are_unchanged(settings: Settings) -> None:
    settings.SECRET_KEY = "a secret key that only tests use, 0123456789"
    assert people_digest(["ben", "ana"]) == "0ac57c9726aa6c9f7fb2a9916ee269eaa4980ba0c9fc6f1fa8420ee4d122475e"
