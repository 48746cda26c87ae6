"""The core of Sottovoce: channels of randomised response, estimation, privacy risk, disclosure control.

The package is pure: no clock, no global randomness, and no files except a cache of compiled code. Layers:
`privacy.channels` (finite channels), `privacy.scales` (numbers and places), `privacy.survey` (what devices
send), `privacy.estimation` (population estimates from counts), `privacy.regression`, `privacy.risk` (what
attackers learn), `privacy.planning` (what a design costs), `privacy.library` (columns and studies without a
device), `privacy.sdc` (publishing records).

Used as a library, it has named designs; `prevalence`, `distribution`, `crosstab` and `logistic_regression`
for columns of a DataFrame; `privacy.risk.risk` for a design; and `privacy.sdc.anonymise`. For examples, see
docs/library.md.

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
    from privacy import channels, estimation, library, planning, regression, risk, scales, sdc, survey
    from privacy.errors import PrivacyError
    from privacy.library import (
        CrossTab,
        Figure,
        ResponseDesign,
        crosstab,
        crosswise,
        distribution,
        forced_levels,
        forced_response,
        generalised_rr,
        grouping,
        kuk,
        mangat,
        prevalence,
        triangular,
        truthful,
        unrelated_question,
        warner,
    )
    from privacy.regression.formula_regression import logistic_regression

__all__ = [
    "CrossTab",
    "Figure",
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
    "library",
    "logistic_regression",
    "mangat",
    "planning",
    "prevalence",
    "regression",
    "risk",
    "scales",
    "sdc",
    "survey",
    "triangular",
    "truthful",
    "unrelated_question",
    "warner",
]

_SUBMODULES: Final = {
    *("channels", "estimation", "library", "planning", "regression", "risk", "scales", "sdc", "survey")
}
_ELSEWHERE: Final = {"PrivacyError": "errors", "logistic_regression": "regression.formula_regression"}


def __getattr__(name: str) -> Any:
    """Import names on first use, because the process that receives answers must not load statistics."""
    if name not in __all__:
        raise AttributeError(f"module 'privacy' has no attribute {name!r}")
    if name in _SUBMODULES:
        return import_module(f"privacy.{name}")
    return getattr(import_module(f"privacy.{_ELSEWHERE.get(name, 'library')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
