"""A survey of which each person is asked some of the questions, with answers in it."""

from __future__ import annotations

import random
from typing import Any

from django.utils import timezone

from privacy.coins import Coins
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from privacy.survey.rotation import draw_questions
from surveys.authoring.publish import survey_import, survey_publish
from surveys.intake.keys import mixer_ready
from surveys.models import Version
from tests.cast.devices import closed, stored, version_of
from tests.cast.runs import definition
from tests.cast.scenes import scene

SHARES = (0.5, 0.35, 0.3, 0.25, 0.2)


def rotating_definition(slug: str) -> dict[str, Any]:
    """Return a definition: each person is asked three of five questions."""
    document = definition(slug, policy="protected")
    document["blocks"] = [
        {
            "key": "habits",
            "protected": True,
            "truth_probability": 7500,
            "refusal": 1200,
            "title": {"en": "Habits"},
            "questions_per_person": 3,
            "questions": [
                {
                    "key": f"q{number}",
                    "kind": "yes_no",
                    "unrelated": [5000],
                    "prevalence": [3000],
                    "text": {"en": f"Habit {number}?"},
                }
                for number in range(len(SHARES))
            ],
        }
    ]
    return document


@scene(version_of)
def rotating(n: int = 3_000, *, slug: str = "turns", avoided: float = 0.0, seed: int = 3) -> Version:
    """Return a closed survey with `n` answers; of those who draw the first question a share leaves."""
    assert mixer_ready()
    survey = survey_import(rotating_definition(slug), by="alice")
    version = survey_publish(survey, by="alice", now=timezone.now(), reason="three of five say enough")
    design, rng = version.to_design(), random.Random(seed)
    (block,) = design.blocks
    layout, words = Layout(design), iter(lambda: rng.getrandbits(32), None)
    rows: list[bytes] = []
    while len(rows) < n:
        drawn = draw_questions(design, Coins(words))
        if 0 in drawn[0] and rng.random() < avoided:
            continue
        mood = rng.random()
        answers = {block.questions[at].key: int(mood < SHARES[at]) for at in drawn[0]}
        record = disguise(design, {block.key: answers}, direct=False, coins=Coins(words), drawn=drawn)
        rows.append(layout.pack(record))
    stored(version, rows)
    return closed(version)
