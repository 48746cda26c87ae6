"""Consequences of a definition for respondents: their severity, place, problem and remedy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from django.utils.translation import gettext as _


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
        ``unused_stem``, ``split_list``,
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


_FOR_EXPERTS: Final = re.compile(r"[\u0370-\u03ff]|(?<![\w“])p(?![\w”])")
"""A Greek letter, or p by itself."""


def plain_finding(finding: Mapping[str, str]) -> dict[str, str]:
    """Return a finding, as returned by `Finding.to_json`, in words without probabilities if it has any.

    Examples
    --------
    >>> plain_finding({"code": "odd", "message": "it reveals up to ε 4", "remedy": "ask less"})["message"]
    'this protects less than recommended'
    """
    if not _FOR_EXPERTS.search(f"{finding['message']} {finding['remedy']}"):
        return dict(finding)
    stronger = _("choose a stronger protection, ask fewer questions, or change the plan")
    words = {
        "block_epsilon": (_("this part protects less than recommended"), stronger),
        "survey_epsilon": (_("all protected parts together protect less than recommended"), stronger),
        "light_epsilon": (_("lightly disguised answers are protected less than recommended"), stronger),
        "question_odds": (_("one answer alone reveals more than recommended"), stronger),
        "skip_odds": (_("“Prefer not to say” alone reveals more than recommended"), stronger),
        "series_epsilon": (
            _("respondents who answer all surveys of the series are protected less than recommended"),
            _("ask different people from those in the earlier waves, and remove the series"),
        ),
        "far_from_expected": (_("some answers could be recognised as true ones"), stronger),
    }
    words["light_series_epsilon"] = words["series_epsilon"]
    message, remedy = words.get(finding["code"], (_("this protects less than recommended"), stronger))
    return {**finding, "message": message, "remedy": remedy}
