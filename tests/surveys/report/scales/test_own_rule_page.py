"""Parts joined on a page: known answers come back, and what would tell of few people is refused in words."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from urllib.parse import urlencode

import pytest
from django.test import Client

from privacy.estimation import RuleMeasures
from surveys.figures.scales.combined_estimates import joined_measures
from surveys.models import Run
from surveys.questionnaire.labels import labels_of
from surveys.report.scales.own_rule_form import LEFT, RIGHT, JoinForm
from tests.cast.runs import alice, mined
from tests.cast.scale_runs import CARE, HOURS, WAGE, scale_answered, true_rows

pytestmark = pytest.mark.django_db

LONG_HOURS = {f"side-{HOURS}": "left", f"from-{HOURS}": "50"}
BY_THE_RIVER = {f"side-{CARE}": "right", f"region-{CARE}": "care=river"}

CORNER = {f"side-{CARE}": "right", f"region-{CARE}": "box"} | {
    f"{edge}-{CARE}": text
    for edge, text in {"west": "118.715", "south": "32.017", "east": "118.72", "north": "32.02"}.items()
}
"""A rectangle outside the sensitive places, where nobody is."""


def form_of(run: Run, given: Mapping[str, object]) -> JoinForm:
    design = run.version.to_design()
    texts = dict.fromkeys((HOURS, WAGE, CARE), ("?", ""))
    return JoinForm(given, design=design, labels=labels_of(run.version, design), texts=texts)


def measured(run: Run, given: Mapping[str, object]) -> RuleMeasures:
    form = form_of(run, given)
    assert form.is_valid(), form.errors
    return joined_measures(run, form.sides[LEFT].side, form.sides[RIGHT].side)


@pytest.mark.soak
def test_a_number_and_a_place_and_an_item_come_back_joined_within_their_errors() -> None:
    run = mined(scale_answered(3_000))
    people = list(true_rows(3_000))
    long = [row for row in people if row["time"]["hours"] >= 5]
    river = [row for row in long if row["places"]["care"] == "river"]
    drinking = [row for row in river if row["life"]["drink"]]
    found = measured(run, LONG_HOURS | BY_THE_RIVER)
    error = found.support.standard_error
    assert error is not None
    assert abs(found.support.value - len(river) / 3_000) < 5 * error
    assert found.confidence.low < len(river) / len(long) < found.confidence.high
    assert found.lift.low > 1
    drink = next(item.index for item in run.version.to_design().items if item.key == "drink")
    more = measured(run, LONG_HOURS | BY_THE_RIVER | {"right": [str(drink)]})
    error = more.support.standard_error
    assert error is not None
    assert abs(more.support.value - len(drinking) / 3_000) < 5 * error


@pytest.mark.soak
def test_the_page_shows_the_rule_with_its_error_and_leads_from_the_run(client: Client) -> None:
    run = mined(scale_answered(1_500))
    client.force_login(alice())
    here = f"/en/staff/runs/{run.pk}/join/"
    assert f'href="{here}"' in client.get(f"/en/staff/runs/{run.pk}/itemsets/").content.decode()
    assert "Standard error" not in client.get(here).content.decode()
    text = client.get(here, LONG_HOURS | BY_THE_RIVER).content.decode()
    for words in (
        "hours from 50 to 79",
        "care: By the river",
        "Standard error of the support: .0",
        "undisguised ones would say as exactly",
        "95 %, for a rule named in advance",
    ):
        assert words in text
    # What was left empty is not in the rule's address, and its files are asked for as the page is.
    query = urlencode({f"side-{HOURS}": "left", f"from-{HOURS}": "50"} | BY_THE_RIVER).replace("&", "&amp;")
    for address in (f"http://testserver{here}?", f"{here}rule.csv?", f"{here}rule.json?"):
        assert f'href="{address}{query}"' in text
    client.logout()
    for path in ("", "rule.csv", "rule.json"):
        assert client.get(here + path, LONG_HOURS | BY_THE_RIVER).status_code == 302


@pytest.mark.soak
def test_a_joined_rule_leaves_as_it_is_told_and_its_address_leads_back(client: Client) -> None:
    run = mined(scale_answered(1_500))
    client.force_login(alice())
    here = f"/en/staff/runs/{run.pk}/join/"
    given = LONG_HOURS | BY_THE_RIVER | {f"to-{HOURS}": "", f"west-{CARE}": "118.7"}
    told = client.get(here + "rule.json", given).json()
    found = measured(run, LONG_HOURS | BY_THE_RIVER)
    rule = told["rule"]
    assert (rule["antecedent"], rule["consequent"]) == (["hours=50..79"], ["care=river"])
    assert (rule["antecedent_label"], rule["n"]) == ("hours from 50 to 79", 1_500)
    for name in ("support", "confidence", "lift", "leverage", "conviction"):
        one = getattr(found, name)
        assert (rule[name], rule[f"{name}_low"]) == (one.value, one.low)
    assert rule["support_se"] == found.support.standard_error
    assert (told["run"], told["tests"], told["intervals_about"]) == (run.pk, None, "population")
    assert "named before its figures were seen" in told["method"]
    sent = b"".join(client.get(here + "rule.csv", given)).decode()
    (row,) = csv.DictReader(io.StringIO(sent))
    assert (row["antecedent"], row["consequent_label"]) == ("hours=50..79", "care: By the river")
    assert float(row["lift_high"]) == rule["lift_high"]
    again = client.get(told["address"]).content.decode()
    assert "hours from 50 to 79" in again
    assert f"west-{CARE}" not in told["address"]


@pytest.mark.soak
def test_who_was_asked_one_of_two_parts_that_take_turns_counts_for_their_rule_too(client: Client) -> None:
    run = mined(scale_answered(3_000, policy="protected", turns=True))
    people = list(true_rows(3_000))
    both = sum(row["time"]["hours"] >= 5 and row["places"]["care"] == "river" for row in people)
    found = measured(run, LONG_HOURS | BY_THE_RIVER)
    error = found.support.standard_error
    assert error is not None
    assert abs(found.support.value - both / 3_000) < 5 * error
    # A third of the people were asked both parts, everybody at least one of them.
    assert (found.n_used, abs(found.n - 1_000) < 5 * 26) == (3_000, True)
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/join/", LONG_HOURS | BY_THE_RIVER).content.decode()
    assert "Whoever was asked some of the rule counts for it, too: 3,000 answers." in text


def test_a_file_of_a_rectangle_says_where_it_is() -> None:
    run = mined(scale_answered(400))
    form = form_of(run, LONG_HOURS | CORNER)
    assert form.is_valid()
    (key,) = form.sides[RIGHT].keys
    west, south, east, north = (float(edge) for edge in key.removeprefix("care=").split(","))
    assert 118.71 < west <= 118.715 < east <= 118.7200001
    assert 32.01 < south <= 32.017 < north <= 32.0200001
    assert form_of(run, dict(pair.split("=") for pair in form.address().split("&"))).is_valid()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (LONG_HOURS, "Put a part or an item on each side."),
        (LONG_HOURS | BY_THE_RIVER | {f"from-{HOURS}": "80"}, "80 is outside 0 to 79"),
        (LONG_HOURS | CORNER | {f"north-{CARE}": ""}, "Give all four edges of the rectangle."),
        (LONG_HOURS | CORNER | {f"west-{CARE}": "118.7199"}, "Give a rectangle on the map"),
        (LONG_HOURS | CORNER, "Fewer than 10 people seem to be in it. Choose larger parts"),
    ],
    ids=["one side", "outside", "no rectangle", "too small", "few people"],
)  # fmt: skip
def test_what_cannot_be_joined_or_told_is_said(client: Client, given: dict[str, str], words: str) -> None:
    run = mined(scale_answered(400))
    client.force_login(alice())
    response = client.get(f"/en/staff/runs/{run.pk}/join/", given)
    assert response.status_code == 200
    text = response.content.decode()
    assert words in text
    assert "rule.csv" not in text
    for path in ("rule.csv", "rule.json"):
        assert client.get(f"/en/staff/runs/{run.pk}/join/{path}", given).status_code == 404
