"""A series states its number of waves, and its total holds for the joint channel of all waves."""

import re
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest

from privacy.risk.amplification import promise
from privacy.risk.promise import Figures, percent
from privacy.survey.design import SKIPPED, Design
from privacy.survey.layout import Layout
from surveys.authoring.deletion import survey_delete
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft_plan import plan
from surveys.questionnaire.promise_words import promise_sentence, stated_in_words, stated_promises
from surveys.questionnaire.series import promises_in_series, promises_to_publish
from surveys.questionnaire.series_membership import survey_join_series
from tests.fixtures.checked_surveys import document_of, protected, several, yes_no
from tests.fixtures.composite_drafts import english_blocks
from tests.fixtures.sent_distribution import sent_distribution

NOW = datetime.fromisoformat("2026-11-20T12:00:00+00:00")


def part(*keys: str, p: int = 5000, refusal: int | None = 2500) -> dict[str, Any]:
    return protected("b", *(yes_no(key) for key in keys), p=p, refusal=refusal)


def imported(slug: str, *blocks: dict[str, Any], **changes: Any) -> Survey:
    return survey_import(document_of(*blocks, slug=slug, **changes), by="ana")


def publish(survey: Survey, *, now: datetime = NOW) -> Version:
    version = survey_publish(survey, by="ana", now=now, reason="A test.", is_readable_seen=True)
    survey.refresh_from_db()
    return version


def refused(survey: Survey, *, now: datetime = NOW) -> str:
    before = Version.objects.count()
    with pytest.raises(DefinitionError) as caught:
        publish(survey, now=now)
    assert Version.objects.count() == before
    assert all(problem.remedy for problem in caught.value.problems)
    return str(caught.value)


def published_before(slug: str, *blocks: dict[str, Any], series: str = "panel") -> Version:
    """Publish a wave as releases did that asked for no number of waves, and stated no skip."""
    survey = imported(slug, *blocks)
    version = publish(survey)
    survey_join_series(survey, series)
    older = {each.attname: getattr(version, each.attname) for each in Version._meta.concrete_fields}
    Version.objects.bulk_create([Version(**{**older, "id": None, "number": 2, "promises": None})])
    return Version.objects.select_related("survey").get(survey=survey, number=2)


# What a definition may state.


# Which waves may be published.

pytestmark = pytest.mark.django_db


def test_the_first_wave_states_how_many_there_will_be() -> None:
    message = refused(imported("one", part("lie"), series="panel"))
    assert "the series panel does not say how many surveys it will have" in message
    publish(imported("one", part("lie"), series="panel", waves=2))


def test_a_wave_beyond_the_number_is_refused() -> None:
    for slug in ("one", "two"):
        publish(imported(slug, part("lie"), series="panel", waves=2))
    message = refused(imported("three", part("lie"), series="panel", waves=2))
    assert "the series panel has 2 waves, and all of them are published" in message
    # Other versions of its waves are no further waves.
    publish(imported("one", part("lie"), series="panel", waves=2, title={"en": "Reworded"}))


@pytest.mark.parametrize("waves", [None, 3])
def test_a_wave_with_another_number_is_refused(waves: int | None) -> None:
    publish(imported("one", part("lie"), series="panel", waves=2))
    stated = {} if waves is None else {"waves": waves}
    message = refused(imported("two", part("lie"), series="panel", **stated))
    assert f"states 2 waves, and this one {waves or 0}" in message
    assert "write 2" in message


@pytest.mark.soak
def test_a_deleted_wave_still_counts() -> None:
    """People have answered it: deleting it makes no room for another wave, or for one that reveals more."""
    for number in range(2):
        survey = imported(f"w{number}", part("lie", p=4000 - 1000 * number), series="panel", waves=2)
        before = stated_promises(publish(survey))
        survey_close(survey, now=NOW, by="ana", at_once=True)
        survey_delete(survey, by="ana")
        # The first wave: 1 + .4 / (.6 .25) = 3.67 by a skip, which is 79%.
        again = imported(f"w{number}-again", part("lie", p=4500), series="panel", waves=2)
        assert "but the first wave of the series promises at most 79%" in refused(again)
    assert before["whole"]["waves"]["count"] == 2
    assert "has 2 waves, and all of them are published" in refused(again)
    other = imported("other", part("lie", p=3000), series="panel", waves=3)
    assert "states 2 waves, and this one 3" in refused(other)


