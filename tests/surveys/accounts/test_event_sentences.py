"""Each audit event as a sentence, in English and Chinese."""

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import override

from surveys.accounts.event_sentences import EventNames, _is_shared, event_kinds, label_of, sentence_of
from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import AuditEvent, SharedPage, Survey
from tests.architecture import nodes
from tests.fixtures.runs import definition
from tests.fixtures.staff import member
from tests.reach import APPS

DETAIL: dict[str, Any] = {
    "token": "nightly", "codes": 40, "left": 3, "until": "2026-12-01", "by_invitation": True, "version": 2,
    "before": "ben", "to": "cleo",
}  # fmt: skip


def event(
    actor: str = "ana", action: str = "draft_save", target: str = "habits", **detail: Any
) -> AuditEvent:
    at = datetime(2026, 11, 20, tzinfo=UTC)
    row = AuditEvent(at=at, actor=actor, action=action, target=target, detail=detail)
    row.save()
    return row


def said(*rows: AuditEvent) -> list[str]:
    names = EventNames.of(rows)
    return [sentence_of(row, names) for row in rows]


def drafted(owner: User) -> Survey:
    now = datetime(2026, 11, 20, tzinfo=UTC)
    return draft_create(
        definition("habits"), slug="habits", by=owner.get_username(), now=now, source="file", owner=owner
    )


def recorded_actions() -> Iterator[str]:
    """Yield the texts that the code passes as an action, directly, by a variable or by a constant."""
    trees = [list(nodes(path)) for app in APPS for path in Path(settings.BASE_DIR, app).rglob("*.py")]
    constants = {
        node.target.id: node.value
        for node in chain.from_iterable(trees)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value
    }
    for node in chain.from_iterable(trees):
        passed: list[ast.expr] = []
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") != "add_argument":
            passed += [word.value for word in node.keywords if word.arg == "action"]
            name = getattr(node.func, "id", "")
            passed += (
                node.args[:1] if name == "account_event_record" else node.args[1:2] * (name == "_record")
            )
        elif isinstance(node, ast.Assign) and [getattr(each, "id", "") for each in node.targets] == [
            "action"
        ]:
            passed.append(node.value)
        for expression in passed:
            for each in ast.walk(constants.get(getattr(expression, "id", ""), expression)):
                text = getattr(each, "value", None)
                if isinstance(text, str) and re.fullmatch(r"[a-z]+(_[a-z]+)+", text):
                    yield text


@pytest.mark.soak
def test_every_recorded_action_has_a_sentence() -> None:
    """Without one, the page would show the action's internal name."""
    written = set(recorded_actions())
    written |= {f"{kind}_{what}" for kind in SharedPage.Kind for what in ("share", "unshare")}
    assert {"answers_read", "draft_convert", "log_in_keep_out", "api_token_make", "account_plain"} <= written
    assert written - set(event_kinds()) == set()


@pytest.mark.soak
def test_every_kind_is_recorded_somewhere() -> None:
    shared = {f"{kind}_{what}" for kind in SharedPage.Kind for what in ("share", "unshare")}
    assert set(event_kinds()) - set(recorded_actions()) == shared


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("action", sorted(event_kinds()))
def test_every_kind_is_one_sentence_about_a_person_and_an_object(action: str, language: str) -> None:
    is_run = "%(run)s" in event_kinds()[action].sentence
    target = "habits run 7" if is_run else "habits release 7" if action.startswith("release") else "habits"
    with override(language):
        (sentence,) = said(event(action=action, target=target, **DETAIL))
        assert sentence[-1] == ("." if language == "en" else "。")
        assert sentence.count(sentence[-1]) == 1
        assert f"({target})" not in sentence
        assert label_of(action) != action
        assert "%" not in sentence
        assert "habits" in sentence or "ana" in sentence
        assert ("7" in sentence) == (target != "habits")


@pytest.mark.django_db
def test_people_and_surveys_have_their_names_and_the_address_stays_in_the_details() -> None:
    ana = member("ana", Role.RESEARCHER)
    ana.first_name = "Ana Silva"
    ana.save()
    survey = drafted(ana)
    (created,) = AuditEvent.objects.all()
    title = survey.title_text
    assert said(created, event(action="survey_publish", target=survey.slug, version=1)) == [
        f"Ana Silva created the draft “{title}”.",
        f"Ana Silva published version 1 of “{title}”.",
    ]
    with override("zh-hans"):
        assert said(created) == [f"Ana Silva新建了草稿“{survey.title_text}”。"]


