"""Searching the best design: what the worker finds, what becomes of it in the draft, what is refused."""

from __future__ import annotations

from dataclasses import asdict

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from privacy.errors import PrivacyError
from privacy.planning import design_points, frontier, optimise
from privacy.risk import block_budget
from surveys.access.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.jobs.lease import LostLease, perform
from surveys.models import DesignSearch, Job, Survey
from surveys.planner.search import MOST_LISTED, Wanted, design_search_ask, search_designs, search_rotations
from surveys.planner.search_page import START, SearchForm
from surveys.questionnaire.draft_reading import draft_read
from surveys.tasks import run_job
from tests.cast.checked_surveys import document_of, protected, yes_no
from tests.cast.staff import member

pytestmark = pytest.mark.django_db

SMALL = {**START, "questions": "2", "leakage": "0.5", "epsilon": "5"}


@pytest.fixture
def ana() -> User:
    return member("ana", Role.RESEARCHER)


@pytest.fixture
def page(client: Client, ana: User) -> Client:
    client.force_login(ana)
    return client


def draft(owner: User, *, skips: bool = False, sizes: tuple[int, ...] = (1, 1)) -> Survey:
    names = iter("abcdefghij")
    more = {"refusal": 3000} if skips else {}
    blocks = [
        protected(f"part{n}", *(yes_no(next(names), prevalence=2000) for _ in range(size)), **more)
        for n, size in enumerate(sizes)
    ]
    document = document_of(*blocks)
    return draft_create(document, slug="habits", by="ana", now=timezone.now(), source="scratch", owner=owner)


