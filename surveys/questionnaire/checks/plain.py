"""Findings in plain words, without the numbers that only experts read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

__all__ = ["plain_finding"]

_FOR_EXPERTS: Final = re.compile(r"[\u0370-\u03ff]|(?<![\w“])p(?![\w”])")
"""A Greek letter, or p by itself."""


def plain_finding(finding: Mapping[str, str]) -> dict[str, str]:
    """Return a finding, as `Finding.to_json` gives it, in words that need no probabilities; most stay
    unchanged.

    Examples
    --------
    >>> plain_finding({"code": "odd", "message": "it tells up to ε 4", "remedy": "ask less"})["message"]
    'this protects less than recommended'
    """
    if not _FOR_EXPERTS.search(f"{finding['message']} {finding['remedy']}"):
        return dict(finding)
    stronger = _("choose a stronger protection, ask fewer questions, or change the plan")
    words = {
        "block_epsilon": (_("this part protects less than recommended"), stronger),
        "survey_epsilon": (_("all protected parts together protect less than recommended"), stronger),
        "light_epsilon": (_("who is lightly disguised is protected less than recommended"), stronger),
        "question_odds": (_("one answer alone tells more than recommended"), stronger),
        "series_epsilon": (
            _("who answers all surveys of the series is protected less than recommended"),
            _("ask other people than in the earlier waves, and leave the series out"),
        ),
        "far_from_expected": (_("some answers could be recognised as true ones"), stronger),
        "rotating_no_gain": (
            _("the figures would be no less exact if everybody were asked all questions of this part"),
            _("ask everybody all of them"),
        ),
    }
    words["light_series_epsilon"] = words["series_epsilon"]
    message, remedy = words.get(finding["code"], (_("this protects less than recommended"), stronger))
    return {**finding, "message": message, "remedy": remedy}
