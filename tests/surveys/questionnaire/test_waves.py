"""Waves of a series that are published, and how they count."""

import pytest
from django.utils import timezone

from privacy.risk.budget import budget
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.series_membership import series_of
from surveys.questionnaire.waves import waves_of
from tests.fixtures.checked_surveys import document_of, protected, yes_no

pytestmark = pytest.mark.django_db


REASON = "The board asked for all ten in one part."


def test_waves_of_a_series_add_up_and_exceed_the_ceiling() -> None:
    three = protected("b", *(yes_no(f"q{n}") for n in range(3)))
    # 3 ln 9 = 6.59: the waves that are not published yet count, too.
    first = survey_import(document_of(three, slug="wave-1", series="panel", waves=3), by="ana")
    with pytest.raises(DefinitionError, match=r"wave 2 \(2\.20\), wave 3 \(2\.20\)"):
        survey_publish(first, by="ana", now=timezone.now(), is_readable_seen=True)
    for slug in ("wave-1", "wave-2"):
        survey = survey_import(document_of(three, slug=slug, series="panel", waves=3), by="ana")
        survey_publish(survey, by="ana", now=timezone.now(), reason=REASON, is_readable_seen=True)
        assert series_of(survey) == "panel"
    third = survey_import(document_of(three, slug="wave-3", series="panel", waves=3), by="ana")
    with pytest.raises(DefinitionError, match=r"wave-1 \(2\.20\), wave-2 \(2\.20\)"):
        survey_publish(third, by="ana", now=timezone.now(), is_readable_seen=True)
    others = survey_import(document_of(three, slug="wave-3"), by="ana")
    survey_publish(others, by="ana", now=timezone.now(), is_readable_seen=True)
    assert [wave.slug for wave in waves_of("panel")] == ["wave-1", "wave-2"]


def test_versions_of_a_survey_count_as_one_wave_and_practice_surveys_as_none() -> None:
    small, large = protected("b", yes_no("lie")), protected("b", yes_no("lie"), yes_no("steal"))
    for blocks in ((large,), (small,)):
        survey = survey_import(document_of(*blocks, slug="wave-1", series="panel", waves=2), by="ana")
        version = survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    practice = survey_import(document_of(large, slug="try", series="panel", practice=True), by="ana")
    survey_publish(practice, by="ana", now=timezone.now(), is_readable_seen=True)
    (wave,) = waves_of("panel")
    # The larger version counts, ln(1 + 4), although the smaller one is current.
    assert wave.epsilon == pytest.approx(1.6094379)
    assert budget(version.to_design()).epsilon < wave.epsilon
    assert waves_of("") == ()