def text(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


@pytest.mark.soak
def test_the_page_asks_a_worker_says_how_far_it_is_and_shows_what_the_library_finds(
    page: Client, ana: User
) -> None:
    begin = reverse("planner:search_begin")
    assert begin in text(page, reverse("planner:planner"))
    assert "Nothing was searched for here yet" in text(page, begin)
    # A browser sends no form to a page whose policy does not let it.
    assert "form-action 'self'" in page.get(begin)["Content-Security-Policy"]
    made = page.post(begin, SMALL)
    found = DesignSearch.objects.get()
    assert (made.status_code, made["Location"]) == (302, reverse("planner:search", args=[found.pk]))
    assert "Stop this search" in text(page, made["Location"])
    progress = page.get(reverse("planner:search_progress", args=[found.pk])).json()
    assert (progress["over"], progress["state"]) == (False, "queued")
    run_job(found.job_id)
    points = design_points([2000, 2000])
    best = optimise(points, most_leakage=0.5, most_epsilon=5)
    found.refresh_from_db()
    assert found.found["best"]["truth_probability"] == best.truth_probability
    edge = frontier(point for point in points if point.epsilon <= 5)
    assert [one["leakage"] for one in found.found["frontier"]] == [point.leakage for point in edge]
    shown = text(page, made["Location"])
    assert f"<dd>{best.truth_probability / 100:g} %</dd>" in shown
    assert shown.count("<tr>") == 1 + len(edge)
    assert page.get(reverse("planner:search_progress", args=[found.pk])).json() == {"over": True}
    assert "2 yes/no questions" in text(page, begin)


def test_what_was_found_is_taken_into_the_draft_and_costs_what_the_search_said(
    page: Client, ana: User
) -> None:
    survey = draft(ana)
    begin = reverse("planner:survey_search_begin", args=[survey.slug])
    assert 'name="questions" value="2"' in text(page, begin)
    assert 'name="prevalence" value="20.0"' in text(page, begin)
    page.post(begin, {**SMALL, "distortion": "40"})
    found = DesignSearch.objects.get()
    (point,) = design_points([2000, 2000], truths=[3500], unrelateds=[6000], block_sizes=[1])
    best = asdict(point)
    DesignSearch.objects.update(found={"best": best, "frontier": [best]})
    Job.objects.update(state=Job.State.FINISHED)
    take = reverse("planner:search_take", args=[found.pk])
    assert "Use this design" in text(page, reverse("planner:search", args=[found.pk]))
    assert page.post(take, {"revision": survey.revision + 1})["Location"].endswith(f"/search/{found.pk}/")
    page.post(take, {"revision": survey.revision})
    survey.refresh_from_db()
    definition = draft_read(survey).definition
    assert definition is not None
    blocks = definition.design.blocks
    assert {block.truth_probability for block in blocks} == {best["truth_probability"]}
    assert sum(block_budget(block).epsilon for block in blocks) == pytest.approx(best["epsilon"])


@pytest.mark.parametrize("kind", ["skips", "another size", "other questions"])
def test_a_design_whose_figures_would_not_hold_in_the_draft_is_not_offered(
    page: Client, ana: User, kind: str
) -> None:
    sizes = {"skips": (1, 1), "another size": (2,), "other questions": (1, 1, 1)}[kind]
    survey = draft(ana, skips=kind == "skips", sizes=sizes)
    found = design_search_ask(
        Wanted(questions=2, prevalence=2000, leakage=0.5), survey=survey, by=ana, now=timezone.now()
    )
    Job.objects.filter(pk=found.job_id).update(state=Job.State.FINISHED)
    point = design_points([2000, 2000], truths=[5000], unrelateds=[5000], block_sizes=[1])[0]
    DesignSearch.objects.update(found={"best": asdict(point), "frontier": [asdict(point)]})
    assert "cannot be taken into the draft" in text(page, reverse("planner:search", args=[found.pk]))
    before = survey.definition
    page.post(reverse("planner:search_take", args=[found.pk]), {"revision": survey.revision})
    survey.refresh_from_db()
    assert survey.definition == before


def test_asking_each_person_some_is_found_and_taken(page: Client, ana: User) -> None:
    survey = draft(ana, sizes=(3, 3))
    begin = reverse("planner:survey_search_begin", args=[survey.slug])
    page.post(begin, {**START, "way": "some", "questions": "6", "epsilon": "2"})
    found = DesignSearch.objects.get()
    run_job(found.job_id)
    found.refresh_from_db()
    rotations = search_rotations(Wanted(questions=6, prevalence=2000, rotating=True, epsilon=2.0))
    assert [one["asked"] for one in found.found["designs"]] == [one.asked for one in rotations.designs][:10]
    assert "Use this design" in text(page, reverse("planner:search", args=[found.pk]))
    page.post(reverse("planner:search_take", args=[found.pk]), {"revision": survey.revision})
    survey.refresh_from_db()
    (part,) = survey.definition["blocks"]
    first = next(one for one in found.found["designs"] if not one["radius"] and one["asked"] < 6)
    assert part["questions_per_person"] == first["asked"]
    (block,) = draft_read(survey).definition.design.blocks  # type: ignore[union-attr]
    assert block_budget(block.of_booklet(block.worst_booklet)).epsilon <= first["epsilon"] + 1e-9


def search_of(survey: Survey, by: User, wanted: Wanted) -> DesignSearch:
    """Return a search for a draft that a worker has made."""
    found = design_search_ask(wanted, survey=survey, by=by, now=timezone.now())
    run_job(found.job_id)
    found.refresh_from_db()
    return found


def test_rows_near_the_true_one_are_taken_where_they_are_best_and_the_draft_allows_them(
    page: Client, ana: User
) -> None:
    """Ten questions under odds of 3: six of them near the truth; with a skip four of them as they are."""
    wanted = Wanted(questions=10, prevalence=2000, rotating=True, epsilon=3.0, odds=3.0)
    for skips, wanted_of in ((False, (6, 1)), (True, (4, 0))):
        survey = draft(ana, sizes=(5, 5), skips=skips)
        found = search_of(survey, ana, wanted)
        page.post(reverse("planner:search_take", args=[found.pk]), {"revision": survey.revision})
        survey.refresh_from_db()
        (part,) = survey.definition["blocks"]
        assert (part["questions_per_person"], part.get("radius", 0)) == wanted_of
        (block,) = draft_read(survey).definition.design.blocks  # type: ignore[union-attr]
        assert block_budget(block).epsilon <= wanted.epsilon + 1e-9
        survey.delete()


def test_where_everybody_may_as_well_be_asked_all_nothing_is_offered(page: Client, ana: User) -> None:
    survey = draft(ana, sizes=(3,))
    found = search_of(survey, ana, Wanted(questions=3, prevalence=2000, rotating=True, epsilon=3.0))
    # There are designs that ask two of three, and they are worse.
    assert {one["asked"] for one in found.found["designs"]} == {2, 3}
    shown = text(page, reverse("planner:search", args=[found.pk]))
    assert "Asking each person fewer of these 3 questions saves nothing here." in shown
    assert "Use this design" not in shown
    before = survey.definition
    page.post(reverse("planner:search_take", args=[found.pk]), {"revision": survey.revision})
    survey.refresh_from_db()
    assert survey.definition == before


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"questions": "61"}, "less than or equal to 60"),
        ({"prevalence": "0"}, "greater than or equal to 0.01"),
        ({"leakage": "-1"}, "greater than or equal to 0"),
        ({"distortion": "101"}, "less than or equal to 100"),
        ({"epsilon": "0"}, "greater than or equal to 0.01"),
        ({"way": "some", "epsilon": ""}, "Give the ceiling of ε"),
        ({"way": "some", "questions": "1"}, "at least as many as items"),
        ({"way": "neither"}, "Select a valid choice"),
    ],
)
def test_each_field_has_its_refusal(page: Client, changes: dict[str, str], said: str) -> None:
    response = page.post(reverse("planner:search_begin"), {**SMALL, **changes})
    assert (response.status_code, said in response.content.decode()) == (422, True)
    assert not DesignSearch.objects.exists()


