"""Parts take turns over a series: what definitions state, which waves are published, what pages promise."""

from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest

from privacy.risk.budget import budget
from surveys.authoring.deletion import survey_delete
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft_plan import plan
from surveys.questionnaire.promise_words import stated_in_words, stated_promises
from surveys.questionnaire.series import promises_in_file
from surveys.questionnaire.stated_waves import in_layout
from surveys.questionnaire.turns import TURN, epsilons_of_other_waves, without_turns
from surveys.questionnaire.understatements import understatements
from surveys.respondent.client_documents import documents_of
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no

NOW = datetime.fromisoformat("2026-11-20T12:00:00+00:00")
TURNS: dict[str, Any] = {"series": "panel", "waves": 2, "each_wave": "rotate", "wave": 1}


def part(key: str = "b", *, p: int = 5000, **more: Any) -> dict[str, Any]:
    return protected(key, yes_no(f"{key}-lie"), p=p, refusal=2500, **more)


def imported(slug: str, *blocks: dict[str, Any], coded: bool = True, **changes: Any) -> Survey:
    survey = survey_import(document_of(*(blocks or (part(),)), slug=slug, **TURNS | changes), by="ana")
    Survey.objects.filter(pk=survey.pk).update(by_invitation=coded)
    survey.refresh_from_db()
    return survey


def publish(survey: Survey) -> Version:
    version = survey_publish(survey, by="ana", now=NOW, reason="A test.", is_readable_seen=True)
    survey.refresh_from_db()
    return version


def refused(survey: Survey) -> str:
    before = Version.objects.count()
    with pytest.raises(DefinitionError) as caught:
        publish(survey)
    assert Version.objects.count() == before
    assert all(problem.remedy for problem in caught.value.problems)
    return str(caught.value)


# What a definition may state.


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"wave": None}, "wave", "null is not the number of a wave"),
        *(({"wave": wave}, "wave", "is not the number of a wave") for wave in (0, 3, True, "1", 1.0)),
        ({"waves": None}, "waves", "parts can take turns only over the waves of a series"),
        ({"series": ""}, "waves", "parts can take turns only over the waves of a series"),
        ({"each_wave": "root"}, "wave", "no parts take turns over the series"),
        ({"each_wave": "turn"}, "each_wave", "unknown protection of a wave"),
    ],
)
def test_impossible_turns_are_reported_with_value_and_remedy(
    changes: dict[str, Any], path: str, message: str
) -> None:
    problems = definition_read(document_of(part(), **TURNS | changes)).problems
    found = [problem for problem in problems if problem.path == path and message in problem.message]
    assert found
    assert all(problem.remedy for problem in problems)


def test_rotating_parts_and_a_survey_without_protected_parts_cannot_take_turns() -> None:
    rotations = [{"blocks": ["a", "b"], "parts_per_person": 1}]
    rotating = document_of(part("a"), part("b"), **TURNS, rotations=rotations)
    assert "the parts take turns over the series already" in str(definition_read(rotating).problems)
    plain = document_of(unprotected("you", {**yes_no("moved"), "unrelated": None}), **TURNS)
    plain["blocks"][0]["questions"][0].pop("unrelated")
    plain["blocks"][0]["questions"][0].pop("prevalence")
    assert "no protected part can take turns" in str(definition_read(plain).problems)


def test_the_design_asks_each_part_of_as_many_as_a_wave_has() -> None:
    found = definition_parse(document_of(part("a"), part("b"), part("c"), **TURNS))
    (rotation,) = found.design.rotations
    assert (rotation.blocks, rotation.parts_per_person, rotation.blanks) == (("a", "b", "c"), 2, 1)
    assert [found.design.drawn_together([number]) for number in range(3)] == [Fraction(1, 2)] * 3
    assert found.wording[TURN] == {"series": "panel", "wave": 1}
    # Each wave has all of the limits, because no one is asked a part twice.
    assert found.rooted_waves == 1


def test_practice_surveys_ask_everyone_all_parts() -> None:
    practice = definition_parse(document_of(part(), **TURNS, practice=True))
    assert not practice.design.rotates
    assert TURN not in practice.wording


@pytest.mark.parametrize(("waves", "rotated", "rooted"), [(2, 13.3, 17.0), (3, 16.3, 24.9)])
def test_300_people_know_a_share_more_exactly_if_parts_take_turns(
    waves: int, rotated: float, rooted: float
) -> None:
    """1.96 times the error at p = .6 from 150 and 100 people; the root of odds 4 gives p = .333 and .227."""
    document = document_of(part(), series="panel", waves=waves)
    document["blocks"][0].pop("refusal")
    document["blocks"][0]["no_skip"] = "Made for a test."
    widths = []
    for each_wave in ("rotate", "root"):
        planned = plan(definition_parse(in_layout(document, each_wave)), Aim(people=300))
        assert planned is not None
        widths += [round(100 * width, 1) for width in planned.use.half_widths.values()]
        assert planned.document["each_wave"] == each_wave
    assert widths == [rotated, rooted]


