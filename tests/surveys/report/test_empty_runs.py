import pytest
from django.test import Client

from mining.thresholds import Sides, Thresholds
from surveys.models import Version
from surveys.report.rules import advice_without_rules
from tests.fixtures.runs import alice, answered, mined

pytestmark = pytest.mark.django_db

ONE_SIDE = Sides(antecedent=(2,), consequent=(2,))


@pytest.fixture
def version() -> Version:
    return answered()


@pytest.mark.soak
@pytest.mark.parametrize(
    ("thresholds", "advice"),
    [
        (Thresholds(support=0.02, max_size=1), ["Allow itemsets of at least 2 items"]),
        (Thresholds(support=0.02, sides=ONE_SIDE), ["Allow more questions before or after the arrow"]),
        (Thresholds(support=0.9), ["Lower the support, now from 0.9"]),
        (
            Thresholds(support=0.02, confidence=1, lift=50),
            ["confidence from 1, lift from 50", "Lower the support, now from 0.02"],
        ),
    ],
)
def test_an_empty_run_says_what_would_help(
    client: Client, version: Version, thresholds: Thresholds, advice: list[str]
) -> None:
    run = mined(version, thresholds)
    assert not run.rules.exists()
    found = advice_without_rules(run, thresholds)
    assert len(found) == len(advice)
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/").content.decode()
    for said, expected in zip(found, advice, strict=True):
        assert expected in said
        assert said in text
        assert said in client.get(f"/en/staff/runs/{run.pk}/tests/").content.decode()
    # The page of tests and the files of an empty run open without errors.
    for path in ("tests/", "rules.csv", "rules.json", "?lift_from=1"):
        assert client.get(f"/en/staff/runs/{run.pk}/{path}").status_code == 200