@pytest.mark.soak
@pytest.mark.parametrize(
    ("limits", "said"),
    [({"epsilon": "0.01", "leakage": ""}, "No design keeps the sum of ε"), ({"leakage": "0"}, "Allow")],
)
def test_limits_that_no_design_keeps_are_said_with_the_remedy(
    page: Client, limits: dict[str, str], said: str
) -> None:
    page.post(reverse("planner:search_begin"), {**SMALL, **limits})
    found = DesignSearch.objects.get()
    run_job(found.job_id)
    shown = text(page, reverse("planner:search", args=[found.pk]))
    assert "No design was found" in shown
    assert said in shown


def test_a_search_can_be_stopped_and_keeps_nothing(page: Client, ana: User) -> None:
    found = design_search_ask(Wanted(questions=2, prevalence=2000), survey=None, by=ana, now=timezone.now())

    def stopped_meanwhile(job_id: int, report: object) -> object:
        page.post(reverse("planner:search_cancel", args=[found.pk]))
        raise LostLease("stopped")

    assert perform(found.job_id, stopped_meanwhile)  # type: ignore[arg-type]
    found.refresh_from_db()
    assert found.found is None
    assert "This search was stopped" in text(page, reverse("planner:search", args=[found.pk]))
    page.post(reverse("planner:search_cancel", args=[found.pk]))
    assert "was over before it could be stopped" in text(page, reverse("planner:search", args=[found.pk]))


def test_a_search_for_nobodys_survey_is_for_whoever_asked_and_old_ones_are_forgotten(
    page: Client, ana: User
) -> None:
    other = member("ben", Role.RESEARCHER)
    own, theirs = (
        design_search_ask(Wanted(questions=2, prevalence=2000), survey=None, by=by, now=timezone.now())
        for by in (ana, other)
    )
    assert page.get(reverse("planner:search", args=[own.pk])).status_code == 200
    for name in ("search", "search_progress"):
        assert page.get(reverse(f"planner:{name}", args=[theirs.pk])).status_code == 404
    assert page.post(reverse("planner:search_cancel", args=[theirs.pk])).status_code == 404
    assert page.post(reverse("planner:search_take", args=[own.pk])).status_code == 404
    Job.objects.filter(requested_by=ana).update(state=Job.State.FINISHED)
    for _ in range(MOST_LISTED):
        design_search_ask(Wanted(questions=2, prevalence=2000), survey=None, by=ana, now=timezone.now())
    assert not DesignSearch.objects.filter(pk=own.pk).exists()
    assert DesignSearch.objects.filter(pk=theirs.pk).exists()


def test_a_job_without_its_search_stores_nothing() -> None:
    search_designs(0, lambda _stage, _done, _total: None)()
    assert not DesignSearch.objects.exists()


def test_rotations_need_a_ceiling_and_a_form_says_so_before() -> None:
    with pytest.raises(PrivacyError, match="at least as many as items"):
        search_rotations(Wanted(questions=5, prevalence=2000, rotating=True))
    assert not SearchForm({**START, "way": "some", "epsilon": ""}).is_valid()
