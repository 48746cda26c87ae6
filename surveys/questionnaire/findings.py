"""Consequences of a definition for respondents: their severity, place, problem and remedy."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class Level(StrEnum):
    """Severity of a finding."""

    REFUSE = "refuse"
    """Publishing needs a written reason."""
    WARN = "warn"
    """Publishing is possible, but the researcher should reconsider."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One consequence of a definition for respondents.

    Parameters
    ----------
    level : Level
    code : str
        Machine-readable name: ``block_epsilon``, ``survey_epsilon``, ``series_epsilon``, ``known_fact``,
        ``looks_known``, ``leftover``, ``mixed_letters``, ``exclusive``, ``exclusive_shares``,
        ``exclusive_option``,
        ``far_from_expected``, ``not_compared``, ``unique_open``, ``no_skip``, ``direct_share``,
        ``light_epsilon``, ``light_series_epsilon``, ``question_odds``, ``skip_odds``,
        ``asked_twice``, ``own_combination``,
        ``never_together``, ``few_together``, ``rotation_routed``,
        ``unused_stem``, ``split_list``, ``alike_answers``, ``asked_alone``,
        ``many_levels``, ``sum_imprecise``, ``slips``, ``branching``, ``placebo_unlike``,
        ``people_unknown``, ``too_few_asked``, ``share_imprecise``, ``difference_missed``.
    path : str
        Place, such as ``"blocks[1].questions[0]"``; empty for the whole survey.
    message : str
        The problem, with names and numbers.
    remedy : str
        How to fix it, with numbers.
    """

    level: Level
    code: str
    path: str
    message: str
    remedy: str

    @property
    def is_refusal(self) -> bool:
        """Whether publishing needs a written reason."""
        return self.level is Level.REFUSE

    def to_json(self) -> dict[str, str]:
        """Return plain data."""
        return asdict(self) | {"level": str(self.level)}
