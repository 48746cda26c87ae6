"""Simulated respondents who use the real disguise, and the record of whose row is whose."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils import timezone

from mining.columns.random_words import words
from privacy.coins import Coins
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from privacy.survey.true_answers import Answers
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.intake.keys import mixer_ready
from surveys.intake.receive import submission_receive
from surveys.models import Version
from surveys.questionnaire.definition import ABOUT, SURVEYED
from surveys.respondent.survey_access import survey_access
from tests.attack.learnt import AttackError

__all__ = ["ACTOR", "Respondents", "open_part", "options", "publish", "text", "wide_definition"]

ACTOR = "attack"


def text(words: str) -> dict[str, str]:
    """Return a text in one language."""
    return {"en": words}


def options(texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the options of a question by their keys."""
    return [{"key": key, "text": text(words)} for key, words in texts.items()]


def open_part(questions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a part of open questions."""
    return {"key": "you", "protected": False, "title": text("You"), "questions": list(questions)}


def wide_definition(slug: str = "wide", *, questions: int = 24) -> dict[str, Any]:
    """Return a survey whose disguised rows are practically unique, so that each can be recognised.

    Each of its yes/no questions has its own coin.
    """
    return {
        "sotto": 1,
        "slug": slug,
        "title": text("Wide"),
        "practice": False,
        "about": {name: text("Made up to be attacked.") for name in (*ABOUT, *SURVEYED)},
        "group": {"policy": "protected"},
        "blocks": [
            {
                "key": f"b{number}",
                "protected": True,
                "truth_probability": 5000,
                "no_skip": "Made for a test.",
                "title": text("Part"),
                "questions": [
                    {
                        "key": f"q{number}",
                        "kind": "yes_no",
                        "unrelated": [5000],
                        "prevalence": [5000],
                        "text": text("Yes?"),
                    }
                ],
            }
            for number in range(questions)
        ],
    }


def publish(definition: dict[str, Any], *, by_invitation: bool = False) -> Version:
    """Publish a simulated survey, with a mixer that offers a key."""
    if not mixer_ready():
        raise AttackError("no mixer offers a key in this database; see sottovoce doctor")
    survey = survey_import(definition, by=ACTOR)
    survey_access(survey, by_invitation=by_invitation, by=ACTOR)
    return survey_publish(
        survey, by=ACTOR, now=timezone.now(), reason="Made up to be attacked.", is_readable_seen=True
    )


class Respondents:
    """Respondents of a version with yes/no questions in protected parts.

    Attributes
    ----------
    truth : dict of bytes to bytes
        Receipt key -> packed row.
    row_bytes : int
        Length of a packed row.
    """

    def __init__(self, version: Version, *, seed: int = 20261120) -> None:
        self.version = version
        self.design = version.to_design()
        self.layout = Layout(self.design)
        self.row_bytes = self.layout.n_bytes
        self.rng = np.random.default_rng(seed)
        self.words = words(self.rng)
        self.truth: dict[bytes, bytes] = {}

    def row(self, answers: Answers | None = None, *, direct: bool = False) -> bytes:
        """Return a respondent's disguised row for these answers, or for random ones."""
        if answers is None:
            answers = {
                block.key: {question.key: int(self.rng.integers(2)) for question in block.questions}
                for block in self.design.blocks
            }
        return self.layout.pack(disguise(self.design, answers, direct=direct, coins=Coins(self.words)))

    def answer(self, times: int = 1) -> None:
        """Let devices disguise and send answers."""
        for _ in range(times):
            self.send(self.row())

    def send(self, row: bytes) -> None:
        """Send a row under a new key."""
        key = self.rng.bytes(16)
        outcome = submission_receive(self.request(row, key=key.hex()), now=timezone.now())
        if outcome.status != 200:
            raise AttackError(f"a made-up respondent was refused with {outcome.status}")
        self.truth[key] = row

    def request(self, row: bytes, **who: str) -> bytes:
        """Return the request that sends a row, under a key or an invitation code."""
        request = {
            "survey": self.version.survey.slug,
            **who,
            "design_id": self.version.design_id,
            "body": row.hex(),
            "nonce": self.rng.bytes(32).hex(),
        }
        return json.dumps(request, separators=(",", ":")).encode("ascii")

    def linked(self, guess: Mapping[bytes, bytes]) -> int:
        """Return how many rows a guess links to the right receipt."""
        if len(set(guess.values())) != len(guess):
            raise ValueError("a guess names a row twice")
        if len(set(self.truth.values())) != len(self.truth):
            raise ValueError("two rows are alike: whose is whose cannot be told")
        return sum(self.truth.get(key) == row for key, row in guess.items())
