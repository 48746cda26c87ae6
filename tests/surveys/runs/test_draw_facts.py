"""Tests of the draws of a run."""

import pytest
from django.template.loader import render_to_string

from surveys.models import Run
from surveys.runs.draw_facts import DrawFacts, complete_only, counts_all_rows, draw_facts
from tests.privacy.estimation.test_shapes import ROUTED

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ROUTED)
def test_parts_that_count_only_complete_rows_are_named(name: str) -> None:
    design, all_rows = ROUTED[name]
    assert complete_only(design) == (() if all_rows else ("b",))
    named = DrawFacts(lines=(), complete_only=complete_only(design))
    said = render_to_string("report/rules/partials/draws.html", {"draws": named})
    assert ("The same applies to b." in said) is not all_rows


def test_all_rows_count_if_draws_were_tested_and_none_was_rejected() -> None:
    assert DrawFacts(lines=({"rejects": False}, {"rejects": False})).all_rows
    assert not DrawFacts(lines=({"rejects": False}, {"rejects": True})).all_rows
    assert not counts_all_rows(Run(summary={}))
    assert draw_facts(Run(summary={"draws": None})) is None
