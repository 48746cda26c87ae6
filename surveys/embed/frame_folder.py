"""Write the files of a frame to a folder, for servers without Sottovoce."""

from __future__ import annotations

from pathlib import Path

from surveys.authoring.publish import check_refusals
from surveys.embed.frame import frame_files
from surveys.embed.frame_hosts import Around
from surveys.embed.frame_promise import frame_digest, frame_promises
from surveys.errors.error import SurveyError
from surveys.questionnaire.checks.ceilings import site_ceilings
from surveys.questionnaire.checks.check import check_definition
from surveys.questionnaire.definition import definition_load, definition_parse
from surveys.questionnaire.findings import Finding
from surveys.questionnaire.multi_drafts import has_multi


def frame_folder(
    definition: Path, out: Path, around: Around, *, reason: str = ""
) -> tuple[str, tuple[Finding, ...]]:
    """Write a definition's frame to a folder, below a folder named by the digest of its design and words.

    Parameters
    ----------
    definition : Path
        A definition file with one protected part.
    out : Path
        A new or empty folder.
    around : Around
    reason : str
        Why to use the frame although a check refuses the definition. It is asked again when the answers
        are imported, and kept then.

    Returns
    -------
    str
        The version's digest, 64 hex digits: the frame is ``out/DIGEST/index.html``.
    tuple of Finding
        The findings of the checks.

    Raises
    ------
    DefinitionError, SurveyError
        As for `definition_parse`, `frame_promises`, `frame_files` and `check_refusals`; ``frame.folder``,
        ``frame.multi``.
    """
    document = definition_load(definition)
    if has_multi(document):
        raise SurveyError("frame.multi", str(definition), definition=definition)
    spec = definition_parse(document)
    promises, digest = frame_promises(spec), frame_digest(spec)
    files = frame_files(
        spec.design, spec.wording, around, digest=digest, promises=promises, practice=spec.practice
    )
    findings = check_definition(spec, ceilings=site_ceilings())
    check_refusals(findings, reason)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise SurveyError("frame.folder", str(out), folder=out)
    below = out / digest
    for name, content in files.items():
        path = below / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return digest, findings
