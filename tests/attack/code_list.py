"""Test which invitation codes were used: revoke all of a list, try each, and compare the responses.

If status, text or timing differ between used, revoked and invented codes, the list reveals who responded.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.utils import timezone

from surveys.intake.codes import code_new
from surveys.intake.receive import submission_receive
from surveys.models import Survey, Version
from surveys.respondent.invitations import invitations_make, invitations_revoke
from tests.attack.learnt import AttackError, Learnt
from tests.attack.respondents import ACTOR, Respondents, publish, wide_definition

__all__ = ["KINDS", "CodeList", "Send", "attack_codes", "gap", "most_gap", "received"]

KINDS: Final = ("used", "withdrawn", "never made")

MOST_GAP: Final = 0.1
"""Largest allowed difference between median durations, in standard deviations."""

EACH: Final = 40
# Fewer tries are too few to compare durations.
LEAST_TRIES: Final = 1_000

Send = Callable[[bytes], Any]
"""Sends a request, and returns what the sender sees of the response."""


def received(raw: bytes) -> Any:
    """Return status, body and retry delay of the server's response to a request."""
    result = submission_receive(raw, now=timezone.now())
    return result.status, result.answer, result.retry_after


@dataclass(frozen=True, kw_only=True)
class CodeList:
    """Invitation codes of each kind.

    Attributes
    ----------
    respondents : Respondents
        Respondents of the survey that the codes are for.
    codes : mapping of str to sequence of str
    send : callable
    rng : numpy.random.Generator
    """

    respondents: Respondents
    codes: Mapping[str, Sequence[str]]
    send: Send
    rng: np.random.Generator

    @classmethod
    def of(cls, version: Version, *, each: int, seed: int, send: Send = received) -> CodeList:
        """Make codes for an open survey by invitation, use half of them, and revoke all one by one."""
        respondents, rng = Respondents(version, seed=seed), np.random.default_rng(seed)
        survey = Survey.objects.get(pk=version.survey_id)
        made = list(invitations_make(survey, number=2 * each, by=ACTOR))
        rng.shuffle(made)
        for code in made[:each]:
            outcome = submission_receive(
                respondents.request(respondents.row(), code=code), now=timezone.now()
            )
            if outcome.status != 200:
                raise AttackError(f"a made-up respondent was refused with {outcome.status}")
        invitations_revoke(survey, texts=sorted(made), by=ACTOR)
        never = [code_new(secrets.randbelow) for _ in range(each)]
        codes = dict(zip(KINDS, (made[:each], made[each:], never), strict=True))
        return cls(respondents=respondents, codes=codes, send=send, rng=rng)

    def request(self, code: str) -> bytes:
        """Return a request with this code and a new row."""
        return self.respondents.request(self.respondents.row(), code=code)

    def seen(self, code: str) -> Any:
        """Return everything the sender sees of the response, apart from its timing."""
        return self.send(self.request(code))

    def distinguished(self, look: Callable[[str], Any]) -> int:
        """Return how many codes get a response that codes never made do not get."""
        usual = {repr(look(code)) for code in self.codes["never made"]}
        return sum(repr(look(code)) not in usual for kind in KINDS[:2] for code in self.codes[kind])

    def durations(self, tries: int) -> dict[str, list[float]]:
        """Return the durations of responses to each kind, tried in random order."""
        kinds = [kind for kind in KINDS for _ in range(tries)]
        self.rng.shuffle(kinds)
        took: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for kind in kinds:
            raw = self.request(self.codes[kind][int(self.rng.integers(len(self.codes[kind])))])
            began = time.perf_counter()
            self.send(raw)
            took[kind].append(time.perf_counter() - began)
        return took


def attack_codes(*, tries: int, seed: int) -> Iterator[Learnt]:
    """Yield what the responses to codes of a simulated survey reveal, and what their timing reveals."""
    version = publish(wide_definition("codes", questions=90), by_invitation=True)
    listed = CodeList.of(version, each=EACH, seed=seed)
    distinguished = listed.distinguished(listed.seen)
    yield Learnt(
        attack="which codes were used, by taking all back and trying each",
        tried=f"{EACH} used codes and {EACH} withdrawn ones, beside as many that were never made",
        learnt=f"{distinguished} codes told apart by status or words",
        chance="none",
        beyond_chance=distinguished > 0,
    )
    distance, most = gap(listed.durations(tries)), most_gap(tries)
    few = tries < LEAST_TRIES
    yield Learnt(
        attack="which codes were used, by the time of the answers",
        tried=f"{tries:,} tries of each kind, interleaved",
        learnt=f"medians {distance:.3f} standard deviations apart",
        chance="too few tries to tell" if few else f"at most {MOST_GAP}, {most:.2f} once in a million",
        beyond_chance=None if few else distance > most,
    )


def gap(took: Mapping[str, Sequence[float]]) -> float:
    """Return the largest difference between two medians, in standard deviations of one duration.

    The deviation is the smaller of two estimates, from moments and from quartiles, so that one long pause of
    the machine cannot hide a difference.

    Examples
    --------
    >>> round(gap({"used": [1.0, 2.0, 3.0, 4.0], "never made": [3.0, 4.0, 5.0, 6.0]}), 3)
    1.799
    """
    pooled = [seconds for each in took.values() for seconds in each]
    lower, upper = np.quantile(pooled, [0.25, 0.75])
    deviation = min(float(np.std(pooled)), float(upper - lower) / 1.349)
    medians = [float(np.median(each)) for each in took.values()]
    return (max(medians) - min(medians)) / deviation


def most_gap(tries: int) -> float:
    """Return the gap that is exceeded with probability one in a million if the true gap is a tenth.

    The median of n normal durations has a standard error of sqrt(pi / 2 n) deviations. Three pairs of medians
    are compared, each at 5.1 standard errors of a difference.

    Examples
    --------
    >>> round(most_gap(10_000), 2), round(most_gap(2_000), 2)
    (0.19, 0.3)
    """
    return MOST_GAP + 5.1 * float(np.sqrt(np.pi / tries))
