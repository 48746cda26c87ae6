"""The page of estimators and the form for expressions."""

import pytest
from django.test import Client

from surveys.models import ItemsetInference
from tests.surveys.report.cast import alice, answered, asked, mined

pytestmark = pytest.mark.django_db(transaction=True)


def test_estimators_stand_side_by_side_where_the_groups_may_be_told_apart(client: Client) -> None:
    run = mined(answered(2000, n_direct=300))
    rows = ItemsetInference.objects.filter(itemset__run=run)
    single = rows.filter(itemset__size=1)
    assert single.exclude(combined=None).count() == single.count()
    for row in single.select_related("itemset"):
        # Both groups were drawn alike, so the estimators agree within their errors.
        assert abs(row.combined - row.itemset.support) < 6 * row.itemset.support_se + 1e-9
        assert row.combined_low <= row.combined <= row.combined_high
        assert 0 <= row.groups_p_value <= 1
    by_items = {row.itemset.items: row.consistent for row in rows.select_related("itemset")}
    assert all(by_items[",2,3,"] <= by_items[part] for part in (",2,", ",3,"))
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/estimators/").content.decode()
    assert "p of P0 = P1" in text
    assert 'aria-current="page">Estimators' in text


def test_a_small_direct_group_is_neither_compared_nor_combined(client: Client) -> None:
    run = mined(answered(600, n_direct=30))
    rows = ItemsetInference.objects.filter(itemset__run=run)
    assert rows.exclude(groups_p_value=None).count() == 0
    assert rows.exclude(combined=None).count() == 0
    assert rows.exclude(consistent=None).count() == rows.count() > 0


def test_the_form_answers_expressions_and_refuses_what_it_cannot_read(client: Client) -> None:
    run = mined(answered(1000, n_direct=0))
    client.force_login(alice())
    address = f"/en/staff/runs/{run.pk}/estimators/"
    good = client.get(address, {"expression": "late and not cheat"})
    assert good.status_code == 200
    assert "standard error" in good.content.decode()
    bad = client.get(address, {"expression": "late <b> cheat"})
    assert bad.status_code == 422
    assert "has no meaning" in bad.content.decode()
    assert "<b> cheat" not in bad.content.decode()


def test_a_run_without_a_result_leads_to_its_own_page(client: Client) -> None:
    run = asked(answered())
    client.force_login(alice())
    assert client.get(f"/en/staff/runs/{run.pk}/estimators/").status_code == 302
