"""Releases of closed surveys: disguised answers stay disguised, and releases are compared."""

import hashlib
import io
import json
import random
import zipfile
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pyreadstat
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from anonymisation.management.commands.release import open_answers
from anonymisation.microdata.config import ReleaseConfig
from anonymisation.models import Release
from anonymisation.releases.deletion import release_erase
from anonymisation.releases.downloads import FILES
from anonymisation.releases.drafts import columns_save, release_request
from anonymisation.releases.jobs import earlier_ledgers
from anonymisation.releases.new_release import survey_begin
from anonymisation.releases.release_background import survey_background
from anonymisation.releases.sealed_documents import bytes_open
from privacy.coins import Coins
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.requirements import Requirement
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from surveys.accounts.roles import Role
from surveys.authoring.lifecycle import survey_close
from surveys.errors.error import SurveyError
from surveys.errors.stored_refusals import refusal_text
from surveys.management.commands.demo import respondents
from surveys.models import Batch, Survey
from surveys.tasks import run_job
from tests.fixtures.devices import published, shipped_definition
from tests.fixtures.everyday import bodies, everyday_definition
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey() -> Survey:
    version = published(shipped_definition("marriage"))
    design, rng = version.to_design(), random.Random(4)
    people = list(islice(respondents(rng=np.random.default_rng(3)), 212))
    packed = b"".join(
        Layout(design).pack(
            disguise(design, one.answers, direct=n < 12, coins=Coins(iter(lambda: rng.getrandbits(32), None)))
        )
        for n, one in enumerate(people)
    )
    Batch.objects.create(version=version, n=212, packed=packed, digest=hashlib.sha256(packed).hexdigest())
    survey = survey_close(version.survey, by="alice", now=timezone.now(), at_once=True)
    survey.owner = member("rosa", Role.RESEARCHER)
    survey.save()
    return survey


def made(survey: Survey, *known: str) -> Release:
    """Make a release with some open answers as quasi-identifiers."""
    rosa = member("rosa", Role.RESEARCHER)
    release = survey_begin(owner=rosa, survey=survey, now=timezone.now())
    chosen = [
        {
            "role": "quasi_identifier" if one["name"] in known else "identifier",
            "kind": "categorical",
            "policy": "value",
        }
        | ({"role": "disguised"} if one["role"] == "disguised" else {})
        for one in release.columns
    ]
    columns_save(release, chosen, by=rosa)
    bounds = {"k": 5, "algorithm": "tight", "max_suppressed": 0, "columns": {}}
    run_job(release_request(release, bounds, by=rosa, now=timezone.now()).pk)
    release.refresh_from_db()
    return release


def file_of(release: Release, name: str) -> bytes:
    body = bytes_open(bytes(release.files or b""), release_id=release.pk, kind=FILES)
    return zipfile.ZipFile(io.BytesIO(body)).read(name)


def archived(release: Release, survey: Survey, folder: Path) -> None:
    """Assert that the SPSS file has the survey's questions and marks disguised columns."""
    (folder / "data.sav").write_bytes(file_of(release, "data.sav"))
    _frame, about = pyreadstat.read_sav(folder / "data.sav")
    wording = survey.versions.get().wording
    asked = {text for part in wording["blocks"] for one in part["questions"] for text in one["text"].values()}
    published = [column for column in release.columns if column["role"] != "identifier"]
    for label, column in zip(about.column_labels, published, strict=True):
        assert label.startswith("Disguised: ") == (column["role"] == "disguised")
        assert label.removeprefix("Disguised: ") in asked


@pytest.mark.soak
def test_a_second_release_is_always_compared_with_the_first(
    survey: Survey, client: Client, tmp_path: Path
) -> None:
    client.force_login(member("rosa", Role.RESEARCHER))
    assert survey.slug in client.get(reverse("releases:begin")).content.decode()
    columns = survey_begin(owner=member("rosa", Role.RESEARCHER), survey=survey, now=timezone.now()).columns
    protected = [one for one in columns if one["role"] == "disguised"]
    opened = [one["name"] for one in columns if one["role"] != "disguised"]
    assert protected
    assert len(opened) >= 2
    assert all("quasi_identifier" not in one["roles"] for one in protected)
    first = made(survey, *opened)
    assert first.finished_at is not None, refusal_text(first.job.message if first.job else "")
    assert first.result["earlier"] == 0
    page = client.get(reverse("releases:release", args=[first.pk])).content.decode()
    assert "This survey had no earlier release." in page
    assert "The survey keeps its answers." in page
    assert "records were deleted" not in page
    archived(first, survey, tmp_path)
    # The same people with classes by fewer columns: together, the releases reveal what neither may.
    second = made(survey, opened[0])
    assert earlier_ledgers(second).keys() == {first.pk}
    said = refusal_text(second.job.message) if second.job else ""
    assert second.finished_at is None, second.result
    assert "together with an earlier release" in said.lower()
    # Files can be deleted, but not the ledger for comparisons with later releases.
    assert not release_erase(first, by=member("rosa", Role.RESEARCHER))
    first.refresh_from_db()
    assert first.files is None
    assert first.ledger is not None


