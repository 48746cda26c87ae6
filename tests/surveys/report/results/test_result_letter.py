"""The letter with results: whole sentences in each language of the survey, and the picture."""

import copy
import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django.utils.html import escape
from django.utils.translation import override

from privacy.scales.calendars import calendar_tick
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr_below
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.questionnaire.aim import Aim
from surveys.report.results.planned_question import YourQuestion
from surveys.report.results.result_letter import (
    _ends,
    _mean,
    _of_100,
    _results,
    _rows,
    result_letters,
)
from tests.fixtures.devices import closed
from tests.fixtures.forged_rows import forged_answered
from tests.fixtures.runs import (
    SINGLES,
    answer,
    answered_version,
    definition,
    mined_run,
    planned_version,
)
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.staff import seen_by
from tests.site.test_every_language import in_one
from tests.site.test_forms_of_address import FIRST, OTHER, without_third

pytestmark = pytest.mark.django_db

EFFECT, NONE = ("late", "cheat"), ("late", "drink")
LATIN = re.compile(r"[A-Za-z]{2,}")
TEXTS = {"ar": "سؤال عن العمل", "de-at": "Frage zur Arbeit"}


def in_languages(document: dict[str, Any]) -> dict[str, Any]:
    """Return a definition whose texts are in Arabic and German."""

    def each(value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("en"), str):
            return TEXTS
        if isinstance(value, dict):
            return {key: each(inner) for key, inner in value.items()}
        return [each(inner) for inner in value] if isinstance(value, list) else value

    return {**each(document), "languages": [*TEXTS]}


def planned(*wanted: str, n: int = 900, document: dict[str, Any] | None = None) -> Run:
    document = document or definition(f"letter-{'-'.join(wanted)}-{n}".replace("=", "-"))
    return mined_run(planned_version(Aim(people=n, wanted=wanted), n, document=document), SINGLES)


@pytest.mark.soak
def test_letters_are_in_the_languages_of_the_survey_without_an_english_word() -> None:
    run = planned(*EFFECT, document=in_languages(definition("letter")))
    arabic, german = result_letters(run)
    assert [one.text_language for one in (arabic, german)] == ["ar", "de"]
    assert [one.is_translated for one in (arabic, german)] == [True, True]
    assert german.sentences[0] == "Danke, dass Sie „Frage zur Arbeit“ beantwortet haben."
    assert LATIN.findall(" ".join(arabic.sentences)) == []
    drawn = re.sub(r"<[^>]*>", " ", str(arabic.drawing))
    assert LATIN.findall(drawn) == []
    assert "نتائج هذا الاستبيان" in drawn
    for one in (arabic, german):
        assert "%(" not in " ".join(one.sentences)


@pytest.mark.soak
def test_the_letter_compares_both_groups_in_one_sentence_and_says_whether_they_differ() -> None:
    (letter,) = result_letters(planned(*EFFECT))
    text = " ".join(letter.sentences)
    assert re.search(
        r"”: \d+ of 100 people with “.*” \(\d+ to \d+\), and \d+ of 100 others \(\d+ to \d+\)\.", text
    )
    assert "The two groups differ: chance alone would hardly show this difference." in text
    assert "The numbers in brackets are 95% confidence intervals." in text
    (letter,) = result_letters(planned(*NONE, n=4_000))
    assert "The two groups do not differ much, if at all." in letter.sentences
    (letter,) = result_letters(planned(*NONE, n=400))
    assert "It is too uncertain to say whether the two groups differ." in letter.sentences


@pytest.mark.soak
def test_only_if_all_devices_disguise_the_letter_says_so() -> None:
    (mixed,) = result_letters(planned(*EFFECT))
    assert "disguised" not in " ".join(mixed.sentences)
    survey = survey_import(definition("every", policy="protected"), by="alice")
    survey.aim = Aim(people=200, wanted=("drink",)).to_json()
    survey.save(update_fields=["aim"])
    version = survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    answer(version, 200, n_direct=0)
    (every,) = result_letters(mined_run(closed(version), SINGLES))
    assert "no one can be sure what a person answered" in every.sentences[-1]
    assert any("denied it, the true share is" in sentence for sentence in every.sentences)


def test_a_mean_is_in_the_letter_with_its_interval() -> None:
    run = mined_run(scale_answered(1_500), SINGLES)
    run.version.aim = {"people": 1_500, "wanted": ["hours"], "labels": {}}
    (letter, *_others) = result_letters(run)
    assert any(
        re.match(r"Average of “.*”: [\d.]+ \([\d.]+ to [\d.]+\)\.$", text) for text in letter.sentences
    )


