"""A survey's definition file, read into a design and its wording.

The *design* is what decides the law of what devices send, and gives the answers their meaning for good. The
*wording* is what people read, texts in each language, and what the researcher states: the prevalence of each
protected item, from which the page computes the odds it promises, and answers that cannot be true together. A
change of either makes a new version, but answers are counted together as long as the design is the same.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.policy import LEAST_FACTOR, LEAST_TOGETHER
from privacy.survey.design import MOST_BLOCKS, Block, Design, GroupPolicy
from surveys.errors.core_refusals import in_words
from surveys.errors.error import shown
from surveys.questionnaire.arms import EXPLANATIONS, INVITED, check_arm_texts, read_arm_texts, with_invited
from surveys.questionnaire.block_definition import BlockDefinition, BlockReader
from surveys.questionnaire.document import MOST_BYTES, document_parse
from surveys.questionnaire.languages import read_languages
from surveys.questionnaire.panel import PANEL, read_panel
from surveys.questionnaire.problems import DefinitionError, Problem, Problems, joined
from surveys.questionnaire.quotas import check_quotas
from surveys.questionnaire.rotation_definition import read_rotations, with_rotations
from surveys.questionnaire.schedule import Schedule, read_schedule
from surveys.questionnaire.texts import AnyTexts, TextReader
from surveys.questionnaire.two_strengths import with_light

FORMAT: Final = 1
_NEEDED: Final = ("sotto", "slug", "title", "practice", "about", "group", "blocks")
_ALLOWED: Final = (
    "languages",
    "time_zone",
    "opens_at",
    "closes_at",
    "delete_on",
    "series",
    "rotations",
    EXPLANATIONS,
    INVITED,
    PANEL,
)
ABOUT: Final = ("researcher", "purpose", "ethics", "contact", "retention", "age_limit", "help")
# For readers of the report: whom the figures are about, and from which list or place respondents came.
SURVEYED: Final = ("population", "frame")
# For respondents and readers: why the answers of some people to protected parts are sent as they are.
UNDISGUISED: Final = "undisguised"
OPTIONAL: Final = (*SURVEYED, UNDISGUISED)
SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A definition that can be published.

    Parameters
    ----------
    slug : str
        The survey's name in addresses.
    title : dict of str to str
        By language.
    practice : bool
        Whether answers are for trying only.
    design : Design
    wording : dict
        ``{"title", "about": {...}, "blocks": [{"key", "title", "questions": [{"key", "text", "help",
        "options": [{"key", "text"}], "prevalence"}]}]}``; every text is an object by language, help may be
        null. With ``languages`` where the definition states them, and a block's ``help`` and ``exclusive``
        answers where it has some; with ``explanations`` by arm, and ``wordings`` of questions, where an
        experiment has some; with ``panel``, an address or a code, where people go back to one.
    languages : tuple of str
        The first one is shown to readers of none of them.
    schedule : Schedule
    series : str
        Name of the series of surveys that the same people may answer; empty for none.
    document : dict
        What was read.
    """

    slug: str
    title: dict[str, str]
    practice: bool
    design: Design
    wording: dict[str, Any]
    languages: tuple[str, ...]
    schedule: Schedule
    series: str
    document: dict[str, Any]

    @property
    def wording_id(self) -> str:
        """SHA-256 (64 hex digits) of the canonical JSON of the wording, as for ``design_id``."""
        text = json.dumps(self.wording, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


def definition_load(path: Path) -> Any:
    """Read a definition file; return its JSON document, for `definition_parse`.

    Raises
    ------
    DefinitionError
        The file is missing, or is no document that `document_parse` takes.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise DefinitionError.at("", "document.file", path=path, reason=error.strerror) from error
    return document_parse(raw, name=str(path))


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Readable parts of an unfinished document.

    Parameters
    ----------
    definition : Definition or None
        None as long as there are problems.
    problems : tuple of Problem
        In the order of the document.
    blocks : tuple of (str, Block)
        The blocks that can be read, with their paths, whatever is wrong elsewhere.
    designed : Definition or None
        What figures are computed from, where nothing but texts that a template left open, or what a published
        survey does not let change, is in the way.
    """

    definition: Definition | None
    problems: tuple[Problem, ...]
    blocks: tuple[tuple[str, Block], ...]
    designed: Definition | None = None


def definition_parse(document: object) -> Definition:
    """Return the definition that a JSON document describes.

    Raises
    ------
    DefinitionError
        With every problem found, each with path, value and remedy.
    """
    reading = definition_read(document)
    if reading.definition is None:
        raise DefinitionError(reading.problems)
    return reading.definition


def definition_without_texts(document: object) -> Definition | None:
    """Return a definition whose texts may still be missing, for figures; None without a whole design."""
    return definition_read(document, is_worded=False).definition


def definition_read(document: object, *, is_worded: bool = True) -> Reading:
    """Return as much of a definition as a JSON document describes, and all that is in the way of the rest.

    Parameters
    ----------
    document : object
    is_worded : bool
        Whether its texts and its address have to be there too.
    """
    problems = Problems()
    survey = problems.members(document, "", needed=_NEEDED, allowed=_ALLOWED)
    if survey is None:
        return Reading(definition=None, problems=tuple(problems.listed), blocks=())
    _check_head(survey, problems, is_named=is_worded)
    stated = read_languages(survey["languages"], problems) if "languages" in survey else ()
    texts = (
        TextReader.for_title(survey["title"], problems, stated=stated)
        if is_worded
        else AnyTexts(languages=stated or tuple(survey["title"]))
    )
    schedule = read_schedule(survey, problems)
    about = _read_about(survey["about"], texts, problems)
    group = _read_group(survey["group"], problems)
    before = len(problems.listed)
    blocks = legible = _read_blocks(survey["blocks"], BlockReader(texts=texts, problems=problems))
    if len(problems.listed) > before:
        # What a block costs does not wait for its texts.
        legible = _read_blocks(survey["blocks"], BlockReader(texts=AnyTexts(), problems=Problems()))
    light = _read_light(survey["group"], blocks, problems)
    rotations = read_rotations(survey.get("rotations", []), problems)
    stated_explanations = survey.get(EXPLANATIONS)
    explanations = (
        None
        if stated_explanations is None
        else read_arm_texts(stated_explanations, EXPLANATIONS, texts, problems)
    )
    design = None
    if group is not None and not problems.listed:
        design = _read_design(tuple(block.design for _path, block in blocks), group, problems)
    if design is not None:
        design = with_rotations(design, rotations, problems)
    if design is not None and light is not None:
        design = with_light(design, [path for path, _block in blocks], light, problems)
    if design is not None and INVITED in survey:
        design = with_invited(design, survey[INVITED], problems)
    panel = read_panel(survey[PANEL], problems) if survey.get(PANEL) is not None else None
    definition = None
    wording = {
        "title": survey["title"],
        "about": about,
        "blocks": [block.wording for _path, block in blocks],
        # Left out where there are none: the wordings of before there were some keep their digests.
        **({} if explanations is None else {EXPLANATIONS: explanations}),
        **({} if panel is None else {PANEL: panel}),
    }
    if design is not None and is_worded:
        check_arm_texts(wording, design, problems)
    if design is not None:
        check_quotas(wording, design, problems, practice=survey["practice"] is True)
    if design is not None and not problems.listed:
        definition = Definition(
            slug=survey["slug"],
            title=survey["title"],
            practice=survey["practice"],
            design=design,
            wording={**wording, "languages": list(stated)} if stated else wording,
            languages=texts.languages,
            schedule=schedule,
            series=survey.get("series") or "",
            document=survey,
        )
    return Reading(
        definition=definition,
        problems=tuple(problems.listed),
        blocks=tuple((path, block.design) for path, block in legible),
    )


def _read_blocks(document: object, reader: BlockReader) -> list[tuple[str, BlockDefinition]]:
    blocks = []
    for number, entry in enumerate(reader.problems.entries(document, "blocks", most=MOST_BLOCKS)):
        path = f"blocks[{number}]"
        block = reader.block(entry, path)
        if block is not None:
            blocks.append((path, block))
    return blocks


def _check_head(survey: dict[str, Any], problems: Problems, *, is_named: bool) -> None:
    if survey["sotto"] != FORMAT or isinstance(survey["sotto"], bool):
        problems.add(
            "sotto",
            _("%(value)s is no format known here") % {"value": shown(survey["sotto"])},
            _("write %(format)s") % {"format": FORMAT},
        )
    slug = survey["slug"]
    if is_named and (not isinstance(slug, str) or SLUG.fullmatch(slug) is None):
        problems.add(
            "slug",
            _("%(slug)s cannot stand in an address") % {"slug": shown(slug)},
            _("use at most 50 small letters, digits and hyphens, a letter or digit first and last"),
        )
    series = survey.get("series")
    if series is not None and (not isinstance(series, str) or SLUG.fullmatch(series) is None):
        problems.add(
            "series",
            _("%(value)s cannot name a series") % {"value": shown(series)},
            _("use at most 50 small letters, digits and hyphens, a letter or digit first and last"),
        )
    if not isinstance(survey["practice"], bool):
        problems.add(
            "practice",
            _("%(value)s is no answer") % {"value": shown(survey["practice"])},
            _("say true or false"),
        )


def _read_about(document: object, texts: TextReader, problems: Problems) -> dict[str, dict[str, str]]:
    # Respondents are told the needed ones before the first question: none may be missing.
    about = problems.members(document, "about", needed=ABOUT, allowed=OPTIONAL)
    if about is None:
        return {}
    stated = (*ABOUT, *(name for name in OPTIONAL if name in about))
    return {name: texts.text(about[name], f"about.{name}") for name in stated}


def _read_group(document: object, problems: Problems) -> GroupPolicy | None:
    group = problems.members(document, "group", needed=("policy",), allowed=("direct_share", "light"))
    if group is None:
        return None
    try:
        return GroupPolicy(policy=group["policy"], direct_share=group.get("direct_share"))
    except PrivacyError as error:
        member = "direct_share" if error.code == "direct_share" else "policy"
        problems.add(f"group.{member}", *in_words(error))
        return None


def _read_light(
    group: object, blocks: Sequence[tuple[str, BlockDefinition]], problems: Problems
) -> dict[str, object] | None:
    """Return by path the light strengths that parts state; None where there are no two strengths."""
    wanted = group.get("light", False) if isinstance(group, dict) else False
    if not isinstance(wanted, bool):
        problems.add(
            "group.light", _("%(value)s is no answer") % {"value": shown(wanted)}, _("say true or false")
        )
    stated = {path: block.stated["light"] for path, block in blocks if block.stated.get("light") is not None}
    if wanted is True:
        return stated
    for path in stated:
        problems.add(
            joined(path, "light"),
            _("a light strength is given, and nobody follows it"),
            _("say light: true in group, or leave it out"),
        )
    return None


def _read_design(blocks: tuple[Block, ...], group: GroupPolicy, problems: Problems) -> Design | None:
    """Return the live design of these blocks, or None after noting why there is none.

    What blocks refuse about each other is found by adding one after another: the refusal names the first
    block that does not go with those before it.
    """
    if not blocks:
        problems.add("blocks", _("there is no part"), _("give at least one"))
        return None
    for number in range(1, len(blocks) + 1):
        try:
            design = Design(blocks=blocks[:number], group=group, use="live")
        except PrivacyError as error:
            member = error.code if error.code in ("truth_probability", "asked_if", "radius") else ""
            path = f"blocks[{number - 1}]"
            words = _out_of_reach(blocks[number - 1]) if error.case == "radius.reach" else in_words(error)
            problems.add(joined(path, member) if member else path, *words)
            return None
    return design


def _out_of_reach(block: Block) -> tuple[str, str]:
    """Describe which itemsets near-truth rows cannot estimate, and the remedies."""
    channel = (block.in_group(direct=False) or block).near
    sizes = range(1, min(block.most_asked, LEAST_TOGETHER) + 1)
    # Factors grow with p.
    least = min((abs(channel.factor(size) / channel.truth) for size in sizes), default=0) if channel else 0
    message = _("with at most %(radius)s of %(count)s answers changed %(size)s together cannot be read") % {
        "radius": block.radius,
        "count": block.most_asked,
        "size": block.most_together + 1,
    }
    needed = math.ceil(SCALE * LEAST_FACTOR / least) if least else SCALE
    if needed < SCALE:
        remedy = _("set p to at least %(share)s %%, or change at most another number of answers") % {
            "share": f"{needed / 100:g}"
        }
        return message, remedy
    return message, _(
        "change at most another number of answers, or ask each person another number of questions"
    )
