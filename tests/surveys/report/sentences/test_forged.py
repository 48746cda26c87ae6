"""Pages of runs with forged rows at their limits, and of runs whose earlier version withheld everything."""

import csv
import io
import random
import re
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from mining.thresholds import Thresholds
from privacy.survey.design import Design
from privacy.survey.layout import Layout, Record
from surveys.accounts.page_sharing import page_share
from surveys.accounts.roles import Role
from surveys.models import Run, SharedPage, Survey
from surveys.questionnaire.packed_items import pack_items
from surveys.report.rules.waiting_rules import waiting_rules
from surveys.report.sentences.forged import forged_of
from surveys.runs.forged_rows import lifting_rows
from surveys.runs.predictions import predicted_of
from surveys.runs.shown_of_run import has_results
from surveys.runs.withheld import withheld_of
from tests.fixtures.api_clients import program_of
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.forged_rows import forged_answered, with_report
from tests.fixtures.pages import open_page
from tests.fixtures.rotating_exports import body_of, three_of_eight
from tests.fixtures.runs import LOOSE, SINGLES, alice, answered_version, mined_run
from tests.fixtures.runs import packed_rows as habits
from tests.fixtures.runs import published as habits_published
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.staff import member
from tests.surveys.report.results.test_arm_effects import definition as experiment
from tests.surveys.report.results.test_arm_effects import run_of
from tests.surveys.report.results.test_results import text_of

pytestmark = pytest.mark.django_db
WHOLE = {"case": "misfit.share", "fields": {"value": "late=yes", "count": "399", "n": "400", "least": "30",
         "most": "70", "p": "0.4", "fits": "0.995"}}  # fmt: skip
PAGES = ("results", "", "itemsets", "tests", "paper", "report", "compare", "regression", "practice")


def pages_of(client: Client, run: Run) -> list[str]:
    return [
        text_of(open_page(client, f"/en/staff/runs/{run.pk}/{page}/".replace("//", "/"))) for page in PAGES
    ]


def test_a_run_of_an_earlier_version_asks_for_a_new_analysis_on_every_page_and_in_the_queue() -> None:
    run, client = mined_run(answered_version()), Client()
    client.force_login(alice())
    program = program_of(member("ana", Role.REVIEWER, Role.ROWS))
    run.summary["misfit"] = WHOLE
    run.save()
    assert not has_results(run)
    said = "Made by an earlier version: analyse again"
    assert [page for page in pages_of(client, run) if said not in page] == []
    assert said in text_of(open_page(client, "/en/staff/review/"))
    assert [waiting.rules for waiting in waiting_rules(Survey.objects.all())] == [()]
    _, secret = page_share(run.survey, SharedPage.Kind.RESULTS, run=run, days=7, by="ana", now=timezone.now())
    for name in ("results", "printed"):
        assert said in text_of(open_page(Client(), reverse(f"shared:{name}", args=[secret])))
    for name in ("rules.csv", "itemsets.csv", "rows.zip"):
        refused = program.get(f"/en/staff/runs/{run.pk}/{name}")
        assert (refused.status_code, refused.json()["code"]) == (409, "withheld"), name
        assert "An earlier version of the program made this run" in refused.json()["detail"]


def test_all_rows_forged_leave_only_the_open_questions() -> None:
    """All 400 people send the same row, although decoys should differ."""
    version = habits_published(policy="protected")
    stored(version, habits(version.to_design(), 1, n_direct=0) * 400)
    run, client = mined_run(closed(version), Thresholds(support=0.05, max_size=2)), Client()
    client.force_login(alice())
    assert list(withheld_of(run).questions) == [1, 2, 3]
    assert {row.items for row in run.itemsets.all()} <= {",0,", ",1,"}
    assert run.rules.count() == 0
    for page in pages_of(client, run):
        assert "of 400 answers are forged: the survey’s page did not send them." in page
    results = pages_of(client, run)[0]
    assert results.count("No figure of “") == 3
    assert "forged answers" in results


