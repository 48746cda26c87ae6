"""A survey that asks for an order: three things, protected; and four, open."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.models import Run, Version
from tests.cast.devices import closed, published, shipped_definition, stored, version_of
from tests.cast.runs import mined
from tests.cast.scenes import scene

WORDS = {"pay": "报酬", "hours": "工时", "team": "同事", "boss": "上司"}
NAMES = {"pay": "Pay", "hours": "Working hours", "team": "The team", "boss": "The boss"}


def things(*keys: str) -> list[dict[str, Any]]:
    """Return things to put in order, each by its key."""
    return [{"key": key, "text": {"en": NAMES[key], "zh-hans": WORDS[key]}} for key in keys]


def even(count: int) -> list[int]:
    """Return ten-thousandths for so many orders."""
    return [10_000 // count + (place < 10_000 % count) for place in range(count)]


def ranking(key: str, *keys: str, protected: bool, text: str = "Why would you leave?") -> dict[str, Any]:
    """Return a question of a definition that asks for an order."""
    count = {3: 6, 4: 24}.get(len(keys), 1)
    chances = {"unrelated": even(count), "prevalence": even(count)} if protected else {}
    return {
        "key": key,
        "kind": "ranking",
        "text": {"en": text, "zh-hans": "你为什么会离开？"},
        "options": things(*keys),
        **chances,
    }


def ranked_survey(**changes: Any) -> dict[str, Any]:
    """Return the shipped survey with an open order of four in its first part, and a part of one of three."""
    document = shipped_definition(**changes)
    if "blocks" in changes:
        return document
    matters = ranking("matters", "pay", "hours", "team", "boss", protected=False, text="What matters to you?")
    document["blocks"][0]["questions"].append(matters)
    document["blocks"].append(
        {
            "key": "leaving",
            "protected": True,
            "truth_probability": 5000,
            "refusal": None,
            "title": {"en": "Leaving", "zh-hans": "离开"},
            "questions": [ranking("leave", "pay", "hours", "team", protected=True)],
        }
    )
    return document


def ranked_answers(leave: int | None, matters: int | None = None) -> dict[str, Any]:
    """Return what one person says: the numbers of two orders, and no to the rest.

    Who is not asked the protected one leads nobody.
    """
    work = {"years": 1, "leads": int(leave is not None), "place": [1, 0, 0]}
    return {
        "work": work if matters is None else {**work, "matters": matters},
        "silence": {"unreported": 0, "seen": [0, 0, 0]},
        **({} if leave is None else {"pressure": "skipped", "leaving": {"leave": leave}}),
    }


@scene(version_of)
def ranked_version(people: Sequence[tuple[int | None, int | None]], **changes: Any) -> Version:
    """Publish the survey, let devices of these people answer, and close it."""
    version = published(ranked_survey(**changes))
    rng = random.Random(7)
    design, words = version.to_design(), iter(lambda: rng.getrandbits(32), None)
    layout = Layout(design)
    sent = [disguise(design, ranked_answers(*one), direct=False, coins=Coins(words)) for one in people]
    stored(version, [layout.pack(record) for record in sent])
    return closed(version)


def ranked_run(people: Sequence[tuple[int | None, int | None]], **changes: Any) -> Run:
    """Return a finished run of their answers."""
    return mined(ranked_version(people, **changes), Thresholds(support=0.2, max_size=1))
