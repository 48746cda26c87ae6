"""Attack simulated surveys with known true answers, and compare each attack with guessing.

The caller provides an empty database. Surveys are published, answered, mixed and mined by the real services.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from django.db import connection
from django.utils import timezone

from benchmarks.simulation import study_design
from mining.columns.random_words import words
from mining.thresholds import Sides, Thresholds
from privacy.coins import Coins
from privacy.posterior import posterior_bound
from privacy.risk.amplification import promise
from privacy.survey.design import Design, GroupPolicy
from surveys.authoring.lifecycle import survey_close
from surveys.jobs import lease
from surveys.models import Run, Survey, Version
from surveys.questionnaire.definition import UNDISGUISED
from surveys.runs.mining_job import mine_snapshot
from surveys.runs.run_requests import run_request
from tests.attack.asked_questions import SPREAD, find_rows, some_of_twenty
from tests.attack.code_list import attack_codes
from tests.attack.dependence import believe_rows
from tests.attack.disguised_here import attack_disguised_here
from tests.attack.flood import flood
from tests.attack.forged import forge_rule
from tests.attack.half_sent import attack_half_sent
from tests.attack.kept_keys import attack_kept_keys
from tests.attack.leak_tests import sum_tail
from tests.attack.learnt import Learnt
from tests.attack.life_judged import attack_life
from tests.attack.linkage import FALSE_ALARM, Watched
from tests.attack.respondents import Respondents, open_part, options, publish, text, wide_definition
from tests.attack.subtraction import direct_answers, open_answers
from tests.extensions import plugins

__all__ = ["Effort", "all_itemsets", "attack_made_up", "mined_survey", "profiles_definition"]

WORDINGS = 5
FORGED = (200, 500, 850)
LEAST_SUPPORT = 0.001
# A few hundred undisguised answers suffice to test whether the server disguised them.
LEAST_PEOPLE = 400
LEAST_ROWS = 200
LEAST_LIVES = 120
LEAST_SOUGHT = 60
# With two answers a night; fewer than 50 rows never make a batch.
LEAST_NIGHTS = 30
A_DAY = 2


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How much each attack tries.

    Parameters
    ----------
    batches : int
        Watched mixes, of 50 rows each.
    nights : int
        Nightly backups of a survey with two answers a day.
    people : int
        Respondents in the differencing attack.
    devices : int
        Devices in the attack on the label.
    floods : int
        Repetitions of each flood.
    rules : int
        Surveys in which the attacker forges a rule.
    codes : int
        Tries with codes of each kind.
    half_sent : int
        Half-sent bodies.
    drawn_rows : int
        Respondents of a rotating survey, who are searched for by the questions they were asked.
    sought : int
        People in a release whom the attacker looks for by questions.
    lives : int
        Respondents of the survey whose whole life is recorded.
    """

    batches: int = 20
    nights: int = 100
    people: int = 1_000
    devices: int = 20_000
    floods: int = 10_000
    rules: int = 20
    codes: int = 2_000
    half_sent: int = 50
    drawn_rows: int = 2_000
    sought: int = 1_000
    lives: int = 300

    def part(self, share: float) -> Effort:
        """Return a share of the effort, but at least what each attack needs for a result."""
        counts = {name: max(1, round(value * share)) for name, value in vars(self).items()}
        least = {
            "people": LEAST_PEOPLE,
            "nights": LEAST_NIGHTS,
            "drawn_rows": LEAST_ROWS,
            "lives": LEAST_LIVES,
            "sought": LEAST_SOUGHT,
        }
        return Effort(**{**counts, **{name: max(few, counts[name]) for name, few in least.items()}})


ATTACKS: Final[dict[str, Callable[[Path, Effort, int], Iterator[Learnt]]]] = {
    "linkage": lambda folder, effort, _seed: _linkage(folder / "mixes", effort),
    "nights": lambda folder, effort, seed: _backups(folder / "nights", effort, seed),
    "keys": lambda folder, _effort, seed: attack_kept_keys(folder / "keys", seed=seed),
    "life": lambda folder, effort, _seed: attack_life(folder / "life", people=effort.lives),
    "figures": lambda _folder, effort, seed: _figures(effort, np.random.default_rng(seed)),
    "flood": lambda _folder, effort, seed: _floods(effort, np.random.default_rng(seed)),
    "label": lambda _folder, effort, seed: _labels(effort, seed),
    "asked": lambda _folder, effort, seed: _asked_questions(effort, np.random.default_rng(seed)),
    "forged": lambda _folder, effort, seed: iter([_forged(effort, np.random.default_rng(seed))]),
    "codes": lambda _folder, effort, seed: attack_codes(tries=effort.codes, seed=seed),
    "half-sent": lambda folder, effort, seed: iter(
        [attack_half_sent(folder / "log", count=effort.half_sent, seed=seed)]
    ),
}
"""Each attack has its own random generator, so its output for a seed does not depend on the others."""

