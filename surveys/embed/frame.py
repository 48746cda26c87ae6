"""The files of a frame (a page per language, scripts and style), identical on a server and in a folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.template.loader import render_to_string
from django.utils.html import json_script

from privacy.risk.amplification import promise
from privacy.risk.promise import Promise
from privacy.survey.design import Design, Question
from privacy.survey.possible_answers import impossible_pairs
from surveys.environment import is_origin
from surveys.errors.error import SurveyError
from surveys.formats.joints import join_sentences
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.languages import language_of, text_in
from surveys.questionnaire.promise_words import older_promises_json, promises_json, stated_in_words
from surveys.questionnaire.series import promises_in_file
from surveys.questionnaire.stems import BOXES, LOOK, STEMS
from surveys.questionnaire.turns import TURN
from surveys.respondent.client_documents import block_words, build_documents, languages_of, yes_and_no
from surveys.respondent.client_program import (
    CLIENT_PAGE,
    MODULES,
    STYLE_COMMENT,
    STYLES,
    join_modules,
    small_style,
)
from surveys.respondent.first_texts import translate_texts
from surveys.respondent.spoken_sentences import speaking
from surveys.respondent.texts import FRAME, FRAME_TURN, texts_by_part

ENTRANCE: Final = "embed"
_VARIABLE: Final = re.compile(r"(?<=[{;])(--[\w-]+):[^;}]*;")
# Rules of the pages' style sheet that frames do not need: maps, tables, lists, the masthead, print.
_RULE: Final = re.compile(r"[^{}]+\{[^{}]*\}")
_NOT_SHOWN: Final = re.compile(
    r"\.(masthead|wordmark|skip-link|banner|card|matrix|map|odds|dots?|digest|draws|trial|receipt|code|about|"
    r"actions|answers|progress|table-scroll|mono|marks|say|tag|field|note--warn|survey-name|part|proof)\b|"
    r"data-(intro|words)|^\s*(progress|table|th,|tbody|img|ul,|\.quiet (summary|li \+))|"
    r"h[14]\b[^,]*\{|--(mono|shadow|warn-soft)\)|--(looks|shadow):"
)


@lru_cache(maxsize=1)
def _frame_modules() -> dict[str, str]:
    return join_modules(lambda name: (MODULES / f"{name}.js").read_text(encoding="utf-8"), ENTRANCE)


def frame_scripts(design: Design, *, has_boxes: bool = False, has_turns: bool = False) -> dict[str, bytes]:
    """Return the scripts that a frame needs for a design, by file name; the entry script comes first."""
    needed = {
        ENTRANCE: True,
        "drawing": design.rotates,
        "frame-turn": has_turns,
        "boxes": has_boxes or any(map(_asks_boxes, design.questions)),
        "frame-composites": any(question.computed for question in design.questions),
        "frame-number": any(question.has_mean or _asks_numbers(question) for question in design.questions),
    }
    return {f"{name}.js": _frame_modules()[name].encode() for name, is_needed in needed.items() if is_needed}


def _asks_boxes(question: Question) -> bool:
    components = question.computed.components if question.computed else ()
    return question.is_several or any(component.is_several for component in components)


def _asks_numbers(question: Question) -> bool:
    """Return whether a question has components that ask for a number."""
    return question.computed is not None and any(
        component.low is not None for component in question.computed.components
    )


@lru_cache(maxsize=1)
def frame_style() -> bytes:
    """Return the respondent's page's style sheet, reduced to what a frame shows."""
    sheets = (MODULES.parent / "css" / name for name in STYLES)
    text = STYLE_COMMENT.sub("", "".join(sheet.read_text(encoding="utf-8") for sheet in sheets))
    text = _RULE.sub(lambda rule: "" if _NOT_SHOWN.search(rule[0]) else rule[0], text)
    text = re.sub(r"@media print\s*\{\s*([^{}]*\{[^{}]*\}\s*)*\}", "", text)
    text = re.sub(r"@media[^{]*\{\s*\}", "", text)
    frame_rules = ".quiet.frame{min-block-size:0;display:block}.frame main{padding-block:var(--space-3)}"
    style = small_style(text) + frame_rules
    return _VARIABLE.sub(lambda found: found[0] if f"var({found[1]})" in style else "", style).encode()


_INDENT: Final = re.compile(r"\n\s+")
# Suffixes under which anyone can register names, so that hosts below them may have different owners.
_SUFFIX: Final = re.compile(
    r"(com|net|org|edu|gov|mil|ac|co|go|ne|or|gob|gouv|nom|sch|github|gitlab)\.[a-z]{2,}"
)


class _ShortEncoder(DjangoJSONEncoder):
    """Encode without escapes and blanks, which makes a Chinese page a tenth smaller."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "ensure_ascii": False, "separators": (",", ":")})


@dataclass(frozen=True, kw_only=True)
class Around:
    """Which pages may show a frame, and how.

    Parameters
    ----------
    hosts : tuple of str
        Exact origins of the pages, such as "https://survey.uni.example".
    site : str
        The domain that pages and frame share and that has a single owner, such as "uni.example"; or empty.
    shared_device : bool
        Whether several people answer on the same device. Then nothing is remembered.

    Raises
    ------
    SurveyError
        ``frame.hosts``, ``frame.host``, ``frame.site``.
    """

    hosts: tuple[str, ...]
    site: str = ""
    shared_device: bool = False

    def __post_init__(self) -> None:
        if not self.hosts:
            raise SurveyError("frame.hosts")
        for host in self.hosts:
            if not is_origin(host):
                raise SurveyError("frame.host", host, host=host[:80])
        if self.site and (
            re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", self.site) is None or _SUFFIX.fullmatch(self.site)
        ):
            raise SurveyError("frame.site", self.site, site=self.site[:80])


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


def frame_headers(around: Around) -> dict[str, str]:
    """Return the headers of a frame's files; a meta element can replace all but the first two."""
    return {
        "Content-Security-Policy": f"{_POLICY}; frame-ancestors {' '.join(around.hosts)}",
        "Origin-Agent-Cluster": "?1",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'"
)


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
                    "policy": _POLICY,
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
    if any(_asks_numbers(question) for question in design.questions):
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
