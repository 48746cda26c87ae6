"""Information next to the estimates: reasons for overriding checks, and waves of a series."""

import pytest
from django.test import Client
from django.utils import timezone, translation

from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.runs.safeguards import safeguards_of
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.runs import published

pytestmark = pytest.mark.django_db

REASON = "The board asked for all ten in one part."
BIG = protected("b", *(yes_no(f"q{n}") for n in range(10)))


def test_the_survey_page_shows_reasons_for_overriding_a_check(admin_client: Client) -> None:
    survey = survey_import(document_of(BIG), by="ana")
    version = survey_publish(survey, by="ana", now=timezone.now(), reason=REASON, is_readable_seen=True)
    (override,) = safeguards_of(version).overrides
    assert (override.version.number, override.reason, override.by) == (1, REASON, "ana")
    text = admin_client.get("/en/staff/surveys/checked/").content.decode()
    assert "Version 1 was published against a check" in text
    assert REASON in text


def test_an_override_reason_applies_only_to_versions_with_the_same_design() -> None:
    survey = survey_import(document_of(BIG), by="ana")
    survey_publish(survey, by="ana", now=timezone.now(), reason=REASON, is_readable_seen=True)
    survey = survey_import(document_of(BIG, title={"en": "Other words"}), by="ana")
    reworded = survey_publish(
        survey, by="ana", now=timezone.now(), reason="Once more.", is_readable_seen=True
    )
    assert {one.reason for one in safeguards_of(reworded).overrides} == {REASON, "Once more."}
    survey = survey_import(document_of(protected("b", yes_no("lie"))), by="ana")
    mended = survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    assert safeguards_of(mended).overrides == ()


def test_waves_of_a_series_are_listed_with_their_total_epsilon(admin_client: Client) -> None:
    for slug in ("wave-1", "wave-2"):
        survey = survey_import(
            document_of(protected("b", yes_no("lie")), slug=slug, series="panel", waves=2), by="ana"
        )
        version = survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    found = safeguards_of(version)
    assert [wave.slug for wave in found.waves] == ["wave-1", "wave-2"]
    # The epsilon is 2 ln 3.
    assert found.epsilon_of_waves == "2.20"
    text = admin_client.get("/en/staff/surveys/wave-2/").content.decode()
    assert "2 surveys of the series panel so far" in text


DRUG, BLOOD = "Did you ever take drugs?", "Did you ever give blood?"


def asking(text: str) -> dict[str, object]:
    return document_of(protected("b", {**yes_no("q"), "text": {"en": text}}))


def test_rewordings_counted_together_are_reported(admin_client: Client) -> None:
    first = survey_publish(
        survey_import(asking(DRUG), by="ana"), by="ana", now=timezone.now(), is_readable_seen=True
    )
    assert safeguards_of(first).rewordings == ()
    survey = survey_import(asking(BLOOD), by="ana")
    page = admin_client.get("/en/staff/surveys/checked/publish").content.decode()
    assert "Answers to the old and to the new words will be counted together." in page
    second = survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    assert first.design_id == second.design_id
    (found,) = safeguards_of(second).rewordings
    assert (found.number, found.before, found.after) == (2, DRUG, BLOOD)
    # Facts about the first version do not change afterwards.
    assert safeguards_of(first).rewordings == ()
    page = admin_client.get("/en/staff/surveys/checked/").content.decode()
    assert "Questions were reworded after the first answers" in page
    assert DRUG in page


def test_a_new_title_alone_does_not_make_a_rewording(admin_client: Client) -> None:
    survey_publish(survey_import(asking(DRUG), by="ana"), by="ana", now=timezone.now(), is_readable_seen=True)
    survey = survey_import({**asking(DRUG), "title": {"en": "Another title"}}, by="ana")
    page = admin_client.get("/en/staff/surveys/checked/publish").content.decode()
    assert "will be counted together" not in page
    assert (
        safeguards_of(survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)).rewordings
        == ()
    )


def test_a_survey_that_sends_answers_undisguised_says_why_in_the_readers_language() -> None:
    version = published()
    version.wording["about"]["undisguised"] = {"en": "For the board.", "zh-hans": "供委员会审查。"}
    assert safeguards_of(version).why_undisguised == "For the board."
    with translation.override("zh-hans"):
        assert safeguards_of(version).why_undisguised == "供委员会审查。"
    with translation.override(None):
        assert safeguards_of(version).why_undisguised == "For the board."
    assert safeguards_of(published("all", policy="protected")).why_undisguised == ""
