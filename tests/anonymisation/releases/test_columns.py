"""Proposed roles, profiles of columns, and columns that identify respondents."""

import hashlib
import hmac
import json
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from anonymisation.microdata.ledgers import Ledger, ledger_read
from anonymisation.models import Release
from privacy.sdc.proposals import propose, with_panel
from privacy.tables.columns import ReadTable
from surveys.errors.stored_refusals import refusal_text
from surveys.tasks import run_job
from tests.anonymisation.releases.test_views import (
    BOUNDS,
    address,
    proposed,
    requested,
    stepped,
    unzipped,
    upload,
)
from tests.fixtures.tables import read_column

MANY = [f"number {number} of them" for number in range(60)]


@pytest.mark.parametrize("reason", ["free_text", "time_stamp", "empty"])
def test_unpublishable_columns_can_only_be_omitted(reason: str) -> None:
    texts = {
        "free_text": [f"{text} " * 30 for text in MANY],
        "time_stamp": [f"2026-01-{day:02} 10:00" for day in range(1, 29)],
        "empty": ["", ""],
    }
    assert propose(read_column("x", texts[reason]))["roles"] == ["identifier"]


def test_numeric_codes_are_proposed_as_categories() -> None:
    assert propose(read_column("zipCode", ["10115", "10117", "20095"]))["kind"] == "categorical"
    assert propose(read_column("age", ["31", "45", "52"]))["kind"] == "numeric"


def test_stored_column_profiles_contain_no_values() -> None:
    stored = propose(read_column("town", ["Xanten-Q7", "", "Ulm-Q7"]))
    assert "Q7" not in repr(stored)
    assert (stored["distinct"], stored["missing"], stored["policy"]) == (2, 1, "value")


RNG = np.random.default_rng(4)
ALIVE = RNG.random(400) < 0.7
pytestmark = pytest.mark.django_db

FEW = b"id,age,work,disease\n" + b"".join(
    b"p%d,%d,%s,%s\n" % (n, 20 + n, (b"city", b"state")[n % 2], (b"flu", b"cold", b"ulcer")[n % 3])
    for n in range(24)
)


def ledger_file(document: dict[str, Any]) -> SimpleUploadedFile:
    return SimpleUploadedFile("ledger.json", json.dumps(document).encode())


def made(client: Client, **more: Any) -> Release:
    """Make a release of classes of three with two diseases each."""
    stepped(client, FEW, respondent="id", **more)
    wished = {name: value for name, value in BOUNDS.items() if name != "l_1"} | {"k": 3, "l_0": 2}
    release = requested(client, wished)
    run_job(release.job_id)
    release.refresh_from_db()
    return release


def test_a_second_release_is_refused_if_both_together_reveal_more(researcher: Client) -> None:
    # Classes of three similar ages, in each of which some work for the city and some for the state.
    first = made(researcher, role_2="identifier")
    assert first.finished_at is not None, first.job and refusal_text(first.job.message)
    # The server does not store whose record is whose.
    assert first.ledger is None
    page = researcher.get(address("release")).content.decode()
    assert "is in the ZIP file of the report" in page
    document = json.loads(unzipped(researcher.get(address("report")))["ledger.json"])
    assert len(ledger_read(document).respondents) == 24
    assert b"ledger.json" not in researcher.get(address("files")).content
    # The comparison finds that the same classes reveal nothing new.
    again = made(researcher, ledgers=ledger_file(document), role_2="identifier")
    assert again.finished_at is not None
    assert again.result["earlier"] == 1
    assert (
        "1 earlier release whose ledger you uploaded" in researcher.get(address("release")).content.decode()
    )
    questions = researcher.get(address("questions")).content.decode()
    assert "compared with the earlier releases whose ledgers you uploaded" in questions
    other = json.loads(unzipped(researcher.get(address("report")))["ledger.json"])
    assert other["salt"] == document["salt"]
    # With classes by work only, fewer than three people share both of their classes.
    apart = made(researcher, ledgers=ledger_file(document), role_1="identifier")
    assert apart.finished_at is None
    assert apart.job is not None
    assert "together with an earlier release" in refusal_text(apart.job.message).lower()
    alone = made(researcher, role_1="identifier")
    assert alone.finished_at is not None


