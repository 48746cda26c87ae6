"""The older models beside each other: their figures, against what each must find, and what is refused."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from surveys.planner.models_page import START, ModelLine, ModelsForm, model_lines

pytestmark = pytest.mark.django_db


def lines(**given: str) -> list[ModelLine]:
    form = ModelsForm(START | given)
    assert form.is_valid(), form.errors
    return model_lines(form.cleaned_data)


def test_where_everybody_says_the_truth_each_model_finds_it() -> None:
    found = lines(p="100", questions="3", share="50")
    # Under Warner's model nobody says whether the statement is the true one.
    assert [line.estimate.value for line in found[1:]] == pytest.approx([line.true for line in found[1:]])
    # The first question's share, and that of all three together.
    assert {line.together for line in found} == {True, False}
    assert found[2].true < found[0].true


def test_each_model_finds_the_share_within_five_errors_and_the_older_grouping_gives_rows_away() -> None:
    found = lines(n="20000", questions="2", k="20")
    for line in found:
        assert abs(line.estimate.value - line.true) < 5 * line.estimate.standard_error + 0.001, line
    # Mixed rows of those who say the truth: 2 x .3 x .7, of the protected ones 3 in 10.
    assert [line.surely_true is not None for line in found] == [False, False, True, False, False]
    assert abs(found[2].surely_true - 0.126) < 0.02
    assert lines(n="20000", questions="2", k="20") == found


def test_the_page_compares_and_refuses_in_words(admin_client: Client) -> None:
    address = reverse("planner:models")
    assert address in admin_client.get(reverse("planner:planner")).content.decode()
    text = admin_client.get(address).content.decode()
    assert text.count('<th scope="row">') == 5
    # Near a half Warner's statement and its contrary say the same.
    half = admin_client.get(address, START | {"theta": "50"})
    assert half.status_code == 200
    assert sum(1 for line in half.context["lines"] if line.problem) == 1
    for wrong in (
        {"n": "20001"},
        {"theta": "100"},
        {"p": "0"},
        {"questions": "0"},
        {"share": "101"},
        {"k": "100"},
        {"p": "often"},
    ):
        assert admin_client.get(address, START | wrong).status_code == 422
