"""Tick-all questions of earlier versions: what they become, and what goes on working."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from privacy.coins import Coins
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from privacy.survey.question import Question
from surveys.authoring.drafts import draft_create, draft_save
from surveys.authoring.import_notes import draft_notes
from surveys.authoring.publish import survey_publish
from surveys.embed.frame_folder import frame_folder
from surveys.embed.frame_hosts import Around
from surveys.embed.packed_import import packed_import
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.multi_conversion import converted, rows_as_lines
from surveys.questionnaire.multi_drafts import CONVERTED, has_multi
from tests.fixtures.checked_surveys import document_of, protected, several, unprotected, yes_no
from tests.fixtures.devices import mixer_ready, shipped_definition
from tests.fixtures.old_versions import published_before

DRUGS = several("drugs", "Cannabis", "Heroin", unrelated=[5000, 4000], prevalence=[3000, 100])
PETS = several("pets", "Cat", "Dog")


def lines(document: dict[str, Any], block: int = 0) -> list[tuple[str, str]]:
    return [
        (question["key"], question["kind"])
        for question in document["blocks"][block]["questions"]
        if question.get("stem")
    ]


def test_each_box_becomes_a_yes_no_question_with_its_shares() -> None:
    known = {**DRUGS, "known": False, "help": {"en": "Ever."}}
    result = converted(document_of(protected("b", yes_no("sleep"), known)))
    assert lines(result.document) == [("drugs_o0", "yes_no"), ("drugs_o1", "yes_no")]
    first, second = result.document["blocks"][0]["questions"][1:]
    assert (first["unrelated"], second["unrelated"]) == ([5000], [4000])
    assert (first["prevalence"], second["prevalence"]) == ([3000], [100])
    assert first["known"] is False
    assert result.document["stems"] == [
        {"key": "drugs", "text": {"en": "Which of these?"}, "help": {"en": "Ever."}}
    ]
    assert "is now a list of 2 yes/no questions, asked line by line" in result.notes[0]
    assert definition_read(result.document).problems == ()
    assert not has_multi(result.document)


def test_an_open_list_keeps_its_boxes() -> None:
    result = converted(document_of(unprotected("b", PETS)))
    assert result.document["stems"][0]["look"] == "boxes"
    assert definition_read(result.document).problems == ()


def test_keys_that_clash_or_are_too_long_are_unique_and_short() -> None:
    long = {**PETS, "key": "p" * 64}
    taken = document_of(unprotected("b", PETS, yes_no_open("pets_o0"), long))
    keys = [key for key, _kind in lines(converted(taken).document)]
    assert keys[:2] == ["pets_o0-2", "pets_o1"]
    assert keys[2] == "p" * 62 + "-2" or len(keys[2]) <= 64
    assert len(set(keys)) == 4
    assert all(len(key) <= 64 for key in keys)
    assert definition_read(converted(taken).document).problems == ()


def yes_no_open(key: str) -> dict[str, Any]:
    return {"key": key, "kind": "yes_no", "text": {"en": f"Did you {key}?"}}


def test_conditions_on_options_become_conditions_on_lines() -> None:
    cat, both, none = ({"question": "pets", "options": options} for options in (["o0"], ["o0", "o1"], ["o2"]))
    pets = several("pets", "Cat", "Dog", "None of these")
    conditions = [
        cat,
        both,
        none,
        {"any": [both, {"question": "leads", "options": ["yes"]}]},
        {"all": [cat, {"question": "leads", "options": ["yes"]}]},
        {"all": [both, {"question": "leads", "options": ["yes"]}]},
    ]
    later = [
        {**unprotected(f"c{number}", yes_no_open(f"q{number}")), "asked_if": condition}
        for number, condition in enumerate(conditions)
    ]
    result = converted(document_of(unprotected("b", pets, yes_no_open("leads")), *later))
    yes, no = (
        [{"question": key, "options": [answer]} for key in ("pets_o0", "pets_o1")] for answer in ("yes", "no")
    )
    leads = {"question": "leads", "options": ["yes"]}
    assert [block.get("asked_if") for block in result.document["blocks"][1:]] == [
        yes[0],
        {"any": yes},
        {"all": no},
        {"any": [*yes, leads]},
        {"all": [yes[0], leads]},
        None,
    ]
    assert "the part “c5” is now asked of everyone" in result.notes[-1]
    assert definition_read(result.document).problems == ()


def test_an_answer_that_the_page_offers_itself_is_no_line() -> None:
    pills = several(
        "pills", "Pills", "None of these", "Don't know", unrelated=[5000] * 3, prevalence=[3000] * 3
    )
    part = {
        **protected("b", yes_no("sleep"), pills),
        "exclusive": [["pills=o0", "pills=o1"], ["sleep", "pills=o0"]],
    }
    result = converted(document_of(part))
    assert lines(result.document) == [("pills_o0", "yes_no")]
    assert result.document["blocks"][0]["exclusive"] == [["sleep", "pills_o0"]]
    assert len(result.notes) == 4
    only = converted(document_of(unprotected("b", several("a", "None of these", "Don't know"))))
    assert len(lines(only.document)) == 2


def test_sets_of_drawn_questions_keep_whole_lists_or_end() -> None:
    part = protected("b", yes_no("x"), yes_no("y"), DRUGS, {**DRUGS, "key": "more"})
    whole = {**part, "questions_per_person": 2, "booklets": [[0, 2], [1, 3]]}
    block = converted(document_of(whole)).document["blocks"][0]
    assert (block["questions_per_person"], block["booklets"]) == (3, [[0, 2, 3], [1, 4, 5]])
    other = {**part, "questions_per_person": 2, "booklets": [[0, 1], [2, 3]]}
    result = converted(document_of(other))
    assert "booklets" not in result.document["blocks"][0]
    assert "plan it again" in result.notes[-1]


def test_the_aim_names_lines_instead_of_lists_and_options() -> None:
    pills = several("pills", "Pills", "Drops", "None", unrelated=[5000] * 3, prevalence=[3000] * 3)
    result = converted(document_of(protected("b", DRUGS, pills)))
    aim = {
        "people": 400,
        "wanted": ["drugs=o1", "pills=o2", "sleep"],
        "shares": {"drugs=o0": 3000, "pills=o2": 5},
        "labels": {"drugs": "Drugs", "sleep": "Sleep"},
        "expected": {"drugs": "deny"},
        "held": "a layout",
    }
    assert result.aim(aim) == {
        "people": 400,
        "wanted": ["drugs_o1", "sleep"],
        "shares": {"drugs_o0": 3000},
        "labels": {"drugs_o0": "Drugs: o0", "drugs_o1": "Drugs: o1", "sleep": "Sleep"},
        "expected": {"drugs_o0": "deny", "drugs_o1": "deny"},
    }
    assert result.aim(None) is None


def test_texts_by_arm_of_a_list_become_those_of_its_stem() -> None:
    arm = {
        "key": "told",
        "kind": "arm",
        "options": [{"key": "x", "share": 5000}, {"key": "y", "share": 5000}],
    }
    by_arm = {"question": "told", "texts": {"x": {"en": "These?"}, "y": {"en": "Those?"}}}
    document = document_of(unprotected("told", arm), protected("b", {**DRUGS, "wordings": by_arm}))
    result = converted(document)
    assert result.document["stems"][0]["wordings"] == by_arm
    definition = definition_parse(result.document)
    assert definition.wording["blocks"][1]["stems"][0]["wordings"] == by_arm
    result.document["stems"][0]["wordings"] = {**by_arm, "texts": {"x": {"en": "These?"}}}
    assert "stems[0].wordings.texts" in {each.path for each in definition_read(result.document).problems}


@pytest.mark.parametrize(
    "document",
    [None, [], {}, {"blocks": 7}, {"blocks": [{"questions": 7}]}, {"blocks": [7]}]
    + [
        {"blocks": [{"questions": [{"kind": "multi", "key": "a", "options": options}]}]}
        for options in (None, [], [7])
    ],
)
def test_malformed_drafts_stay_as_they_are(document: Any) -> None:
    assert converted(copy.deepcopy(document)).document == document


def old_draft(slug: str = "checked") -> Survey:
    """Return a draft as an earlier version stored it."""
    survey = Survey(
        slug=slug,
        title={"en": slug},
        definition={},
        aim={"people": 400, "wanted": ["drugs=o0"], "shares": {}},
    )
    survey.save()
    document = {**document_of(protected("b", yes_no("sleep"), DRUGS)), "slug": slug}
    Survey.objects.filter(pk=survey.pk).update(definition=document)
    return Survey.objects.get(pk=survey.pk)


@pytest.mark.django_db
def test_a_stored_draft_is_converted_when_it_is_opened_and_the_note_is_kept() -> None:
    survey = old_draft()
    assert lines(survey.definition) == [("drugs_o0", "yes_no"), ("drugs_o1", "yes_no")]
    assert survey.aim["wanted"] == ["drugs_o0"]
    (note,) = draft_notes(survey)
    # Opening stores nothing.
    assert has_multi(Survey.objects.filter(pk=survey.pk).values_list("definition", flat=True)[0])
    assert not AuditEvent.objects.exists()
    changed = {**survey.definition, "title": {"en": "New"}}
    draft_save(survey, changed, revision=survey.revision, by="ana", now=timezone.now())
    assert not has_multi(Survey.objects.filter(pk=survey.pk).values_list("definition", flat=True)[0])
    assert AuditEvent.objects.filter(action=CONVERTED).count() == 1
    assert draft_notes(Survey.objects.get(pk=survey.pk)) == (note,)


@pytest.mark.django_db
def test_a_stored_draft_and_a_file_are_published_as_lists() -> None:
    assert mixer_ready()
    version = survey_publish(
        old_draft(), by="ana", now=timezone.now(), reason="Made for a test.", is_readable_seen=True
    )
    published = [(question.key, question.kind) for question in version.to_design().questions]
    assert published == [("sleep", "yes_no"), ("drugs_o0", "yes_no"), ("drugs_o1", "yes_no")]
    document = document_of(protected("b", yes_no("sleep"), DRUGS))
    survey = draft_create(document, slug="file", by="ana", now=timezone.now(), source="definition")
    assert lines(survey.definition)
    assert "is now a list" in draft_notes(survey)[0]
    assert draft_read(survey, {**document, "slug": "file"}).definition is not None
    filed = survey_publish(
        survey, by="ana", now=timezone.now(), reason="Made for a test.", is_readable_seen=True
    )
    assert [(question.key, question.kind) for question in filed.to_design().questions] == published


@pytest.mark.django_db
def test_changing_the_times_of_an_old_version_makes_no_new_one() -> None:
    document = document_of(protected("b", yes_no("sleep"), DRUGS))
    old = published_before(document)
    later = {**document, "closes_at": "2099-01-01T00:00"}
    Survey.objects.filter(pk=old.survey_id).update(definition=later)
    kept = survey_publish(Survey.objects.get(slug="checked"), by="ana", now=timezone.now(), reason="A test.")
    assert kept.pk == old.pk
    assert Survey.objects.get(slug="checked").closes_at is not None
    assert [question.kind for question in kept.to_design().questions] == ["yes_no", "multi"]


def test_the_core_reads_designs_that_were_published_with_one() -> None:
    question = Question(key="drugs", kind="multi", options=("a", "b"), unrelated=(5000, 4000))
    assert question.columns == ("drugs=a", "drugs=b")
    assert definition_parse(document_of(protected("b", DRUGS))).design.questions[0].kind == "multi"


def test_rows_of_old_frames_are_rows_of_the_lists() -> None:
    pills = several("pills", "Pills", "Drops", "None of these", unrelated=[5000] * 3, prevalence=[3000] * 3)
    document = document_of(
        protected("b", yes_no("sleep"), pills, yes_no("tired"), refusal=1500), unprotected("c", PETS)
    )
    conversion = converted(document)
    before, after = (definition_parse(each).design for each in (document, conversion.document))
    layouts = [Layout(design) for design in (before, after)]
    rng = random.Random(4)
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    bodies = []
    for _person in range(300):
        ticks = [rng.getrandbits(1), rng.getrandbits(1)]
        block: Any = {"sleep": rng.getrandbits(1), "pills": [*ticks, int(not any(ticks))], "tired": 1}
        pets = {} if rng.random() < 0.2 else {"pets": [rng.getrandbits(1), 1]}
        answers = {"b": "skipped" if rng.random() < 0.2 else block, "c": pets}
        bodies.append(layouts[0].pack(disguise(before, answers, direct=False, coins=coins)))
    rows = np.frombuffer(b"".join(bodies), dtype=np.uint8).reshape(len(bodies), -1)
    converted_rows = rows_as_lines(before, after, conversion, rows)
    assert len({*bodies}) > 60
    for old, new in zip(bodies, converted_rows, strict=True):
        one, other = layouts[0].unpack(old), layouts[1].unpack(new.tobytes())
        (sleep, sent, tired), (pets,) = one.answers
        lines = (None, None) if sent is None else sent[:2]
        assert other.answers == ((sleep, *lines, tired), (None, None) if pets is None else pets)
        assert other.refused == one.refused


@pytest.mark.django_db
def test_answer_strings_of_an_old_frame_become_a_survey_with_a_list() -> None:
    assert mixer_ready()
    document = {**document_of(protected("b", yes_no("sleep"), DRUGS)), "slug": "frame"}
    design = definition_parse(document).design
    rng = random.Random(6)
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    answers = [{"b": {"sleep": 1, "drugs": [rng.getrandbits(1), 0]}} for _person in range(300)]
    bodies = [Layout(design).pack(disguise(design, each, direct=False, coins=coins)) for each in answers]
    rows = np.frombuffer(b"".join(bodies), dtype=np.uint8).reshape(300, -1)
    done = packed_import(document, rows, action="tried", by="ada", now=timezone.now(), reason="A test.")
    assert [question.key for question in done.version.to_design().questions] == [
        "sleep",
        "drugs_o0",
        "drugs_o1",
    ]
    assert done.n == 300


def as_shipped_before(document: dict[str, Any]) -> dict[str, Any]:
    """Return a shipped definition with its lists as the tick-all questions that they were."""
    document = copy.deepcopy(document)
    for stem in document.pop("stems", ()):
        for block in document["blocks"]:
            lines = [question for question in block["questions"] if question.get("stem") == stem["key"]]
            if not lines:
                continue
            options = [
                {"key": each["key"].removeprefix(f"{stem['key']}_"), "text": each["text"]} for each in lines
            ]
            shares = {
                name: [share for each in lines for share in each[name]]
                for name in ("unrelated", "prevalence")
                if name in lines[0]
            }
            texts = {name: stem[name] for name in ("text", "help") if name in stem}
            old = {"key": stem["key"], "kind": "multi", **texts, "options": options, **shares}
            at = block["questions"].index(lines[0])
            block["questions"][at : at + len(lines)] = [old]
    return document


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["workplace", "everyday"])
def test_a_draft_of_each_shipped_survey_with_a_list_opens_converts_and_publishes(name: str) -> None:
    assert mixer_ready()
    shipped = {**shipped_definition(name), "practice": True}
    old = as_shipped_before(shipped)
    assert has_multi(old)
    survey = Survey.objects.create(slug=name, title=old["title"], definition={}, practice=True)
    Survey.objects.filter(pk=survey.pk).update(definition=old)
    opened = Survey.objects.get(slug=name)
    keys = [question["key"] for block in shipped["blocks"] for question in block["questions"]]
    assert [
        question["key"] for block in opened.definition["blocks"] for question in block["questions"]
    ] == keys
    version = survey_publish(opened, by="ana", now=timezone.now(), reason="A test.", is_readable_seen=True)
    assert version.design_id == definition_parse(shipped).design.design_id


def test_a_new_frame_of_an_old_file_is_refused_with_the_way_to_convert_it(tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    file.write_text(json.dumps(document_of(protected("b", yes_no("sleep"), DRUGS))), encoding="utf-8")
    with pytest.raises(SurveyError, match="tick-all questions of an earlier version"):
        frame_folder(file, out=tmp_path / "out", around=Around(hosts=("https://uni.example",)))
