from __future__ import annotations

import json

import pytest
from django.utils import timezone

from surveys.models import Job
from surveys.runs.itemset_question import ItemsetQuestion, itemset_question
from surveys.runs.run_requests import run_request
from surveys.runs.shown_of_run import has_results
from tests.fixtures.counted_runs import asking_run
from tests.fixtures.runs import LOOSE, answered_version, done

pytestmark = pytest.mark.django_db


def test_a_run_above_the_limit_stores_nothing_and_asks() -> None:
    run = asking_run()
    question = itemset_question(run.job)
    assert question is not None
    assert (question.most, question.support is not None) == (10, True)
    assert question.itemsets > 10
    assert not has_results(run)
    assert not run.itemsets.exists()
    assert not run.rules.exists()


@pytest.mark.soak
def test_the_answers_to_the_question_list_all_or_at_most_the_limit() -> None:
    run = asking_run()
    question = itemset_question(run.job)
    assert question is not None
    assert question.support is not None
    everything = done(
        run_request(
            version=run.version, thresholds=LOOSE, by=None, now=timezone.now(), announce=False, lists_all=True
        )
    )
    assert everything.lists_all
    assert everything.thresholds == LOOSE
    assert everything.summary["itemsets"] == question.itemsets
    assert 0 < everything.summary["rules"] <= question.rules
    supports = sorted(everything.itemsets.values_list("support", flat=True), reverse=True)
    assert sum(support >= question.support for support in supports) <= question.most
    # A threshold that is lower by .001 would list too many.
    assert sum(support >= question.support - 0.001 for support in supports) > question.most


@pytest.mark.soak
def test_a_run_at_the_limit_does_not_ask() -> None:
    version = answered_version()
    question = itemset_question(asking_run(version=version).job)
    assert question is not None
    assert itemset_question(asking_run(question.itemsets, version).job) is None
    assert itemset_question(asking_run(question.itemsets - 1, version).job) is not None


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ("finished", '{"code": "max_itemsets"}'),
        ("failed", ""),
        ("failed", "The worker disappeared."),
        ("failed", json.dumps({"code": "max_rules", "value": 3})),
    ],
)
def test_other_jobs_ask_nothing(state: str, message: str) -> None:
    assert itemset_question(Job(state=state, message=message)) is None


def test_without_a_support_that_is_high_enough_the_question_names_none() -> None:
    fields = {"value": 12, "rules": 30, "max_itemsets": 10, "support": "1.001"}
    record = {"code": "max_itemsets", "value": 12, "case": "max_itemsets.shorter", "fields": fields}
    assert itemset_question(Job(state="failed", message=json.dumps(record))) == ItemsetQuestion(
        itemsets=12, rules=30, most=10, support=None
    )