@pytest.mark.django_db
def test_two_surveys_or_people_of_one_name_have_different_sentences() -> None:
    ana, ann = member("ana", Role.RESEARCHER), member("ann", Role.RESEARCHER)
    for each in (ana, ann):
        each.first_name = "Ana Silva"
        each.save()
    survey = drafted(ana)
    other = draft_create(
        definition("habits-2"), slug="habits-2", by="ann", now=survey.saved_at, source="file", owner=ann
    )
    title = survey.title_text
    assert other.title_text == title
    rows = list(AuditEvent.objects.order_by("pk"))
    assert said(*rows, event(target="habits run 3", action="run_cancel")) == [
        f"Ana Silva (ana) created the draft “{title}” (habits).",
        f"Ana Silva (ann) created the draft “{title}” (habits-2).",
        f"Ana Silva (ana) cancelled run 3 of “{title}” (habits).",
    ]
    with override("zh-hans"):
        assert said(*rows)[1] == f"Ana Silva（ann）新建了草稿“{other.title_text}”（habits-2）。"
    # Alone, a name is clear.
    assert said(rows[0]) == [f"Ana Silva created the draft “{title}”."]


@pytest.mark.parametrize(
    ("names", "is_shared"),
    [
        ({"a": "Work", "b": "Work"}, True),
        ({"a": "Work", "b": "Play"}, False),
        ({"Work": "Work"}, False),
        ({"a": "Work", "Work": "Play"}, True),
        ({}, False),
    ],
)
def test_a_name_is_shared_by_another_with_it_as_title_or_address(names: Any, is_shared: bool) -> None:
    assert _is_shared("Work", names) == is_shared


@pytest.mark.django_db
def test_an_earlier_survey_at_the_same_address_does_not_get_the_title_of_the_present_one() -> None:
    ana = member("ana", Role.RESEARCHER)
    earlier = event(action="survey_delete", target="habits")
    survey = drafted(ana)
    later = event(action="draft_save", target=survey.slug)
    assert said(earlier, later) == [
        f"ana deleted “{survey.slug}” with its answers.",
        f"ana saved the draft “{survey.title_text}”.",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"actor": "schedule", "action": "survey_open"}, "The schedule opened “habits”."),
        ({"actor": "command line", "action": "survey_close"}, "Someone at the command line closed “habits”."),
        ({"actor": "", "action": "draft_convert"},
         "Sottovoce opened the draft “habits”, and its tick-all questions became lists."),
        ({"actor": "log-in page", "action": "log_in_fail", "target": "ana"},
         "Someone failed to log in as ana."),
        ({"action": "account_stop", "target": "ben"}, "ana disabled the account of ben."),
        ({"action": "second_factor_off", "target": "ana"},
         "ana removed the second factor of their own account."),
        ({"action": "survey_hand_over", "before": "ben", "to": ""},
         "ana changed the owner of “habits” from ben to no one."),
        ({"action": "survey_access", "by_invitation": False},
         "ana changed who may answer “habits”: everyone with the link."),
        ({"action": "run_request", "target": "habits run 3"}, "ana started run 3 of “habits”."),
        ({"action": "verdict_give", "target": "habits run 3 rule a+b"},
         "ana reviewed a rule of run 3 of “habits”."),
        ({"action": "invitations_make", "target": "all surveys", "codes": 4},
         "ana created invitation codes for all surveys: 4."),
        # Of a disabled extension, or of another version.
        ({"action": "moon_land", "target": "crater 3"}, "ana: moon_land (crater 3)"),
        ({"action": "survey_publish"}, "ana: published a version (habits)"),
        ({"action": "run_request", "target": "all of it"}, "ana: started a run (all of it)"),
    ],
)  # fmt: skip
def test_sentences(row: dict[str, Any], sentence: str) -> None:
    assert said(event(**row)) == [sentence]


@pytest.mark.django_db
def test_a_title_or_name_with_a_percent_sign_is_kept() -> None:
    assert said(event(actor="50%(who)s", action="log_in")) == ["50%(who)s logged in."]


@pytest.mark.soak
@pytest.mark.django_db
def test_real_events_of_a_survey_are_sentences() -> None:
    ana = member("ana", Role.RESEARCHER)
    now = datetime(2026, 11, 20, tzinfo=UTC)
    survey = drafted(ana)
    version = survey_publish(Survey.objects.get(pk=survey.pk), by="ana", now=now, is_readable_seen=True)
    survey_close(version.survey, by="ana", now=now)
    rows = list(AuditEvent.objects.order_by("pk"))
    assert rows[0].action == "draft_create"
    assert all(re.fullmatch(r"ana (created|published|closed) .*\.", sentence) for sentence in said(*rows))
