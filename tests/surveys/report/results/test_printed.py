"""The printed report: its text about respondents, data and reviewers."""

import pytest
from django.utils import timezone
from django.utils.html import escape

from mining.thresholds import Thresholds
from surveys.accounts.roles import Role
from surveys.models import Run
from surveys.report.opened_run import with_results
from surveys.report.results.results import clearest_rules_of, results_context
from surveys.report.rules.verdicts import verdict_give
from tests.fixtures.pages import report_page
from tests.fixtures.runs import SINGLES, alice, answered_version, mined_run
from tests.fixtures.staff import member


@pytest.fixture
def run(db: None) -> Run:
    return mined_run(answered_version(), Thresholds(support=0.05, max_size=2))


@pytest.mark.soak
def test_the_report_prints_accepted_rules_with_all_verdicts(run: Run) -> None:
    bob, now = member("bob", Role.REVIEWER), timezone.now()
    first, second = run.rules.order_by("-lift", "pk")[:2]
    verdict_give(rule=first, opinion="rejected", note="Too <b>small</b>.", by=bob, now=now)
    verdict_give(rule=first, opinion="accepted", note="Replicated twice.", by=alice(), now=now)
    verdict_give(rule=second, opinion="rejected", note="Known.", by=bob, now=now)
    text = report_page(run, "printed")
    assert f"1 of {run.rules.count()} rules accepted" in text
    assert text.split('id="found"')[1].count('class="paper-rule stack"') == 1
    assert text.index("Replicated twice.") < text.index("Too &lt;b&gt;small&lt;/b&gt;.")
    assert "“Are you often late?” yes" in text
    inference = first.inference
    assert f"adjusted p {'&lt; .0001' if inference.p_adjusted < 0.0001 else ''}" in text
    for part in (run.snapshot_digest, run.design_id, run.code_version):
        assert part in text
    assert "<dt>Ethics reference</dt><dd>Made for a test.</dd>" in text
    assert "160 answered directly, 640 with protection" in text
    assert f"This is analysis 1 of {Run.objects.count()} of this survey." in text


@pytest.mark.soak
def test_an_unreviewed_report_prints_all_results_and_is_marked(run: Run) -> None:
    text = report_page(run, "printed")
    assert "Report · not reviewed" in text
    results = report_page(run, "results")
    context = results_context(with_results(run))
    told = [text.sentence for text in (*context["together"], *context["further"])]
    assert told
    for sentence in (*told, "Are you often late?", "What goes together"):
        assert escape(sentence) in results
        assert escape(sentence) in text
    assert text.count('<p class="paper-voice">not reviewed') == len(told)
    assert "accepted rule" not in text
    # A verdict is printed next to its rule.
    first = next(clearest_rules_of(with_results(run))).rule
    verdict_give(rule=first, opinion="rejected", note="Known.", by=alice(), now=timezone.now())
    text = report_page(run, "printed")
    assert "Report · not reviewed" not in text
    assert f'<p class="paper-voice">rejected: {alice().username}' in text


@pytest.mark.soak
def test_the_report_labels_lifts_selected_for_estimability(run: Run) -> None:
    first, second = run.rules.order_by("-lift", "pk")[:2]
    for rule in (first, second):
        verdict_give(rule=rule, opinion="accepted", note="", by=alice(), now=timezone.now())
    run.rules.update(lift_low=1.0, lift_high=2.0, lift_se=0.2)
    assert "hown because estimable" not in report_page(run, "printed")
    run.rules.filter(pk=first.pk).update(lift_se=None)
    text = report_page(run, "printed")
    assert text.count("· shown because estimable") == 1
    assert text.count("Their intervals contain the true value less often than stated.") == 1


@pytest.mark.soak
def test_the_report_says_the_server_disguised_direct_answers(db: None) -> None:
    run = mined_run(answered_version(400, n_direct=20), SINGLES)
    text = report_page(run, "printed")
    assert "20 answered directly, 380 with protection" in text
    assert "Direct answers arrived undisguised. The server disguised them" in text
    assert "Answers of the direct group are stored as answered" not in text