@pytest.mark.soak
def test_a_survey_whose_only_question_fails_says_so_and_shows_no_figure() -> None:
    version = published(document_of(protected("b", yes_no("copied"), p=6000)))
    design = version.to_design()
    everyone = Record(direct=False, answers=((1,),), refused=(False,))
    stored(version, [Layout(design).pack(everyone)] * 300)
    run, client = mined_run(closed(version), SINGLES), Client()
    client.force_login(alice())
    assert (run.itemsets.count(), run.rules.count()) == (0, 0)
    assert list(withheld_of(run).questions) == [0]
    for page in pages_of(client, run):
        assert "answers are forged" in page


@pytest.mark.soak
def test_rows_that_fit_say_nothing_of_forgery() -> None:
    run, client = mined_run(answered_version()), Client()
    client.force_login(alice())
    assert forged_of(run) is None
    assert not any("forged" in page or "not send them" in page for page in pages_of(client, run))


@pytest.mark.soak
def test_the_command_prints_the_other_figures_and_says_what_is_missing() -> None:
    version = forged_answered()
    out, err = io.StringIO(), io.StringIO()
    call_command("mine", version.survey.slug, "--inline", "--max-size", "1", stdout=out, stderr=err)
    assert "itemsets" in out.getvalue()
    assert "answers are forged" in err.getvalue()
    assert "“What were you paid?”" in err.getvalue()


def test_an_experiment_keeps_the_figures_of_its_other_questions() -> None:
    """Only one of two answers is forged; Holm's correction still counts both."""
    honest = run_of(400)
    version = published(experiment(slug="forged"))
    design = version.to_design()
    rows = [row for batch in honest.version.batches.all() for row in split(bytes(batch.packed), design)]
    forged = [with_report(design, row, "late", lambda _: 1) for row in rows]
    stored(version, rows + 4 * forged)
    run, client = mined_run(closed(version), SINGLES), Client()
    client.force_login(alice())
    assert [design.questions[number].key for number in withheld_of(run).questions] == ["late"]
    page = text_of(open_page(client, f"/en/staff/runs/{run.pk}/compare/?by=arms/told"))
    assert "Forged answers could have moved a difference of shares by up to" in page
    assert re.search(
        r"\d+ forged answers that are all the same would change this verdict|One forged answer", page
    )
    effects = run.summary["results"]["arms"]["told"]["effects"]
    assert (len(effects["p_values"]), len(effects["adjusted"])) == (1, 1)
    assert effects["adjusted"][0] == pytest.approx(min(1.0, 2 * effects["p_values"][0]))


def split(packed: bytes, design: Design) -> list[bytes]:
    """Return the rows of a batch."""
    size = Layout(design).n_bytes
    return [packed[at : at + size] for at in range(0, len(packed), size)]


WEIGHTS = "margins=age:young=.4,old=.6"


def address_of(run: Run, path: str) -> str:
    return f"/en/staff/runs/{run.pk}/{path}"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("compare/?outcome=late&by=drink", "Forged answers could have moved the difference by up to"),
        ("compare/?outcome=late&by=drink", "forged answers that are all the same would change this verdict"),
        ("regression/?response=4&disguised=2&by=0", "forged answers: up to ±"),
        ("numbers/hours/", "forged answers: mean up to ±"),
        ("numbers/hours/", "forged answers: up to ±"),
        ("places/care/", "forged answers: up to ±"),
        (f"practice/?{WEIGHTS}", "forged answers: up to ±"),
        ("results/", "forged answers: up to ±"),
        ("itemsets/", "forged answers: up to ±"),
        ("report/", "forged answers: up to ±"),
        ("paper/", "These rows could have moved the shares by up to"),
    ],
)
@pytest.mark.few(
    "results/-forged answers: up to \\xb1",
    "paper/-These rows could have moved the shares by up to",
    why="the page that everyone opens, and the paper",
)
def test_each_page_states_how_far_forged_rows_could_have_moved_its_figures(path: str, said: str) -> None:
    run, client = mined_run(forged_answered(), Thresholds(support=0.05, max_size=2)), Client()
    client.force_login(alice())
    assert said in text_of(open_page(client, address_of(run, path)))


def test_a_regression_states_flips_with_and_without_forged_rows() -> None:
    client = Client()
    client.force_login(alice())
    for version in (forged_answered(), answered_version(2_000)):
        run = mined_run(version, SINGLES)
        page = client.get(address_of(run, "regression/?response=4&by=0"))
        lines = {one.name: one for one in page.context["odds"]}
        own = lines["age: 40 or older"]
        assert own.flips is None or own.flips > 0
        assert bool(own.line.shift) == bool(withheld_of(run).rows)
        assert "Flips: how many false answers" in text_of(page.content.decode())


