"""The files of a frame (a page per language, scripts and style), identical on a server and in a folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.template.loader import render_to_string
from django.utils.html import json_script

from privacy.survey.design import Design
from privacy.survey.possible_answers import impossible_pairs
from surveys.embed.frame_hosts import CONTENT_POLICY, Around
from surveys.embed.frame_promise import check_framed
from surveys.embed.frame_scripts import asks_numbers, frame_scripts
from surveys.embed.frame_style import frame_style
from surveys.embed.frame_texts import FRAME, FRAME_TURN
from surveys.formats.joints import join_sentences
from surveys.questionnaire.languages import language_of, text_in, yes_and_no
from surveys.questionnaire.promise_words import stated_in_words
from surveys.questionnaire.stems import BOXES, LOOK, STEMS
from surveys.questionnaire.turns import TURN
from surveys.respondent.block_words import block_words
from surveys.respondent.client_documents import languages_of
from surveys.respondent.client_program import CLIENT_PAGE
from surveys.respondent.first_texts import translate_texts
from surveys.respondent.speaking import speaking
from surveys.respondent.texts import texts_by_part

_INDENT: Final = re.compile(r"\n\s+")


class _ShortEncoder(DjangoJSONEncoder):
    """Encode without escapes and blanks, which makes a Chinese page a tenth smaller."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "ensure_ascii": False, "separators": (",", ":")})


def frame_files(
    design: Design,
    wording: Mapping[str, Any],
    around: Around,
    *,
    digest: str,
    promises: Mapping[str, Any],
    practice: bool = False,
    by_invitation: bool = False,
) -> dict[str, bytes]:
    """Return a frame's files by path: ``index.html``, a page per other language, and the program.

    Parameters
    ----------
    design : Design
        Design with one protected part.
    wording : mapping
        Wording of a version or a definition.
    around : Around
    digest : str
        Digest of the version, 64 hex digits.
    promises : mapping
        What respondents read: `frame_promises`, or what a version states.
    practice : bool
        Whether answers are only for trying out the survey.
    by_invitation : bool
        Whether people are known by invitation codes; else by a panel's or tool's number.

    Raises
    ------
    SurveyError
        As for `check_framed`.
    """
    check_framed(design, wording)
    stems = wording["blocks"][0].get(STEMS, ())
    has_boxes = any(stem.get(LOOK) == BOXES for stem in stems)
    scripts = frame_scripts(design, has_boxes=has_boxes, has_turns=TURN in wording)
    program = {**scripts, "frame.css": frame_style()}
    folder = hashlib.sha256(b"".join(program.values())).hexdigest()[:16]
    files = {f"{folder}/{name}": content for name, content in program.items()}
    languages = languages_of(wording)
    is_exclusive = bool(wording["blocks"][0].get("exclusive") or impossible_pairs(design.blocks[0]))
    for tag in languages:
        up = "" if tag == languages[0] else "../"
        with speaking(wording, tag) as page_language:
            contradicting = texts_by_part()["before"]["block_exclusive"] if is_exclusive else ""
            page = render_to_string(
                "embed/frame.html",
                {
                    "title": text_in(wording["title"], tag),
                    "language": language_of(tag),
                    "page_language": page_language,
                    "others": [
                        (
                            language_of(other),
                            f"{up}{'' if other == languages[0] else f'{other}/'}{CLIENT_PAGE}",
                        )
                        for other in languages
                        if other != tag
                    ],
                    "policy": CONTENT_POLICY,
                    "program": f"{up}{folder}",
                    "practice": practice,
                    "promise": join_sentences(stated_in_words(promises)),
                    "help": text_in(wording["blocks"][0].get("help"), tag),
                    "contradicting": contradicting,
                    "data": json_script(
                        {
                            "digest": digest,
                            **_data(design, wording, around, tag, scripts),
                            **_turn_data(wording, is_code=by_invitation),
                        },
                        "page-data",
                        encoder=_ShortEncoder,
                    ),
                },
            )
        files[CLIENT_PAGE if tag == languages[0] else f"{tag}/{CLIENT_PAGE}"] = _INDENT.sub(
            "\n", page
        ).encode()
    return files


def _data(
    design: Design, wording: Mapping[str, Any], around: Around, tag: str, scripts: Mapping[str, bytes]
) -> dict[str, Any]:
    """Return the data for the scripts of one page."""
    document = design.to_json()
    program = b"\n".join(scripts.values()).decode()
    used_keys = set(re.findall(r"texts\.(\w+)", program))
    # Texts with a count have a key for each form.
    counted_keys = set(re.findall(r'plural\(texts,"(\w+)"', program))
    # The script builds the keys of the texts about numbers, so include all of them.
    ranges = [
        question["disguise"]["range"]
        for question in document["blocks"][0]["questions"]
        if "disguise" in question
    ]
    kinds = tuple("date_" if "calendar" in each else "number_" for each in ranges)
    if any(asks_numbers(question) for question in design.questions):
        kinds = (*kinds, "number_")
    if any(question.computed for question in design.questions):
        kinds = (*kinds, "composed_gaps_")
    usual = {key: text for texts in texts_by_part().values() for key, text in texts.items()}
    return {
        "design": document,
        "wording": block_words(wording["blocks"][0], tag, design),
        "texts": {
            key: text
            for key, text in usual.items()
            if key in used_keys | counted_keys
            or key.rpartition("_")[0] in counted_keys
            or key.startswith(kinds)
        }
        | translate_texts(FRAME)
        | (translate_texts(FRAME_TURN) if TURN in wording else {})
        | yes_and_no(tag),
        "hosts": around.hosts,
        "site": around.site,
        "shared": around.shared_device,
    }


def _turn_data(wording: Mapping[str, Any], *, is_code: bool) -> dict[str, Any]:
    """Return what devices need to compute whose turn it is; empty if the part takes no turns."""
    return {TURN: wording[TURN], "code": is_code} if TURN in wording else {}
