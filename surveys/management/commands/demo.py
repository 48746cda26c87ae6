"""`manage.py demo`: make the demonstration; in an empty home, start everything first.

The command answers, closes and mines a survey with real sensitive data, and opens two practice surveys. Each
step can be repeated after an interruption. The simulated devices draw their words, keys and nonces from one
seeded generator. So a device that sends twice sends the same bytes, as a real one does, and the server stores
only the first. The seed also makes the report's figures the same everywhere. Real devices draw from the
platform's cryptographic generator.
"""

from __future__ import annotations

import copy
import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.urls import reverse
from django.utils import timezone, translation

from mining.columns.random_words import words
from mining.mlxtend_search import frequent_itemsets
from mining.thresholds import Sides, Thresholds
from privacy.arrays import Flags
from privacy.coins import Coins
from privacy.counted_nouns import counted
from privacy.survey.arms import draw_arms
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.grouping import draw_group
from privacy.survey.layout import Layout
from sottovoce import example_data
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError, refusal
from surveys.errors.stored_refusals import refusal_text
from surveys.intake.keys import mixer_ready, renew_vouch
from surveys.intake.receive import SubmissionResult, submission_receive
from surveys.management.commands.dev import host, port
from surveys.management.refusing_command import RefusingCommand
from surveys.models import Job, Run, Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.templates import template_document
from surveys.run_lock import running_in
from surveys.runs.run_requests import run_request
from surveys.server.database_copy import database_is_empty
from surveys.server.launch import HOST, PORT, Launch, launch

# The paper behind the model cites Cranor: 27 of 100 people would give their data undisguised. People with
# something to hide do so less often. With these two probabilities, 27% of all respondents answer directly,
# and the direct group differs from the rest, as it would in a real survey.
DIRECT_WITHOUT_AFFAIR: Final = 0.31
DIRECT_WITH_AFFAIR: Final = 0.185

Answers = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, kw_only=True)
class Respondent:
    """A person in the data set: true answers, and whether they answer directly."""

    answers: Answers
    direct: bool


