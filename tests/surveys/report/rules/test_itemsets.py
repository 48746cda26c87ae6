from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from surveys.models import ItemsetInference, ItemsetRow, Run, Version
from surveys.questionnaire.labels import labels_of
from surveys.report.rules.itemset_query import ItemsetQuery, itemsets_matching
from surveys.report.rules.itemsets import ItemsetFilterForm, itemset_page
from tests.fixtures.runs import SINGLES, answered_version, in_ledger, mined_run, requested_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return in_ledger(requested_run(answered_version()))


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


@pytest.mark.soak
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
    text = render_to_string("report/rules/run_itemsets.html", shown)
    assert '<th scope="row">age: 40 or older, late<div>' in text
    for figure in (".0080", "803", "&lt; .0001"):
        assert f'<td class="num">{figure}</td>' in text
    for value, width in ((".200", ".010"), (".220", ".010"), (".250", ".020"), (".190", ".010")):
        assert f'{value} <span class="pm">({width})</span></td>' in text


@pytest.mark.soak
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
