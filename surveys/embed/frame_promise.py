"""What respondents of a frame read, and the digest that identifies it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privacy.risk.amplification import promise
from privacy.risk.promise import Promise
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.promise_words import older_promises_json, promises_json
from surveys.questionnaire.series import promises_in_file
from surveys.questionnaire.turns import TURN
from surveys.respondent.client_documents import build_documents


def check_framed(design: Design, wording: Mapping[str, Any]) -> Promise:
    """Return the promise of the single part that a frame asks.

    Parameters
    ----------
    design : Design
    wording : mapping
        Of the same version or definition; it says whether the part takes turns over a series.

    Raises
    ------
    SurveyError
        ``frame.part``, ``frame.group``, ``frame.place``, ``frame.turns``, ``frame.bound``.
    """
    if len(design.blocks) != 1 or not design.blocks[0].protected:
        raise SurveyError("frame.part", len(design.blocks), count=len(design.blocks))
    if design.group.policy != "protected":
        raise SurveyError("frame.group", design.group.policy)
    if any(question.is_map for question in design.questions):
        raise SurveyError("frame.place")
    if design.rotations and TURN not in wording:
        raise SurveyError("frame.turns")
    bound = promise(design)
    if bound is None:
        raise SurveyError("frame.bound")
    return bound


def frame_promises(definition: Definition) -> dict[str, Any]:
    """Return what respondents of a definition's frame read, in the form that devices read.

    Raises
    ------
    SurveyError
        ``frame.waves``: a series without a number of waves, so that the frame could not state their total.
    """
    if definition.series and definition.waves is None and not definition.practice:
        raise SurveyError("frame.waves", definition.series, series=definition.series)
    return promises_in_file(definition)


def frame_digest(definition: Definition) -> str:
    """Return the digest of design, words and promise that identifies a definition's frame.

    It equals the digest of a survey published with this definition, which is also printed in letters, unless
    the survey is answered by invitation only, or is a later wave of its series.
    """
    return _root(definition, promises_in_file(definition))


def frame_digests(definition: Definition) -> set[str]:
    """Return the digests of a definition's frame, also of older ones that state no waves or skips."""
    design = definition.design
    stated = (promises_in_file(definition), promises_json(design), older_promises_json(design))
    return {_root(definition, promises) for promises in stated}


def _root(definition: Definition, promises: Mapping[str, Any]) -> str:
    return build_documents(
        definition.design,
        definition.wording,
        survey=definition.slug,
        practice=definition.practice,
        by_invitation=False,
        promises=promises,
    ).root