@pytest.mark.parametrize(
    ("path", "columns"),
    [
        ("numbers/hours/histogram.csv", ["share_shift"]),
        ("places/care/regions.csv", ["share_shift"]),
        (f"weights.csv?{WEIGHTS}", ["weighted_shift"]),
        ("compare/comparison.csv?outcome=late&by=drink", ["difference_shift", "flips"]),
        ("itemsets.csv", ["support_shift"]),
    ],
)
@pytest.mark.soak
def test_files_have_the_same_figures(path: str, columns: list[str]) -> None:
    client = Client()
    client.force_login(alice())
    for version, is_forged in ((forged_answered(slug="forged"), True), (scale_answered(400), False)):
        run = mined_run(version, SINGLES)
        file = client.get(address_of(run, path))
        found = list(csv.DictReader(io.StringIO(file.getvalue().decode(), newline="")))  # type: ignore[attr-defined]
        assert found
        for column in columns:
            values = [float(line[column]) for line in found if line[column]]
            assert values or not is_forged
            assert all(value > 0 for value in values) or not (is_forged or column == "flips")


@pytest.mark.soak
def test_a_figure_of_several_open_answers_states_how_many_false_rows_show_it() -> None:
    """Two open yes/no questions have nine combinations with those left empty, and ten rows show each."""

    def asked(key: str) -> dict[str, Any]:
        return {"key": key, "kind": "yes_no", "text": {"en": f"{key}?"}}

    version = published(
        document_of(
            unprotected("you", asked("works"), asked("drives")),
            protected("b", yes_no("late")),
            slug="crossed",
        )
    )
    layout = Layout(version.to_design())
    bits = ((number & 1, number >> 1 & 1, number >> 2 & 1) for number in range(400))
    stored(
        version,
        [
            layout.pack(Record(direct=False, answers=((works, drives), (late,)), refused=(False, False)))
            for works, drives, late in bits
        ],
    )
    run, client = mined_run(closed(version), Thresholds(support=0.05, max_size=2)), Client()
    client.force_login(alice())
    said = "90 forged answers, 10 for each combination of these answers, would have been enough to show this."
    works, drives, late = (run.design.item(key).index for key in ("works", "drives", "late"))
    assert run.itemsets.filter(items=pack_items((works, drives))).exists()
    for address in ("itemsets/", "compare/?outcome=works&by=drives"):
        assert said in text_of(open_page(client, address_of(run, address)))
    alone = text_of(open_page(client, address_of(run, "compare/?outcome=late&by=works")))
    assert "would have been enough" not in alone
    assert lifting_rows(run, (works, drives, late)) == 90
    assert lifting_rows(run, (works, late)) is None
    # Only people with codes can send rows to a survey by invitation.
    run.survey.by_invitation = True
    assert lifting_rows(run, (works, drives)) is None


@pytest.mark.soak
def test_predicted_pairs_state_how_far_forged_rows_could_have_moved_them() -> None:
    """1,500 rows say yes to the last of three questions, and to the other two at random."""
    version, coins = published(three_of_eight("many")), random.Random(3)
    design, layout = version.to_design(), Layout(version.to_design())
    honest = (body_of(design, coins) for _ in range(600))
    forged = [
        layout.pack(
            Record(
                direct=False,
                answers=((0, 1), (None, None, None, None, None, number & 1, number >> 1 & 1, 1)),
                refused=(False, False),
                drawn=((0, 1), (5, 6, 7)),
            )
        )
        for number in range(1_500)
    ]
    stored(version, [*filter(None, honest), *forged])
    run, client = mined_run(closed(version), LOOSE), Client()
    client.force_login(alice())
    assert [design.questions[number].key for number in withheld_of(run).questions] == ["q7"]
    pairs = [own for own in predicted_of(run) if len(own.items) == 2]
    assert pairs
    assert all(own.shift is not None and 0 < own.shift <= 1 for own in pairs)
    assert all(own.shift is None for own in predicted_of(run) if len(own.items) > 2)
    page = text_of(open_page(client, address_of(run, "?predicted=yes")))
    assert "forged answers: up to ±" in page
