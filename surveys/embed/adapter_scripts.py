"""Scripts that show a frame in other survey tools."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """A script that shows a frame in survey tools.

    Attributes
    ----------
    files : tuple of str
        The script, and the files that it needs.
    tools : str
    was_run : bool
        Whether it was tested in the tools themselves, not only on a page that imitates their documented API.
    """

    files: tuple[str, ...]
    tools: str
    was_run: bool


ADAPTERS: Final = (
    Adapter(files=("form.js",), tools="HTML, oTree", was_run=True),
    Adapter(files=("surveyjs.js",), tools="SurveyJS", was_run=True),
    Adapter(files=("jspsych.js",), tools="jsPsych", was_run=True),
    Adapter(files=("form.js",), tools="LimeSurvey, Formbricks", was_run=False),
    Adapter(files=("qualtrics.js",), tools="Qualtrics", was_run=False),
    Adapter(files=("Redcap.php", "form.js"), tools="REDCap", was_run=False),
)


def adapter_text(name: str) -> str:
    """Return the single script file that shows a frame on another tool's pages."""
    return Path(__file__).with_name("adapters").joinpath(name).read_text(encoding="utf-8")