def test_a_deleted_wave_of_a_series_without_a_number_counts_in_the_total() -> None:
    older = published_before("one", part("lie"))
    survey_close(older.survey, now=NOW, by="ana", at_once=True)
    expected = promises_to_publish(
        definition_parse(document_of(part("lie"), series="panel", slug="two")), Survey()
    )
    assert expected["whole"]["waves"]["count"] == 2
    survey_delete(older.survey, by="ana")
    version = publish(imported("two", part("lie"), series="panel"))
    assert stated_promises(version) == expected


def test_what_answers_reveal_about_a_shared_filter_adds_up_and_is_limited() -> None:
    def filtered(p: int) -> dict[str, Any]:
        (own,) = english_blocks("two follow-ups of one filter")
        return own | {"truth_probability": p}

    first = imported("one", filtered(2000), series="panel", waves=2)
    version = publish(first)
    own = promise(version.to_design())
    assert own is not None
    assert own.shared is not None
    # 1 + .2 / (.8 .3333^2) = 3.25 in one wave, 76.5%; 3.25^2 = 10.6 in both, 91.4%.
    stated = stated_promises(version)["whole"]
    assert (stated["shared_of_100"], stated["waves"]["shared_of_100"]) == (77, 92)
    assert stated["waves"]["shared_of_100"] == percent(own.shared**2)
    message = refused(imported("two", filtered(2500), series="panel", waves=2))
    assert "a question on which several answers depend would make someone at most 81% sure" in message
    survey_close(first, now=NOW, by="ana", at_once=True)
    survey_delete(first, by="ana")
    again = publish(imported("two", filtered(1500), series="panel", waves=2))
    smaller = promise(again.to_design())
    assert smaller is not None
    assert smaller.shared is not None
    both = stated_promises(again)["whole"]["waves"]["shared_of_100"]
    assert both == percent(smaller.shared * own.shared), "the log keeps the figure of a deleted wave"


def test_a_wave_that_reveals_more_than_the_first_one_is_refused() -> None:
    publish(imported("one", part("lie"), series="panel", waves=2))
    # Odds 4.33 and 5 become 5.95 and 7.
    message = refused(imported("two", part("lie", p=6000), series="panel", waves=2))
    assert re.search(
        r"a skip would make someone at most 88% sure, but the first wave .* at most 84%", message
    )
    publish(imported("two", part("lie", p=4000), series="panel", waves=2))


def test_a_published_wave_cannot_leave_its_series() -> None:
    publish(imported("one", part("lie"), series="panel", waves=2))
    for changes in ({}, {"series": "other", "waves": 2}):
        message = refused(imported("one", part("lie"), title={"en": "New"}, **changes))
        assert "respondents of this survey read that it belongs to the series panel" in message


def test_a_wave_waits_for_open_pages_that_do_not_state_it() -> None:
    """A survey that joined a series later has a version whose page names no series."""
    first = imported("one", part("lie"))
    publish(first)
    publish(imported("one", part("lie"), series="panel", waves=2))
    second = imported("two", part("lie"), series="panel", waves=2)
    assert "“Checked” (one) still accepts answers, and its page" in refused(second)
    first.refresh_from_db()
    survey_close(first, now=NOW, by="ana")
    # Answers that were sealed before closing arrive for two more days.
    assert "still accepts answers" in refused(second, now=NOW + timedelta(hours=47))
    publish(second, now=NOW + timedelta(hours=49))


def test_a_series_published_before_continues_after_its_waves_closed() -> None:
    old = published_before("one", part("lie"))
    assert "states no number" not in refused(imported("two", part("lie"), series="panel"))
    message = refused(imported("two", part("lie"), series="panel", waves=2))
    assert "the earlier waves of the series panel state no number of waves" in message
    survey_close(old.survey, now=NOW, by="ana", at_once=True)
    version = publish(imported("two", part("lie"), series="panel"))
    waves = stated_promises(version)["whole"]["waves"]
    own = promise(version.to_design())
    assert own is not None
    assert own.skip is not None
    assert (waves["count"], waves["of_100"]) == (2, percent(own.everything**2))
    assert (waves["one_of_100"], waves["skip_of_100"]) == (percent(own.answer**2), percent(own.skip**2))