def test_the_files_say_how_rows_were_disguised_and_which_are_missing(survey: Survey) -> None:
    release = made(survey, "age")
    codebook = json.loads(file_of(release, "codebook.json"))
    law = "60 times in 100, the device sends the true answers of this part. Otherwise it sends random answers"
    for text in (file_of(release, "methods.txt").decode(), "\n".join(codebook["notes"])):
        assert "A share, mean or table computed directly from them does not describe the respondents." in text
        assert f"affair, unhappy: {law}" in text
        assert "About 10 people answered directly. Their rows were left out." in text
    columns = {column["name"]: column for column in codebook["columns"]}
    assert columns["affair"]["truth_probability"] == 0.6
    assert columns["affair"]["random_shares"] == {"yes": 0.5, "no": 0.5}
    assert "truth_probability" not in columns["age"]


def test_the_codebook_explains_disguised_numbers_and_places() -> None:
    survey = published(everyday_definition()).survey
    background = survey_background(survey, {"hours", "lately_ill"})
    law_of_list, law_of_number, listed = background.notes[1:]
    assert (law_of_list.partition(":")[0], law_of_number.partition(":")[0]) == ("lately_ill", "hours")
    # A line that is not published is not in the list.
    stem = "What did you do in the past month?"
    assert listed == f"List lately (“{stem}”), one yes/no column for each line: lately_ill."
    assert survey_background(survey, {"age"}).notes == ()
    columns = background.columns
    for name, start in {
        "hours": "a number in one of 8 bins.",
        "care": "a place, one of 47 × 44 cells.",
    }.items():
        assert columns[name].disguise["disguise"].startswith(start)
    assert columns["hours"].disguise["values"].startswith("the bin that was sent: 0 begins at 0, 1 at 10")
    assert columns["care"].disguise["values"].startswith("the cell that was sent: 47 ×")
    assert "disguise" not in columns["travel"].disguise
    assert columns["lately_ill"].disguise["random_shares"] == {"yes": 0.5, "no": 0.5}
    assert columns["lately_ill"].listed["key"] == columns["lately_awake"].listed["key"] == "lately"
    assert columns["lately_ill"].listed["text"]["en"] == stem
    assert columns["lately_ill"].line["en"] == "Worked though I was ill"
    assert columns["unpaid"].listed == {}


def test_places_that_are_exact_outside_sensitive_areas_are_left_out() -> None:
    version = published(everyday_definition())
    packed = b"".join(bodies(version.to_design(), 120))
    Batch.objects.create(version=version, n=120, packed=packed, digest=hashlib.sha256(packed).hexdigest())
    survey = survey_close(version.survey, by="alice", now=timezone.now(), at_once=True)
    rosa = member("rosa", Role.RESEARCHER)
    columns = survey_begin(owner=rosa, survey=survey, now=timezone.now()).columns
    roles = {column["name"]: column["roles"] for column in columns}
    assert roles["care"] == ["identifier"]
    assert roles["hours"] == ["disguised", "identifier"]
    rules = tuple(ColumnRule(name=name, role="disguised") for name in ("hours", "care"))
    plan = ReleaseConfig(rules=rules, hierarchies={}, requirement=Requirement(k=2))
    with pytest.raises(
        SurveyError, match="'care' contains places that are exact outside the sensitive areas"
    ):
        open_answers(survey.slug, plan)
    assert len(open_answers(survey.slug, replace(plan, rules=rules[:1]))[1]) == 120


def test_open_surveys_and_surveys_with_few_answers_cannot_be_released() -> None:
    version, rosa = published(everyday_definition()), member("rosa", Role.RESEARCHER)
    with pytest.raises(SurveyError, match="can still receive answers"):
        survey_begin(owner=rosa, survey=version.survey, now=timezone.now())
    packed = b"".join(bodies(version.to_design(), 99))
    Batch.objects.create(version=version, n=99, packed=packed, digest=hashlib.sha256(packed).hexdigest())
    survey = survey_close(version.survey, by="alice", now=timezone.now(), at_once=True)
    with pytest.raises(SurveyError, match="fewer than 100 records"):
        survey_begin(owner=rosa, survey=survey, now=timezone.now())


@pytest.mark.soak
def test_releases_of_surveys_are_for_owners_who_may_read_reports(
    survey: Survey, client: Client, settings: Settings
) -> None:
    rosa, noor = member("rosa", Role.RESEARCHER), member("noor", Role.RESEARCHER)
    release = survey_begin(owner=rosa, survey=survey, now=timezone.now())
    pages = [reverse(f"releases:{step}", args=[release.pk]) for step in ("columns", "release")]

    def statuses(user: User) -> set[int]:
        client.force_login(user)
        return {client.get(page, follow=True).status_code for page in pages}

    assert (statuses(rosa), statuses(noor)) == ({200}, {404})
    settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS = False
    assert statuses(rosa) == {404}
    begin = reverse("releases:begin")
    assert survey.slug not in client.get(begin).content.decode()
    assert client.post(begin, {"survey": survey.pk}).status_code == 422
    settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS = True
    survey.owner = noor
    survey.save()
    assert (statuses(rosa), statuses(noor)) == ({404}, {200})


def test_a_release_description_starts_from_the_surveys_own(survey: Survey, client: Client) -> None:
    rosa = member("rosa", Role.RESEARCHER)
    release = survey_begin(owner=rosa, survey=survey, now=timezone.now())
    client.force_login(rosa)
    form = client.get(reverse("releases:study", args=[release.pk])).context["form"]
    assert form["title"].value() == survey.title["en"]
    assert form["abstract"].value() == survey.versions.get().wording["about"]["purpose"]["en"]
    assert form["end"].value() == survey.closed_at.date().isoformat()
