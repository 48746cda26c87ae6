"""Surveys to answer, and devices that answer them through the real disguise."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import secrets
from collections.abc import Sequence
from importlib import resources
from typing import Any

from django.utils import timezone

from privacy.coins import Coins
from privacy.survey.design import Block, Design, Question
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.authoring.publish import survey_close, survey_import, survey_publish
from surveys.intake.keys import mixer_ready
from surveys.models import Batch, Survey, Version
from tests.attack.respondents import wide_definition as wide_definition

CONTENT_TYPE = "application/vnd.sotto.submission+json"


def shipped_definition(name: str = "workplace", **changes: Any) -> dict[str, Any]:
    """Return a definition that ships with Sottovoce, changed at the top; live unless asked otherwise."""
    text = resources.files("surveys").joinpath("definitions", f"{name}.json").read_text(encoding="utf-8")
    return {**json.loads(text), "practice": False, **copy.deepcopy(changes)}


def explained(definition: dict[str, Any]) -> dict[str, Any]:
    """Say why some people's answers are sent undisguised, where they are: no live survey does without."""
    group = definition["group"]
    if group["policy"] == "protected" or group.get("light") or definition["practice"]:
        return definition
    why = dict.fromkeys(definition["title"], "Made for a test.")
    return {**definition, "about": {"undisguised": why, **definition["about"]}}


def published(definition: dict[str, Any]) -> Version:
    """Import and publish a survey, whatever the checks say of it, with a mixer that vouches for its key."""
    assert mixer_ready()
    survey = survey_import(explained(definition), by="alice")
    return survey_publish(survey, by="alice", now=timezone.now(), reason="Made for a test.")


def closed(version: Version) -> Version:
    """Close the survey, and return its version as the database has it then, with its survey."""
    survey_close(version.survey, now=timezone.now(), at_once=True, by="alice")
    return version_of(version.pk)


def version_of(pk: int) -> Version:
    """Return a version as the database has it, with its survey."""
    return Version.objects.select_related("survey").get(pk=pk)


def stored(version: Version, rows: Sequence[bytes]) -> Batch:
    """Put what devices sent into one batch."""
    packed = b"".join(rows)
    batch = Batch(version=version, n=len(rows), packed=packed, digest=hashlib.sha256(packed).hexdigest())
    batch.save()
    return batch


def about() -> dict[str, dict[str, str]]:
    """Return what a survey says about itself, in one language."""
    return {name: {"en": "Made for a test."} for name in shipped_definition()["about"]}


def true_answers(design: Design, rng: random.Random) -> dict[str, Any]:
    """Make up what a respondent might answer."""
    answers: dict[str, Any] = {}
    for block in design.blocks:
        if block.asked_if is not None and not _leads_on(design, block, answers):
            continue
        if block.refusal is not None and rng.random() < 0.2:
            answers[block.key] = "skipped"
            continue
        answers[block.key] = {
            question.key: _answer(question, rng)
            for question in block.questions
            if block.protected or rng.random() < 0.9
        }
    return answers


def _leads_on(design: Design, block: Block, answers: dict[str, Any]) -> bool:
    assert block.asked_if is not None
    held = []
    for term in block.asked_if.terms:
        number = design.question_number(term.question)
        given = answers.get(design.blocks[design.block_of(number)].key, {}).get(term.question)
        options = design.questions[number].options or ("no", "yes")
        held.append(given is not None and options[given] in term.options)
    return all(held) if block.asked_if.joined == "all" else any(held)


def _answer(question: Question, rng: random.Random) -> Any:
    if question.kind == "multi":
        return [rng.getrandbits(1) for _ in question.options]
    return rng.randrange(question.patterns)


def sealed_body(design: Design, rng: random.Random) -> bytes:
    """Return the body that one device seals."""
    words = iter(lambda: rng.getrandbits(32), None)
    record = disguise(design, true_answers(design, rng), direct=False, coins=Coins(words))
    return Layout(design).pack(record)


def request_of(version: Version, **changes: str) -> bytes:
    """Return the bytes of a submission; members can be replaced."""
    members = {
        "survey": version.survey.slug,
        "key": secrets.token_hex(16),
        "design_id": version.design_id,
        "body": "",
        "nonce": secrets.token_hex(32),
        **changes,
    }
    if not members["body"]:
        members["body"] = sealed_body(version.to_design(), random.Random(secrets.randbits(64))).hex()
    return json.dumps(members, separators=(",", ":")).encode("ascii")


def survey_of(version: Version) -> Survey:
    """Return the survey as the database has it now."""
    return Survey.objects.get(pk=version.survey_id)