def test_only_waves_that_share_a_question_multiply_one_answer() -> None:
    old = published_before("one", part("lie"))
    survey_close(old.survey, now=NOW, by="ana", at_once=True)
    definition = definition_parse(document_of(part("steal"), slug="two", series="panel"))
    found = promises_to_publish(definition, Survey(slug="two"))["whole"]
    own = promise(definition.design)
    assert own is not None
    assert found["waves"]["of_100"] == percent(own.everything**2)
    assert found["waves"]["one_of_100"] == found["one_of_100"]
    assert found["waves"]["skip_of_100"] == found["skip_of_100"]


def test_practice_surveys_are_outside_all_series() -> None:
    publish(imported("one", part("lie"), series="panel", practice=True))
    publish(imported("two", part("lie"), series="panel", waves=2))
    version = publish(imported("three", part("lie"), series="panel", practice=True))
    assert "waves" not in stated_promises(version)["whole"]


# The total holds for what devices do.


def ratios(waves: list[Design]) -> Figures:
    """Return the largest ratios of the rows of several waves, by enumerating every device and coin.

    The same person answers each wave; true answers to a question with the same key are equal or differ, as an
    attacker may suppose, so all pairs of truths count. For one answer and a skip, the reports of one question
    in all waves count.
    """
    everything = answer = skip = Fraction(1)
    for design in waves:
        law, layout = sent_distribution(design, direct=False), Layout(design)
        bodies = {body for chances in law.values() for body in chances}
        everything *= max(
            max(chances[body] for chances in law.values()) / min(chances[body] for chances in law.values())
            for body in bodies
        )
        shown: dict[object, dict[Any, Fraction]] = {}
        for truth, chances in law.items():
            for body, chance in chances.items():
                record = layout.unpack(body)
                value: object = SKIPPED if record.refused[0] else record.answers[0][0]
                of_truth = shown.setdefault(value, {})
                of_truth[truth] = of_truth.get(truth, Fraction(0)) + chance
        most = {value: max(by.values()) / min(by.values()) for value, by in shown.items()}
        skip *= most.pop(SKIPPED, Fraction(1))
        answer *= max(most.values())
    return Figures(everything=everything, answer=answer, skip=skip)


@pytest.mark.soak
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("refusal", [None, 1000, 2500])
@pytest.mark.parametrize("keys", [("lie",), ("lie", "steal")])
def test_the_printed_total_is_that_of_the_joint_channel(
    count: int, refusal: int | None, keys: tuple[str, ...]
) -> None:
    versions = [
        publish(
            imported(
                f"w{number}", part(*keys, p=4000 - 300 * number, refusal=refusal), series="panel", waves=count
            )
        )
        for number in range(count)
    ]
    true = ratios([version.to_design() for version in versions])
    for number, version in enumerate(versions):
        held = stated_promises(version)["whole"]["waves"]
        printed = printed_figures(promise_sentence(stated_promises(version)["whole"]), count)
        assert printed["everything"] >= true.everything
        assert printed["answer"] >= true.answer
        assert ("skip" in printed) is (refusal is not None)
        if refusal is not None and true.skip is not None:
            assert printed["skip"] >= true.skip
        # With equal waves, the total is exact.
        if number == 0:
            same = ratios([version.to_design()] * count)
            assert (held["of_100"], held["one_of_100"]) == (percent(same.everything), percent(same.answer))


SEVERAL = several("lie", "home", "work", unrelated=[5000, 5000], prevalence=[2000, 2000])
CHOICE = {**SEVERAL, "kind": "single", "prevalence": [2000, 8000]}
OTHER_KINDS = {
    "a choice": protected("b", CHOICE, p=3000, refusal=2000),
    "several answers": protected("b", SEVERAL, p=3000, refusal=1000),
    "rotating questions": {**part("lie", "steal", "drink", p=3000, refusal=1500), "questions_per_person": 2},
}


@pytest.mark.soak
@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_the_total_holds_for_other_kinds_of_questions(kind: str) -> None:
    versions = [
        publish(imported(f"w{number}", OTHER_KINDS[kind], series="panel", waves=2)) for number in range(2)
    ]
    true = ratios([version.to_design() for version in versions])
    assert true.skip is not None
    for version in versions:
        printed = printed_figures(promise_sentence(stated_promises(version)["whole"]), 2)
        assert printed["everything"] >= true.everything
        assert printed["answer"] >= true.answer
        assert printed["skip"] >= true.skip


