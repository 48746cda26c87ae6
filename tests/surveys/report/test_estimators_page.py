"""The page of estimators and the form for expressions."""

from dataclasses import replace

import pytest
from django.http import HttpResponse
from django.test import Client

from surveys.errors.error import SurveyError
from surveys.figures.patterns import pattern_table
from surveys.formats.figures import number
from surveys.models import ItemsetInference, ItemsetRow
from surveys.questionnaire.labels import labels_of
from surveys.rows.releasable_rows import rows_behind, rows_of_version
from tests.attack.made_up import profiles_definition
from tests.attack.respondents import Respondents, publish
from tests.cast.devices import stored
from tests.cast.runs import alice, answered, asked, mined

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_estimators_stand_side_by_side_where_the_groups_may_be_told_apart(client: Client) -> None:
    run = mined(answered(2000, n_direct=300))
    rows = ItemsetInference.objects.filter(itemset__run=run)
    # Ages exclude each other: all other sets of up to three items are listed, 5 + 9 + 7.
    assert rows.count() == 21
    # The ages are sent as they are: open answers alone are told of everybody, never by group.
    told = rows.exclude(itemset__items__in=(",0,", ",1,"))
    assert all(0 <= row.groups_p_value <= 1 for row in told)
    assert 0 < told.count() < rows.count()
    by_items = {row.itemset.items: row.consistent for row in rows.select_related("itemset")}
    assert all(by_items[",2,3,"] <= by_items[part] for part in (",2,", ",3,"))
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/estimators/").content.decode()
    assert "p of P0 = P1" in text
    assert 'aria-current="page">Estimators' in text


def table_of(page: HttpResponse) -> str:
    return page.content.decode().split('id="estimators-title"')[1].split("</table>")[0]


@pytest.mark.soak
def test_a_run_from_before_shows_the_estimate_that_it_did_not_store(client: Client) -> None:
    run = mined(answered(2000, n_direct=300))
    client.force_login(alice())
    address = f"/en/staff/runs/{run.pk}/estimators/"
    stored = table_of(client.get(address))
    assert "[" in stored
    ItemsetInference.objects.update(combined=None, combined_se=None, combined_low=None, combined_high=None)
    assert table_of(client.get(address)) == stored


def test_a_combined_figure_of_an_earlier_release_stays_readable(client: Client) -> None:
    run = mined(answered(600, n_direct=30))
    client.force_login(alice())
    address = f"/en/staff/runs/{run.pk}/estimators/"
    assert "combined" not in client.get(address).content.decode()
    ItemsetInference.objects.filter(itemset__run=run).update(
        combined=0.4321, combined_se=0.01, combined_low=0.4, combined_high=0.46
    )
    text = client.get(address).content.decode()
    assert "combined" in text
    assert "[.400, .460]" in text


@pytest.mark.soak
def test_a_small_direct_group_is_neither_compared_nor_combined(client: Client) -> None:
    run = mined(answered(600, n_direct=30))
    rows = ItemsetInference.objects.filter(itemset__run=run)
    assert rows.exclude(groups_p_value=None).count() == 0
    assert rows.exclude(combined=None).count() == 0
    assert rows.exclude(consistent=None).count() == rows.count() > 0
    client.force_login(alice())
    assert client.get(f"/en/staff/runs/{run.pk}/estimators/").status_code == 200


@pytest.mark.soak
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


@pytest.mark.soak
def test_an_itemset_is_taken_apart_into_patterns_that_add_up(client: Client) -> None:
    run = mined(answered(1200, n_direct=200))
    rows = rows_behind(run)
    labels = labels_of(run.version, rows.design)
    apart = pattern_table(rows, (1, 2, 4), labels)
    assert [line.text for line in apart.patterns][::7] == [
        "age: 40 or older, late, drink",
        "age: 40 or older: no, late: no, drink: no",
    ]
    for kind in (lambda line: line.raw.value, lambda line: line.consistent):
        total = sum(float(kind(line).replace("\N{MINUS SIGN}", "-")) for line in apart.patterns)
        assert total == pytest.approx(1, abs=0.01)
    assert len(apart.parts) == 7
    client.force_login(alice())
    page = client.get(f"/en/staff/runs/{run.pk}/estimators/", {"itemset": "late,drink"})
    text = page.content.decode()
    assert "Taken apart: late, drink" in text
    # A figure is called by how it was made; of those who were all asked it is the one of the results.
    assert ">raw<" not in text
    assert text.count(">by itself<") == 2
    told = {line.text: line.raw.value for line in pattern_table(rows, (2, 4), labels).parts}
    kept = ItemsetRow.objects.get(run=run, items=",2,4,")
    assert told["late, drink"] == number(kept.support)


@pytest.mark.parametrize(
    ("named", "said"),
    [("late,nothing", "nothing"), ("late,late", "twice"), ("age=young,age=old", "Nobody has both")],
)
def test_what_is_no_itemset_cannot_be_taken_apart(client: Client, named: str, said: str) -> None:
    run = mined(answered(400, n_direct=0))
    client.force_login(alice())
    page = client.get(f"/en/staff/runs/{run.pk}/estimators/", {"itemset": named})
    assert page.status_code == 422
    assert said in page.content.decode()


def test_few_people_with_the_same_open_answers_are_not_taken_apart() -> None:
    version = publish(profiles_definition("alike", practice=True))
    respondents = Respondents(version)
    protected = {
        block.key: {question.key: 0 for question in block.questions}
        for block in respondents.design.blocks
        if block.protected
    }
    people = [{"age": number % 2, "region": 0, "children": 0} for number in range(20)]
    people.append({"age": 1, "region": 1, "children": 0})
    stored(version, [respondents.row({"you": opened, **protected}) for opened in people])
    rows = rows_of_version(version)
    shy = replace(rows, shown=replace(rows.shown, least_cross=2))
    labels = labels_of(version, rows.design)
    age, region = (rows.design.item(key).index for key in ("age=age1", "region=region0"))
    assert pattern_table(shy, (age,), labels).patterns
    with pytest.raises(SurveyError, match="fewer than 2 people"):
        pattern_table(shy, (age, region), labels)
    many = replace(rows, shown=replace(rows.shown, least_protected=22))
    with pytest.raises(SurveyError, match="Too few protected answers"):
        pattern_table(many, (age,), labels)


def test_a_run_without_a_result_leads_to_its_own_page(client: Client) -> None:
    run = asked(answered())
    client.force_login(alice())
    assert client.get(f"/en/staff/runs/{run.pk}/estimators/").status_code == 302
