"""Pages of a finished run read its stored results, estimate nothing, and need few queries."""

import dataclasses
import json
import math
import sys
from contextlib import nullcontext
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY

from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Side
from privacy.printed import UNCHECKED, Measured
from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError
from surveys.models import PublishOverride, Run, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.labels import labels_of
from surveys.questionnaire.packed_items import pack_items, unpack_items
from surveys.questionnaire.series_membership import survey_join_series
from surveys.report.results.choice import item_choice
from surveys.runs import comparisons, opening_figures
from surveys.runs.arm_results import arm_results
from surveys.runs.comparisons import compare_sides
from surveys.runs.numbers import summary_of
from surveys.runs.opening_figures import (
    STATES_METHODS,
    is_of_earlier_version,
    stored_arms,
    stored_pair,
    stored_placebo,
    stored_reliability,
    stored_rules,
    stored_scale,
    stored_unlisted,
)
from surveys.runs.releasable_rows import rows_of_run
from surveys.runs.scale_question import scale_of
from tests.fixtures.composite_drafts import related_bodies, related_document, related_people
from tests.fixtures.devices import published, stored
from tests.fixtures.pages import open_page
from tests.fixtures.refusals import refused
from tests.fixtures.runs import SINGLES, alice, answered_version, find_run, mined_run, planned_version
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.second_factor import with_app
from tests.fixtures.staff import member
from tests.surveys.report.export.test_data_package import with_everything
from tests.surveys.report.results.test_arm_effects import run_of

pytestmark = pytest.mark.django_db
MOST_QUERIES: Final = 18
"""Queries of the results page, including those for reader and run."""

