"""Fill an empty installation with everything that a database can contain, through the program's services."""

import random
from typing import Final

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.survey.arms import draw_arms
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from surveys.accounts.page_sharing import page_share
from surveys.accounts.roles import Role
from surveys.accounts.second_factor import second_factor_begin
from surveys.accounts.tokens import token_make
from surveys.authoring.drafts import draft_create, draft_save, survey_import
from surveys.authoring.former_choices import choices_document
from surveys.authoring.imported_draft import Origin
from surveys.authoring.publish import survey_publish
from surveys.imports.pasted_text import read_paste
from surveys.models import RuleRow, Run, SharedPage, Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.templates import duplicate_document
from surveys.report.rules.verdicts import verdict_give
from surveys.runs.itemset_question import itemset_question
from surveys.runs.run_requests import run_request
from tests.attack import test_open_answers as open_answers
from tests.extensions import plugins
from tests.fixtures import everyday, scale_runs
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.counted_runs import asking_run, counted_run, judge
from tests.fixtures.devices import CONTENT_TYPE, closed, published, request_of, shipped_definition, stored
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import (
    LOOSE,
    PAIRS,
    SINGLES,
    answered_version,
    audited_run,
    definition,
    done,
    mined_run,
    requested_run,
    truth_of,
)
from tests.fixtures.staff import with_password

RUNS: Final = 200
"""Analyses of one survey."""
PEOPLE: Final = {
    "museum": (Role.ADMINISTRATOR, Role.RESEARCHER, Role.REVIEWER),
    "alice": (Role.REVIEWER,),
    "ana": (Role.RESEARCHER,),
}
"""User names and roles; the password is `tests.fixtures.staff.PASSWORD`."""


def fill() -> None:
    """Create people, drafts, surveys, answers, runs and releases."""
    people = {name: with_password(name, *roles) for name, roles in PEOPLE.items()}
    second_factor_begin(people["alice"])
    token_make(people["museum"], name="museum", days=30, today=timezone.now().date())
    _drafts()
    _small_surveys()
    run = _many_runs(people["alice"])
    _shared(run)
    judge(audited_run(counted_run(answered_version(400, n_direct=80, slug="counted"))))
    for version, thresholds in _answered():
        audited_run(mined_run(version, thresholds))
    requested_run(answered_version(200, n_direct=0, slug="queued"))
    _long_lists()
    for plugin in plugins():
        plugin.fill(people["museum"])
    Survey.objects.filter(owner=None).update(owner=people["ana"])


def _drafts() -> None:
    draft = draft_create(shipped_definition(), slug="draft", source="scratch", by="ana", now=timezone.now())
    changed = duplicate_document(draft) | {"title": {"en": "Changed", "zh-hans": "已修改"}}
    draft_save(draft, changed, revision=draft.revision, by="museum", now=timezone.now())
    text = "Sleep\n1. Do you sleep badly?"
    read = draft_create({}, slug="text", source="text", by="ana", now=timezone.now(), pasted=text)
    choices = choices_document(read_paste(text, ()), Origin(source="text", pasted=text))
    read.draft_revisions.update(choices=choices)
    planned = draft_create(shipped_definition(), slug="plan", source="scratch", by="ana", now=timezone.now())
    planned.aim = Aim(people=400).to_json()
    planned.save(update_fields=["aim"])


def _small_surveys() -> None:
    """Create a series, a survey by invitation, open and practice surveys, and answers that wait."""
    block = protected("b", *(yes_no(f"q{number}") for number in range(2)))
    for slug in ("wave-1", "wave-2"):
        published(document_of(block, slug=slug, series="panel", waves=2))
    version = invited(slug="invited")
    codes = codes_of(version, 5)
    _send(request_of(version, code=codes[0]))
    published(shipped_definition(slug="practice", practice=True))
    version = published(definition("open", policy="protected"))
    for _ in range(4):
        _send(request_of(version))
    # A second version that differs in wording, published with a written reason.
    survey = version.survey
    survey.refresh_from_db()
    document = duplicate_document(survey) | {"title": {"en": "Habits, again"}}
    saved = draft_save(survey, document, revision=survey.revision, by="ana", now=timezone.now())
    survey_publish(saved, by="ana", now=timezone.now(), reason="Made for a museum.", is_readable_seen=True)


