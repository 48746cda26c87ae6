"""The core of Sotto: channels of randomised response, estimation, privacy risk, disclosure control.

Pure: no file, no clock, no global randomness. Rooms: `privacy.channels` (finite channels),
`privacy.survey` (what is sent), `privacy.estimation` (from counts back to the population), `privacy.risk`
(what an attacker learns), `privacy.paper` (studies without a device), `privacy.sdc` (publishing records).

As a library: designs by name, `prevalence`, `distribution`, `crosstab` and `logistic_regression` of columns
of a DataFrame, `privacy.risk.risk` of a design, `privacy.sdc.anonymise`; docs/library.md has sessions.

Examples
--------
>>> import privacy
>>> design = privacy.forced_response(yes=1 / 6, no=1 / 6)
>>> round(privacy.prevalence({"yes": 60, "no": 40}, design).value, 6)
0.65
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from privacy import channels, estimation, paper, risk, sdc, survey
    from privacy.designs import (
        crosswise,
        forced_levels,
        forced_response,
        generalised_rr,
        grouping,
        kuk,
        mangat,
        triangular,
        truthful,
        unrelated_question,
        warner,
    )
    from privacy.errors import PrivacyError
    from privacy.logistic import LogisticRegression, logistic_regression
    from privacy.response_design import ResponseDesign
    from privacy.shares import Figure, distribution, prevalence
    from privacy.two_way import CrossTab, crosstab

__all__ = [
    "CrossTab",
    "Figure",
    "LogisticRegression",
    "PrivacyError",
    "ResponseDesign",
    "channels",
    "crosstab",
    "crosswise",
    "distribution",
    "estimation",
    "forced_levels",
    "forced_response",
    "generalised_rr",
    "grouping",
    "kuk",
    "logistic_regression",
    "mangat",
    "paper",
    "prevalence",
    "risk",
    "sdc",
    "survey",
    "triangular",
    "truthful",
    "unrelated_question",
    "warner",
]

_ROOMS: Final = ("channels", "estimation", "paper", "risk", "sdc", "survey")
_MODULES: Final = {
    "CrossTab": "two_way",
    "Figure": "shares",
    "LogisticRegression": "logistic",
    "PrivacyError": "errors",
    "ResponseDesign": "response_design",
    "crosstab": "two_way",
    "distribution": "shares",
    "logistic_regression": "logistic",
    "prevalence": "shares",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for: what receives answers needs designs and no statistics."""
    if name not in __all__:
        raise AttributeError(f"module 'privacy' has no attribute {name!r}")
    if name in _ROOMS:
        return import_module(f"privacy.{name}")
    return getattr(import_module(f"privacy.{_MODULES.get(name, 'designs')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
