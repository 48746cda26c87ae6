import math
import random
from itertools import pairwise

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext

from surveys.models import Batch, ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run, Version
from surveys.questionnaire.labels import labels_of
from surveys.report.rules.rule_rows import (
    LIMITS,
    RULES_PER_PAGE,
    SHOWN,
    SORTS,
    RuleQuery,
    rule_keys,
    rule_page,
    rules_matching,
    true_measures,
)
from surveys.report.rules.rules import ItemsetFilterForm, ItemsetQuery, itemset_page, itemsets_matching
from tests.fixtures.pages import open_page
from tests.fixtures.runs import (
    LOOSE,
    SINGLES,
    alice,
    answered_version,
    in_ledger,
    mined_run,
    requested_run,
    rule_row,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return in_ledger(requested_run(answered_version()))


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


def test_true_measures_are_computed_from_true_shares() -> None:
    row = RuleRow(truth=0.1, truth_antecedent=0.2, truth_consequent=0.4)
    assert true_measures(row) == pytest.approx(
        {"support": 0.1, "confidence": 0.5, "lift": 1.25, "leverage": 0.02, "conviction": 1.2}
    )
    assert true_measures(RuleRow()) == {}


@pytest.mark.parametrize(
    ("truth", "before", "after", "missing"),
    [
        (0.0, 0.0, 0.4, {"confidence", "lift", "conviction"}),
        (0.2, 0.2, 0.4, {"conviction"}),
        (0.0, 0.2, 0.0, {"lift"}),
    ],
)
def test_true_measures_with_a_zero_denominator_are_omitted(
    truth: float, before: float, after: float, missing: set[str]
) -> None:
    row = RuleRow(truth=truth, truth_antecedent=before, truth_consequent=after)
    assert {"support", "confidence", "lift", "leverage", "conviction"} - set(true_measures(row)) == missing


def test_n_is_shown_where_rules_use_different_numbers_of_respondents(run: Run) -> None:
    rule_row(run, ",1,", ",2,", n=800)
    assert rule_page(run, RuleQuery()).shows_n is False
    rule_row(run, ",3,", ",2,", n=412)
    assert rule_page(run, RuleQuery()).shows_n is True


def address(row: RuleRow, query: str = "") -> str:
    return f"/en/staff/runs/{row.run_id}/rules/{row.pk}/{query}"


def text_of(client: Client, path: str) -> str:
    client.force_login(alice())
    return open_page(client, path)


@pytest.fixture
def finished_run() -> Run:
    return mined_run(answered_version(), LOOSE)


def test_the_rule_page_shows_table_test_measures_questions_and_verdict_link(
    client: Client, finished_run: Run
) -> None:
    row = finished_run.rules.get(antecedent=",2,", consequent=",3,")
    text = text_of(client, address(row))
    for shown in (
        "Estimated 2×2 table", "not: late", "Benjamini–Yekutieli",
        f"M = {finished_run.summary['inference']['family']['lift']} possible associations",
        "Have you cheated?", f"http://testserver{address(row)}", "Give a verdict",
        "This many false answers would overturn the rule",
    ):  # fmt: skip
        assert shown in text
    assert f"<dd>{row.inference.flips}<br>" in text
    RuleInference.objects.filter(rule=row).update(flips=None)
    text = text_of(client, address(row))
    assert '<dd>–<br> <span class="soft">No number of false answers was found that changes' in text
    assert "would overturn" not in text


def test_the_back_link_keeps_the_filter_and_redundant_rules_name_their_cause(
    client: Client, finished_run: Run
) -> None:
    redundant = (
        RuleInference.objects.filter(rule__run=finished_run)
        .exclude(redundant_by="")
        .select_related("rule")[0]
    )
    query = RuleQuery(item=4, side="consequent", sort="support").address()
    text = text_of(client, address(redundant.rule, query))
    assert f'/runs/{finished_run.pk}/{query.replace("&", "&amp;")}#rules">Filtered rules' in text
    assert "alone explains it" in text


def test_the_table_is_refused_when_the_batches_changed(client: Client, finished_run: Run) -> None:
    Run.objects.filter(pk=finished_run.pk).update(snapshot_digest="0" * 64)
    text = text_of(client, address(finished_run.rules.first()))
    assert "The batches of this run have changed" in text
    assert Batch.objects.exists()


def test_a_rule_is_found_only_under_its_own_run(reader: Client, finished_run: Run) -> None:
    other = requested_run(finished_run.version)
    row = finished_run.rules.first()
    assert reader.get(f"/en/staff/runs/{finished_run.pk}/rules/999999999/").status_code == 404
    assert reader.get(f"/en/staff/runs/{other.pk}/rules/{row.pk}/").status_code == 302
    assert reader.get(f"/en/staff/runs/{finished_run.pk}/rules/{'9' * 40}/").status_code == 404


def itemset(run: Run, items: str, support: float, **values: object) -> ItemsetRow:
    return ItemsetRow.objects.create(
        run=run, items=items, size=items.count(",") - 1, support=support,
        **{"n": 803, "support_se": 0.01, "error": 0.008, "support_low": 0.1, "support_high": 0.3, **values},
    )  # fmt: skip


def test_itemsets_are_filtered_by_item_size_and_support_and_sorted(run: Run) -> None:
    for items, support in ((",1,", 0.4), (",1,2,", 0.2), (",11,", 0.3), (",2,", 0.35)):
        itemset(run, items, support)

    def found(**asked_for: object) -> list[str]:
        return [row.items for row in itemsets_matching(run, ItemsetQuery(**asked_for))]

    assert found() == [",1,", ",2,", ",11,", ",1,2,"]
    assert found(sort="support") == [",1,2,", ",11,", ",2,", ",1,"]
    assert found(item=1) == [",1,", ",1,2,"]
    assert found(size=2) == [",1,2,"]
    assert found(least=0.33) == [",1,", ",2,"]
    # Item 1 is "40 or older" of "How old are you?", item 2 "Are you often late?".
    assert found(text="OLD") == [",1,", ",1,2,"]
    assert found(text="late older") == [",1,2,"]
    assert found(text="nowhere") == []


def test_itemset_pages_show_item_names_and_every_error(run: Run) -> None:
    itemset(
        run, ",1,2,", 0.2, direct=0.25, direct_se=0.02, protected=0.19, protected_se=0.01,
        stratified=0.2, stratified_se=0.01, pooled=0.22, pooled_se=0.01,
    )  # fmt: skip
    ItemsetInference.objects.create(
        itemset=run.itemsets.get(), groups_p_value=0.00004, maximal=True, closed=True
    )
    page = itemset_page(run, ItemsetQuery())
    assert page.shows_groups
    run.summary = {"withheld": None}
    version = Version.objects.get(pk=run.version_id)
    shown = {"itemsets": page, "run": run, "labels": labels_of(version, version.to_design())}
    text = render_to_string("report/run_itemsets.html", shown)
    assert '<th scope="row">age: 40 or older, late</th>' in text
    for figure in (".0080", "803", "&lt; .0001"):
        assert f'<td class="num">{figure}</td>' in text
    for value, width in ((".200", ".010"), (".220", ".010"), (".250", ".020"), (".190", ".010")):
        assert f'{value} <span class="pm">({width})</span></td>' in text


def test_both_groups_are_shown_only_if_each_is_large_enough() -> None:
    def shows(version: Version) -> bool:
        return itemset_page(mined_run(version, SINGLES), ItemsetQuery()).shows_groups

    assert shows(answered_version(n_direct=160))
    assert not shows(answered_version(n_direct=40, slug="few"))
    assert not shows(answered_version(n_direct=0, slug="none", policy="protected"))


@pytest.mark.parametrize(
    "given", [{"item": "nobody"}, {"size": "-1"}, {"least": "much"}, {"sort": "; DROP TABLE"}, {"page": "0"}]
)
def test_unreadable_filter_values_fall_back_to_the_default(given: dict[str, str]) -> None:
    form = ItemsetFilterForm(given, items=[(0, "a")], longest=3)
    assert form.query() == ItemsetQuery()


def with_test(row: RuleRow, **values: object) -> RuleRow:
    given = {"p_value": 0.2, "p_adjusted": 1.0, "passes": False, **values}
    RuleInference.objects.filter(rule=row).update(**given)
    return row


def found(run: Run, **asked_for: object) -> list[str]:
    return [str(row) for row in rules_matching(run, RuleQuery(**asked_for))]


def test_rules_sort_by_any_measure_and_missing_values_come_last(run: Run) -> None:
    rule_row(run, ",0,", ",2,", lift=2.0)
    rule_row(run, ",1,", ",2,", lift=None)
    rule_row(run, ",3,", ",2,", lift=1.0)
    rule_row(run, ",4,", ",2,", lift=math.inf)
    assert found(run, sort="-lift") == [",4, -> ,2,", ",0, -> ,2,", ",3, -> ,2,", ",1, -> ,2,"]
    assert found(run, sort="lift") == [",3, -> ,2,", ",0, -> ,2,", ",4, -> ,2,", ",1, -> ,2,"]


def test_items_are_searched_on_the_requested_side_and_length_counts_both(run: Run) -> None:
    rule_row(run, ",1,", ",2,")
    rule_row(run, ",2,3,", ",1,")
    rule_row(run, ",11,", ",2,")
    assert len(found(run, item=1)) == 2
    assert found(run, item=1, side="antecedent") == [",1, -> ,2,"]
    assert found(run, item=1, side="consequent") == found(run, length=3) == [",2,3, -> ,1,"]
    assert found(run, item=3, side="consequent") == []
    assert found(run, item=1, side="not") == [",11, -> ,2,"]
    assert found(run, length=2) == [",1, -> ,2,", ",11, -> ,2,"]


def test_a_measure_filter_uses_the_estimate(run: Run) -> None:
    rule_row(run, ",1,", ",2,", lift=1.5, lift_low=0.9, lift_high=2.0)
    rule_row(run, ",3,", ",2,", lift=1.4, lift_low=1.1, lift_high=1.8)
    rule_row(run, ",4,", ",2,", lift=9.0)
    assert len(found(run, limits=(("lift_from", 1.45),))) == 2
    assert found(run, limits=(("lift_to", 1.4),)) == [",3, -> ,2,"]
    assert found(run, limits=(("lift_from", 1.45), ("lift_to", 8.0))) == [",1, -> ,2,"]
    # Rules of another run are never shown.
    assert found(requested_run(Version.objects.get(pk=run.version_id))) == []


def test_rules_can_be_filtered_by_test_results(run: Run) -> None:
    with_test(rule_row(run, ",1,", ",2,"), passes=True, p_adjusted=0.01, maximal=True)
    with_test(rule_row(run, ",1,3,", ",2,"), redundant_by=",1,")
    assert found(run, holds="yes") == found(run, maximal="yes") == [",1, -> ,2,"]
    assert found(run, redundant="no") == found(run, limits=(("p_adjusted_to", 0.05),)) == [",1, -> ,2,"]
    assert found(run, holds="no") == found(run, redundant="yes") == [",1,3, -> ,2,"]


def test_each_search_word_must_match_a_key_question_or_answer(run: Run) -> None:
    rule_row(run, ",2,", ",3,")
    rule_row(run, ",1,", ",3,")
    rule_row(run, ",1,", ",4,")
    assert found(run, text="CHEAT") == [",2, -> ,3,", ",1, -> ,3,"]
    assert found(run, text="often cheated") == [",2, -> ,3,"]
    assert found(run, text="older cheat") == [",1, -> ,3,"]
    assert found(run, text="nowhere") == []


def test_the_verdict_filter_uses_the_newest_verdict(run: Run) -> None:
    from surveys.models import Verdict

    judged = rule_row(run, ",1,", ",2,")
    rule_row(run, ",3,", ",2,")
    for opinion in ("rejected", "accepted"):
        Verdict(rule=judged, opinion=opinion, by="alice", at="2026-01-01T00:00Z").save()
    assert found(run, verdict="accepted") == [",1, -> ,2,"]
    assert found(run, verdict="rejected") == []
    assert found(run, verdict="none") == [",3, -> ,2,"]


def test_every_sort_order_is_stable_and_contains_every_rule(run: Run) -> None:
    rng = random.Random(3)
    for number in range(12):
        value = rng.choice([0.1, 0.2, None])
        columns = dict.fromkeys(("support", "confidence", "lift", "leverage", "conviction", "error"), value)
        row = rule_row(run, f",{number},", ",20,", **{**columns, "n": rng.choice([800, 900])})
        with_test(row, p_adjusted=rng.choice([0.1, 0.2]), flips=rng.choice([1, 2, None]))
    for sort in SORTS:
        query = RuleQuery(sort=sort)
        keys = rule_keys(run, query)
        assert keys == rule_keys(run, query, 0, 7) + rule_keys(run, query, 7, 12)
        assert len(set(keys)) == 12
        if sort not in ("order", "-order"):
            # Ties are in the order of itemsets; equal p-values are first sorted by largest lift.
            measure = SHOWN.get(sort.removeprefix("-"))
            path = measure.column if measure else "n"
            rows = rules_matching(run, query).values_list("pk", path, "lift")
            value_of = {pk: value for pk, value, _lift in rows}
            of_equals = {
                pk: (-(lift or 0) if measure and measure.name == "p_adjusted" else 0, pk)
                for pk, _value, lift in rows
            }
            assert all(
                of_equals[one] < of_equals[other]
                for one, other in pairwise(keys)
                if value_of[one] == value_of[other]
            )


def test_every_limit_filters_its_own_column(run: Run) -> None:
    low, high = rule_row(run, ",1,", ",2,"), rule_row(run, ",3,", ",2,")
    assert len(LIMITS) > 5
    for name, (measure, end) in LIMITS.items():
        column = SHOWN[measure].column
        for row, value in ((low, 0), (high, 1)):
            held = row.inference if column.startswith("inference__") else row
            setattr(held, column.removeprefix("inference__"), value)
            held.save()
        assert found(run, limits=((name, 0.5),)) == [str(high if end == "from" else low)]


def test_the_url_keeps_the_filter_and_omits_defaults() -> None:
    query = RuleQuery(item=3, side="consequent", limits=(("lift_from", 1.0), ("support_to", 0.25)), page=4)
    assert query.address() == "?item=3&side=consequent&page=4&lift_from=1&support_to=0.25"
    assert query.address(page=1, limits=()) == "?item=3&side=consequent"
    assert RuleQuery(side="not").address() == RuleQuery().address() == "?"


def test_sorting_and_paging_do_not_count_as_filters() -> None:
    assert not RuleQuery(sort="support", page=3, measures="all", predicted="yes").filters
    for filters in ({"text": "late"}, {"item": 0}, {"holds": "yes"}, {"limits": (("lift_from", 1.0),)}):
        assert RuleQuery(**filters).filters  # type: ignore[arg-type]
