"""Read a text file, or refuse it with an error of its kind."""

from __future__ import annotations

from pathlib import Path

from surveys.errors.error import SurveyError


def text_of_file(path: Path, case: str) -> str:
    """Read a text file; `case` is the code of the error."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SurveyError(case, str(path), path=path, error=error) from error
