from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from surveys.models import Run
from surveys.runs.itemset_question import itemset_question
from tests.fixtures.counted_runs import asking_run
from tests.fixtures.pages import report_page
from tests.fixtures.runs import alice, answered_version, mined_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Client:
    client = Client()
    client.force_login(alice())
    return client


def answered(browser: Client, asked: Run, given: str) -> Run:
    response = browser.post(reverse("report:answer", args=[asked.pk]), {"answer": given})
    newest = Run.objects.latest("pk")
    assert response["Location"] == reverse("report:run", args=[newest.pk])
    return newest


@pytest.mark.soak
def test_the_page_states_the_numbers_and_offers_both_answers() -> None:
    asked = asking_run()
    question = itemset_question(asked.job)
    assert question is not None
    page = report_page(asked)
    assert f"List {question.itemsets} itemsets?" in page
    assert f"Rules: up to {question.rules}." in page
    assert f"Analyse with support from {question.support:.3f}".replace("0.", ".") in page
    assert f"List all {question.itemsets} itemsets" in page
    assert "failed" not in page
    assert "asks you" in report_page(asked, "results")


def test_each_answer_requests_a_run_with_the_same_settings_otherwise(browser: Client) -> None:
    asked = asking_run()
    question = itemset_question(asked.job)
    assert question is not None
    everything, fewer = answered(browser, asked, "all"), answered(browser, asked, "fewer")
    assert everything.lists_all
    assert everything.thresholds == asked.thresholds
    assert not fewer.lists_all
    assert fewer.thresholds.support == question.support
    assert fewer.parameters == asked.parameters | {"support": question.support}
    assert everything.snapshot_digest == fewer.snapshot_digest == asked.snapshot_digest


@pytest.mark.parametrize("sent", [{}, {"answer": ""}, {"answer": "perhaps"}, {"answer": "ALL"}])
def test_another_answer_is_refused_and_the_page_asks_again(browser: Client, sent: dict[str, str]) -> None:
    asked = asking_run()
    response = browser.post(reverse("report:answer", args=[asked.pk]), sent)
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()
    assert "List all" in response.content.decode()
    assert Run.objects.count() == 1


@pytest.mark.soak
def test_a_run_that_asked_nothing_needs_no_answer(browser: Client) -> None:
    run = mined_run(answered_version())
    response = browser.post(reverse("report:answer", args=[run.pk]), {"answer": "all"})
    assert response["Location"] == reverse("report:run", args=[run.pk])
    assert Run.objects.count() == 1


@pytest.mark.soak
def test_the_question_is_asked_in_chinese(browser: Client) -> None:
    asked = asking_run()
    address = reverse("report:run", args=[asked.pk]).replace("/en/", "/zh-hans/")
    page = browser.get(address).content.decode()
    assert "列出全部" in page
    assert "等你决定" in page