def definition(name: str = "marriage") -> dict[str, Any]:
    """Return a survey definition that ships with Sottovoce, in the format of ``import_survey``."""
    text = resources.files("surveys").joinpath("definitions", f"{name}.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def respondents(*, rng: np.random.Generator) -> Iterator[Respondent]:
    """Yield all 6,366 respondents in the data set's order; `rng` decides who answers directly.

    Fair's codes are midpoints of bands. The cut points below lie between them, and `numpy.searchsorted`
    returns the position of the option.
    """
    rows = example_data()
    bands = {
        "age": np.searchsorted([24.5, 29.5, 34.5], rows["age"]),
        "married": np.searchsorted([4.0, 11.0], rows["yrs_married"]),
        "children": np.searchsorted([0.5, 2.5], rows["children"]),
        "education": np.searchsorted([13.0, 15.0], rows["educ"]),
    }
    affair = (rows["affairs"] > 0).to_numpy()
    unhappy = (rows["rate_marriage"] <= 3).to_numpy()
    not_religious = (rows["religious"] <= 2).to_numpy()
    direct = rng.random(len(rows)) < np.where(affair, DIRECT_WITH_AFFAIR, DIRECT_WITHOUT_AFFAIR)
    for row in range(len(rows)):
        yield Respondent(
            answers={
                "background": {key: int(levels[row]) for key, levels in bands.items()},
                "marriage": {"affair": int(affair[row]), "unhappy": int(unhappy[row])},
                "faith": {"not-religious": int(not_religious[row])},
            },
            direct=bool(direct[row]),
        )


Say = Callable[[str], None]

SLUG: Final = "marriage"
PRACTICE_SLUG: Final = "marriage-practice"
# The example with many kinds of questions; its definition makes it a practice survey.
EVERYDAY_SLUG: Final = "everyday"
AIM: Final = Aim(
    people=6_366, wanted=("unhappy", "affair"), shares={"unhappy": 2_000, "affair": 3_000}, strength="medium"
)
"""The planned question: are affairs and unhappy marriages associated, among all people in the data set?"""
LABELS: Final = {
    "age": {"en": "age", "zh-hans": "年龄"},
    "married": {"en": "years married", "zh-hans": "结婚年限"},
    "children": {"en": "children", "zh-hans": "子女数"},
    "education": {"en": "schooling", "zh-hans": "受教育程度"},
    "affair": {"en": "affair", "zh-hans": "婚外情"},
    "unhappy": {"en": "unhappy marriage", "zh-hans": "婚姻令人失望"},
    "not-religious": {"en": "secular life", "zh-hans": "生活与宗教无关"},
}
"""Short names of the questions, by language."""
_TRIES: Final = 12
STAFF_NAME: Final = "demo"
ACTOR: Final = "demonstration"

SEED_OF_CHOICES: Final = 1978
SEED_OF_DEVICES: Final = 2026
SUPPORT: Final = 0.05
LONGEST_SHOWN: Final = 3


@dataclass(frozen=True, kw_only=True)
class LogIn:
    """A staff account of this installation, with the password that `ensure_log_in` drew for it."""

    name: str
    password: str


def prepare(*, say: Say) -> Run:
    """Create the missing parts of the demonstration and return its run, which may still be in progress."""
    people = list(respondents(rng=np.random.default_rng(SEED_OF_CHOICES)))
    survey = ensure_published(definition(), aim=AIM, say=say)
    if survey.known_truth is None and survey.state == Survey.State.OPEN:
        # Store the truth first: from then on, the home page says that the example is being created.
        survey.known_truth = true_supports(survey.versions.earliest("number").to_design(), people)
        survey.save(update_fields=["known_truth"])
    ensure_published(practice_definition(), say=say)
    ensure_published(definition(EVERYDAY_SLUG), say=say)

    def send_answers(version: Version) -> None:
        answer(version, people, rng=np.random.default_rng(SEED_OF_DEVICES), say=say)

    return ensure_run(survey, send_answers)


def ensure_published(document: dict[str, Any], *, say: Say, aim: Aim | None = None) -> Survey:
    """Return the survey of a definition, importing and publishing it if necessary."""
    survey = Survey.objects.filter(slug=document["slug"]).first()
    if survey is None:
        say(f"demo: importing the survey {document['slug']}")
        survey = survey_import(document, by=ACTOR)
        survey.aim = replace(aim, names=LABELS).to_json() if aim else survey.aim
        survey.save(update_fields=["aim"])
    if survey.state == Survey.State.DRAFT:
        survey_publish(survey, by=ACTOR, now=timezone.now(), is_readable_seen=True)
        survey.refresh_from_db()
    return survey


def ensure_run(survey: Survey, send_answers: Callable[[Version], None]) -> Run:
    """Return the run of an example, answering and closing the survey first if it is still open."""
    version = survey.versions.earliest("number")
    if survey.state == Survey.State.OPEN:
        send_answers(version)
        survey_close(survey, now=timezone.now(), at_once=True, by=ACTOR)
    run = survey.runs.exclude(job__state__in=("failed", "cancelled")).order_by("pk").first()
    return run or run_request(
        version=version, thresholds=thresholds(version.to_design()), by=None, now=timezone.now()
    )


def thresholds(design: Design) -> Thresholds:
    """Return the thresholds of the demonstration's run, which lists rules that end in one protected item."""
    protected_ids = tuple(item.index for item in design.items if design.blocks[item.block].protected)
    return Thresholds(
        support=SUPPORT,
        lift=1.0,
        max_size=LONGEST_SHOWN,
        sides=Sides(consequent=protected_ids, longest_consequent=1),
    )


def submissions(
    design: Design, people: list[Respondent], *, rng: np.random.Generator, slug: str = SLUG
) -> Iterator[bytes]:
    """Yield the exact bytes of the request that each respondent's device sends."""
    layout, stream = Layout(design), words(rng)
    for person in people:
        record = disguise(design, person.answers, direct=person.direct, coins=Coins(stream))
        request = {
            "survey": slug,
            "key": rng.bytes(16).hex(),
            "design_id": design.design_id,
            "body": layout.pack(record).hex(),
            "nonce": rng.bytes(32).hex(),
        }
        yield json.dumps(request, separators=(",", ":")).encode("ascii")


def true_supports(design: Design, people: list[Respondent]) -> dict[str, float]:
    """Return the true support of every itemset of at most three items that occurs.

    Only these sums are stored with the disguised rows; the true rows are not.
    """
    rows: Flags = np.zeros((len(people), len(design.items)), dtype=bool)
    for item in design.items:
        question = design.questions[item.question]
        block = design.blocks[item.block].key
        holds = item.option if question.is_exhaustive else 1
        rows[:, item.index] = [person.answers[block][question.key] == holds for person in people]
    itemsets = frequent_itemsets(rows, support=1 / len(people), max_size=LONGEST_SHOWN)
    return {" & ".join(design.items[item].key for item in items): share for items, share in itemsets.items()}


def ensure_log_in(home: Path) -> LogIn:
    """Return the demonstration's staff account, created on first use; a file in `home` stores its password.

    Later calls do not change the account, because the operator may have changed the password in the browser.
    """
    path = home / "demo-log-in"
    if not path.exists():
        password = secrets.token_urlsafe(12)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(password)
        User.objects.filter(username=STAFF_NAME).delete()
    password = path.read_text(encoding="ascii")
    if not User.objects.filter(username=STAFF_NAME).exists():
        User.objects.create_superuser(STAFF_NAME, password=password)
    return LogIn(name=STAFF_NAME, password=password)


def log_in_line(log_in: LogIn) -> str:
    """Return how to log in; without the first password if someone has changed it."""
    account = User.objects.get(username=log_in.name)
    if account.check_password(log_in.password):
        return f"log in as {log_in.name}, password {log_in.password}"
    return f"log in as {log_in.name}, with the password that replaced the first one"


def report_path(run: Run, page: str = "results") -> str:
    """Return the address of a page of a run's report below the site's root."""
    with translation.override("en"):
        return reverse(f"report:{page}", args=[run.pk])


def practice_definition() -> dict[str, Any]:
    """Return the definition of the practice copy, which stays open."""
    document = copy.deepcopy(definition())
    document["slug"] = PRACTICE_SLUG
    document["practice"] = True
    return document


def _submit_retrying(raw: bytes) -> SubmissionResult:
    """Submit a body, and retry after the stated time, as a device does."""
    for _ in range(_TRIES):
        result = submission_receive(raw, now=timezone.now())
        if result.retry_after is None:
            break
        time.sleep(result.retry_after)
    return result


def answer(version: Version, people: list[Respondent], *, rng: np.random.Generator, say: Say) -> None:
    """Let each respondent's device send its answers.

    Raises
    ------
    SurveyError
        ``demo``: the service refused a submission.
    """
    mixer_ready()
    devices = submissions(version.to_design(), people, rng=rng, slug=version.survey.slug)
    for number, raw in enumerate(devices, start=1):
        outcome = _submit_retrying(raw)
        if outcome.status != 200:
            raise SurveyError(
                "demo.refused",
                number=number,
                status=outcome.status,
                message=outcome.answer.get("message"),
                remedy=outcome.answer.get("remedy"),
            )
        if number % 100 == 0:
            # The sweeper may not run yet.
            renew_vouch()
        if number % 1000 == 0 or number == len(people):
            say(f"demo: {number:,} of {len(people):,} respondents have answered")


EXPERIMENT_SLUG: Final = "experiment-example"
EXPERIMENT_PEOPLE: Final = 6_000
COPIED, INVENTED, SHY = 0.30, 0.15, 0.08
EXPERIMENT_SEED: Final = 39
EXPERIMENT_AIM: Final = Aim(
    people=EXPERIMENT_PEOPLE,
    wanted=("copied",),
    shares={"copied": 3_000, "invented": 1_500},
    expected={"copied": "deny", "invented": "deny"},
)


def experiment_prepare(*, say: Say) -> Run:
    """Create the missing parts of the example and return its run, which may still be in progress.

    The survey is a practice survey, because it does not have real people's answers.

    Raises
    ------
    SurveyError
        ``demo``: another survey has its address, and simulated people must answer only the example.
    """
    survey = Survey.objects.filter(slug=EXPERIMENT_SLUG).first()
    if survey is not None and (survey.owner_id is not None or not survey.practice):
        raise SurveyError("demo.taken", EXPERIMENT_SLUG)
    document = template_document("experiment") | {"slug": EXPERIMENT_SLUG, "practice": True}
    return ensure_run(
        ensure_published(document, aim=EXPERIMENT_AIM, say=say),
        lambda version: experiment_answer(version, people=EXPERIMENT_PEOPLE, say=say),
    )


def experiment_answer(version: Version, *, people: int, say: Say) -> None:
    """Let simulated people answer through the service that receives all answers."""
    rng = np.random.default_rng(EXPERIMENT_SEED)
    answer(version, list(simulated_people(version.to_design(), people, rng=rng)), rng=rng, say=say)


def simulated_people(design: Design, count: int, *, rng: np.random.Generator) -> Iterator[Respondent]:
    """Yield simulated people whose devices have drawn their explanation and strength of disguise."""
    stream = words(rng)
    for _ in range(count):
        coins = Coins(stream)
        (explanation,) = draw_arms(design, coins)
        light = draw_group(design, coins)
        yield Respondent(
            answers={
                "explanation": {"explanation": explanation},
                "studies": {"years": int(rng.integers(2))},
                "work": {
                    "copied": int(rng.random() < COPIED - SHY * light),
                    "invented": int(rng.random() < INVENTED),
                },
            },
            direct=light,
        )


SECONDS_BETWEEN_LOOKS = 0.5


class Command(RefusingCommand):
    """Prepare the demonstration; safe to call again."""

    help = (
        "Make the demonstration: a survey with the real answers of 6,366 people, about 73 in 100 disguised "
        "and the others direct, closed and mined, and an open practice copy. Existing data is kept. "
        "Prints where to look and how to log in. "
        "If nothing is installed in SOTTOVOCE_HOME yet, starts everything there, as dev does."
    )
    # Skip these checks, because an empty home has no tables yet.
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options for the example, waiting, and addresses."""
        parser.add_argument(
            "--experiment",
            action="store_true",
            help="make the worked example of an experiment instead: 6,000 made-up people, two strengths",
        )
        parser.add_argument(
            "--wait", action="store_true", help="wait for the report; exit 0 only if it is there"
        )
        parser.add_argument(
            "--seconds", type=float, default=300.0, help="with --wait: how long at most (default: 300)"
        )
        parser.add_argument(
            "--host", type=host, default=HOST, help=f"address to listen on in an empty home (default: {HOST})"
        )
        parser.add_argument(
            "--port", type=port, default=PORT, help=f"port to listen on in an empty home (default: {PORT})"
        )
        parser.add_argument(
            "--address", default="", help="the site, such as http://localhost:8000/, to print whole addresses"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare the demonstration, print its addresses, and wait if requested."""
        if database_is_empty():
            command = f"sottovoce demo{' --wait' if options['wait'] else ''}"
            plan = Launch(host=options["host"], port=options["port"], once=options["wait"], command=command)
            sys.exit(launch(plan, say=self._say))
        # First, so that it is also printed if the rest fails, and while the answers are sent.
        self._say(f"demo: {log_in_line(ensure_log_in(settings.SOTTOVOCE_HOME))}")
        is_experiment = options["experiment"]
        run = (experiment_prepare if is_experiment else prepare)(say=self._say)
        running = running_in(settings.SOTTOVOCE_HOME)
        site = (options["address"] or (running.address if running else "")).rstrip("/")
        self._say(f"demo: report {site}{report_path(run)}")
        if is_experiment:
            self._say(f"demo: did it help? {site}{report_path(run, 'compare')}?by=arms/group")
        else:
            self._say(f"demo: practice survey {site}/en/s/{PRACTICE_SLUG}/")
        if running is None:
            self._say(
                "demo: unless services run Sottovoce, nothing runs now. To start it, type: sottovoce dev"
            )
        if options["wait"]:
            self._wait(run.job_id, options["seconds"])
            rules = counted(Run.objects.get(pk=run.pk).summary["rules"], "rule")
            self._say(f"demo: the report is ready, with {rules}")

    def _wait(self, job_id: int, seconds: float) -> None:
        end = time.monotonic() + seconds
        while True:
            job = Job.objects.get(pk=job_id)
            if job.state == Job.State.FINISHED:
                return
            if job.is_over:
                raise refusal("demo.state", state=job.state, message=refusal_text(job.message))
            if time.monotonic() > end:
                raise refusal("demo.waited", state=job.state, seconds=seconds)
            time.sleep(SECONDS_BETWEEN_LOOKS)
