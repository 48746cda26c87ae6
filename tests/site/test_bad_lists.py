"""Lists that make little sense, from each source: they are converted with a note, or refused by name."""

import html
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.authoring.import_notes import draft_notes
from surveys.authoring.publish import survey_publish
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.pasted_text import read_paste
from surveys.intake.keys import mixer_ready
from surveys.models import Survey
from surveys.questionnaire.definition import definition_read
from tests.fixtures.checked_surveys import document_of, protected, several, unprotected, yes_no
from tests.fixtures.staff import browser_of, member

pytestmark = pytest.mark.django_db

NONE = "None of these"
SIXTY = tuple(f"Act {number}" for number in range(60))
# Options, and how many lines they become.
LISTS: dict[str, tuple[tuple[str, ...], int]] = {
    "one box": (("Pills",), 1),
    "sixty boxes": (SIXTY, 60),
    "only none of these": ((NONE,), 1),
    "a box and none of these": (("Pills", NONE), 1),
    "nothing but none and no answer": ((NONE, "Don't know"), 2),
}


def ticked(key: str, *options: str) -> dict[str, Any]:
    """Return a protected tick-all question of the earlier kind."""
    return several(key, *options, unrelated=[5000] * len(options), prevalence=[1000] * len(options))


def asked(document: dict[str, Any]) -> list[str]:
    return [question["key"] for block in document["blocks"] for question in block["questions"]]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.few(
    "False-sixty boxes", "True-nothing but none and no answer", why="the longest and the emptiest list"
)
def test_a_file_with_an_odd_list_opens_in_the_builder_and_publishes(name: str, is_open: bool) -> None:
    assert mixer_ready()
    options, count = LISTS[name]
    if is_open:
        parts = [unprotected("b", several("acts", *options)), protected("c", yes_no("steal"), refusal=1000)]
    else:
        parts = [protected("b", ticked("acts", *options), refusal=1000)]
    survey = draft_create(
        document_of(*parts), slug="odd", by="alice", now=timezone.now(), source="definition"
    )
    assert len([key for key in asked(survey.definition) if key.startswith("acts")]) == count
    assert any("is now a list of" in note for note in draft_notes(survey))
    client = browser_of("rosa", Role.RESEARCHER)
    Survey.objects.filter(pk=survey.pk).update(owner=member("rosa", Role.RESEARCHER))
    for address in ("builder", "plan"):
        page = client.get(reverse(f"authoring:{address}", args=["odd"]))
        assert page.status_code == 200
        assert options[0] in html.unescape(page.content.decode())
    survey = Survey.objects.get(pk=survey.pk)
    version = survey_publish(survey, by="alice", now=timezone.now(), reason="A test.", is_readable_seen=True)
    assert {each.kind for each in version.to_design().questions} == {"yes_no"}


def test_a_list_whose_boxes_all_exclude_each_other_keeps_the_pairs() -> None:
    part = protected("b", ticked("acts", "Pills", "Pens", "Cups"), refusal=1000)
    part["exclusive"] = [["acts=o0", "acts=o1", "acts=o2"]]
    survey = draft_create(document_of(part), slug="all", by="alice", now=timezone.now(), source="definition")
    assert survey.definition["blocks"][0]["exclusive"] == [["acts_o0", "acts_o1", "acts_o2"]]
    assert definition_read({**survey.definition, "slug": "all"}).problems == ()


def test_two_lists_with_the_key_of_one_stem_get_two_stems() -> None:
    first, second = ticked("acts", "Pills", "Pens"), ticked("acts", "Cups", "Mugs")
    document = document_of(protected("b", yes_no("steal"), first, refusal=1000))
    document["stems"] = [{"key": "acts", "text": {"en": "Which of these?"}}]
    document["blocks"][0]["questions"][0] |= {"stem": "acts"}
    survey = draft_create(document, slug="two", by="alice", now=timezone.now(), source="definition")
    assert [stem["key"] for stem in survey.definition["stems"]] == ["acts", "acts-2"]
    assert definition_read({**survey.definition, "slug": "two"}).problems == ()
    # Two questions with one key are refused by name; their conversion hides neither.
    clash = document_of(protected("b", first, refusal=1000), protected("c", second, refusal=1000))
    found = draft_create(clash, slug="clash", by="alice", now=timezone.now(), source="definition")
    keys = asked(found.definition)
    assert len(keys) == len(set(keys)) == 4
    assert len({stem["key"] for stem in found.definition["stems"]}) == 2


def test_a_condition_on_an_option_of_a_list_becomes_one_on_its_line_or_is_named() -> None:
    opened = unprotected("a", {"key": "acts", "kind": "multi", "text": {"en": "Which?"}, "options": [
        {"key": "pills", "text": {"en": "Pills"}}, {"key": "none", "text": {"en": NONE}},
        {"key": "pens", "text": {"en": "Pens"}},
    ]})  # fmt: skip

    def converted_to(options: list[str]) -> tuple[Any, tuple[str, ...]]:
        later = protected("b", yes_no("steal"), refusal=1000)
        later["asked_if"] = {"question": "acts", "options": options}
        Survey.objects.filter(slug="cond").delete()
        survey = draft_create(
            document_of(opened, later), slug="cond", by="alice", now=timezone.now(), source="definition"
        )
        return survey.definition["blocks"][1].get("asked_if"), draft_notes(survey)

    assert converted_to(["pens"])[0] == {"question": "acts_pens", "options": ["yes"]}
    both = [{"question": f"acts_{key}", "options": ["no"]} for key in ("pills", "pens")]
    assert converted_to(["none"])[0] == {"all": both}
    lost, notes = converted_to(["none", "pens"])
    assert lost is None
    assert any("is now asked of everyone: a condition on a list could not be kept" in note for note in notes)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (("Pills", "Pens"), 2),
        (SIXTY, 60),
        (("Pills", NONE), 1),
        ((NONE, "None of the above"), 2),
    ],
)
def test_pasted_lists_become_lines(options: tuple[str, ...], lines: int) -> None:
    text = "\n".join(["Survey", "1. Which have you taken? [several]", *(f"- {each}" for each in options)])
    document = draft_of(read_paste(text, ["en"]))
    assert len(asked(document)) == lines
    assert len(document["stems"]) == 1
    problems = definition_read({**document, "slug": "pasted"}).problems
    assert not [problem for problem in problems if problem.path.startswith(("blocks", "stems"))]


def test_a_pasted_list_of_one_box_is_refused_at_its_line() -> None:
    notes = read_paste("Survey\n1. Which have you taken? [several]\n- Pills", ["en"]).notes
    assert [note.line for note in notes if note.effect in ("unclear", "lost", "wrong")] == [2]


def test_two_pasted_lists_with_one_text_have_two_stems() -> None:
    text = "Survey\n" + "\n".join(f"{n}. Which have you taken? [several]\n- Pills\n- Pens" for n in (1, 2))
    document = draft_of(read_paste(text, ["en"]))
    assert len({stem["key"] for stem in document["stems"]}) == 2
    keys = asked(document)
    assert len(keys) == len(set(keys)) == 4
