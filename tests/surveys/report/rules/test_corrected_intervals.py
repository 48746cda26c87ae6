"""A picked rule has intervals of leverage and conviction at the level of its other intervals."""

import pytest
from django.test import Client

from mining.thresholds import Thresholds
from surveys.report.rules.corrected_intervals import corrected_intervals
from surveys.report.rules.rule import rule_of
from surveys.runs.rule_levels import levels_of
from tests.fixtures.runs import alice, answered_version, mined_run

pytestmark = pytest.mark.django_db


@pytest.mark.soak
def test_stored_intervals_follow_at_95_and_wider_ones_at_the_level_of_picked_rules() -> None:
    run = mined_run(answered_version(2_000), Thresholds(support=0.1, lift=1.05, max_size=2))
    row = rule_of(run, run.rules.order_by("pk").values_list("pk", flat=True)[0])
    plain = corrected_intervals(run, row, level=0.95)
    level = levels_of(run, row)[0]
    assert level > 0.95
    picked = corrected_intervals(run, row, level=level)
    for name in ("leverage", "conviction"):
        stored = (getattr(row, f"{name}_low"), getattr(row, f"{name}_high"))
        assert plain[name] == pytest.approx(stored)
        assert picked[name][0] < plain[name][0]  # type: ignore[operator]
        assert picked[name][1] > plain[name][1]  # type: ignore[operator]


@pytest.mark.soak
def test_the_page_of_a_rule_prints_them() -> None:
    run = mined_run(answered_version(2_000))
    client = Client()
    client.force_login(alice())
    first = run.rules.order_by("pk").values_list("pk", flat=True)[0]
    page = client.get(f"/en/staff/runs/{run.pk}/rules/{first}/").content.decode()
    assert "have no such interval" not in page
    row = page.partition("Estimate and interval")[2].partition("</tr>")[0]
    assert row.count('class="ends"') == 5
