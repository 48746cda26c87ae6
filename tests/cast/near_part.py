"""A survey with a part of which rows near the true one are sent, and answers to it."""

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
from tests.cast.devices import closed, shipped_definition, stored

SHARES = (0.5, 0.35, 0.3, 0.25, 0.2, 0.15, 0.4)
KEYS = tuple(f"habit{number}" for number in range(len(SHARES)))


def near_definition(slug: str, *, per_person: int | None = None, **changes: Any) -> dict[str, Any]:
    """Return a definition with seven habits, of which rows within radius 1 are sent, and an open question."""
    part = {
        "key": "habits",
        "protected": True,
        "truth_probability": 8000,
        "mechanism": "near_truth",
        "radius": 1,
        "title": {"en": "Habits", "zh-hans": "习惯"},
        "questions": [
            {
                "key": key,
                "kind": "yes_no",
                "unrelated": [5000],
                "prevalence": [3000],
                "text": {"en": f"Do you have {key}?", "zh-hans": f"您有 {key} 吗？"},
            }
            for key in KEYS
        ],
    } | ({} if per_person is None else {"questions_per_person": per_person})
    you = {
        "key": "you",
        "protected": False,
        "title": {"en": "You", "zh-hans": "您"},
        "questions": [
            {"key": "city", "kind": "yes_no", "text": {"en": "In a city?", "zh-hans": "住在城里吗？"}}
        ],
    }
    return shipped_definition(slug=slug, blocks=[you, part], group={"policy": "protected"}, **changes)


def near_survey(n: int, *, slug: str = "near", per_person: int | None = None, seed: int = 3) -> Version:
    """Return a closed survey with `n` answers: whoever has a habit has all that are more frequent."""
    assert mixer_ready()
    survey = survey_import(near_definition(slug, per_person=per_person), by="alice")
    version = survey_publish(
        survey, by="alice", now=timezone.now(), reason="seven say enough, near the truth"
    )
    design, rng = version.to_design(), random.Random(seed)
    layout, words = Layout(design), iter(lambda: rng.getrandbits(32), None)
    rows = []
    for _ in range(n):
        drawn = draw_questions(design, Coins(words)) if design.rotates else None
        mood = rng.random()
        asked = range(len(KEYS)) if drawn is None else drawn[1]
        habits = {KEYS[at]: int(mood < SHARES[at]) for at in asked}
        answers = {"you": {"city": int(mood < 0.6)}, "habits": habits}
        record = disguise(design, answers, direct=False, coins=Coins(words), drawn=drawn)
        rows.append(layout.pack(record))
    stored(version, rows)
    return closed(version)
