"""A frame as a folder of static files, for any web host."""

from __future__ import annotations

from pathlib import Path

from surveys.embed.frame import Around, frame_digest, frame_files
from surveys.errors.error import SurveyError
from surveys.questionnaire.definition import definition_load, definition_parse

__all__ = ["frame_folder"]


def frame_folder(definition: Path, out: Path, around: Around) -> str:
    """Write the frame of a definition below a folder, under the digest of its design and words.

    Parameters
    ----------
    definition : Path
        A definition file of one protected part.
    out : Path
        A new or empty folder.
    around : Around

    Returns
    -------
    str
        The version's digest, 64 hex digits: the frame is ``out/DIGEST/index.html``.

    Raises
    ------
    DefinitionError, SurveyError
        As `definition_parse` and `frame_files`; ``frame.folder``.
    """
    parsed = definition_parse(definition_load(definition))
    digest = frame_digest(parsed)
    files = frame_files(parsed.design, parsed.wording, around, digest=digest, practice=parsed.practice)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise SurveyError("frame.folder", str(out), folder=out)
    below = out / digest
    for name, content in files.items():
        path = below / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return digest