@pytest.mark.parametrize(
    ("tag", "calendar", "said"),
    [
        ("de", "month", "Mai 2025 (März 2025 bis August 2025)"),
        ("de", "day", "1. Mai 2025 (1. März 2025 bis 1. August 2025)"),
        ("ru", "month", "май 2025 г."),
        ("fa", "month", "۲۰۲۵"),
        ("zh-hant", "day", "2025年5月1日"),
    ],
)
def test_dates_are_written_as_the_language_does(tag: str, calendar: Any, said: str) -> None:
    days = [
        calendar_tick(calendar, f"2025-{month}" + "-01" * (calendar == "day")) for month in ("05", "03", "08")
    ]
    ticks = NumberRange(low=days[1] - 5, high=days[2] + 5, calendar=calendar)
    mean = SimpleNamespace(value=float(days[0]), low=float(days[1]), high=float(days[2]))
    words = SimpleNamespace(channel=generalised_rr_below(ticks, 1.0), name="?", unit="")
    mean_only: Any = SimpleNamespace(summary=SimpleNamespace(mean=mean), words=words)
    with override(tag):
        assert said in _mean(mean_only)
        (row,) = _rows(SimpleNamespace(), SimpleNamespace(comparison=None, shares=(), means=(mean_only,)))
        assert "2025-" not in f"{row.text}{row.ruler}"


@pytest.mark.soak
@pytest.mark.parametrize(("tag", "form"), [("de", "informal"), ("zh-hans", "formal")])
@pytest.mark.few("zh-hans-formal", why="the others execute nothing more")
def test_the_letter_is_in_the_form_of_address_of_the_survey(tag: str, form: str) -> None:
    document = in_one(definition("formed"), tag)
    (first,) = result_letters(planned(*EFFECT, document=document))
    (other,) = result_letters(
        planned(*EFFECT, document=document | {"slug": "other", "formality": {tag: form}})
    )
    said = {letter: without_third(tag, " ".join(letter.sentences)) for letter in (first, other)}
    assert re.search(FIRST[tag], said[first])
    assert not re.search(OTHER[tag], said[first])
    assert re.search(OTHER[tag], said[other])
    assert not re.search(FIRST[tag], said[other])


@pytest.mark.soak
def test_without_a_star_there_is_no_letter() -> None:
    unstarred = mined_run(answered_version(400, policy="protected", n_direct=0, slug="unstarred"), SINGLES)
    assert result_letters(unstarred) == ()


@pytest.mark.parametrize(
    ("share", "said"),
    [
        ((0.42, 0.35, 0.5), "“A”: 42 of 100 people (35 to 50)."),
        ((-0.01, -0.05, 0.071), "“A”: at most 7 of 100 people. Too few people answered to say more."),
        ((1.02, 0.95, 1.1), "“A”: at least 95 of 100 people. Too few people answered to say more."),
        ((0.6, 0.2, 0.5), "“A”: 20 to 50 of 100 people. Too few people answered to say more."),
    ],
)
def test_an_impossible_share_is_written_as_its_bounds(share: tuple[float, float, float], said: str) -> None:
    measured: Any = SimpleNamespace(**dict(zip(("value", "low", "high"), share, strict=True)))
    assert _of_100(measured) % ({"answer": "A"} | _ends(measured)) == said


def test_forged_answers_are_said_instead_of_a_result() -> None:
    run = mined_run(forged_answered(), SINGLES)
    run.version.aim = {"people": 400, "wanted": ["wage"], "labels": {}}
    for letter in result_letters(run):
        said = " ".join(letter.sentences)
        assert "There is no result: someone sent forged answers." in said or letter.text_language != "en"
        assert not re.search(r"Average|of 100", said)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SurveyError("waits.answer", least=10), "There is no result yet: more answers can arrive."),
        (SurveyError("too_few.answer"), "There is no result: too few people answered."),
    ],
)
def test_each_reason_for_no_share_is_said(error: SurveyError, said: str) -> None:
    assert [*_results(SimpleNamespace(), YourQuestion(error=error))] == [said]  # type: ignore[arg-type]


@pytest.mark.soak
def test_the_page_for_a_paper_shows_each_letter(client: Client) -> None:
    client.force_login(seen_by(User.objects.create_superuser("dora")))
    run = planned(*EFFECT, document=in_languages(copy.deepcopy(definition("shown"))))
    page = client.get(f"/en/staff/runs/{run.pk}/paper/").content.decode()
    assert page.count("Draft of a letter to the people who answered:") == 2
    for letter in result_letters(run):
        assert [one for one in letter.sentences if escape(one) not in page] == []
        assert str(letter.drawing) in page
    assert "Sottovoce has no texts in this language." not in page
    assert 'lang="ar" dir="auto"' in page
