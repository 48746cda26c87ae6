import csv
import io
import json

import pytest
from django.test import Client

from surveys.models import Run
from tests.fixtures.runs import alice, answered, asked, mined

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(alice())
    return client


def taken(client: Client, run: Run, name: str) -> str:
    response = client.get(f"/en/staff/runs/{run.pk}/{name}")
    assert response.status_code == 200
    assert "attachment" in response["Content-Disposition"]
    assert response["Cache-Control"].find("no-store") >= 0
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return content.decode()


def test_all_rules_can_be_taken_as_csv_and_json_though_the_page_shows_fifty(staff: Client) -> None:
    run = mined(answered())
    read = list(csv.DictReader(io.StringIO(taken(staff, run, "rules.csv"), newline="")))
    assert len(read) == run.rules.count() > 50
    assert len(json.loads(taken(staff, run, "rules.json"))["rules"]) == len(read)


def test_a_filter_in_the_address_holds_for_the_file(staff: Client) -> None:
    run = mined(answered())
    read = json.loads(taken(staff, run, "rules.json?item=4&side=consequent&length=2"))["rules"]
    assert {tuple(rule["consequent"]) for rule in read} == {("drink",)}
    assert len(read) == run.rules.filter(consequent=",4,", antecedent_size=1).count()


def test_all_itemsets_can_be_taken(staff: Client) -> None:
    run = mined(answered())
    read = list(csv.DictReader(io.StringIO(taken(staff, run, "itemsets.csv"), newline="")))
    assert len(read) == run.itemsets.count()


def test_a_file_of_another_kind_is_none(staff: Client) -> None:
    assert staff.get(f"/en/staff/runs/{mined(answered()).pk}/rules.xls").status_code == 404


@pytest.mark.parametrize("name", ["rules.csv", "rules.json", "itemsets.csv"])
def test_a_run_that_is_not_finished_has_no_files(staff: Client, name: str) -> None:
    run = asked(answered())
    assert staff.get(f"/en/staff/runs/{run.pk}/{name}").status_code == 404
