"""All pages state a finding with the same sentence, direction and figures, and one interval per share."""

import re

import pytest
from django.test import Client
from django.utils import timezone, translation
from django.utils.html import escape

from mining.thresholds import Thresholds
from surveys.accounts.page_sharing import page_share
from surveys.models import Run, SharedPage, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.labels import labels_of
from surveys.report.opened_run import with_results
from surveys.report.results.planned_question import your_question
from surveys.report.results.results import clearest_rules_of
from surveys.report.rules.itemset_query import ItemsetQuery
from surveys.report.rules.itemsets import itemset_page
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import rules_by_key
from surveys.report.rules.rule_table import rule_page
from surveys.report.rules.rule_text import rule_text
from surveys.report.rules.verdicts import verdict_give
from surveys.report.rules.waiting_rules import waiting_rules
from surveys.runs.comparisons import others_of
from surveys.runs.rule_levels import levels_of
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import alice, answered_version, mined_run, planned_version

pytestmark = pytest.mark.django_db
AIM = Aim(
    people=900, wanted=("late", "cheat"), names={"late": {"en": "Often late"}, "cheat": {"en": "Cheated"}}
)


@pytest.fixture
def run() -> Run:
    return mined_run(planned_version(AIM), Thresholds(support=0.2, max_size=2))


def pages_of(client: Client, run: Run, language: str) -> dict[str, str]:
    """Return all pages that state the finding, in that language."""
    who = alice()
    client.force_login(who)
    _shared, secret = page_share(
        run.survey, SharedPage.Kind.RESULTS, run=run, days=7, by=who.username, now=timezone.now()
    )
    staff = f"/{language}/staff/runs/{run.pk}/"
    addresses = {
        "results": f"{staff}results/",
        "print": f"{staff}report/",
        "paper": f"{staff}paper/",
        "compare": f"{staff}compare/?outcome=cheat&by=late",
        "shared": f"/{language}/shared/{secret}/",
        "shared print": f"/{language}/shared/{secret}/report/",
    }
    return {name: client.get(address).content.decode() for name, address in addresses.items()}


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_all_pages_state_the_planned_finding_in_one_sentence(client: Client, run: Run, language: str) -> None:
    sentences = {}
    for each in ("en", "zh-hans"):
        with translation.override(each):
            yours = your_question(with_results(run))
            assert yours is not None
            sentences[each] = escape(yours.sentences[0])
    assert sentences["en"].index("Often late") < sentences["en"].index("Cheated")
    frame = re.compile(r"(?:Of 100 people|在“)[^<]*?[.。]")
    for name, page in pages_of(client, run, language).items():
        stated = {
            one
            for one in frame.findall(page)
            if "Often late" in one and "Cheated" in one and "否认" not in one
        }
        # The text for a paper has both languages; no page has another direction or other figures.
        assert stated == (set(sentences.values()) if name == "paper" else {sentences[language]}), name


@pytest.mark.soak
def test_the_planned_pair_and_selected_rules_have_different_intervals(reader: Client, run: Run) -> None:
    level, support_level = levels_of(run)
    assert level > support_level > 0.95
    yours = your_question(with_results(run))
    assert yours is not None
    assert yours.comparison is not None
    lines = rule_page(run, RuleQuery(size=200)).lines
    rows = {(row.antecedent, row.consequent): row for row, *_rest in lines}
    having = yours.comparison.comparison.having
    assert rows[",2,", ",3,"].intervals["confidence"] == pytest.approx((having.low, having.high))
    picked = rows[",3,", ",2,"]
    assert picked.intervals["confidence"] == (
        picked.inference.confidence_low, picked.inference.confidence_high,
    )  # fmt: skip
    assert picked.intervals["confidence"][0] < picked.confidence_low
    assert "leverage" not in picked.intervals
    own_levels = f"{100 * support_level:.1f}% intervals."
    address = f"/en/staff/runs/{run.pk}/rules/"
    for page, said in (
        (f"{address}{picked.pk}/", own_levels),
        (f"{address}{rows[',2,', ',3,'].pk}/", "brackets are 95% confidence intervals. </p>"),
        (f"/en/staff/runs/{run.pk}/", f"{own_levels} The planned pair has 95% intervals."),
        (f"/en/staff/runs/{run.pk}/itemsets/", "The planned pair has 95% intervals."),
    ):
        assert said in reader.get(page).content.decode(), page


