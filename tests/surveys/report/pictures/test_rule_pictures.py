import re

import pytest
from django.test import Client

from mining.thresholds import Sides, Thresholds
from surveys.figures.rule_query import RuleQuery
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import labels_of
from surveys.report.pictures.rule_pictures import (
    MOST_RULES,
    drawn_rules,
    panels_of,
    rule_pictures,
    support_pictures,
)
from tests.cast.runs import alice, answered, asked, mined

pytestmark = pytest.mark.django_db

ONE_PANEL_EACH = Thresholds(support=0.02, sides=Sides(consequent=(2, 3), longest_consequent=1))


def test_each_consequent_has_a_panel_and_its_share_of_everybody() -> None:
    run = mined(answered(), ONE_PANEL_EACH)
    labels = labels_of(run.version, run.version.to_design())
    panels = panels_of(drawn_rules(run, RuleQuery()), run, labels)
    assert {panel.title for panel in panels} == {"late", "cheat"}
    for panel in panels:
        item = {"late": ",2,", "cheat": ",3,"}[panel.title]
        assert panel.base == run.itemsets.get(items=item).support
    assert sum(len(panel.marks) for panel in panels) == run.rules.count()


def test_many_consequents_share_one_panel() -> None:
    run = mined(answered())
    labels = labels_of(run.version, run.version.to_design())
    (panel,) = panels_of(drawn_rules(run, RuleQuery()), run, labels)
    assert panel.base is None
    assert "→" in panel.marks[0].label


@pytest.mark.parametrize(("thresholds", "has_base"), [(ONE_PANEL_EACH, True), (None, False)])
def test_the_dashed_line_is_spoken_of_where_one_is_drawn(
    thresholds: Thresholds | None, has_base: bool, client: Client
) -> None:
    run = mined(answered(), thresholds) if thresholds else mined(answered())
    found = rule_pictures(run, RuleQuery(), labels_of(run.version, run.version.to_design()))
    assert found.has_base is has_base
    assert any('class="base"' in panel for panel in found.panels) is has_base
    client.force_login(alice())
    page = client.get(f"/en/staff/runs/{run.pk}/pictures/").content.decode()
    assert ("dashed line" in page) is has_base


def test_the_page_follows_the_filter_and_has_its_table(client: Client) -> None:
    run = mined(answered())
    client.force_login(alice())
    address = f"/en/staff/runs/{run.pk}"
    query = "?item=4&side=consequent&sort=-lift"
    text = client.get(f"{address}/pictures/{query}").content.decode()
    matching = run.rules.filter(consequent__contains=",4,")
    assert f"{matching.count()} of {run.rules.count()} rules" in text
    assert text.count("The same as a table") == 1
    links = set(re.findall(rf'href="{address}/rules/(\d+)/', text))
    strongest = matching.filter(support__isnull=False, confidence__isnull=False).order_by("-lift")
    assert links == {str(pk) for pk in strongest.values_list("pk", flat=True)[:MOST_RULES]}
    none = client.get(f"{address}/pictures/?lift_from=999").content.decode()
    assert "No rule at all: <strong>lift from 999</strong>" in none
    assert "<svg" not in none
    waiting = asked(run.version)
    assert client.get(f"/en/staff/runs/{waiting.pk}/pictures/").status_code == 302


def test_pages_of_staff_are_sent_compressed(client: Client) -> None:
    client.force_login(alice())
    address = f"/en/staff/runs/{mined(answered()).pk}/pictures/"
    plain = client.get(address).content
    sent = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert sent.headers["Content-Encoding"] == "gzip"
    assert len(sent.content) < len(plain) / 3


def test_the_picture_shows_the_first_rules_of_the_query_and_the_twin_the_same_ones() -> None:
    run = mined(answered(), ONE_PANEL_EACH)
    labels = labels_of(run.version, run.version.to_design())
    query = RuleQuery(item=4, sort="-support")
    pictures = rule_pictures(run, query, labels)
    drawn = drawn_rules(run, query)
    assert list(pictures.rows) == drawn
    assert sum(panel.count('class="mark"') for panel in pictures.panels) == len(drawn)


def test_a_picture_draws_no_more_rules_than_can_be_told_apart() -> None:
    run = mined(answered(), ONE_PANEL_EACH)
    RuleRow.objects.bulk_create(
        RuleRow(
            run=run, antecedent=f",{number % 5},{number},", consequent=",2,", antecedent_size=2,
            consequent_size=1, n=800, support=0.1, confidence=0.3, lift=9.0,
        )
        for number in range(100, 100 + MOST_RULES)
    )  # fmt: skip
    assert len(drawn_rules(run, RuleQuery())) == MOST_RULES


def test_naive_against_robust_needs_two_groups_that_may_be_told_apart() -> None:
    def picture(run: Run) -> object:
        return support_pictures(run, labels_of(run.version, run.version.to_design()))

    assert picture(mined(answered(n_direct=160))) is not None
    assert picture(mined(answered(n_direct=40, slug="few"))) is None
    assert picture(mined(answered(n_direct=0, slug="none", policy="protected"))) is None
