"""The text for a paper has a field for the published reliability of each scale, and a gap without it."""

import html

import pytest
from django.test import Client
from django.urls import reverse

from surveys.models import Run
from surveys.report.results.published_reliability import ReliabilityForm, scales_of
from tests.fixtures.composite_drafts import composite_document, screened_bodies, screening_document
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.runs import SINGLES, alice, mined_run
from tests.fixtures.violence_survey import violence_answered

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    version = published(screening_document())
    stored(version, screened_bodies(version.to_design(), 200))
    return mined_run(closed(version), SINGLES)


def paper_of(run: Run, query: str = "") -> str:
    client = Client()
    client.force_login(alice())
    page = client.get(f"{reverse('report:paper', args=[run.pk])}{query}")
    return html.unescape(page.content.decode())


@pytest.mark.soak
def test_scores_have_a_field_but_lists_of_acts_and_filters_have_none(run: Run) -> None:
    assert list(scales_of(run)) == ["risky", "total"]
    page = paper_of(run)
    assert "Published reliability of “risky?”: [write it here, with its source]." in page
    assert "“risky？”已发表的信度：[在此写明，并注明出处]。" in page
    assert 'name="reliability-any"' not in page


@pytest.mark.soak
def test_what_is_written_into_the_field_stands_in_both_texts(run: Run) -> None:
    page = paper_of(run, "?reliability-risky=.86+%28Sample+2020%29.&reliability-total=")
    assert "Published reliability of “risky?”: .86 (Sample 2020)." in page
    assert "“risky？”已发表的信度：.86 (Sample 2020)。" in page
    assert "Published reliability of “total?”: [write it here, with its source]." in page
    assert 'value=".86 (Sample 2020)."' in page


def test_a_text_that_is_too_long_is_refused_at_its_field(run: Run) -> None:
    form = ReliabilityForm({"reliability-risky": "9" * 201}, run)
    assert "risky" in form.errors
    assert form.stated == {}
    assert "[write it here, with its source]" in paper_of(run, f"?reliability-risky={'9' * 201}")


@pytest.mark.soak
def test_a_survey_of_acts_has_no_such_form() -> None:
    page = paper_of(mined_run(violence_answered(), SINGLES))
    assert "Put into the text" not in page
    assert "their reliability (such as Cronbach’s alpha)" in page


@pytest.mark.soak
def test_two_halves_need_no_published_figure() -> None:
    version = published(composite_document("two halves"))
    assert scales_of(Run(version=version)) == {}