# Which waves may be published.

pytestmark = pytest.mark.django_db


def test_parts_take_turns_only_with_codes_or_numbers() -> None:
    open_link = imported("one", coded=False)
    assert "only if each person has a code or a number" in refused(open_link)
    Survey.objects.filter(pk=open_link.pk).update(by_invitation=True)
    open_link.refresh_from_db()
    publish(open_link)
    publish(imported("two", coded=False, wave=2, panel="https://panel.example/{id}"))


def test_each_wave_is_published_once() -> None:
    publish(imported("one"))
    message = refused(imported("two"))
    assert "wave 1 of the series panel is published already" in message
    assert "write one of: 2" in message
    publish(imported("three", wave=2))


def test_a_published_survey_keeps_its_wave() -> None:
    one = imported("one")
    publish(one)
    survey_import(document_of(part(), slug="one", **TURNS | {"wave": 2}), by="ana")
    one.refresh_from_db()
    assert "this survey is published as wave 1" in refused(one)


@pytest.mark.parametrize(
    "blocks",
    [
        (part(p=4000),),
        (part(), part("c")),
        (protected("c", yes_no("b-lie"), p=5000, refusal=2500),),
        (protected("b", yes_no("b-lie"), yes_no("b-more"), p=5000, refusal=2500),),
    ],
)
def test_a_wave_with_other_parts_is_refused(blocks: tuple[dict[str, Any], ...]) -> None:
    """A part under another key would have another turn, so the same person could answer it twice."""
    publish(imported("one"))
    assert "differ from those of the first wave" in refused(imported("two", *blocks, wave=2))


def test_other_open_questions_are_no_other_parts() -> None:
    publish(imported("one"))
    moved = {name: value for name, value in yes_no("moved").items() if name in ("key", "kind", "text")}
    publish(imported("two", unprotected("you", moved), part(), wave=2))


@pytest.mark.parametrize("first", ["root", "rotate"])
def test_a_series_does_not_mix_turns_with_whole_surveys(first: str) -> None:
    other = {"root": "rotate", "rotate": "root"}[first]
    numbers = {"root": {"wave": None}, "rotate": {"wave": 1}}
    publish(imported("one", each_wave=first, **numbers[first]))
    message = refused(imported("two", each_wave=other, **numbers[other]))
    assert ("take turns" if first == "rotate" else "ask everyone all parts") in message


def test_a_deleted_wave_still_counts() -> None:
    one = imported("one")
    publish(one)
    survey_close(one, now=NOW, by="ana", at_once=True)
    survey_delete(one, by="ana")
    assert "wave 1 of the series panel is published already" in refused(imported("two"))
    assert "differ from those" in refused(imported("three", part(p=4000), wave=2))
    publish(imported("four", wave=2))


# What pages promise.


def test_all_waves_together_reveal_what_one_survey_with_all_parts_would() -> None:
    version = publish(imported("one", part("a"), part("b")))
    held = stated_promises(version)["whole"]
    alone = definition_parse(document_of(part("a"), part("b")))
    whole = promises_in_file(alone)["whole"]
    # Each wave asks one part with odds 5; both parts have 25.
    assert (held["of_100"], whole["of_100"]) == (84, 97)
    assert held["waves"]["of_100"] == whole["of_100"]
    assert (held["waves"]["count"], held["waves"]["takes_turns"]) == (2, True)
    assert held["waves"]["one_of_100"] == held["one_of_100"]
    assert held["waves"]["skip_of_100"] == held["skip_of_100"]
    (said,) = stated_in_words({"whole": held})
    assert "each part in one survey only, if you use the same code or number every time" in said
    assert "same question" not in said
    assert understatements(version) == []


def test_the_promise_of_a_file_counts_each_part_once() -> None:
    found = promises_in_file(definition_parse(document_of(part("a"), part("b"), **TURNS)))["whole"]
    assert (found["of_100"], found["waves"]["of_100"]) == (84, 97)


def test_checks_and_audits_add_up_what_one_person_is_asked() -> None:
    """Two parts of epsilon 1.61 make 3.22 in all waves, and not twice what one wave can ask."""
    survey = imported("one", part("a"), part("b"), part("c"))
    version = publish(survey)
    design = version.to_design()
    (other,) = epsilons_of_other_waves(design, version.wording, ())
    assert budget(design).epsilon + other == pytest.approx(budget(without_turns(design)).epsilon)
    # 3 ln 5 = 4.83 is above the warning at 3; two waves of two parts would be 6.44, above the refusal at 6.
    findings = check_draft(survey, definition_parse(version.definition))
    levels = {finding.code: finding.is_refusal for finding in findings}
    assert levels["survey_epsilon"] is False
    assert "series_epsilon" not in levels


def test_devices_receive_the_series_and_the_wave() -> None:
    version = publish(imported("one"))
    document = documents_of(version).definition.decode()
    assert '"turn":{"series":"panel","wave":1}' in document
