"""Privacy risk: each number on the page is one from the audit or the label, for drafts, versions and runs."""

from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from privacy.risk.amplification import promise
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.promise_words import certainty_at, promise_sentence
from surveys.report.risk_page.adversaries import points_of
from surveys.report.risk_page.compared_figures import compared_figures
from surveys.report.risk_page.risk_view import risk_context
from surveys.report.risk_page.worst_case import worst_case
from surveys.runs.audit import AuditedSurvey, audited_survey
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.runs import answered_version, audited_run, definition, mined_run, open_version
from tests.fixtures.scale_runs import scale_definition, with_light

pytestmark = pytest.mark.django_db


def draft(document: dict[str, Any], aim: Aim | None = None) -> AuditedSurvey:
    survey = survey_import(document, by="alice")
    if aim is not None:
        Survey.objects.filter(pk=survey.pk).update(aim=aim.to_json())
        survey.refresh_from_db()
    return of(survey)


def of(survey: Survey) -> AuditedSurvey:
    found = audited_survey(survey)
    assert found is not None
    return found


def said(one: AuditedSurvey, number: int) -> str:
    _title, sentences = points_of(one)[number - 1]
    return " ".join(sentences)


def page_of(one: AuditedSurvey) -> str:
    return render_to_string("audit/partials/risk.html", risk_context(one.survey))


def test_a_draft_has_five_points_based_on_its_design() -> None:
    one = draft(definition(policy="protected"), Aim(people=1000))
    assert one.is_draft
    assert len(points_of(one)) == 5
    assert "The worst case above says how sure one answer, or a whole sheet, can make them." in said(one, 1)
    assert "If 1,000 people answer" in said(one, 1)
    assert "can read the answers to 1 question that is not disguised" in said(one, 1)
    assert "1 question is not disguised: “How old are you?”" in said(one, 2)
    assert "fewer than 1 of 1,000 people would have unique unprotected answers." in said(one, 2)
    # Two ages, or none: 3 / e = 1.1.
    assert "Whatever people answer, at most 2 of them would, on average." in said(one, 2)
    # gamma is 1 + .6/(.4 * .5 * .4) = 8.5 and 1 + .7/(.3 * .5) = 17/3, so 50:50 becomes .9797.
    assert "Everything your device sends, taken together: at most 98%." in worst_case(one)[0]
    assert "The worst case above" in said(one, 3)
    assert "everyone has the same disguise" in said(one, 4)
    assert "This is not hidden." in said(one, 5)


def test_the_worst_case_matches_the_promise_to_respondents() -> None:
    lightly = with_light(scale_definition("lit", light=True, everywhere=True))
    for document in (definition(policy="protected"), definition("two", light=True), lightly):
        one = draft(document)
        for reader, direct in (("Respondents see", False), ("Respondents with the light disguise see", True)):
            law = one.design.in_group(direct=direct)
            odds = None if law is None else promise(law)
            if odds is not None:
                sentence = f"{reader}: “{promise_sentence(odds)}”"
                assert (sentence in worst_case(one)) == (one.design.has_two_strengths or not direct)


@pytest.mark.soak
def test_both_strengths_show_their_limits() -> None:
    one = draft(definition(light=True))
    assert "Everyone chooses for themselves." in said(one, 4)
    assert "Choosing more protection can look suspicious." in said(one, 4)
    assert all(sentence in page_of(one) for sentence in worst_case(one))
    assert "epsilon, lightly disguised" in page_of(one)


def test_the_page_warns_that_undisguised_answers_are_readable() -> None:
    one = draft(definition())
    assert points_of(one)[3][0] == "People who answer without a disguise"
    assert "Anyone who gets the data can read them." in said(one, 4)
    assert "They can read all answers of the people in point 4." in said(one, 1)
    assert "if the person answered without a disguise" in said(one, 2)
    assert "protects less than recommended" in page_of(one)


def test_places_disguised_only_inside_sensitive_areas_are_named() -> None:
    one = draft(scale_definition())
    assert len(one.audit.lone) >= 2
    apart = [part for part in one.audit.lone if part.apart]
    assert 0 < len(apart) < len(one.audit.lone)
    assert said(one, 1).count("outside its sensitive areas") == len(apart)
    for part in apart:
        # The promise does not cover it.
        assert f"becomes {certainty_at(part.epsilon)} sure" in said(one, 1)


def test_partly_disguised_places_still_state_a_limit() -> None:
    document = scale_definition()
    blocks = [block for block in document["blocks"] if block["questions"][0]["kind"] == "place"]
    one = draft({**document, "blocks": blocks, "group": {"policy": "protected"}})
    assert all(part.apart for part in one.audit.lone)
    assert "Their limit is below" in worst_case(one)[0]
    assert said(one, 2).startswith("Someone who knows the answers of a person with unique answers can find")
    assert "protects less than recommended" in page_of(one)


def test_surveys_without_disguises_state_that_nothing_is_limited() -> None:
    one = draft(document_of(definition()["blocks"][0]))
    assert "Nothing limits what others can learn." in said(one, 3)
    assert worst_case(one) == [said(one, 3)] == [said(one, 4)]
    assert "protects less than recommended" in page_of(one)


def test_a_fully_disguised_survey_has_no_identifying_questions() -> None:
    one = draft(document_of(protected("a", yes_no("steal"))))
    assert said(one, 2).startswith("Every question is disguised.")


def test_counts_of_the_newest_run_are_shown_unless_only_reviewers_read_reports(settings: Any) -> None:
    run = mined_run(answered_version(800, n_direct=0, policy="protected"))
    assert of(run.survey).run is None
    audited_run(run)
    one = of(run.survey)
    assert one.run == run
    assert "They get 800 answer sheets" in said(one, 1)
    assert "All 800 people share their answers with someone else" in said(one, 2)
    settings.SOTTOVOCE_RESEARCHERS_READ_REPORTS = False
    # Without a plan, no number is assumed.
    assert "one answer sheet for each person" in said(of(run.survey), 1)


def test_an_open_survey_shows_figures_of_its_design() -> None:
    one = of(open_version(613, n_direct=7).survey)
    assert one.run is None
    assert "one answer sheet for each person" in said(one, 1)


def test_waves_of_a_series_are_added_up() -> None:
    series = {"series": "panel", "waves": 2}
    first = survey_import({**definition(policy="protected"), **series}, by="alice")
    survey_publish(first, by="alice", now=timezone.now(), reason="A test.", is_readable_seen=True)
    one = draft({**definition("again", policy="protected"), **series})
    (sentence,) = worst_case(one)
    assert "This survey is one of 2 in a series." in sentence
    total = certainty_at(2 * one.audit.epsilon)
    figures = {figure.name: figure.planned for figure in compared_figures(one)}
    assert figures["How sure someone can become from everything sent in all 2 surveys of the series"] == total


def test_an_incomplete_draft_has_no_privacy_risk_page() -> None:
    survey = survey_import(definition(), by="alice")
    survey.definition = survey.definition | {"blocks": []}
    assert audited_survey(survey) is None


@pytest.mark.soak
def test_sentences_have_at_most_25_words() -> None:
    documents = (definition(), definition(light=True), definition(policy="assigned"), scale_definition())
    ones = [draft({**document, "slug": f"draft-{n}"}) for n, document in enumerate(documents)]
    everywhere = with_light(scale_definition("lit", light=True, everywhere=True))
    ones += [draft(everywhere)]
    for one in ones:
        for _title, sentences in points_of(one):
            for sentence in sentences:
                assert len(sentence.split("“")[0].split()) <= 25, sentence