@pytest.mark.parametrize("waves", [2, 3])
def test_rotating_questions_of_a_series_keep_the_limits_of_one_survey(waves: int) -> None:
    keys = [f"q{number}" for number in range(8)]
    draft = definition_parse(document_of(part(*keys), series="panel", waves=waves))
    made = plan(draft, Aim(people=3000))
    assert made is not None
    assert made.promise is not None
    assert made.promise.skip is not None
    assert made.definition.design.rotates
    assert made.promise.everything**waves <= 19
    assert made.promise.answer**waves <= 4
    assert made.promise.skip**waves <= 9


def printed_figures(sentence: str, count: int) -> dict[str, Fraction]:
    """Return the odds of all waves that a promise prints, read from its sentence."""
    said = sentence.partition(f"one of {count} in a series. ")[2]
    found = {}
    for name, opening in (
        ("everything", "If you answer them"),
        ("answer", "If each"),
        ("skip", "“Prefer not"),
    ):
        for each in re.findall(rf"{opening}.*?\.(?= |$)", said):
            sure = re.search(r"at most (\d+)% sure", each)
            once = re.search(r"wrong 1 time in ([\d,]+)", each)
            if sure:
                found[name] = Fraction(int(sure[1]), 100 - int(sure[1]))
            elif once:
                found[name] = Fraction(int(once[1].replace(",", "")) - 1)
            break
    return found


def test_a_planted_total_that_is_too_low_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A total of one wave alone, as pages stated before, is below the joint channel."""
    version = publish(imported("one", part("lie"), series="panel", waves=2))
    held = stated_promises(version)["whole"]
    planted = {**held, "waves": {**held["waves"], "of_100": held["of_100"], "once_in": None}}
    true = ratios([version.to_design()] * 2)
    assert printed_figures(promise_sentence(held), 2)["everything"] >= true.everything
    assert printed_figures(promise_sentence(planted), 2)["everything"] < true.everything


def test_lightly_disguised_waves_count_with_their_own_figures() -> None:
    light = {"policy": "choice", "light": True}
    definition = definition_parse(document_of(part("lie"), series="panel", waves=2, group=light))
    found = promises_in_series(definition.design, series="panel", waves=2, but=Survey(slug="x"))
    strong, most = found["whole"], found["light"]
    assert strong is not None
    assert most is not None
    assert strong.waves is not None
    assert most.waves is not None
    assert most.everything > strong.everything
    # A person who is strongly disguised now may choose the light disguise next time.
    assert strong.waves.everything == strong.everything * most.everything
    assert most.waves.everything == most.everything**2


# Protection by the root.


@pytest.mark.parametrize(("waves", "width"), [(None, 9.4), (2, 17.0), (3, 24.9)])
def test_each_wave_gets_the_root_of_the_odds(waves: int | None, width: float) -> None:
    """One yes/no question, 300 people, no skips: ±9.4 points, ±17.0 in each of two waves, ±24.9 of three."""
    stated = {} if waves is None else {"series": "panel", "waves": waves}
    draft = definition_parse(document_of(protected("b", yes_no("lie")), **stated))
    made = plan(draft, Aim(people=300))
    assert made is not None
    assert made.promise is not None
    assert round(100 * max(made.use.widths.values()), 1) == width
    assert made.promise.answer ** (waves or 1) <= 4
    assert made.promise.everything ** (waves or 1) <= 19


def test_a_researcher_may_keep_the_figure_of_each_wave_and_pages_print_the_total() -> None:
    stated = {"series": "panel", "waves": 2, "each_wave": "whole"}
    draft = definition_parse(document_of(part("lie"), **stated))
    made = plan(draft, Aim(people=300))
    assert made is not None
    assert round(100 * max(made.use.widths.values()), 1) == 10.1
    (sentence,) = stated_in_words(promises_to_publish(made.definition, Survey(slug="x")))
    assert "This survey is one of 2 in a series." in sentence
    # 9 * 9 = 81 from a skip and everything, 4 * 4 = 16 from one answer.
    assert "could make someone at most 99% sure" in sentence
    assert "your answers to it could make someone at most 95% sure" in sentence


# What respondents of older versions are not told.
