"""The answers to a choice count by their words, at any position in the list."""

import itertools
from typing import Any

import pytest
from django.conf import settings

from privacy.planning.protection import PROTECTIONS
from surveys.errors.error import SurveyError
from surveys.questionnaire.asked_texts import yes_no_words
from surveys.questionnaire.component_questions import component_of
from surveys.questionnaire.one_answer import AT_LEAST, HOW_MANY, POINTS, with_one_answer
from surveys.questionnaire.yes_no_answers import is_yes_no, pooled_keys, yes_or_no
from tests.surveys.questionnaire.test_one_answer import WHERE, act, draft, part

MEDIUM = PROTECTIONS["medium"]


def choice(key: str, *texts: str, tag: str = "en") -> dict[str, Any]:
    even = [10_000 // len(texts)] * len(texts)
    even[0] += 10_000 - sum(even)
    options = [{"key": f"o{place}", "text": {tag: text}} for place, text in enumerate(texts)]
    return {
        "key": key, "kind": "single", "text": {tag: key}, "options": options,
        "unrelated": even, "prevalence": even,
    }  # fmt: skip


def points(question: dict[str, Any]) -> dict[str, int]:
    options = component_of(question, {})["options"]
    return {next(iter(option["text"].values())): option["points"] for option in options}


@pytest.mark.parametrize("order", [*itertools.permutations(("Yes", "No", "Don't know"))])
def test_yes_counts_and_no_does_not_in_any_order(order: tuple[str, ...]) -> None:
    """Points depended on position: "Yes" had none and "No" one, so people who said yes were sent as "no"."""
    assert points(choice("q", *order)) == {"Yes": 1, "No": 0, "Don't know": 0}


@pytest.mark.parametrize(("tag", "yes", "no"), [*yes_no_words(dict(settings.LANGUAGES))])
def test_yes_and_no_are_read_in_every_language_of_respondents(tag: str, yes: str, no: str) -> None:
    assert (yes_or_no({tag: yes}), yes_or_no({tag: no})) == ("yes", "no")
    assert points(choice("q", yes, no, tag=tag)) == {yes: 1, no: 0}


def test_a_first_answer_that_means_none_counts_nothing() -> None:
    assert points(choice("q", "Never", "Once", "Often")) == {"Never": 0, "Once": 1, "Often": 2}


@pytest.mark.parametrize("way", [AT_LEAST, HOW_MANY])
def test_choices_whose_words_say_nothing_are_refused_by_name(way: str) -> None:
    """Of "Sales / Stores", the second counted."""
    one = part(act("hit"), choice("Where do you work?", "Sales", "Stores"))
    with pytest.raises(SurveyError, match="Where do you work"):
        with_one_answer(draft(one), "acts", way, protection=MEDIUM)
    made, _key = with_one_answer(draft(one), "acts", POINTS, protection=MEDIUM)
    (answer,) = made["blocks"][0]["questions"]
    options = answer["computed"]["components"][1]["options"]
    assert [option["points"] for option in options] == [0, 0], "points to state"


def test_only_questions_with_the_same_yes_or_no_are_proposed_together() -> None:
    """Department, years in the firm, days sick at work and alcohol became one yes or no."""
    works = part(
        choice("job", "Lager", "Fahrdienst", "Verwaltung", tag="de"),
        choice("sick", "nie", "1-2 Tage", tag="de"),
        choice("alcohol", "ja", "nein", tag="de"),
        choice("told", "nein", "ja", tag="de"),
        choice("hit", "ja", "nein", "weiß nicht", tag="de"),
    )
    assert pooled_keys(works) == ["alcohol", "told"]
    assert pooled_keys(part(act("one"), works["questions"][0])) == []
    assert pooled_keys(part(*WHERE, works["questions"][1])) == [each["key"] for each in WHERE]
    # Troubles of people at work and things that they did are different subjects.
    assert pooled_keys(part(act("one"), act("two"), act("three"), *WHERE)) == ["one", "two", "three"]
    assert not is_yes_no(choice("partly", "Yes", "Partly", "No"))
