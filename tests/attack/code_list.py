"""Test which invitation codes were used: revoke all by list, try each, and compare the answers.

If status, words or timing differ between used, withdrawn and invented codes, the list reveals respondents.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.utils import timezone

from surveys.intake.payload import code_new
from surveys.intake.receive import submission_receive
from surveys.models import Survey, Version
from surveys.respondent.invitations import invitations_make, invitations_revoke
from tests.attack.learnt import AttackError, Learnt
from tests.attack.respondents import ACTOR, Respondents, publish, wide_definition

__all__ = ["KINDS", "CodeList", "Send", "attack_codes", "gap", "most_gap", "received"]

KINDS: Final = ("used", "withdrawn", "never made")

MOST_GAP: Final = 0.1
"""So many standard deviations the medians of the durations may differ."""

EACH: Final = 40
# With fewer tries the durations show nothing.
LEAST_TRIES: Final = 1_000

Send = Callable[[bytes], Any]
"""Sends a request, and returns what the sender sees of the answer."""


def received(raw: bytes) -> Any:
    """Return the server's response to a request, and when to retry."""
    result = submission_receive(raw, now=timezone.now())
    return result.status, result.answer, result.retry_after


@dataclass(frozen=True, kw_only=True)
class CodeList:
    """Codes of each kind.

    Attributes
    ----------
    respondents : Respondents
        Of the survey that they are for.
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
        """Make codes for an open survey by invitation, use half of them, and revoke all by name."""
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
        """Return a request with a code and a row that was never sent."""
        return self.respondents.request(self.respondents.row(), code=code)

    def seen(self, code: str) -> Any:
        """Return the visible parts of a response, apart from its timing."""
        return self.send(self.request(code))

    def distinguished(self, look: Callable[[str], Any]) -> int:
        """Return how many codes are distinguishable from codes never made, by the answer."""
        usual = {repr(look(code)) for code in self.codes["never made"]}
        return sum(repr(look(code)) not in usual for kind in KINDS[:2] for code in self.codes[kind])

    def durations(self, tries: int) -> dict[str, list[float]]:
        """Return the seconds of so many answers of each kind, interleaved at random."""
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
    """Yield what the server's responses to codes of a simulated survey reveal, and their durations."""
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
    """Return the largest difference of two medians, in standard deviations of one duration.

    The deviation is the smaller one of the moments' and of the quartiles': one long pause of the machine must
    not hide a difference.

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
    """Return the gap exceeded with probability one in a million where the true gap is a tenth.

    The median of n normal durations has a standard error of sqrt(pi / 2 n) deviations; three pairs of
    medians, each 5.1 standard errors of a difference.

    Examples
    --------
    >>> round(most_gap(10_000), 2), round(most_gap(2_000), 2)
    (0.19, 0.3)
    """
    return MOST_GAP + 5.1 * float(np.sqrt(np.pi / tries))