for _plugin in plugins():
    ATTACKS |= _plugin.attacks()


def attack_made_up(
    folder: Path, *, effort: Effort, seed: int, names: Sequence[str] = tuple(ATTACKS)
) -> Iterator[Learnt]:
    """Yield what the named attacks learn from surveys simulated for them."""
    for name in names:
        yield from ATTACKS[name](folder, effort, seed)


def _linkage(folder: Path, effort: Effort) -> Iterator[Learnt]:
    watched = Watched(Respondents(publish(wide_definition("linkage", questions=90))), folder)
    watched.answer_and_mix(batches=effort.batches, rows=50)
    yield from _linked(watched, "whose row is whose", f"a copy after each of {effort.batches} mixes")
    if watched.unread:
        yield Learnt(
            attack=f"whose row is whose, {connection.vendor}: files of the server",
            tried="not tried",
            learnt=watched.unread,
            chance="",
            beyond_chance=None,
        )


def _backups(folder: Path, effort: Effort, seed: int) -> Iterator[Learnt]:
    respondents = Respondents(publish(wide_definition("nightly", questions=90)), seed=seed)
    watched = Watched(respondents, folder)
    watched.answer_nightly(nights=effort.nights, a_day=A_DAY)
    yield from _linked(
        watched, f"whose row is whose, {A_DAY} answers a day", f"a backup in each of {effort.nights} nights"
    )


def _linked(watched: Watched, attack: str, copies: str) -> Iterator[Learnt]:
    linked = watched.linked()
    for name, right in linked.by_attack.items():
        yield Learnt(
            attack=f"{attack}, {connection.vendor}: {name}",
            tried=f"{linked.rows:,} rows, {copies}",
            learnt=f"{right} rows",
            chance=f"at most {linked.by_chance} rows on average, {linked.limit} once in a million",
            beyond_chance=right > linked.limit,
        )


def _figures(effort: Effort, rng: np.random.Generator) -> Iterator[Learnt]:
    live = mined_survey(profiles_definition("profiles", practice=False), effort.people, rng=rng)
    of = "live survey, answers sent as they are"
    yield attack_disguised_here(live, of=of)
    yield open_answers(live).learnt("open answers", of=of, promised=True)
    hides_nothing = profiles_definition("profiles-practice", practice=True)
    practice = mined_survey(hides_nothing, effort.people, rng=rng)
    for name, subtracted in (("direct", direct_answers(practice)), ("open", open_answers(practice))):
        of = "practice survey, which hides nothing"
        yield subtracted.learnt(f"{name} answers", of=of, promised=False)


def _floods(effort: Effort, rng: np.random.Generator) -> Iterator[Learnt]:
    for forged in FORGED:
        result = flood(forged, rng=rng, tries=effort.floods)
        yield Learnt(
            attack="all rows but one are forged, open link",
            tried=f"{forged} forged rows before one answers, {result.tries:,} times",
            learnt=f"a row singled out in {100 * result.share:.1f} of 100 tries; it is disguised",
            chance="0 of 100",
            beyond_chance=None,
        )


def _labels(effort: Effort, seed: int) -> Iterator[Learnt]:
    yield _dependence(wordings_design(WORDINGS), f"{WORDINGS} parts", effort, np.random.default_rng(seed))


def _dependence(design: Design, tried: str, effort: Effort, rng: np.random.Generator) -> Learnt:
    odds = promise(design)
    most = posterior_bound(1.0 if odds is None else float(odds.everything), 0.5)
    believed = believe_rows(design, Coins(words(rng)), devices=effort.devices)
    right = 100 * believed.right / believed.devices
    p_value = sum_tail(believed.right, believed.expected_right, believed.devices)
    return Learnt(
        attack="one question asked in several wordings, the label",
        tried=f"{tried}, {believed.devices:,} devices",
        learnt=f"an even chance became {100 * believed.max_posterior:.2f}%, guesses right in {right:.1f}%"
        f" (p = {p_value:.2g})",
        chance=f"50%; the label says at most {100 * most:.2f}%, and by these chances guesses are right in"
        f" {100 * believed.expected_right / believed.devices:.1f}%",
        beyond_chance=believed.max_posterior > most + 1e-12 or p_value <= FALSE_ALARM,
    )


