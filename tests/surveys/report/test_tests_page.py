"""How a run's tests are stored and shown."""

import pytest
from django.test import Client

from mining.interest import INTEREST
from mining.thresholds import Sides, Thresholds
from surveys.models import AuditEvent, ItemsetInference, RuleInference, Run
from surveys.questionnaire.labels import unpack_items
from tests.fixtures.runs import alice, answered, asked, mined

pytestmark = pytest.mark.django_db(transaction=True)


def body(client: Client, run: Run, part: str) -> str:
    client.force_login(alice())
    response = client.get(f"/en/staff/runs/{run.pk}/{part}")
    assert response.status_code == 200
    return (b"".join(response) if response.streaming else response.content).decode()


@pytest.mark.soak
def test_every_listed_rule_and_itemset_has_its_inference() -> None:
    run = mined(answered(2000, n_direct=300))
    tests = RuleInference.objects.filter(rule__run=run)
    assert tests.count() == run.rules.count() > 0
    assert ItemsetInference.objects.filter(itemset__run=run).count() == run.itemsets.count()
    for row in tests.select_related("rule"):
        assert row.p_value <= row.p_adjusted <= 1
        assert row.passes == (row.p_adjusted <= 0.05)
        assert set(row.interest) == set(INTEREST)
        if row.lift_low is not None:
            assert row.lift_low <= row.rule.lift_low
        if row.redundant_by:
            shorter = unpack_items(row.redundant_by)
            assert set(shorter) < set(unpack_items(row.rule.antecedent))
    summary = run.summary["inference"]
    assert summary["passing"] == tests.filter(passes=True).count() > 0
    assert summary["redundant"] == tests.exclude(redundant_by="").count()
    # late and cheat were made to go together; age and cheat were not.
    late_cheat = tests.get(rule__antecedent=",2,", rule__consequent=",3,")
    assert late_cheat.passes
    assert not tests.get(rule__antecedent=",0,", rule__consequent=",3,").passes


def test_the_family_is_written_down_when_a_run_is_asked_for_and_is_what_the_run_answers_to() -> None:
    thresholds = Thresholds(
        support=0.02, confidence=0.2, sides=Sides(consequent=(2, 3, 4), longest_consequent=1)
    )
    version = answered(600, n_direct=0, policy="protected")
    # 2 ages and 3 items: pairs 2*3 + 3, triples (1 pair of items + 2*2 age and item) * 3 + ... as listed.
    asked(version, thresholds)
    event = AuditEvent.objects.filter(action="run_request").latest("pk")
    run = mined(version, thresholds)
    assert event.detail["family"] == run.summary["inference"]["family"]["lift"] == 9 + 3 * (1 + 2 * 2)
    assert run.summary["inference"]["passing_confidence"] is not None


def test_the_page_says_what_holds_what_is_explained_and_what_would_turn_it(client: Client) -> None:
    run = mined(answered(2000, n_direct=300))
    text = body(client, run, "tests/")
    summary = run.summary["inference"]
    assert f"{summary['passing']} of {run.rules.count()} listed rules hold" in text
    assert f"<dd>{summary['family']['lift']}</dd>" in text
    assert 'aria-current="page">Which rules hold' in text
    first = RuleInference.objects.filter(rule__run=run).order_by("p_adjusted", "p_value", "pk").first()
    assert first is not None
    assert f'<td class="num">{first.flips}</td>' in text
    assert text.index("holds</span>") < text.index("not shown</span>")
