"""Sottovoce in a notebook: surveys on things people keep to themselves, and results from disguised answers.

    survey = sottovoce.Survey(blocks={"work": ["cheat", "drugs"], "money": ["debts"]}, p=.5, theta=.5)
    reports = survey.on(frame)          # or sottovoce.read_export("run.zip")
    reports.share("cheat")              # .supports() .rules() .compare("cheat", by="drugs")
    reports.regression("cheat ~ C(year) + drugs").summary()
    survey.plan(1000, guesses=.2)       # .audit(prevalence=.2) .disguise(truth, seed=1)
    # Answers to one question, disguised on paper:
    sottovoce.prevalence(frame.affair, sottovoce.forced_response(yes="1/6", no="1/6"))
    # Also: crosstab, distribution, logistic_regression, risk, read_table, anonymise, verify, attack

Results have interval(), summary(), to_frame() and plot(). Tutorial: docs/library.md.
"""

from __future__ import annotations

from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pandas import DataFrame

    from mining.frames.answer_kinds import any_of as any_of
    from mining.frames.answer_kinds import at_least as at_least
    from mining.frames.answer_kinds import number as number
    from mining.frames.answer_kinds import one_of as one_of
    from mining.frames.answer_kinds import score as score
    from mining.frames.reports import Reports
    from mining.frames.survey import Survey as Survey
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
    from privacy.library.shown_tables import plot as plot
    from privacy.risk.design_risk import risk as risk
    from sottovoce.tables import anonymise as anonymise
    from sottovoce.tables import attack as attack
    from sottovoce.tables import read_table as read_table
    from sottovoce.tables import verify as verify

_DESIGN: Final = "design.json"
_ROWS: Final = "rows.csv"

_NAMES: Final = {
    "Survey": "mining.frames.survey",
    "replicated": "mining.frames.replicates",
    "any_of": "mining.frames.answer_kinds",
    "at_least": "mining.frames.answer_kinds",
    "score": "mining.frames.answer_kinds",
    "number": "mining.frames.answer_kinds",
    "one_of": "mining.frames.answer_kinds",
    "plot": "privacy.library.shown_tables",
    "risk": "privacy.risk.design_risk",
    **dict.fromkeys(
        ("PrivacyError", "crosstab", "distribution", "logistic_regression", "prevalence"), "privacy"
    ),
    **dict.fromkeys(
        ("crosswise", "forced_levels", "forced_response", "generalised_rr", "grouping"), "privacy"
    ),
    **dict.fromkeys(("kuk", "mangat", "triangular", "truthful", "unrelated_question", "warner"), "privacy"),
    **dict.fromkeys(("library", "sdc"), "privacy"),
    **dict.fromkeys(("anonymise", "attack", "read_table", "verify"), "sottovoce.tables"),
}
"""The module of each public name, which is imported when the name is first used.

There is no ``__all__``, because help() would then import every module and show all of their pages.
"""


def _check_packages() -> None:
    """Refuse to start if another file, such as a script privacy.py, hides one of our packages."""
    for package in ("mining", "privacy"):
        found = PathFinder.find_spec(package)
        beside = f"{__path__[0].removesuffix('sottovoce')}{package}"
        if found is not None and beside not in (found.submodule_search_locations or ()):
            raise ImportError(
                f"{found.origin or package} hides the package {package!r} that Sottovoce needs."
                " Rename that file, or start Python in another folder."
            )


def read_export(file: Any) -> Reports:
    """Open the ZIP file from *Data* on the page of a run; estimates from it equal those of the run.

    Parameters
    ----------
    file : path or binary file

    Raises
    ------
    PrivacyError
        ``export``: not such a ZIP file. ``reports``: its rows do not match its design.
    """
    # Imported here because importing this package must load nothing else.
    import json
    import zipfile

    import pandas

    from mining.frames.survey import Survey
    from privacy.errors import PrivacyError
    from privacy.survey.design import Design

    try:
        with zipfile.ZipFile(file) as archive:
            design = Design.from_json(json.loads(archive.read(_DESIGN)))
            texts = {question.key: str for question in design.questions if question.is_exhaustive}
            with archive.open(_ROWS) as rows:
                # Options may be called "NA" or "01", so keep the text; only empty cells are missing.
                frame = pandas.read_csv(rows, dtype=texts, keep_default_na=False, na_values=[""])
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        if isinstance(error, PrivacyError):
            raise
        raise PrivacyError("export", str(file), what=str(error)) from error
    return Survey.of(design).on(frame)


def example_data() -> DataFrame:
    """Return the true answers of the 6,366 women in Fair (1978); fair.csv explains its columns."""
    import pandas

    frame: DataFrame = pandas.read_csv(f"{__path__[0]}/fair.csv", comment="#")
    return frame


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module 'sottovoce' has no attribute {name!r}")
    return getattr(import_module(_NAMES[name]), name)


def __dir__() -> list[str]:
    return [*_NAMES, "example_data", "read_export"]


_check_packages()
