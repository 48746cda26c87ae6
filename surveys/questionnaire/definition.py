"""Read a survey's definition file into a design and its wording.

The *design* determines the distribution of what devices send, and fixes the meaning of the answers. The
*wording* is the text that people read, in each language, and what the researcher states: the prevalence of
each protected item, from which the page computes the odds it promises, and mutually exclusive answers.
Changing either makes a new version, but answers are counted together as long as the design is the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.planning.light_strengths import proposed_light
from privacy.survey.anchors import anchor_members, anchor_of
from privacy.survey.design import MOST_BLOCKS, Block, Design, GroupPolicy
from surveys.errors.error import in_words, short_json
from surveys.questionnaire.arms import EXPLANATIONS, INVITED, check_arm_texts, read_arm_texts, with_invited
from surveys.questionnaire.composites import SET_ASIDE, check_number_of_components
from surveys.questionnaire.document import DefinitionError, Node, Problem, Problems
from surveys.questionnaire.formality import FORMALITY, read_formality
from surveys.questionnaire.headings import HEADINGS
from surveys.questionnaire.languages import languages_of, read_languages
from surveys.questionnaire.own_sentences import SENTENCES, read_sentences
from surveys.questionnaire.panel import PANEL, read_panel
from surveys.questionnaire.parsed_document import MOST_DOCUMENT_BYTES, document_parse
from surveys.questionnaire.rotations import read_rotations, with_rotations
from surveys.questionnaire.schedule import Schedule, read_schedule
from surveys.questionnaire.stated_block import read_block
from surveys.questionnaire.stated_waves import OF_SERIES, ROOT, check_waves
from surveys.questionnaire.stems import STEMS, read_stems, with_stems
from surveys.questionnaire.turns import check_turn, turn_stated, with_turns


def with_light(design: Design, parts: Sequence[Node], group: Node) -> Design | None:
    """Return a design with a light strength of each protected block, or None after noting the problem.

    Parameters
    ----------
    design : Design
        Design with one strength.
    parts : sequence of Node
        Its blocks in the definition. The ``light`` of a part is a truth probability, or ``{"epsilon": 5}``
        for a number or a place; parts without one get the proposed strength.
    group : Node
        The member ``light`` of the group.
    """
    if design.group.policy == "protected":
        group.wrong(
            _("everyone is disguised with the same strength, but a second one is given"),
            _("leave it out, or let respondents choose or the device draw"),
        )
        return None
    if not any(block.protected for block in design.blocks):
        group.wrong(_("no part is disguised"), _("leave it out, or protect a part"))
        return None
    proposal = proposed_light(design)
    blocks = []
    for part, block, light in zip(parts, design.blocks, proposal or [None] * len(parts), strict=True):
        node = part.at("light")
        if not block.protected:
            blocks.append(block)
        elif node.value is not None:
            blocks.append(_lit(block, node) or replace(block, light=light))
        elif proposal:
            blocks.append(replace(block, light=light))
        else:
            group.wrong(
                _("with these parts no lighter strength is possible"),
                _("use one strength for everyone, or protect the parts more strongly and the whole map"),
            )
            return None
    return None if group.problems.entries else replace(design, blocks=tuple(blocks), mechanism=0)


def _lit(block: Block, node: Node) -> Block | None:
    """Return a block with its stated light strength, or None after noting the problem."""
    try:
        if not block.is_scale:
            return replace(block, light=node.value)
        if not node.has_members(("epsilon",)):
            return None
        return replace(block, light=block.lighter(node.value["epsilon"]))
    except PrivacyError as error:
        node.note_refusal(error)
        return None


DEFINITION_FORMAT: Final = 1
_NEEDED: Final = ("sotto", "slug", "title", "practice", "about", "group", "blocks")
_ALLOWED: Final = (
    "languages",
    "time_zone",
    "opens_at",
    "closes_at",
    "delete_on",
    "chapters",
    *OF_SERIES,
    "rotations",
    STEMS,
    *(EXPLANATIONS, INVITED, PANEL, FORMALITY, SENTENCES, SET_ASIDE, HEADINGS),
)
ABOUT: Final = ("researcher", "purpose", "ethics", "contact", "retention", "age_limit", "help")
# For readers of the report: the population, and where respondents were recruited.
SURVEYED: Final = ("population", "frame")
# For respondents and readers: why some people's answers to protected parts are sent undisguised.
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
        Whether answers are only for trying out the survey.
    design : Design
    wording : dict
        ``{"title", "about": {...}, "blocks": [{"key", "title", "questions": [{"key", "text", "help",
        "options": [{"key", "text"}], "prevalence"}]}]}``. Every text is an object by language; help may be
        null. Optional: ``languages``, if stated; ``title``, ``help``, ``exclusive``, ``stems`` of a block;
        ``stem`` and ``line`` of a question whose text includes its stem's; ``explanations`` by arm and
        ``wordings``, in experiments; ``panel``, an address or a code; ``formality``, the languages in their
        other form of address; ``sentences``, the team's own.
    languages : tuple of str
        Readers who know none of them see the first one.
    schedule : Schedule
    series : str
        Name of the series of surveys that the same people may answer; empty if there is no series.
    waves : int or None
        How many surveys the series will have; None if it states no number.
    each_wave : {"root", "whole", "rotate"}
        Protection of each wave: the root of the odds, so that all waves together keep the limits of one
        survey; the whole odds, so that all together reveal more; or the whole odds for parts that take turns.
    document : dict
        The document from which it was read.
    """

    slug: str
    title: dict[str, str]
    practice: bool
    design: Design
    wording: dict[str, Any]
    languages: tuple[str, ...]
    schedule: Schedule
    series: str
    waves: int | None
    each_wave: str
    document: dict[str, Any]

    @property
    def rooted_waves(self) -> int:
        """Number of waves that share the limits of one survey; 1 if this survey has them for itself."""
        return self.waves if self.waves is not None and self.each_wave == ROOT else 1

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
        The file is missing, or `document_parse` refuses it.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_DOCUMENT_BYTES + 1)
    except OSError as error:
        raise DefinitionError.at("", "document.file", path=path, reason=error.strerror) from error
    return document_parse(raw, name=str(path))


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The readable parts of an unfinished document.

    Parameters
    ----------
    definition : Definition or None
        None if there are problems.
    problems : tuple of Problem
        In the order of the document.
    blocks : tuple of (str, Block)
        The readable blocks with their paths, whatever else is wrong.
    designed : Definition or None
        The definition for figures if the only problems are placeholders of a template, or changes that a
        published survey does not allow.
    """

    definition: Definition | None
    problems: tuple[Problem, ...]
    blocks: tuple[tuple[str, Block], ...]
    designed: Definition | None = None


def definition_parse(document: object, *, is_worded: bool = True) -> Definition:
    """Parse a JSON document into a definition.

    Parameters
    ----------
    document, is_worded
        As for `definition_read`.

    Raises
    ------
    DefinitionError
        Lists every problem with path, value and remedy.
    """
    reading = definition_read(document, is_worded=is_worded)
    if reading.definition is None:
        raise DefinitionError(reading.problems)
    return reading.definition


def definition_without_texts(document: object) -> Definition | None:
    """Return a definition for figures; its texts may be missing. None without a complete design."""
    return definition_read(document, is_worded=False).definition


def definition_read(document: object, *, is_worded: bool = True) -> Reading:
    """Parse as much of a JSON document as possible, and list all problems with the rest.

    Parameters
    ----------
    document : object
    is_worded : bool
        Whether texts and address are required as well.
    """
    problems = Problems()
    survey = Node(value=document, path="", problems=problems, is_worded=is_worded)
    if not survey.has_members(_NEEDED, _ALLOWED):
        return Reading(definition=None, problems=tuple(problems.entries), blocks=())
    _check_head(survey)
    tags = read_languages(survey.at("languages")) if "languages" in survey.value else ()
    survey = replace(survey, languages=languages_of(survey.at("title"), tags))
    schedule = read_schedule(survey)
    about = _read_about(survey.at("about"), practice=survey.value["practice"] is True)
    group = _read_group(survey.at("group"))
    before = len(problems.entries)
    blocks = legible = _read_blocks(survey.at("blocks"))
    if len(problems.entries) > before:
        # Read again without texts, because the cost of a block does not depend on them.
        legible = _read_blocks(Node(value=survey.value["blocks"], path="blocks", is_worded=False))
    worded = with_stems(survey, read_stems(survey.at(STEMS)), blocks)
    has_light = _read_light(survey.at("group"), blocks)
    if not problems.entries:
        _check_anchors([node for node, _block, _wording in blocks])
    rotations = read_rotations(survey.at("rotations")) if "rotations" in survey.value else []
    explanations = read_arm_texts(survey.at(EXPLANATIONS))
    design = None
    if group is not None and not problems.entries:
        design = _read_design([block for _node, block, _wording in blocks], group, survey.at("blocks"))
    if design is not None:
        design = with_turns(with_rotations(design, rotations), survey)
    if design is not None and has_light:
        design = with_light(
            design, [node for node, _block, _wording in blocks], survey.at("group").at("light")
        )
    if design is not None and INVITED in survey.value:
        design = with_invited(design, survey.at(INVITED))
    if design is not None:
        check_number_of_components(survey.at("blocks"), design)
    panel = read_panel(survey.at(PANEL)) if survey.value.get(PANEL) is not None else None
    formality = read_formality(survey.at(FORMALITY)) if FORMALITY in survey.value else None
    sentences = read_sentences(survey.at(SENTENCES)) if SENTENCES in survey.value else None
    if design is not None and is_worded:
        check_arm_texts(survey, design)
    definition = None
    if design is not None and not problems.entries:
        definition = Definition(
            slug=survey.value["slug"],
            title=survey.value["title"],
            practice=survey.value["practice"],
            design=design,
            wording={
                "title": survey.value["title"],
                "about": about,
                "blocks": worded,
                **({} if explanations is None else {EXPLANATIONS: explanations}),
                **({} if panel is None else {PANEL: panel}),
                **({} if formality is None else {FORMALITY: formality}),
                **({} if sentences is None else {SENTENCES: sentences}),
                **turn_stated(survey.value),
                **({"languages": list(tags)} if tags else {}),
            },
            languages=survey.languages,
            schedule=schedule,
            series=survey.value.get("series") or "",
            waves=survey.value.get("waves"),
            each_wave=survey.value.get("each_wave") or ROOT,
            document=survey.value,
        )
    return Reading(
        definition=definition,
        problems=tuple(problems.entries),
        blocks=tuple((node.path, block) for node, block, _wording in legible),
    )


def _read_blocks(parent: Node) -> list[tuple[Node, Block, dict[str, Any]]]:
    return [
        (node, *block) for node in parent.entries(most=MOST_BLOCKS) if (block := read_block(node)) is not None
    ]


def _check_anchors(blocks: Sequence[Node]) -> None:
    """Note anchors that cannot check the part before them, because their probabilities differ from it."""
    for number, block in enumerate(blocks):
        if not anchor_of(block.value):
            continue
        probabilities = anchor_members([each.value for each in blocks], number)
        if probabilities is None:
            block.wrong(_("no protected part comes before it"), _("move it after the part that it checks"))
            continue
        question = block.at("questions").at(0)
        own = {name: block.value.get(name) for name in probabilities} | {
            "unrelated": question.value["unrelated"]
        }
        for name, target in probabilities.items():
            if own[name] != target:
                (question if name == "unrelated" else block).at(name).wrong(
                    _("a check question must have the same probabilities as the part before it"),
                    _("use %(wanted)s") if target is not None else _("leave it out"),
                    wanted=target,
                )


def _check_head(survey: Node) -> None:
    form, slug, series = survey.at("sotto"), survey.at("slug"), survey.at("series")
    if form.value != DEFINITION_FORMAT or isinstance(form.value, bool):
        form.wrong(_("unknown format: %(value)s"), _("write %(format)s"), format=DEFINITION_FORMAT)
    spelling = _(
        "use at most 50 lower-case letters, digits and hyphens; start and end with a letter or digit"
    )
    if survey.is_worded and not _is_slug(slug.value):
        slug.wrong(_("%(slug)s cannot be part of an address"), spelling, slug=short_json(slug.value))
    if series.value is not None and not _is_slug(series.value):
        series.wrong(_("%(value)s cannot name a series"), spelling)
    check_waves(survey)
    check_turn(survey)
    survey.at("practice").check_truth()


def _is_slug(value: object) -> bool:
    return isinstance(value, str) and SLUG.fullmatch(value) is not None


def _read_about(about: Node, *, practice: bool) -> dict[str, dict[str, str]]:
    """Read the information shown before the first question; real surveys need all of it."""
    if not about.has_members(ABOUT, OPTIONAL):
        return {}
    names = (*ABOUT, *(name for name in OPTIONAL if name in about.value))
    return {name: about.at(name).text(is_whole=not practice) for name in names}


def _read_group(group: Node) -> GroupPolicy | None:
    if not group.has_members(("policy",), ("direct_share", "light")):
        return None
    try:
        return GroupPolicy(policy=group.value["policy"], direct_share=group.value.get("direct_share"))
    except PrivacyError as error:
        group.note_refusal(error, {error.code: "direct_share" if error.code == "direct_share" else "policy"})
        return None


def _read_light(group: Node, blocks: Sequence[tuple[Node, Block, dict[str, Any]]]) -> bool:
    """Return whether there are two strengths; note light strengths in a survey with one strength."""
    member = group.at("light")
    if isinstance(group.value, dict) and "light" in group.value:
        member.check_truth()
    if member.value is True:
        return True
    for node, _block, _wording in blocks:
        if node.value.get("light") is not None:
            node.at("light").wrong(
                _("a light strength is given, but not used"), _("write light: true in group, or leave it out")
            )
    return False


def _read_design(blocks: Sequence[Block], group: GroupPolicy, parent: Node) -> Design | None:
    """Return the live design of these blocks, or None after noting the problem.

    An error names the first block that conflicts with earlier ones.
    """
    if not blocks:
        parent.wrong(_("the survey has no parts"), _("add at least one"))
        return None
    try:
        return Design(blocks=tuple(blocks), group=group, use="live")
    except PrivacyError:
        _note_first_conflict(blocks, group, parent)
        return None


def _note_first_conflict(blocks: Sequence[Block], group: GroupPolicy, parent: Node) -> None:
    """Add blocks one by one, and note why the first one that conflicts with earlier ones does."""
    for number in range(len(blocks)):
        try:
            Design(blocks=tuple(blocks[: number + 1]), group=group, use="live")
        except PrivacyError as error:
            node = parent.at(number)
            if error.code in ("truth_probability", "asked_if"):
                node = node.at(error.code)
            parent.problems.add(node.path, *in_words(error))
            return