@pytest.mark.soak
def test_selected_itemsets_and_single_answers_have_different_intervals(reader: Client, run: Run) -> None:
    lines = itemset_page(run, ItemsetQuery()).lines
    assert {row.size for row, _interval in lines} == {1, 2}
    for row, interval in lines:
        plain = row.size == 1 or row.items == ",2,3,"
        own = (row.support_low, row.support_high) if plain else (row.inference.low, row.inference.high)
        assert interval == own, row.items
        assert plain or own[0] < row.support_low
    page = reader.get(f"/en/staff/runs/{run.pk}/itemsets/").content.decode()
    assert "because Sottovoce chose from" in page
    tests = reader.get(f"/en/staff/runs/{run.pk}/tests/").content.decode()
    assert "The planned pair has 95% intervals." in tests
    for row, *_rest in rule_page(run, RuleQuery(size=200)).lines:
        low, high = (f"{end:.3f}".removeprefix("0").replace("-", "−") for end in row.intervals["confidence"])
        assert f"[{low}, {high}]" in tests


@pytest.mark.soak
def test_a_selected_rule_has_the_same_figures_on_every_page(client: Client, run: Run) -> None:
    opened = with_results(run)
    text = next(clearest_rules_of(opened))
    verdict_give(rule=text.rule, opinion="accepted", note="", by=alice(), now=timezone.now())
    pages = pages_of(client, run, "en")
    del pages["compare"]
    pages["rule"] = client.get(f"/en/staff/runs/{run.pk}/rules/{text.rule.pk}/").content.decode()
    pages["verdict"] = client.get(f"/en/staff/runs/{run.pk}/rules/{text.rule.pk}/verdicts/").content.decode()
    for name, page in pages.items():
        assert escape(text.sentence) in page, name
    low, high = (f"{end:.3f}".removeprefix("0") for end in text.rule.intervals["confidence"])
    assert f"[{low}, {high}]" in pages["print"]
    table = client.get(f"/en/staff/runs/{run.pk}/").content.decode()
    for page in (table, pages["rule"]):
        assert low in page
        assert high in page
    plain = f"{text.rule.confidence_low:.3f}".removeprefix("0")
    assert plain != low
    assert plain not in table


@pytest.mark.parametrize("turns", [False, True], ids=["all asked", "rotating"])
@pytest.mark.soak
def test_the_share_of_a_rule_matches_the_comparison(turns: bool) -> None:
    run = mined_run(rotating(1_500) if turns else answered_version(), Thresholds(support=0.05, max_size=2))
    labels = labels_of(run.version, run.design)
    for row in rules_by_key(run, [rule.pk for rule in run.rules.order_by("pk")[:8]]):
        text = rule_text(row, labels, others_of(run, row))
        assert text.others is not None
        assert (text.having.low, text.having.high) == pytest.approx(row.intervals["confidence"])
        a, both = row.support / row.confidence, row.support
        everybody = row.confidence / row.lift
        assert a * text.having.value + (1 - a) * text.others.value == pytest.approx(everybody, abs=0.02)
        assert both == pytest.approx(a * text.having.value)


def test_the_queue_offers_the_planned_direction_first(run: Run) -> None:
    (waiting,) = waiting_rules(Survey.objects.all())
    rows = rules_by_key(run, list(waiting.rules))
    assert (rows[0].antecedent, rows[0].consequent) == (",2,", ",3,")
    assert len({frozenset((row.antecedent, row.consequent)) for row in rows}) == len(rows)
