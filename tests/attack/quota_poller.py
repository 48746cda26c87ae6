"""Who is of which group, by reading a page with quotas after each person: two worlds with one other answer.

An attacker knows when each person takes part and reads the survey's page after each. The same people answer
two surveys with the same quotas; one of them gives another open answer in the second. Their devices send
rows that are equal but for that answer, and the mixer draws the same rows. As long as the batch with that
person's row is not opened to figures both pages must say the same: then an adversary who reads them learns
nothing of it that the batches do not tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.utils import timezone

from privacy.coins import SCALE
from privacy.survey.layout import Layout, Record
from surveys.authoring.publish import survey_close
from surveys.intake.mix import mix
from surveys.models import Survey, Version
from surveys.rows.quota_counts import quotas_step
from surveys.rows.quota_status import quotas_now
from surveys.rows.snapshot import batches_open_to_mining
from tests.attack.learnt import Learnt
from tests.attack.respondents import ACTOR, Respondents, open_part, options, publish, text, wide_definition
from tests.attack.traces import split_rows

__all__ = ["PEOPLE", "Polled", "attack_quotas", "poll_quotas"]

PEOPLE: Final = 210
"""Enough for three batches while the survey is open: two are opened, and figures of them are shown."""

WOMEN: Final = 60
# Two disguised answers, which name everybody of a made-up survey.
_NAMES: Final = (20, 20)
_OPEN_BITS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Polled:
    """What one person's answer did to the page.

    Attributes
    ----------
    looks : int
        After each person, and after closing.
    too_early : int
        Looks at which the two pages differ before the person's row is opened to figures.
    opened : int
        Looks after it was.
    differ_at_end : bool
        Whether they differ when all batches are open: without it nothing was tested.
    """

    looks: int
    too_early: int
    opened: int
    differ_at_end: bool


def says(version: Version) -> object:
    """Return what the survey's page says of its quotas."""
    quotas = quotas_now(Version.objects.select_related("survey").get(pk=version.pk))
    return None if quotas is None else (quotas.full_options(), quotas.is_over)


def poll_quotas(
    victim: int, *, seed: int, people: int = PEOPLE, page: Callable[[Version], object] = says
) -> Polled:
    """Let people answer in two worlds, look after each, close, and compare what the two pages said.

    Parameters
    ----------
    victim : int
        Whose answer differs, by the order in which they come, from 0.
    seed : int
    people : int
    page : callable
        What the attacker reads: the page, or a planted service that counts otherwise.
    """
    rng = np.random.default_rng(seed)
    others = [number for number in range(people) if number != victim]
    women = {victim, *rng.choice(others, WOMEN - 1, replace=False).tolist()}
    worlds = [publish(_definition(f"quotas-{victim}-{name}")) for name in ("a", "b")]
    senders = [Respondents(version, seed=seed) for version in worlds]
    names = rng.choice(math.prod(_NAMES), people, replace=False).tolist()
    victims_name = _name(_row(senders[0].layout, False, divmod(names[victim], _NAMES[1])))
    pages: list[tuple[bool, bool]] = []

    def look() -> None:
        quotas_step()
        packed = b"".join(bytes(batch.packed) for batch in batches_open_to_mining(worlds[0]))
        opened = any(_name(row) == victims_name for row in split_rows(packed, senders[0].row_bytes))
        pages.append((page(worlds[0]) != page(worlds[1]), opened))

    for number, name in enumerate(names):
        for world, respondents in enumerate(senders):
            is_woman = number in women and (number != victim or world == 0)
            respondents.send(_row(respondents.layout, is_woman, divmod(name, _NAMES[1])))
        mix(now=timezone.now(), shuffler=_Coupled([seed, number]))
        look()
    for version in worlds:
        survey = Survey.objects.get(pk=version.survey_id)
        survey_close(survey, by=ACTOR, now=timezone.now(), at_once=True)
    look()
    return Polled(
        looks=len(pages),
        too_early=sum(differ and not opened for differ, opened in pages),
        opened=sum(opened for _differ, opened in pages),
        differ_at_end=pages[-1][0],
    )


def attack_quotas(victims: int, *, seed: int) -> Learnt:
    """Poll for so many people: the last one to come, the first one, and others by chance."""
    rng = np.random.default_rng(seed)
    between = rng.choice(np.arange(1, PEOPLE - 1), max(0, victims - 2), replace=False).tolist()
    chosen = [PEOPLE - 1, 0, *between][:victims]
    polls = [poll_quotas(victim, seed=seed + victim) for victim in chosen]
    return Learnt(
        attack="which group somebody is of, by reading a page with quotas after each person",
        tried=(
            f"{len(polls)} people in two worlds each, {sum(each.looks for each in polls):,} looks;"
            f" the last look differs for {sum(each.differ_at_end for each in polls)}"
        ),
        learnt=f"{sum(each.too_early for each in polls):,} looks told an answer before its batch was opened",
        chance="none",
        beyond_chance=any(each.too_early for each in polls),
    )


class _Coupled:
    """A shuffler that draws the same people in both worlds: it puts rows into one order first."""

    def __init__(self, seed: list[int]) -> None:
        self.seed = seed

    def shuffle(self, x: list[bytes], /) -> None:
        x.sort(key=_name)
        order = np.random.default_rng([*self.seed, len(x)]).permutation(len(x))
        x[:] = [x[index] for index in order]


def _name(row: bytes) -> int:
    """Return what is behind the open answer of a row."""
    return int.from_bytes(row, "big") & ((1 << (8 * len(row) - _OPEN_BITS)) - 1)


def _definition(slug: str) -> dict[str, Any]:
    """Return a survey with an open question whose first group has a quota, and with names for answers."""
    definition = wide_definition(slug, questions=len(_NAMES))
    for block, count in zip(definition["blocks"], _NAMES, strict=True):
        [question] = block["questions"]
        question |= {
            "kind": "single",
            "options": options({f"o{number}": f"{number}" for number in range(count)}),
            "unrelated": [SCALE // count] * count,
            "prevalence": [SCALE // count] * count,
        }
    sex = {
        "key": "sex",
        "kind": "single",
        "text": text("What are you?"),
        "options": options({"woman": "woman", "man": "man"}),
        "quotas": {"woman": WOMEN},
    }
    return definition | {"blocks": [open_part([sex]), *definition["blocks"]]}


def _row(layout: Layout, is_woman: bool, name: tuple[int, int]) -> bytes:
    """Return a row whose disguised answers are as good as its owner's name."""
    answers = ((0 if is_woman else 1,), *((value,) for value in name))
    return layout.pack(Record(direct=False, answers=answers, refused=(False,) * len(answers)))
