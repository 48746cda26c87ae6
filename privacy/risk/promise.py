"""The promise to a respondent: how sure anyone can become at most, as odds and in percent.

`privacy.risk.amplification.promise` computes it from a design.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any


def percent(odds: Fraction) -> int | None:
    """Convert odds at a prior of 1/2 to a posterior in whole percent, rounded up; None above 99%.

    Parameters
    ----------
    odds : Fraction
        Likelihood ratio O, at least 1; the posterior is O / (1 + O). It is a fraction because in floats
        1 / (1 + exp(-ln 19)) is above .95.

    Examples
    --------
    >>> percent(Fraction(4)), percent(Fraction(19)), percent(Fraction(22, 3)), percent(Fraction(100))
    (80, 95, 88, None)
    """
    return math.ceil(100 * odds / (1 + odds)) if odds <= 99 else None


def once_in(odds: Fraction) -> int | None:
    """Return N if a guess at such odds is wrong once in N times; None up to 99%.

    Parameters
    ----------
    odds : Fraction
        Odds in favour of the guess, above 0.

    Examples
    --------
    >>> once_in(Fraction(243)), once_in(Fraction(99))
    (244, None)
    """
    return math.ceil(odds + 1) if odds > 99 else None


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Largest likelihood ratios over any property of a respondent, and their certainties from 50:50.

    Parameters
    ----------
    everything : Fraction
        G, the largest likelihood ratio of everything sent, between two respondents with the same open
        answers. Printed as M.
    answer : Fraction
        The same ratio for the reports of one question, without the others. Printed as K.
    skip : Fraction or None
        The ratio for "skipped", between a respondent who skipped and any other; None if skipping is not
        offered. Printed as S.
    shared : Fraction or None
        The ratio for a filter, over all answers that are computed from it; None if no answers share one.
        Printed as F. They are part of everything sent.
    """

    everything: Fraction
    answer: Fraction
    skip: Fraction | None
    shared: Fraction | None = None

    @property
    def of_100(self) -> int | None:
        """M: largest certainty from everything sent, in percent rounded up; None above 99."""
        return percent(self.everything)

    @property
    def once_in(self) -> int | None:
        """N if a guess is wrong once in N times, above 99%; None up to 99%."""
        return once_in(self.everything)

    @property
    def one_of_100(self) -> int | None:
        """K: largest certainty from one answer, in percent rounded up; None above 99."""
        return percent(self.answer)

    @property
    def skip_of_100(self) -> int | None:
        """S: largest certainty from a skip, in percent rounded up; None above 99 or without skips."""
        return None if self.skip is None else percent(self.skip)

    def certainties(self) -> dict[str, int | None]:
        """Return the certainties that a page shows: in percent, or wrong once in so many times above 99%.

        ``skip_once_in`` is missing if skipping is not offered, and both of a shared filter if there is none.
        """
        return {
            "of_100": self.of_100,
            "once_in": self.once_in,
            "one_of_100": self.one_of_100,
            "one_once_in": once_in(self.answer),
            "skip_of_100": self.skip_of_100,
            **({} if self.skip is None else {"skip_once_in": once_in(self.skip)}),
            **(
                {}
                if self.shared is None
                else {"shared_of_100": percent(self.shared), "shared_once_in": once_in(self.shared)}
            ),
        }


@dataclass(frozen=True, kw_only=True)
class Waves(Figures):
    """Figures of all waves of a series together, for someone who answers every one of them.

    Parameters
    ----------
    count : int
        Number of waves, at least 2.
    everything : Fraction
        For all rows of one person.
    answer, skip, shared : Fraction, or None
        For a question that every wave asks. If blocks take turns, for the one wave that asks it.
    takes_turns : bool, optional
        Whether each block is asked in one wave only.

    Examples
    --------
    Two waves of 95% each are wrong once in 362 times: 19 * 19 = 361.

    >>> both = Waves(count=2, everything=Fraction(19) ** 2, answer=Fraction(16), skip=None)
    >>> both.of_100, both.once_in, both.one_of_100
    (None, 362, 95)
    """

    count: int
    takes_turns: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the values that a page shows."""
        turns = {"takes_turns": True} if self.takes_turns else {}
        return {"count": self.count, **self.certainties(), **turns}


@dataclass(frozen=True, kw_only=True)
class Promise(Figures):
    """What a device's report can reveal at most. Every page states every field that is not marked ``unsaid``.

    `surveys.questionnaire.promise_words.promise_sentences` and its twin on devices write the sentences. A
    test gives each field another value and expects other sentences.

    Parameters
    ----------
    everything, answer, skip, shared
        See `Figures`. A report may be a skip, so `everything` includes it.
    parts : int, optional
        Largest number of protected blocks that one device can be asked. Digests in letters cover it.
    not_composed : bool
        Whether the bound excludes a place because its report can rule areas out. The bound treats that place
        as known, like an open answer.
    anchors : int, optional
        Number of blocks excluded because their true answers are publicly known. The bound assumes that
        respondents answer them truthfully, and covers everything else they send.
    waves : Waves, optional
        The figures of all waves together, in a series.

    Examples
    --------
    Five blocks of one question each, p = .5 and theta = .5: 243 in 244, which is above 99 in 100.

    >>> odds = Fraction(3)
    >>> five = Promise(everything=odds**5, answer=odds, skip=None, not_composed=False)
    >>> five.of_100, five.once_in, five.one_of_100
    (None, 244, 75)
    >>> sorted(five.to_json().items())[:4]
    [('not_composed', False), ('of_100', None), ('once_in', 244), ('one_of_100', 75)]
    """

    parts: int = field(
        default=1, metadata={"unsaid": "a count of blocks, which reveals nothing about anyone"}
    )
    not_composed: bool
    anchors: int = 0
    waves: Waves | None = None

    def in_waves(self, count: int) -> Promise:
        """Return the promise with the figures of several equal waves, whose likelihood ratios multiply.

        Parameters
        ----------
        count : int
            At least 1; a single wave has no further figures.

        Examples
        --------
        >>> one = Promise(everything=Fraction(19), answer=Fraction(4), skip=None, not_composed=False)
        >>> one.in_waves(2).waves.once_in, one.in_waves(2).waves.one_of_100, one.in_waves(1).waves
        (362, 95, None)
        """
        if count == 1:
            return self
        all_waves = Waves(
            count=count,
            everything=self.everything**count,
            answer=self.answer**count,
            skip=None if self.skip is None else self.skip**count,
            shared=None if self.shared is None else self.shared**count,
        )
        return replace(self, waves=all_waves)

    def to_json(self) -> dict[str, Any]:
        """Return the values that a page shows."""
        return {
            **self.certainties(),
            "times": math.ceil(self.everything),
            "parts": self.parts,
            "not_composed": self.not_composed,
            **({"anchors": self.anchors} if self.anchors else {}),
            **({"waves": self.waves.to_json()} if self.waves else {}),
        }
