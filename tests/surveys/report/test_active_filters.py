import pytest

from surveys.models import RuleRow, Run, Version
from surveys.questionnaire.labels import labels_of
from surveys.report.rule_rows import RuleQuery
from surveys.report.rules import filter_text
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
