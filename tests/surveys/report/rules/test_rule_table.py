from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from surveys.models import RuleInference, RuleRow, Run
from surveys.report.rules.rule_query import RULES_PER_PAGE, RuleQuery
from surveys.report.rules.rule_table import rule_page
from tests.fixtures.runs import answered_version, in_ledger, requested_run, rule_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return in_ledger(requested_run(answered_version()))


@pytest.mark.soak
def test_a_page_number_beyond_the_last_shows_the_last_page(run: Run) -> None:
    for number in range(RULES_PER_PAGE + 3):
        rule_row(run, f",{number % 5},", f",{100 + number},", lift=number)
    RuleRow.objects.update(consequent_size=1)
    page = rule_page(run, RuleQuery(page=99, item=None))
    assert (page.pages.page, page.pages.pages, len(page.lines)) == (2, 2, 3)
    assert (page.matching, page.all) == (RULES_PER_PAGE + 3, RULES_PER_PAGE + 3)
    assert [row.lift for row, *_rest in page.lines] == [2.0, 1.0, 0.0]


def test_filtered_pages_also_show_the_total_number_of_rules(run: Run) -> None:
    for number in range(3):
        rule_row(run, f",{number},", ",9,", lift=number)
    run.summary = {"rules": 3}
    filtered = rule_page(run, RuleQuery(item=None, limits=(("lift_from", 1.5),)))
    assert (filtered.matching, filtered.all) == (1, 3)


@pytest.mark.soak
def test_query_count_does_not_grow_with_50_000_rules(run: Run) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            rule_page(run, RuleQuery(item=1, limits=(("lift_from", 0.5),), sort="-conviction"))
        return len(captured)

    rule_row(run, ",1,", ",2,")
    # The first page of a run reads its entry in the ledger.
    queries()
    few = queries()
    rows = RuleRow.objects.bulk_create(
        RuleRow(
            run=run, antecedent=f",1,{5 + number},", consequent=",2,", antecedent_size=2, consequent_size=1,
            n=800, lift=number / 100,
        )
        for number in range(150)
    )  # fmt: skip
    RuleInference.objects.bulk_create(
        RuleInference(rule=row, p_value=1.0, p_adjusted=1.0, passes=False) for row in rows
    )
    assert queries() == few


def test_n_is_shown_where_rules_use_different_numbers_of_respondents(run: Run) -> None:
    rule_row(run, ",1,", ",2,", n=800)
    assert rule_page(run, RuleQuery()).shows_n is False
    rule_row(run, ",3,", ",2,", n=412)
    assert rule_page(run, RuleQuery()).shows_n is True
