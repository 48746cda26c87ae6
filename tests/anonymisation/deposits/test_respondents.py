"""Uploaded tables of the same people: the ledger of the first is asked before the second is made."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from anonymisation.microdata.earlier import Ledger, ledger_read
from anonymisation.models import Deposit
from surveys.access.roles import Role
from surveys.errors.error import refusal_said
from surveys.tasks import run_job
from tests.anonymisation.deposits.test_wizard import BOUNDS, address, proposed, unzipped, upload
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

FEW = b"id,age,work,disease\n" + b"".join(
    b"p%d,%d,%s,%s\n" % (n, 20 + n, (b"city", b"state")[n % 2], (b"flu", b"cold", b"ulcer")[n % 3])
    for n in range(24)
)


@pytest.fixture
def researcher(client: Client) -> Client:
    client.force_login(member("rosa", Role.RESEARCHER))
    return client


def ledger_file(document: dict[str, Any]) -> SimpleUploadedFile:
    return SimpleUploadedFile("ledger.json", json.dumps(document).encode())


def columns(client: Client, **more: Any) -> Any:
    """Give the table, and say whose record is whose beside what is proposed."""
    upload(client, FEW)
    return client.post(address("columns"), proposed(client) | {"respondent": "id"} | more)


def made(client: Client, **more: Any) -> Deposit:
    """Go on to a deposit of groups of three with two diseases each."""
    response = columns(client, **more)
    assert response.status_code == 302, response.context["problem"]
    trees = client.get(address("trees")).context["form"]
    client.post(address("trees"), {name: trees[name].value() for name in trees.fields})
    wished = {name: value for name, value in BOUNDS.items() if name != "l_1"} | {"k": 3, "l_0": 2}
    assert client.post(address("bounds"), wished).status_code == 302
    deposit = Deposit.objects.latest("pk")
    run_job(deposit.job_id)
    deposit.refresh_from_db()
    return deposit


def test_a_second_table_of_the_same_people_is_refused_where_both_together_tell_more(
    researcher: Client,
) -> None:
    # Neighbours by age: of each three some work for the city and some for the state.
    first = made(researcher, role_2="identifier")
    assert first.finished_at is not None, first.job and refusal_said(first.job.message)
    # Nothing of whose record is whose stays on the server.
    assert first.ledger is None
    page = researcher.get(address("deposit")).content.decode()
    assert "is in the ZIP file of the report" in page
    document = json.loads(unzipped(researcher.get(address("report")))["ledger.json"])
    assert len(ledger_read(document).respondents) == 24
    assert b"ledger.json" not in researcher.get(address("files")).content
    # The same groups again, compared, and found to tell no more.
    again = made(researcher, ledgers=ledger_file(document), role_2="identifier")
    assert again.finished_at is not None
    assert again.result["earlier"] == 1
    assert (
        "1 earlier release whose ledger you uploaded" in researcher.get(address("deposit")).content.decode()
    )
    questions = researcher.get(address("questions")).content.decode()
    assert "compared with the earlier releases whose ledgers you uploaded" in questions
    other = json.loads(unzipped(researcher.get(address("report")))["ledger.json"])
    assert other["salt"] == document["salt"]
    # By work alone: fewer than three share both groups with somebody.
    apart = made(researcher, ledgers=ledger_file(document), role_1="identifier")
    assert apart.finished_at is None
    assert apart.job is not None
    assert "together with an earlier release" in refusal_said(apart.job.message).lower()
    alone = made(researcher, role_1="identifier")
    assert alone.finished_at is not None


SALT = "ab" * 32


def ledger_of(*people: str) -> dict[str, Any]:
    """A ledger of people in one class, all with one disease."""
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


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"respondent": "age"}, "“age” would be published"),
        (
            {"respondent": "work", "role_2": "identifier", "ledgers": ledger_of("p1", "p2")},
            "has two records",
        ),
        ({"respondent": "", "ledgers": ledger_of("p1", "p2")}, "no column identifies respondents"),
        ({"ledgers": ledger_of("somebody", "else")}, "No one in this table is in ledger 1"),
        ({"ledgers": {"sotto_ledger": 2}}, "“ledger.json” is not the ledger of a release"),
        ({"ledgers": [1, 2]}, "is not the ledger of a release"),
        ({"ledgers": ledger_of("p1", "p2") | {"classes": [0]}}, "is not the ledger of a release"),
        ({"ledgers": ledger_of("p1") | {"salt": "no digits"}}, "is not the ledger of a release"),
        ({"ledgers": ledger_of("p1") | {"classes": ["0"]}}, "is not the ledger of a release"),
    ],
)
def test_what_cannot_be_compared_is_refused_at_once(
    researcher: Client, given: dict[str, Any], said: str
) -> None:
    if "ledgers" in given:
        given = given | {"ledgers": ledger_file(given["ledgers"])}
    response = columns(researcher, **given)
    assert response.status_code == 422
    assert said in response.context["problem"]


def test_ledgers_stay_until_others_are_given_or_nobody_is_named(researcher: Client) -> None:
    assert columns(researcher, ledgers=ledger_file(ledger_of("p1", "p2"))).status_code == 302
    page = researcher.get(address("columns"))
    assert "1 ledger was uploaded before" in page.content.decode()
    researcher.post(address("columns"), proposed(researcher))
    assert "1 ledger was uploaded before" in researcher.get(address("columns")).content.decode()
    researcher.post(address("columns"), proposed(researcher) | {"respondent": ""})
    assert "was uploaded before" not in researcher.get(address("columns")).content.decode()