def _asked_questions(effort: Effort, rng: np.random.Generator) -> Iterator[Learnt]:
    for sets, booklets in ((f"{len(SPREAD)} sets", SPREAD), ("all 15,504 sets", None)):
        result = find_rows(some_of_twenty(booklets), rows=effort.drawn_rows, rng=rng)
        beyond = result.identified > result.limit or result.wrong > 0
        yield Learnt(
            attack=f"whose row is whose, by the questions that were asked: {sets}",
            tried=f"{result.rows:,} rows, 5 of 20 questions and an open answer",
            learnt=f"{result.identified:,} rows, each of which is disguised",
            chance=f"the audit says {result.expected:,.0f}; {result.limit:,} once in a million",
            # No promise covers rows that are found by a rare set of questions.
            beyond_chance=beyond or (False if booklets else None),
        )


def _forged(effort: Effort, rng: np.random.Generator) -> Learnt:
    results = [forge_rule(2_000, rng=rng) for _ in range(effort.rules)]
    needed = sorted(each.needed for each in results)
    return Learnt(
        attack="forged rows make a rule of nothing, open link",
        tried=f"{len(results)} surveys of {results[0].rows:,} rows",
        learnt=f"{needed[len(needed) // 2]} rows on the median, {needed[0]} to {needed[-1]}",
        chance="the report says the same number beside each rule",
        beyond_chance=any(each.needed != each.announced for each in results),
    )


def wordings_design(parts: int) -> Design:
    """Return a design that asks one question in several parts, each with amplification 3."""
    blocks = study_design([1] * parts, truth_probability=5000, unrelated=5000).blocks
    return Design(blocks=blocks, group=GroupPolicy(), use="live")


def profiles_definition(slug: str, *, practice: bool) -> dict[str, Any]:
    """Return a survey of three open and three protected questions; three in ten answer directly."""
    definition = wide_definition(slug, questions=3)
    protected = copy.deepcopy(definition["blocks"])
    protected[0]["questions"] += protected.pop(1)["questions"]
    opened = [
        {
            "key": key,
            "kind": "single",
            "text": text(key),
            "options": options({f"{key}{number}": f"{number}" for number in range(count)}),
        }
        for key, count in (("age", 4), ("region", 3), ("children", 3))
    ]
    return definition | {
        "practice": practice,
        "about": definition["about"] | {UNDISGUISED: text("Made up to be attacked.")},
        "group": {"policy": "assigned", "direct_share": 3000},
        "blocks": [open_part(opened), *protected],
    }


def mined_survey(definition: dict[str, Any], people: int, *, rng: np.random.Generator) -> Run:
    """Let people answer a simulated survey, close it, and mine all itemsets that readers may request."""
    version = publish(definition)
    respondents = Respondents(version, seed=int(rng.integers(1 << 32)))
    for _ in range(people):
        answers = _answers(version.to_design(), rng)
        respondents.send(respondents.row(answers, direct=bool(rng.random() < 0.3)))
    survey_close(Survey.objects.get(pk=version.survey_id), now=timezone.now(), at_once=True, by="attack")
    version = Version.objects.select_related("survey").get(pk=version.pk)
    run = run_request(
        version=version,
        thresholds=all_itemsets(respondents.design),
        by=None,
        now=timezone.now(),
        announce=False,
    )
    lease.perform(run.job_id, mine_snapshot)
    return Run.objects.select_related("survey", "version", "job").get(pk=run.pk)


def all_itemsets(design: Design) -> Thresholds:
    """Return thresholds for all itemsets of up to four items, and few rules."""
    protected = tuple(item.index for item in design.items if design.blocks[item.block].protected)
    return Thresholds(
        support=LEAST_SUPPORT, max_size=4, sides=Sides(consequent=protected, longest_consequent=1)
    )


def _answers(design: Design, rng: np.random.Generator) -> dict[str, dict[str, int]]:
    """Return a simulated person's answers: open ones unevenly, protected ones "yes" in 30%."""
    return {
        block.key: {
            question.key: int(rng.random() < 0.3)
            if block.protected
            else min(int(rng.geometric(0.4)) - 1, len(question.options) - 1)
            for question in block.questions
        }
        for block in design.blocks
    }
