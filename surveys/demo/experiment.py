"""Worked example of an experiment: simulated people, who deny more often under the light disguise.

Of 100 people, 30 have copied. Under the light disguise eight of these deny it, whatever explanation they
read; under the strong one no one does. No one denies invented data. So *Did it help?* should find eight
points in one question, nothing in the other, and no difference between the two explanations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from mining.simulation import words
from privacy.coins import Coins
from privacy.survey.arms import draw_arms
from privacy.survey.design import Design
from privacy.survey.grouping import draw_group
from surveys.demo.demonstration import Say, answer, mined, published
from surveys.demo.respondents import Respondent
from surveys.errors.error import SurveyError
from surveys.models import Run, Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.draft_reading import template_document

__all__ = ["COPIED", "INVENTED", "SHY", "experiment_answer", "experiment_prepare", "made_up_people"]

SLUG: Final = "experiment-example"
PEOPLE: Final = 6_000
COPIED, INVENTED, SHY = 0.30, 0.15, 0.08
SEED: Final = 39
AIM: Final = Aim(
    people=PEOPLE,
    wanted=("copied",),
    shares={"copied": 3_000, "invented": 1_500},
    expected={"copied": "deny", "invented": "deny"},
)


def experiment_prepare(*, say: Say) -> Run:
    """Create the missing parts of the example and return its run, which may still be in progress.

    The survey is for practice: it holds no real person's answers.

    Raises
    ------
    SurveyError
        ``demo``: another survey has its address; simulated people answer only the example.
    """
    survey = Survey.objects.filter(slug=SLUG).first()
    if survey is not None and (survey.owner_id is not None or not survey.practice):
        raise SurveyError("demo.taken", SLUG)
    document = template_document("experiment") | {"slug": SLUG, "practice": True}
    return mined(
        published(document, aim=AIM, say=say),
        lambda version: experiment_answer(version, people=PEOPLE, say=say),
    )


def experiment_answer(version: Version, *, people: int, say: Say) -> None:
    """Let simulated people answer, each through the service that every answer uses."""
    rng = np.random.default_rng(SEED)
    answer(version, list(made_up_people(version.to_design(), people, rng=rng)), rng=rng, say=say)


def made_up_people(design: Design, count: int, *, rng: np.random.Generator) -> Iterator[Respondent]:
    """Yield people whose devices have drawn their explanation and their strength of disguise."""
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