def _send(body: bytes) -> None:
    response = Client(SERVER_NAME="localhost").post("/api/submissions", body, content_type=CONTENT_TYPE)
    assert response.status_code == 200, response.content


def _many_runs(reviewer: User) -> Run:
    """Analyse one survey with two strengths and a known truth `RUNS` times; return a run with verdicts."""
    version = answered_version(400, n_direct=80, slug="habits")
    truth_of(version, 400)
    first = audited_run(mined_run(version, PAIRS))
    rules = list(RuleRow.objects.filter(run=first).order_by("pk")[:2])
    for rule, opinion in zip(rules, ("accepted", "rejected"), strict=False):
        verdict_give(rule=rule, opinion=opinion, note="Seen.", by=reviewer, now=timezone.now())
    for number in range(1, RUNS):
        mined_run(version, Thresholds(support=0.5 + number / 1000, max_size=1))
    return first


def _long_lists() -> None:
    """Let one run end with the question above many itemsets, and another list them all."""
    asked = asking_run(version=answered_version(400, n_direct=80, slug="long"))
    assert itemset_question(asked.job) is not None
    now = timezone.now()
    done(
        run_request(version=asked.version, thresholds=LOOSE, by=None, now=now, announce=False, lists_all=True)
    )


def _shared(run: Run) -> None:
    now = timezone.now()
    page_share(run.survey, SharedPage.Kind.RESULTS, run=run, days=3650, by="museum", now=now)
    page_share(run.survey, SharedPage.Kind.RISK, days=3650, by="museum", now=now)


def _answered() -> list[tuple[Version, Thresholds]]:
    """Return closed surveys: every kind of question, scales, rotation, an experiment, an open number."""
    kinds = everyday.everyday(slug="kinds")
    stored(kinds, everyday.bodies(kinds.to_design(), 300))
    return [
        (closed(kinds), everyday.THRESHOLDS),
        (scale_runs.scale_answered(300), SINGLES),
        (rotating(600), PAIRS),
        (_experiment(), SINGLES),
        (_open_number(), SINGLES),
    ]


def _open_number() -> Version:
    """Return a survey with a number that is stored as answered; its bars are stored with the first run."""
    version = open_answers.survey("hours", number=True)
    open_answers.answer(version, (60, 60, 60, 60), numbers=[5 * (person % 12) for person in range(240)])
    return closed(version)


def _experiment(n: int = 300) -> Version:
    arm = {
        "key": "told",
        "kind": "arm",
        "options": [{"key": key, "share": 5000} for key in ("short", "long")],
    }
    document = document_of(
        unprotected("told", arm), protected("b", yes_no("copied"), yes_no("late"), p=6000), slug="experiment"
    )
    survey = survey_import(document, by="alice")
    survey.aim = Aim(people=n, wanted=("copied",), expected={"copied": "deny"}).to_json()
    survey.save()
    version = survey_publish(
        survey, by="alice", now=timezone.now(), reason="Made for a museum.", is_readable_seen=True
    )
    design, rng = version.to_design(), random.Random(5)
    layout, coins = Layout(design), Coins(iter(lambda: rng.getrandbits(32), None))
    rows = []
    for _ in range(n):
        (drawn, *_others) = draw_arms(design, coins)
        answers = {"told": {"told": drawn}, "b": {"copied": rng.getrandbits(1), "late": rng.getrandbits(1)}}
        rows.append(layout.pack(disguise(design, answers, direct=False, coins=coins)))
    stored(version, rows)
    return closed(version)
