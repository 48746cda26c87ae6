"""The list of runs says what each was asked for otherwise than the run before it."""

from __future__ import annotations

import pytest
from django.test import Client

from mining.thresholds import Thresholds
from surveys.models import Run, Version
from surveys.report.overview import changed_settings
from tests.fixtures.runs import alice, answered, mined

pytestmark = pytest.mark.django_db


def test_only_what_differs_from_the_run_before_is_listed() -> None:
    version = answered()
    first = mined(version, Thresholds(support=0.2, max_size=2))
    again = mined(version, Thresholds(support=0.2, max_size=2))
    wider = mined(version, Thresholds(support=0.1, max_size=3))
    found = changed_settings([wider, again, first])
    assert found == {
        wider.pk: ("Support from: 0.2 → 0.1", "Longest itemset: 2 → 3"),
        again.pk: (),
    }


def test_more_answers_and_another_design_and_program_are_said() -> None:
    version = answered()
    first, second = mined(version), mined(version)
    Run.objects.filter(pk=second.pk).update(snapshot_digest="f" * 64, code_version="2.0")
    second.refresh_from_db()
    assert changed_settings([second, first])[second.pk] == ("more answers", "another version of Sottovoce")
    reworded = Version.objects.create(
        survey=version.survey, number=2, published_at=version.published_at, wording=version.wording,
        wording_id="f" * 64, design=version.design, design_id=version.design_id,
    )  # fmt: skip
    Run.objects.filter(pk=second.pk).update(version=reworded)
    second.refresh_from_db()
    assert changed_settings([second, first])[second.pk][0] == "other words"
    Run.objects.filter(pk=second.pk).update(design_id="e" * 64)
    second.refresh_from_db()
    assert changed_settings([second, first])[second.pk] == ("another design", "another version of Sottovoce")


def test_the_page_of_a_survey_lists_it(client: Client) -> None:
    version = answered()
    mined(version, Thresholds(support=0.2, max_size=2))
    mined(version, Thresholds(support=0.1, max_size=2))
    client.force_login(alice())
    page = client.get("/en/staff/surveys/habits/").content.decode()
    assert page.count("Support from: 0.2 → 0.1") == 1
