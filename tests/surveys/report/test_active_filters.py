import pytest

from surveys.models import RuleRow, Run, Version
from surveys.questionnaire.labels import labels_of
from surveys.report.rule_rows import RuleQuery
from surveys.report.rules import emptying_filters, filter_text
from tests.fixtures.runs import answered, asked

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    found = asked(answered())
    for number in range(4):
        RuleRow.objects.create(
            run=found, antecedent=f",{number},", consequent=",4,", antecedent_size=1, consequent_size=1,
            n=800, lift=1 + number, support=0.1,
        )  # fmt: skip
    return found


def labels(run: Run):
    version = Version.objects.get(pk=run.version_id)
    return labels_of(version, version.to_design())


def said(run: Run, query: RuleQuery) -> list[tuple[str, int, int]]:
    found = emptying_filters(run, query)
    return [(filter_text(part, labels(run)), alone, others) for part, alone, others in found]


def test_every_filter_is_named_and_its_address_leads_on_without_it(run: Run) -> None:
    query = RuleQuery(
        text="late", item=2, side="not", length=2, holds="no", redundant="yes", maximal="no",
        verdict="rejected", limits=(("lift_from", 1.0),),
    )  # fmt: skip
    parts = list(query.parts())
    assert [filter_text(part, labels(run)) for part in parts] == [
        "contains “late”", "2 items", "does not pass the test", "redundant", "in a longer itemset",
        "verdict: rejected", "late on neither side", "lift from 1",
    ]  # fmt: skip
    addresses = [query.without(part).address() for part in parts]
    assert len({*addresses}) == len(parts)
    assert "lift_from" not in addresses[-1]


def test_the_filter_that_lets_nothing_through_by_itself_is_named_alone(run: Run) -> None:
    query = RuleQuery(length=2, limits=(("lift_from", 99.0), ("support_from", 0.05)))
    assert said(run, query) == [("lift from 99", 0, 4)]


def test_filters_that_only_together_let_nothing_through_are_named_the_best_way_out_first(
    run: Run,
) -> None:
    query = RuleQuery(item=0, limits=(("lift_from", 2.0),))
    assert said(run, query) == [
        ("age: Below 40 on either side", 1, 3),
        ("lift from 2", 3, 1),
    ]
