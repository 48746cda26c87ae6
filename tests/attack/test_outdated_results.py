"""No page and no file shows results of undisguised answers."""

import pytest
from django.db.models import F
from django.urls import reverse

from mining.thresholds import Thresholds
from surveys.models import ItemsetRow, RuleRow, Run, Survey, Version
from surveys.runs.shown_of_run import is_outdated
from tests.attack.test_non_interference import differing, read, whole
from tests.fixtures import runs
from tests.site.test_roles import World

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

FIGURES = ("report:itemsets", "report:itemsets_csv", "report:rules_file json", "report:run", "report:rule")


def outdated() -> World:
    """Return a run whose rows were not disguised, as for practice answers."""
    version = runs.published("outdated")
    runs.answer(version, 600, n_direct=200, batches=3)
    survey = Survey.objects.filter(pk=version.survey_id)
    survey.update(known_truth={"drink": 0.3})
    version = Version.objects.select_related("survey").get(pk=version.pk)
    world = World(runs.audited_run(runs.mined_run(version, Thresholds(support=0.1, max_size=2))))
    survey.update(known_truth=None)
    world.run = Run.objects.get(pk=world.run.pk)
    return world


def all_pages(world: World) -> dict[str, bytes]:
    shared = reverse("shared:results", args=[world.arguments["secret"]])
    return read(world) | {"shared": whole(world.browser("nobody").get(shared))}


def change_figures(run: Run) -> None:
    ItemsetRow.objects.filter(run=run).update(support=F("support") + 0.1)
    RuleRow.objects.filter(run=run).update(lift=F("lift") + 0.1, confidence=F("confidence") + 0.01)


def test_outdated_figures_appear_on_no_page_and_the_page_explains() -> None:
    world = outdated()
    assert is_outdated(world.run)
    pages = all_pages(world)
    page = pages["report:run, reviewer"].decode()
    assert "This result is no longer shown" in page
    assert "Run the analysis again." in page
    change_figures(world.run)
    assert differing(pages, all_pages(world)) == set()


def test_only_results_of_the_current_drawing_method_are_shown() -> None:
    run = runs.mined_run(runs.answered_version(300, n_direct=100))
    assert not is_outdated(run)
    Run.objects.filter(pk=run.pk).update(summary=run.summary | {"drawing": "in another way"})
    assert is_outdated(Run.objects.get(pk=run.pk))


def test_changed_figures_do_change_current_pages() -> None:
    world = outdated()
    Survey.objects.filter(pk=world.run.survey_id).update(known_truth={"drink": 0.3})
    pages = all_pages(world)
    change_figures(world.run)
    changed = differing(pages, all_pages(world))
    assert {f"{name}, reviewer" for name in FIGURES} | {"shared"} <= changed