SALT = "ab" * 32


def ledger_of(*people: str) -> dict[str, Any]:
    """Return a ledger of people in one class, all with one disease."""
    named = tuple(hmac.new(bytes.fromhex(SALT), one.encode(), hashlib.sha256).hexdigest() for one in people)
    return Ledger(
        salt=SALT,
        respondents=named,
        classes=(0,) * len(named),
        columns={"disease": ("flu",) * len(named)},
        sensitive=("disease",),
        k=2,
        l_value=1,
    ).document()


def test_ledgers_that_cannot_be_compared_are_refused_at_once(researcher: Client) -> None:
    upload(researcher, FEW)
    wanted = proposed(researcher) | {"respondent": "id"}
    for given, said in (
        ({"respondent": "age"}, "“age” would be published"),
        ({"respondent": "work", "role_2": "identifier", "ledgers": ledger_of("p1", "p2")}, "has two records"),
        ({"respondent": "", "ledgers": ledger_of("p1", "p2")}, "no column identifies respondents"),
        ({"ledgers": ledger_of("somebody", "else")}, "No one in this table is in ledger 1"),
        ({"ledgers": {"sotto_ledger": 2}}, "“ledger.json” is not the ledger of a release"),
        ({"ledgers": [1, 2]}, "is not the ledger of a release"),
        ({"ledgers": ledger_of("p1", "p2") | {"classes": [0]}}, "is not the ledger of a release"),
        ({"ledgers": ledger_of("p1") | {"salt": "no digits"}}, "is not the ledger of a release"),
        ({"ledgers": ledger_of("p1") | {"classes": ["0"]}}, "is not the ledger of a release"),
    ):
        files = {name: ledger_file(ledger) for name, ledger in given.items() if name == "ledgers"}
        response = researcher.post(address("columns"), wanted | given | files)
        assert response.status_code == 422
        assert said in response.context["problem"]


@pytest.mark.soak
def test_ledgers_are_kept_until_the_respondent_column_is_cleared(researcher: Client) -> None:
    upload(researcher, FEW)
    given = {"respondent": "id", "ledgers": ledger_file(ledger_of("p1", "p2"))}
    assert researcher.post(address("columns"), proposed(researcher) | given).status_code == 302
    page = researcher.get(address("columns"))
    assert "1 ledger was uploaded before" in page.content.decode()
    researcher.post(address("columns"), proposed(researcher))
    assert "1 ledger was uploaded before" in researcher.get(address("columns")).content.decode()
    researcher.post(address("columns"), proposed(researcher) | {"respondent": ""})
    assert "was uploaded before" not in researcher.get(address("columns")).content.decode()


def test_a_value_that_only_one_record_has_is_not_harmless() -> None:
    """A telephone number beyond the last header was "the same for everyone"."""
    column = read_column("column 6", [""] * 119 + ["Tel. 0123"])
    assert (propose(column)["role"], propose(column)["reason"]) == ("quasi_identifier", "known_perhaps")
    assert propose(read_column("land", ["x"] * 120))["reason"] == "one_value"


def test_one_column_is_always_proposed_for_protection() -> None:
    """The first one that no name explains next to known names; in another language, the last one."""
    rows = [["uvw"[n * n % 7 % 3], "mf"[n % 2], "abc"[n % 3]] for n in range(90)]
    for header, column in ((["x", "age", "sex"], "x"), (["Alter", "Geschlecht", "Zustand"], "Zustand")):
        table = ReadTable.of_rows(header, rows)
        found = with_panel(table, [propose(each) for each in table.columns])
        assert [each["name"] for each in found if each["role"] == "sensitive"] == [column]
        assert next(each["reason"] for each in found if each["name"] == column) == "sensitive_perhaps"


def test_codes_among_words_are_missing_values() -> None:
    for texts in (["flu", "cold", "-99"], ["flu", "cold", "-88", "-99"], ["flu", "cold", "98", "99"]):
        assert propose(read_column("ill", texts * 20))["missing_texts"] == texts[2:]
