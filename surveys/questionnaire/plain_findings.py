"""Findings in words for people who are not experts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

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
