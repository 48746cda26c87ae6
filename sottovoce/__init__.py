"""Sottovoce in a notebook: surveys on things people keep to themselves, and results from disguised answers.

    survey = sottovoce.Survey(blocks={"work": ["cheat", "drugs"], "money": ["debts"]}, p=.5, theta=.5)
    reports = survey.on(frame)          # or sottovoce.read_export("run.zip")
    reports.share("cheat")              # .supports() .rules() .compare("cheat", by="drugs")
    reports.regression("cheat ~ C(year) + drugs").summary()
    survey.plan(1000, guesses=.2)       # .audit(prevalence=.2) .disguise(truth, seed=1)

Answers of one question, by a design on paper:

    sottovoce.prevalence(frame.affair, sottovoce.forced_response(yes="1/6", no="1/6"))
    sottovoce.crosstab, sottovoce.distribution, sottovoce.logistic_regression, sottovoce.risk, sottovoce.sdc

Results have interval(), summary(), to_frame() and plot(). Tutorial: docs/library.md.
"""

from __future__ import annotations

from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mining.frames.survey import Survey as Survey
    from mining.frames.survey import any_of as any_of
    from mining.frames.survey import number as number
    from mining.frames.survey import one_of as one_of
    from privacy import PrivacyError as PrivacyError
    from privacy import crosstab as crosstab
    from privacy import crosswise as crosswise
    from privacy import distribution as distribution
    from privacy import forced_levels as forced_levels
    from privacy import forced_response as forced_response
    from privacy import generalised_rr as generalised_rr
    from privacy import grouping as grouping
    from privacy import kuk as kuk
    from privacy import library as library
    from privacy import logistic_regression as logistic_regression
    from privacy import mangat as mangat
    from privacy import prevalence as prevalence
    from privacy import sdc as sdc
    from privacy import triangular as triangular
    from privacy import truthful as truthful
    from privacy import unrelated_question as unrelated_question
    from privacy import warner as warner
    from privacy.library.frames import plot as plot
    from privacy.risk.design_risk import risk as risk
    from sottovoce.export import read_export as read_export

_NAMES: Final = {
    "Survey": "mining.frames.survey",
    "any_of": "mining.frames.survey",
    "number": "mining.frames.survey",
    "one_of": "mining.frames.survey",
    "read_export": "sottovoce.export",
    "plot": "privacy.library.frames",
    "risk": "privacy.risk.design_risk",
    **dict.fromkeys(
        ("PrivacyError", "crosstab", "distribution", "logistic_regression", "prevalence"), "privacy"
    ),
    **dict.fromkeys(
        ("crosswise", "forced_levels", "forced_response", "generalised_rr", "grouping"), "privacy"
    ),
    **dict.fromkeys(("kuk", "mangat", "triangular", "truthful", "unrelated_question", "warner"), "privacy"),
    **dict.fromkeys(("library", "sdc"), "privacy"),
}
"""Name -> the module that has it, which is imported when the name is first used.

No ``__all__``: help() would load all of them, and show all of their pages in place of this one.
"""


def _check_packages() -> None:
    """Name the file that Python would import in place of one of our packages, such as a script privacy.py."""
    for package in ("mining", "privacy"):
        found = PathFinder.find_spec(package)
        beside = f"{__path__[0].removesuffix('sottovoce')}{package}"
        if found is not None and beside not in (found.submodule_search_locations or ()):
            raise ImportError(
                f"{found.origin or package} hides the package {package!r} that sottovoce needs."
                " Rename that file, or start Python in another folder."
            )


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module 'sottovoce' has no attribute {name!r}")
    return getattr(import_module(_NAMES[name]), name)


def __dir__() -> list[str]:
    return [*_NAMES]


_check_packages()
