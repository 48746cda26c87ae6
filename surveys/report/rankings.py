"""A ranking: mean ranks, shares of first ranks, and pairwise preferences."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

from privacy.estimation.measures import Measured
from privacy.estimation.rankings import RankingEstimate
from surveys.figures.ranking_estimates import ranking_of_run
from surveys.models import Run
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.rankings import things_of

__all__ = ["RankingResult", "ranking_result"]


@dataclass(frozen=True, kw_only=True)
class RankingResult:
    """A ranking of a run, in the words of its questionnaire.

    Attributes
    ----------
    estimate : RankingEstimate
    names : sequence of str
        Of its things.
    listed : sequence of str
        Its orders in words, those of the design.
    """

    estimate: RankingEstimate
    names: Sequence[str]
    listed: Sequence[str]

    @property
    def things(self) -> list[tuple[str, Measured, Measured]]:
        """Each thing with its mean place and the share that put it first, by their mean places."""
        things = zip(self.names, self.estimate.mean_ranks, self.estimate.first, strict=True)
        return sorted(things, key=lambda thing: thing[1].value)

    @property
    def is_certain(self) -> bool:
        """Whether no two neighbours have mean places whose intervals meet."""
        means = [mean for _name, mean, _first in self.things]
        return all(first.high < other.low for first, other in itertools.pairwise(means))

    @property
    def pairs(self) -> list[tuple[str, str, Measured]]:
        """Two things, the one that more people put first before the other, and the share who did.

        The clearest first. Of a tie the first of the questionnaire comes first.
        """
        pairs = []
        for first, other in itertools.permutations(range(len(self.names)), 2):
            share = self.estimate.before[first][other]
            if share is None or share.value < 0.5 or (share.value == 0.5 and first > other):
                continue
            pairs.append((self.names[first], self.names[other], share))
        return sorted(pairs, key=lambda pair: -pair[2].value)

    @property
    def orders(self) -> list[tuple[str, Measured]]:
        """Each whole order with the share who put things so."""
        return list(zip(self.listed, self.estimate.shares, strict=True))


def ranking_result(run: Run, question: int, wording: Mapping[str, Any]) -> RankingResult:
    """Return a ranking of a run; `question` is its number in the design.

    Raises
    ------
    PrivacyError
        The run has no figures of it.
    """
    language = get_language() or "en"
    return RankingResult(
        estimate=ranking_of_run(run, question),
        names=[text_in(thing["text"], language) for thing in things_of(wording)],
        listed=[text_in(option["text"], language) for option in wording["options"]],
    )