ESTIMATORS: Final = {
    *(
        "releasable_rows",
        "packed_rows",
        "permitted_rows",
        "rows_of_run",
        "rows_of",
        "sent_counts",
        "group_sums",
    ),
    *("scored_rows", "compare_sides", "arm_results", "scale_of", "figures_of", "number_figures"),
    *("estimate_itemsets", "compare"),
}
"""Functions that read rows or estimate from them."""


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every estimator fail in every module that imports it."""

    def refuse(*_given: object, **_named: object) -> None:
        raise AssertionError("a page that opens with stored results called an estimator")

    planted = set()
    for name, module in list(sys.modules.items()):
        if name.startswith(("surveys.", "mining.")) and module is not None:
            for estimator in ESTIMATORS & vars(module).keys():
                if callable(getattr(module, estimator)) and not name.startswith(
                    ("surveys.report.results.compare", "surveys.report.results.arm_effects")
                ):
                    monkeypatch.setattr(module, estimator, refuse)
                    planted.add(estimator)
    assert planted == ESTIMATORS


def page_of(client: Client, run: Run, page: str) -> str:
    return open_page(client, f"/en/staff/runs/{run.pk}/{page}/")


def runs() -> dict[str, Run]:
    return {
        "Your question": mined_run(planned_version(Aim(people=400, wanted=("late", "cheat")))),
        "Show the figures of the distribution": mined_run(scale_answered(400), SINGLES),
        "This survey contains an experiment.": with_everything(),
    }


def reworded_in_a_series(run: Run) -> None:
    """Move a run to a reworded second version, in a series, published despite a check."""
    survey_join_series(run.survey, "panel")
    second = run.survey.versions.get()
    second.pk, second.number, second._state.adding = None, 2, True
    second.wording["blocks"][0]["questions"][0]["text"]["en"] = "In other words?"
    second.save()
    PublishOverride.objects.create(version=second, reason="A test", at=timezone.now(), findings=[])
    Run.objects.filter(pk=run.pk).update(version=second)


@pytest.mark.parametrize("is_open", [False, True], ids=["closed", "open"])
@pytest.mark.few("open", why="the others execute nothing more")
def test_the_results_page_uses_few_queries_and_no_estimation(
    is_open: bool, reader: Client, request: Any, settings: Any, django_assert_max_num_queries: Any
) -> None:
    made = runs()
    owner, administrator = member("ana", Role.RESEARCHER, is_expert=False), member("ada", Role.ADMINISTRATOR)
    settings.SECOND_FACTOR_FOR = frozenset({"administrators"})
    with_app(administrator)
    # For an open survey, the page also counts the run's looks.
    Survey.objects.update(owner=owner, closed_at=None if is_open else timezone.now() - timedelta(hours=1))
    # The first page of a process fills shared caches.
    page_of(reader, made["Your question"], "results")
    request.getfixturevalue("forbidden")
    for words, run in made.items():
        with django_assert_max_num_queries(MOST_QUERIES):
            assert words in page_of(reader, run, "results")
        reworded_in_a_series(run)
        for user in (alice(), owner, administrator):
            reader.force_login(user)
            session = reader.session
            session[DEVICE_ID_SESSION_KEY] = "entered"
            session.save()
            with django_assert_max_num_queries(MOST_QUERIES):
                page = page_of(reader, run, "results")
            for shown in (words, "In other words?", "was published against a check", "of the series panel"):
                assert shown in page
    # The last of these runs has the experiment.
    assert "False “yes”" in page_of(reader, run, "compare")


def test_stored_results_match_the_estimators() -> None:
    run = mined_run(planned_version(Aim(people=400, wanted=("late", "cheat"))))
    by, outcome = (
        item_choice(labels_of(run.version, run.design).items[run.design.item(key).index])
        for key in ("late", "cheat")
    )
    assert stored_pair(run) == compare_sides(run, by.side, outcome.side)
    run = mined_run(scale_answered(400), SINGLES)
    summary = stored_scale(run, "hours")
    computed = summary_of(scale_of(run, "hours", "number"))
    assert summary is not None
    assert (summary.mean, summary.median) == (computed.mean, computed.median)
    assert summary.mean is not None
    assert (summary.mean.n, summary.mean.method) == (400, "mean")
    assert (summary.spans, summary.shape) == (computed.spans, computed.shape)
    assert summary.bars is not None
    assert computed.bars is not None
    for name in (own.name for own in dataclasses.fields(computed.bars)):
        assert np.all(getattr(summary.bars, name) == getattr(computed.bars, name)), name
    assert stored_scale(run, "care") is None


def test_a_placebo_and_the_second_of_two_halves_have_stored_figures() -> None:
    version = published(related_document(practice=True))
    stored(version, related_bodies(version.to_design(), 600))
    run = mined_run(version, SINGLES)
    (difference,) = stored_placebo(run, "placebo").values()
    people = [person["acts"] for person in related_people(600)]
    index, placebo = (
        sum(any(person[key].values()) for person in people) / 600 for key in ("index", "placebo")
    )
    assert difference.n == 600
    assert difference.low < index - placebo < difference.high
    reliability = stored_reliability(run, "even")
    assert reliability is not None
    assert reliability.n == 600
    assert -1 <= reliability.low < reliability.value < reliability.high <= 1
    assert stored_placebo(run, "index") == {}
    assert stored_reliability(run, "odd") is None


def test_figures_of_an_earlier_version_are_shown_and_say_so(reader: Client) -> None:
    """Earlier versions stored a number's ends without n, level and method, and pairs without a method."""
    run = mined_run(scale_answered(400), SINGLES)
    now = stored_scale(run, "hours")
    assert now is not None
    assert now.mean is not None
    assert now.bars is not None
    note = "An earlier version of Sottovoce made these figures."
    before = page_of(reader, run, "results")
    assert note not in before
    results = run.summary["results"]
    del results[STATES_METHODS]
    ends = [now.mean.value, now.mean.low, now.mean.high]
    shares = zip(now.spans, now.bars.value, now.bars.low, now.bars.high, now.shape, strict=True)
    bars = [[*span, *map(float, own)] for span, *own in shares]
    results["scales"]["hours"] = {"mean": ends, "median": ends, "bars": bars, "shift": None}
    run.save()
    found = stored_scale(find_run(run.pk), "hours")
    assert found is not None
    assert found.mean is not None
    assert found.median is not None
    assert found.bars is not None
    assert {found.mean.method, found.median.method, found.bars.method} == {"earlier version"}
    assert (found.mean.value, found.median.low, found.median.high) == (ends[0], ends[1], ends[2])
    assert found.mean.standard_error == pytest.approx(now.mean.standard_error)
    assert found.spans == now.spans
    assert (found.bars.high == now.bars.high).all()
    after = page_of(reader, run, "results")
    assert note in after
    low, high = f"{now.mean.low:.0f}", f"{now.mean.high:.0f}"
    sentence = f"On average {now.mean.value:.0f} hours a week, between {low} and {high}"
    assert sentence in before
    assert sentence in after
    results["scales"]["hours"] = {"mean": None, "median": None, "bars": [], "shift": None}
    run.save()
    assert "Too few people to show the mean or the median." in page_of(reader, run, "results")


