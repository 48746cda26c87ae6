"""What the audit page of a run says of rows that give a number or a place away."""

from __future__ import annotations

import pytest
from django.test import Client

from surveys.audit.lone_rows import lone_rows_lines
from surveys.report.outcome import run_page
from tests.surveys.report.cast import alice, mined
from tests.surveys.report.lone.cast import lone_answered

pytestmark = pytest.mark.django_db


def test_the_page_says_how_many_rows_give_their_answer_away(client: Client) -> None:
    run = mined(lone_answered(1_500))
    lines = lone_rows_lines(run, run_page(run, run.version.to_design()))
    assert [line.key for line in lines] == ["hours", "wage", "care"]
    care = lines[-1]
    # Places outside are sent as they are; at epsilon 3 a bin of a wage is never sure.
    assert (care.n, care.highest) == ("1,500", "100 %")
    assert 30 < float(care.shares[2].removesuffix(" %")) < 70
    assert lines[1].shares[2] == "0 %"
    client.force_login(alice())
    text = client.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()
    assert "Numbers and places" in text
    assert all(share in text for share in care.shares)


def test_too_few_answers_are_not_looked_at() -> None:
    run = mined(lone_answered(180, hours_of_the_old=True))
    hours = lone_rows_lines(run, run_page(run, run.version.to_design()))[0]
    assert "Too few people sent a disguised answer to hours" in hours.problem
    assert hours.shares == ()
