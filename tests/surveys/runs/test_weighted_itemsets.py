"""Weights, non-response and attention in a run: figures, disclosure control, and the page."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from mining.open_floor import OpenFloor
from privacy.estimation.composed_parts import Part, Side
from privacy.estimation.margins import margin_of
from privacy.scales.planar_degrees import cells_of
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent
from surveys.questionnaire.packed_items import unpack_items
from surveys.runs import weighted_itemsets
from surveys.runs.comparisons import compare_sides
from surveys.runs.releasable_rows import ReleasableRows, rows_of_run, rows_of_version
from tests.fixtures.api_clients import program_of
from tests.fixtures.rotating_exports import rotating_version, three_of_eight
from tests.fixtures.runs import SINGLES, alice, answered_version, mined_run, true_rows
from tests.fixtures.scale_runs import CARE, HOURS, scale_answered
from tests.fixtures.survey_quality_page import visited

pytestmark = pytest.mark.django_db

LATE, CHEAT, DRINK = (2,), (3,), (4,)
HALVES = "age:young=0.5,old=0.5"


def halves(rows: ReleasableRows) -> tuple[Any, ...]:
    return (margin_of("age", {"young": 0.5, "old": 0.5}, rows.design),)


@pytest.mark.soak
def test_weighting_to_equal_ages_shifts_drinking_as_expected() -> None:
    rows = rows_of_version(answered_version(3000, n_direct=600))
    (drink,) = weighted_itemsets.weighted_itemsets(rows, [DRINK], halves(rows))
    assert drink.estimate is not None
    # 20% of the young and 50% of the old drink. With 40% old, the share is .32; with 50%, it is .35.
    assert drink.estimate.value - drink.estimate.unweighted.value == pytest.approx(0.03, abs=0.01)
    assert drink.estimate.value == pytest.approx(0.35, abs=5 * drink.estimate.standard_error)
    assert 0.9 * 3000 < drink.estimate.effective_n < 3000


@pytest.mark.soak
@pytest.mark.parametrize("avoided", [None, "q3"], ids=["all rows", "complete rows"])
def test_weighting_uses_the_same_rows_as_the_report_for_rotating_questions(
    client: Client, avoided: str | None
) -> None:
    run = mined_run(rotating_version(three_of_eight(), 2_500, avoided=avoided))
    rows = rows_of_run(run)
    pair = next(
        unpack_items(row.items) for row in run.itemsets.order_by("pk") if row.size == 2 and row.n < 900
    )
    (one,) = weighted_itemsets.weighted_itemsets(rows, [pair], halves(rows))
    assert one.estimate is not None
    assert one.estimate.unweighted.all_rows == (avoided is None)
    assert one.estimate.n == one.estimate.unweighted.n
    if avoided is None:
        # Everyone who states their age; about 8% of 2,500 do not.
        assert one.estimate.n_used > 2_000 > 2 * one.estimate.n
    else:
        assert one.estimate.n_used == one.estimate.n
    page = visited(client, run, {"margins": HALVES})
    said = "Respondents who were asked only part of an itemset also count for it."
    assert page.count(said) == (avoided is None)
    assert page.count("Only respondents who were asked the whole itemset count for it.") == (
        avoided is not None
    )


def test_groups_too_small_for_results_cannot_be_weighted() -> None:
    rows = rows_of_version(answered_version(200, n_direct=0))
    with pytest.raises(SurveyError, match="fewer than 100 protected answers") as refusal:
        weighted_itemsets.weighted_itemsets(rows, [DRINK], halves(rows))
    assert refusal.value.code == "small_cell"
    tried = rows_of_version(answered_version(200, n_direct=0, slug="try", practice=True))
    assert weighted_itemsets.weighted_itemsets(tried, [DRINK], halves(tried))[0].estimate is not None


def test_the_smallest_cell_may_have_exactly_the_least_number_of_rows() -> None:
    rows = rows_of_version(answered_version(200, n_direct=0))
    old = sum(row["you"]["age"] for row in true_rows(200))
    smallest = min(old, 200 - old)
    for least, is_refused in ((smallest, False), (smallest + 1, True)):
        own = replace(rows, disclosure=replace(rows.disclosure, least_protected=least))
        if is_refused:
            with pytest.raises(SurveyError, match=f"fewer than {least} protected"):
                weighted_itemsets.weighted_itemsets(own, [DRINK], halves(own))
        else:
            assert weighted_itemsets.weighted_itemsets(own, [DRINK], halves(own))[0].estimate is not None


def test_weighted_cells_hide_rare_combinations_of_open_answers() -> None:
    rows = rows_of_version(answered_version(1200, n_direct=0, policy="protected"))
    # The counts of the only open question are published.
    shy = replace(rows, disclosure=replace(rows.disclosure, open_floor=OpenFloor(least=rows.n)))
    for items in (DRINK, (0,), (0, 4)):
        (found,) = weighted_itemsets.weighted_itemsets(shy, [items], halves(shy))
        assert found.estimate is not None


def test_too_few_protected_answers_refuse_weighting() -> None:
    with pytest.raises(SurveyError, match="too few protected answers"):
        rows_of_version(answered_version(99, n_direct=60))


@pytest.mark.soak
def test_the_page_shows_unweighted_and_weighted_results_and_missing_inputs(client: Client) -> None:
    run = mined_run(answered_version(1200, n_direct=200))
    plain = visited(client, run)
    assert "Made for a test." in plain
    assert "age,young,0." in plain
    assert "To detect careless answers, add two check questions" in plain
    page = visited(client, run, {"margins": HALVES, "invited": "2400"})
    assert "design effect" in page
    assert page.count(">unweighted<") == 1
    assert ">raw<" not in page
    assert ".500 of the people invited answered." in page
    file = client.get(f"/en/staff/runs/{run.pk}/weights.csv", {"margins": HALVES}).getvalue().decode()
    header = file.splitlines()[0].removeprefix("\ufeff")
    assert header.startswith("items,raw,raw_standard_error,raw_low,raw_high,weighted")
    assert len(file.splitlines()) == 1 + min(run.itemsets.count(), 2000)


@pytest.mark.soak
def test_form_values_go_into_the_url_and_write_no_audit_event(client: Client) -> None:
    run = mined_run(answered_version())
    client.force_login(alice())
    before = AuditEvent.objects.count()
    path = f"/en/staff/runs/{run.pk}/practice/"
    typed = client.post(path, {"margins": "age,young,50 %\nage,old,50 %", "invited": "3000"})
    assert typed["Location"] == f"{path}?margins=age%3Ayoung%3D0.5%2Cold%3D0.5&invited=3000"
    assert client.get(typed["Location"]).status_code == 200
    assert AuditEvent.objects.count() == before


def test_invalid_margins_are_refused_in_forms_and_urls(client: Client) -> None:
    run = mined_run(answered_version(600, n_direct=0), SINGLES)
    client.force_login(alice())
    for margins, said in (
        ("age,young,0.5\nage,old,0.3", "add up to 0.8. Use shares that add up to 1."),
        ("age,young,0.5\nage,odd,0.5", "no option &#x27;odd&#x27;. Its options are young, old."),
        ("drink,yes,0.5\ndrink,no,0.5", "Question &#x27;drink&#x27; is protected"),
        ("age", "must have 3 cells, not 1"),
    ):
        response = client.post(f"/en/staff/runs/{run.pk}/practice/", {"margins": margins})
        assert response.status_code == 422
        page = response.content.decode()
        assert said in page
        assert margins in page
    assert "is not a share" in visited(client, run, {"margins": "age:young"}, status=422)
    assert "has no option" in visited(client, run, {"margins": "age:odd=1"}, status=422)
    assert "fewer than the number of answers" in visited(client, run, {"invited": "5"}, status=422)
    assert client.get(f"/en/staff/runs/{run.pk}/weights.csv").status_code == 422
    refused = program_of(alice()).get(f"/en/staff/runs/{run.pk}/weights.csv")
    assert (refused.status_code, refused.json()["code"]) == (422, "parameters")
    assert refused.json()["remedy"].endswith("such as ?margins=age:young=0.4,old=0.6")
    assert client.get(f"/en/staff/runs/{run.pk}/weights.csv", {"margins": "age:odd=1"}).status_code == 422


def test_a_comparison_of_items_matches_confidence_and_lift_of_their_rule() -> None:
    run = mined_run(answered_version())
    design = run.design
    by, outcome = (next(item.index for item in design.items if item.key == key) for key in ("late", "cheat"))
    found = compare_sides(run, Side(items=(by,)), Side(items=(outcome,)))
    (rule,) = run.rules.filter(antecedent=f",{by},", consequent=f",{outcome},")
    assert (found.having.value, found.lift.value) == pytest.approx((rule.confidence, rule.lift))
    assert (found.having.low, found.having.high) == pytest.approx((rule.confidence_low, rule.confidence_high))
    assert found.n == rule.n
    assert rows_of_run(run).n == found.n_used


def test_small_groups_at_exact_places_are_refused() -> None:
    run = mined_run(scale_answered(400), SINGLES)
    windows = run.design.questions[CARE].disguise
    # A rectangle outside the sensitive places that contains no one.
    corner = cells_of(windows.area, {"west": 118.715, "south": 32.017, "east": 118.72, "north": 32.02})
    hours = Side(parts=(Part(question=HOURS, target=(5, 7)),))
    with pytest.raises(SurveyError) as refused:
        compare_sides(run, Side(parts=(Part(question=CARE, target=(corner,)),)), hours)
    assert refused.value.case == "too_few.inside"


@pytest.mark.parametrize(
    ("estimable", "printed", "basis"), [(True, 0.35, "estimate"), (False, None, "too few")]
)
def test_a_file_prints_a_weighted_share_only_if_it_can_be_estimated(
    estimable: bool, printed: float | None, basis: str
) -> None:
    share = SimpleNamespace(value=0.35, low=0.3, high=0.4, standard_error=0.025)
    estimate: Any = SimpleNamespace(
        **vars(share),
        estimable=estimable,
        unweighted=SimpleNamespace(value=0.32, standard_error=0.02),
        interval=SimpleNamespace(low=0.28, high=0.36),
        shift=0.001,
        design_effect=1.2,
        effective_n=500.0,
        n=600,
        n_used=610,
    )
    labels: Any = SimpleNamespace(keys=lambda items: f"of {items}")
    found = weighted_itemsets.weight_records(
        [
            weighted_itemsets.WeightedItemset(items=DRINK, estimate=estimate),
            weighted_itemsets.WeightedItemset(items=LATE, estimate=None),
        ],
        labels,
    )
    assert found == [
        {
            "items": "of (4,)", "raw": 0.32, "raw_standard_error": 0.02, "raw_low": 0.28, "raw_high": 0.36,
            "weighted": printed, "weighted_basis": basis, "weighted_unclipped": 0.35,
            "weighted_low": 0.3, "weighted_high": 0.4, "level": 0.95, "weighted_standard_error": 0.025,
            "weighted_shift": 0.001, "design_effect": 1.2, "effective_n": 500.0, "n": 600, "n_used": 610,
        }
    ]  # fmt: skip