def test_stored_comparisons_of_arms_match_the_estimators() -> None:
    run = with_everything()
    for by_arm in choices_of_arms(run.design):
        stored, found = stored_arms(run, by_arm), arm_results(run, by_arm)
        assert (stored.rows, stored.outcomes, stored.questions) == (
            found.rows,
            found.outcomes,
            found.questions,
        )
        assert stored.understanding == found.understanding
        assert stored.anchors == found.anchors
        assert stored.effects.joint == found.effects.joint
        for name in ("shares", "errors", "differences", "difference_errors", "sizes", "is_direct"):
            assert (getattr(stored.effects, name) == getattr(found.effects, name)).all()


@pytest.mark.parametrize("may_name", [True, False])
def test_figures_from_before_the_ledger_name_only_what_may_be_named(
    may_name: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = SimpleNamespace(may_name=lambda _design, items: may_name or 7 not in items)
    monkeypatch.setattr(opening_figures, "is_of_the_ledger", lambda _run: False)
    monkeypatch.setattr(opening_figures, "floor_of", lambda _run: floor)
    monkeypatch.setattr(Run, "design", None)
    shares = [{"items": pack_items((item,)), "support": item / 10} for item in (3, 7)]
    run = Run(summary={"results": {"unlisted": shares, "arms": {"told": {}}}})
    listed = [(row.items, row.size, row.support) for row in stored_unlisted(run)]
    assert listed == [(pack_items((3,)), 1, 0.3), (pack_items((7,)), 1, 0.7)][: 1 + may_name]
    assert stored_unlisted(Run(summary={"results": None})) == []
    groups = {"told": [SimpleNamespace(items=(3,)), SimpleNamespace(items=(7,))]}
    monkeypatch.setattr(opening_figures, "choices_of_arms", lambda _design: groups)
    monkeypatch.setattr(opening_figures.ArmResults, "from_json", lambda *_arguments: "results")
    with nullcontext() if may_name else pytest.raises(SurveyError, match="people"):
        assert stored_arms(run, "told") == "results"


def test_stored_errors_appear_on_the_compare_page(reader: Client) -> None:
    run = run_of(180)
    with pytest.raises(SurveyError) as refused:
        stored_arms(run, "told")
    assert refused.value.case == "too_few.arm"
    assert "One of the groups has too few people." in page_of(reader, run, "compare")
    with pytest.raises(PrivacyError):
        stored_arms(run, "nothing")


@pytest.mark.soak
def test_listed_rules_are_compared_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    passes, read = [], comparisons.permitted_rows
    monkeypatch.setattr(comparisons, "permitted_rows", lambda *given: passes.append(given) or read(*given))
    run = mined_run(answered_version(4_000, n_direct=800), anew=True)
    listed = stored_rules(run)
    assert len(listed) >= 2
    assert len(passes) == 1
    for rule in listed:
        by, outcome = (Side(items=unpack_items(side)) for side in (rule.antecedent, rule.consequent))
        found = compare_sides(run, by, outcome, level=run.summary["inference"]["rule_level"]).others
        assert rule.others == found
    nothing = Side(), Side(items=(1,))
    assert list(comparisons.compared_rules(run, [nothing], level=0.95, rows=rows_of_run(run))) == [None]


def test_results_are_stored_as_plain_json() -> None:
    figures = {
        1: (0.5, math.inf, -math.inf, math.nan),
        "few": np.bool_(True),
        "counts": np.array([[1, 2], [3, 4]]),
        "share": np.float64(0.25),
        "none": None,
        "look": UNCHECKED.look,
    }
    found = opening_figures._plain(figures)
    assert found == {
        "1": [0.5, "inf", "-inf", "nan"], "few": True, "counts": [[1, 2], [3, 4]], "share": 0.25,
        "none": None, "look": UNCHECKED.look,
    }  # fmt: skip
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("error", [PrivacyError("no_rows", 0), SurveyError("too_few.arm", least=100)])
def test_a_refusal_is_stored_and_raised_again(error: PrivacyError) -> None:
    def refuse(_given: int) -> None:
        raise error

    record = json.loads(json.dumps(opening_figures._result_json(refuse, 3)))
    with pytest.raises(type(error)) as again:
        opening_figures._read(record)
    assert type(again.value) is type(error)
    assert (again.value.case, str(again.value)) == (error.case, str(error))
    assert opening_figures._read(opening_figures._result_json(lambda given: {"twice": 2 * given}, 3)) == {
        "twice": 6
    }


def test_results_without_a_statement_of_their_methods_are_of_an_earlier_version() -> None:
    for results, is_earlier in (
        (None, False), ({}, False), ({"pair": None}, True), ({STATES_METHODS: False}, True),
        ({STATES_METHODS: True}, False),
    ):  # fmt: skip
        assert is_of_earlier_version(Run(summary={"results": results})) is is_earlier
    assert not is_of_earlier_version(Run(summary={}))


@pytest.mark.parametrize(("withheld", "shift"), [(True, 0.02), (False, 0.0)])
def test_an_earlier_estimate_lacks_what_its_run_adds(
    withheld: bool, shift: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_figures, "origin_of", lambda _run: UNCHECKED)
    monkeypatch.setattr(opening_figures, "withheld_of", lambda _run: withheld)
    run: Any = SimpleNamespace(n=300)
    record = {"value": "nan", "low": 0.1, "high": "inf", "estimable": True, "standard_error": None}
    found = opening_figures._measurement(record, run, possible=(0.0, math.inf), shift=0.02)
    assert math.isnan(found.value)
    assert dataclasses.replace(found, value=0.2) == Measured(
        value=0.2, low=0.1, high=math.inf, estimable=True, standard_error=None, n=300, effective_n=300.0,
        level=0.95, method="earlier version", possible=(0.0, math.inf), shift=shift, origin=UNCHECKED,
    )  # fmt: skip
    own = record | {"n": 40, "effective_n": 30.5, "level": 0.9, "method": "mean", "shift": None}
    found = opening_figures._measurement(own, run, n=50)
    assert (found.n, found.effective_n, found.level, found.method) == (40, 30.5, 0.9, "mean")
    assert (found.shift, found.possible) == (None, (0.0, 1.0))
    assert opening_figures._measurement(record, run, n=50).n == 50
    # Rows of equal weight: the effective n is the n that the record states, not that of all rows.
    assert opening_figures._measurement(record | {"n": 40}, run, n=50).effective_n == 40
    run.n = None
    assert opening_figures._measurement(record, run).n == 0


@pytest.mark.parametrize("is_complete", [True, False])
def test_shares_from_a_base_need_each_answer_to_be_reportable(
    is_complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = Measured(
        value=0.2, low=0.1, high=0.3, standard_error=0.05, estimable=True, n=100, effective_n=100.0,
        level=0.95, possible=(0.0, 1.0), method="scores", shift=0.0, origin=UNCHECKED,
    )  # fmt: skip
    columns = [(9,), (1,), (2,)]
    monkeypatch.setattr(opening_figures, "columns_of_base", lambda _design, _question: columns)
    monkeypatch.setattr(opening_figures, "base_shares", lambda *_given, forged: {"often": share})
    rows: Any = SimpleNamespace(
        design=None,
        releasable=lambda itemsets: list(itemsets) if is_complete else list(itemsets)[:1],
        count_cache=SimpleNamespace(need=lambda _columns: None),
        withheld=SimpleNamespace(rows=0),
    )
    found = opening_figures._base(rows, 4)
    assert found == ({"often": dataclasses.asdict(share)} if is_complete else {})


@pytest.mark.parametrize(
    ("is_of_the_ledger", "last", "shown"),
    [(True, 7, True), (True, 8, True), (False, 7, True), (False, 8, False)],
)
def test_a_stored_figure_is_shown_if_its_run_has_a_ledger_or_its_items_may_be_named(
    is_of_the_ledger: bool, last: int, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The floor permits only the items 3, 5 and 7 of this design."""
    design: Any = object()
    floor = SimpleNamespace(may_name=lambda asked, items: asked is design and list(items) == [3, 5, 7])
    monkeypatch.setattr(opening_figures, "is_of_the_ledger", lambda _run: is_of_the_ledger)
    monkeypatch.setattr(opening_figures, "floor_of", lambda _run: floor)
    run: Any = SimpleNamespace(design=design)
    assert opening_figures._may_name(run, pack_items((3, 5)), pack_items((last,))) is shown
    with nullcontext() if shown else refused("waits"):
        opening_figures._check_names(run, (3, 5, last))


@pytest.mark.parametrize("n", [300, None])
def test_bars_of_an_earlier_version_have_the_rows_of_their_run(
    n: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_figures, "origin_of", lambda _run: UNCHECKED)
    value = np.array([0.2, 0.8])
    bars = opening_figures._earlier_bars(value, value / 2, value, SimpleNamespace(n=n))  # type: ignore[arg-type]
    assert (bars.n, bars.effective_n, bars.level, bars.shift) == (n or 0, float(n or 0), 0.95, None)
