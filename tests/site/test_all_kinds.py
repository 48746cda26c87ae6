"""A survey with every kind of question, from devices to every page."""

import io
import zipfile

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.models import ItemsetRow, RuleRow, Run
from surveys.questionnaire.packed_items import unpack_items
from tests.fixtures.devices import stored
from tests.fixtures.everyday import THRESHOLDS, bodies, everyday, people
from tests.fixtures.runs import audited_run, mined_run
from tests.fixtures.scenes import scene
from tests.fixtures.staff import seen_by
from tests.site.test_roles import everywhere

pytestmark = pytest.mark.django_db

N = 600


def find_run(pk: int) -> Run:
    return Run.objects.select_related("survey", "version", "job").get(pk=pk)


@scene(find_run)
def analysed() -> Run:
    version = everyday(practice=True)
    rows = bodies(version.to_design(), N)
    for start in range(0, N, 300):
        stored(version, rows[start : start + 300])
    found = mined_run(version, THRESHOLDS)
    audited_run(found)
    return find_run(found.pk)


@pytest.fixture
def run() -> Run:
    return analysed()


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(seen_by(User.objects.create_superuser("dora")))
    return client


@pytest.mark.soak
def test_intervals_for_a_band_and_a_region_contain_the_true_share(run: Run) -> None:
    design = run.version.to_design()
    wanted = tuple(sorted(design.item(key).index for key in ("hours=50-up", "care=river")))
    rows = [row for row in ItemsetRow.objects.filter(run=run) if tuple(unpack_items(row.items)) == wanted]
    (row,) = rows
    truth = sum(
        answers["time"]["hours"] >= 5 and answers["places"]["care"] == 15 * 47 + 13 for answers in people(N)
    )
    assert row.support_low < truth / N < row.support_high
    assert 0 < row.support_se < 0.1


@pytest.mark.soak
def test_rules_across_all_kinds_are_listed_with_their_labels(run: Run, reader: Client) -> None:
    text = reader.get(f"/en/staff/runs/{run.pk}/").content.decode()
    assert RuleRow.objects.filter(run=run).exists()
    assert "The clinics by the river" in text
    assert "50 hours and more" in text


def pages_of(run: Run) -> dict[str, str]:
    """Return the addresses of all pages that need only a run or its survey, with the query that one requires.

    The survey asks the question "shifts" and stores its answers as given.
    """
    known = {"run_id": run.pk, "slug": run.survey.slug}
    taken = {name: set(pattern.pattern.converters) for name, pattern in everywhere().items()}
    required = {"report:weights_csv": "?margins=shifts:yes=.4,no=.6"}
    return {
        name: reverse(name, kwargs={one: known[one] for one in parts}) + required.get(name, "")
        for name, parts in taken.items()
        if parts and parts <= set(known)
    }


@pytest.mark.soak
def test_every_page_of_a_survey_with_all_kinds_opens(run: Run, reader: Client) -> None:
    pages = pages_of(run)
    assert len(pages) > 30
    rule = RuleRow.objects.filter(run=run).first()
    assert rule is not None
    pages["one rule"] = reverse("report:rule", args=[run.pk, rule.pk])
    broken = {}
    for name, address in pages.items():
        status = reader.get(address).status_code
        # Some accept only POST, some are for questions that this survey does not have, and a draft that is
        # published cannot be deleted.
        if status not in (200, 302, 404, 405) and (name, status) != ("authoring:delete", 409):
            broken[name] = status
    assert broken == {}


@pytest.mark.soak
def test_the_data_export_contains_the_submitted_rows(run: Run, reader: Client) -> None:
    response = reader.post(reverse("export:data", args=[run.survey.slug]), {"run": run.pk}, follow=True)
    assert response.status_code == 200
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]  # a file response streams
    archive = zipfile.ZipFile(io.BytesIO(content))
    table = next(name for name in archive.namelist() if name.endswith("answers.csv") or "rows" in name)
    lines = archive.read(table).decode("utf-8-sig").splitlines()
    assert {"hours", "wage", "care"} <= set(lines[0].replace('"', "").split(","))
    assert len(lines) == N + 1
