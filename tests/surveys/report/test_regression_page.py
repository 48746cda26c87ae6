"""The page of a run that regresses an answer on others."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.cast.runs import alice, answered, mined

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_sentence_in_shares_comes_before_the_tables(client: Client) -> None:
    run = mined(answered(4000, n_direct=600))
    items = {item.key: item.index for item in run.version.to_design().items}
    client.force_login(alice())
    address = f"/en/staff/runs/{run.pk}/regression/"
    empty = client.get(address)
    assert empty.status_code == 200
    assert 'aria-current="page">Regression' in empty.content.decode()
    assert empty.context["fitted"] is None
    page = client.get(address, {"response": items["drink"], "by": 0, "disguised": items["late"]})
    text = page.content.decode()
    fitted = page.context["fitted"]
    sentence = re.search(
        r"Standardised: age: Below 40 (\S+) %, age: 40 or older (\S+) %, "
        r"difference (\S+) points \[(\S+), (\S+)\]\.",
        text,
    )
    assert sentence is not None
    young, old, difference = (float(part.replace("−", "-")) for part in sentence.groups()[:3])
    assert difference == pytest.approx(old - young, abs=0.11)
    assert text.index("Standardised: age") < text.index("Odds ratios") < text.index("robust errors")
    assert [line.name for line in fitted.odds] == ["age: 40 or older", "late", "constant"]
    assert [line.name for line in fitted.shares] == ["age: Below 40", "age: 40 or older", "late: no", "late"]
    assert fitted.n == "4,000"


def test_a_refusal_is_said_in_words_and_in_the_language_of_the_page(client: Client) -> None:
    run = mined(answered(2000, n_direct=300))
    items = {item.key: item.index for item in run.version.to_design().items}
    client.force_login(alice())
    address = f"/en/staff/runs/{run.pk}/regression/"
    nothing = client.get(address, {"response": items["drink"]})
    assert nothing.status_code == 422
    assert "Nothing predicts the answer. Choose at least one predictor." in nothing.content.decode()
    unknown = client.get(address, {"response": 99, "by": 0})
    assert unknown.status_code == 422
    assert unknown.context["fitted"] is None
