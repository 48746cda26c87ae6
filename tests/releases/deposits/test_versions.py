"""Versions of a deposit: earlier groups stay or are joined, and the two together tell no more than each."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from releases.deposits.versions import ledger_of
from releases.microdata import making
from releases.models import Deposit
from surveys.access.roles import Role
from surveys.errors.kept_refusals import refusal_said
from surveys.tasks import run_job
from tests.cast.staff import member
from tests.releases.deposits.test_same_people import ASKED, made, people
from tests.releases.deposits.test_wizard import address, proposed, unzipped

pytestmark = pytest.mark.django_db

STUDY = {
    "title": "Patients",
    "creators": "Li, Na",
    "abstract": "Who is ill.",
    "publisher": "Example Archive",
    "contact": "li@example.org",
    "doi": "10.5072/one",
}


@pytest.fixture
def researcher(client: Client) -> Client:
    client.force_login(member("rosa", Role.RESEARCHER))
    return client


def begun(client: Client, table: bytes | None) -> Any:
    file = {} if table is None else {"file": SimpleUploadedFile("people.csv", table)}
    return client.post(address("version"), file)


def continued(client: Client, table: bytes, way: str, **bounds: Any) -> Deposit:
    """Go all steps of the next version as they are proposed, to a job that is over."""
    response = begun(client, table)
    assert response.status_code == 302, response.context["problem"]
    assert client.post(address("columns"), proposed(client)).status_code == 302
    trees = client.get(address("trees")).context["form"]
    client.post(address("trees"), {name: trees[name].value() for name in trees.fields})
    study = client.get(address("study")).context["form"]
    client.post(address("study"), {name: study[name].value() or "" for name in study.fields})
    response = client.post(address("bounds"), ASKED | {"continued": way} | bounds)
    assert response.status_code == 302, response.context["problem"]
    deposit = Deposit.objects.latest("pk")
    run_job(deposit.job_id)
    deposit.refresh_from_db()
    return deposit


def groups(deposit: Deposit) -> set[frozenset[str]]:
    """The groups of a deposit, as sets of its people's digests; salts of one chain are the same."""
    ledger = ledger_of(deposit)
    assert ledger is not None
    members: dict[int, set[str]] = defaultdict(set)
    for person, number in zip(ledger.respondents, ledger.classes, strict=True):
        members[number].add(person)
    return {frozenset(group) for group in members.values()}


def assert_stay(before: Deposit, after: Deposit) -> None:
    """Whoever read alike reads alike; new people who read so too may have come to them."""
    later = groups(after)
    assert all(sum(group <= larger for larger in later) == 1 for group in groups(before))


def test_new_people_come_in_groups_of_their_own_and_the_earlier_ones_stay(researcher: Client) -> None:
    first = made(researcher, people(48), respondent="patient")
    second = continued(researcher, people(72), "extend")
    assert second.finished_at is not None, refusal_said(second.job.message)
    assert second.earlier == first
    assert second.result["records"] == 72
    assert_stay(first, second)
    # A third one is compared with both.
    third = continued(researcher, people(90), "extend")
    assert third.finished_at is not None, refusal_said(third.job.message)
    assert third.result["earlier"] == 2
    assert_stay(second, third)
    page = researcher.get(address("deposit"))
    assert [line["number"] for line in page.context["versions"]] == [1, 2, 3]
    assert [line["is_this"] for line in page.context["versions"]] == [False, False, True]
    assert "its groups stay, and new people form groups of their own" in page.content.decode()


def test_too_few_new_people_wait(researcher: Client) -> None:
    first = made(researcher, people(48), respondent="patient")
    second = continued(researcher, people(50), "extend")
    assert second.finished_at is not None, refusal_said(second.job.message)
    assert groups(second) == groups(first)


def test_coarser_groups_are_whole_groups_of_before(researcher: Client) -> None:
    first = made(researcher, people(48), respondent="patient")
    second = continued(researcher, people(48), "coarsen", k=8, l_0=3)
    assert second.finished_at is not None, refusal_said(second.job.message)
    fine, coarse = groups(first), groups(second)
    assert min(map(len, fine)) < 8 <= min(map(len, coarse))
    assert all(sum(group <= larger for larger in coarse) == 1 for group in fine)


def test_a_version_begins_with_the_choices_of_the_one_before_and_says_which_it_is(researcher: Client) -> None:
    first = made(researcher, people(48), respondent="patient", role_2="insensitive")
    Deposit.objects.filter(pk=first.pk).update(description=STUDY)
    second = continued(researcher, people(72), "extend")
    assert second.finished_at is not None, refusal_said(second.job.message)
    assert {column["name"]: column["role"] for column in second.columns} == {
        column["name"]: column["role"] for column in first.columns
    }
    assert "doi" not in second.description
    files = unzipped(researcher.get(address("files")))
    found = json.loads(files["datacite.json"])
    assert found["version"] == "2"
    assert found["relatedIdentifiers"][0]["relatedIdentifier"] == "10.5072/one"
    assert found["relatedIdentifiers"][0]["relationType"] == "IsNewVersionOf"
    assert b'<version type="deposit">2</version>' in files["codebook.xml"]


def test_groups_that_were_made_afresh_would_be_refused(
    researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault: a version that forgets the groups of before tells more together with them."""
    made(researcher, people(48), respondent="patient")

    def afresh(space: Any, previous_class: Any, group: Any) -> Any:
        return group(space, making.np.arange(len(previous_class)))

    monkeypatch.setattr(making, "_beside_previous_class", afresh)
    second = continued(researcher, people(60), "extend", k=4, l_0=3)
    assert second.finished_at is None
    assert "together with an earlier release" in refusal_said(second.job.message).lower()


def test_nobody_new_comes_into_joined_groups(researcher: Client) -> None:
    made(researcher, people(48), respondent="patient")
    second = continued(researcher, people(50), "coarsen", k=8)
    assert second.finished_at is None
    assert "2 people of this table are not in the earlier release" in refusal_said(second.job.message)


def test_what_cannot_be_continued_is_said_at_once(researcher: Client) -> None:
    made(researcher, people(48))
    assert (
        "A next version needs to know whose record is whose"
        in researcher.get(address("deposit")).content.decode()
    )
    refused = begun(researcher, people(48))
    assert refused.status_code == 422
    assert "whose record was whose" in refused.context["problem"]
    made(researcher, people(30), respondent="patient")
    refused = begun(researcher, people(40).replace(b"disease", b"illness"))
    assert refused.status_code == 422
    assert "has no column “disease”" in refused.context["problem"]
    assert begun(researcher, None).status_code == 422
    # Nothing is left of a version that was refused.
    assert Deposit.objects.filter(finished_at=None).count() == 0
    researcher.post(address("erase"))
    assert begun(researcher, people(40)).status_code == 422
