"""Plan a draft: write a layout of `privacy.planning.plan` into its document."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from privacy.planning.coin_choice import best_coin
from privacy.planning.plan import PlannedDesign, movable_blocks, movable_numbers, plan_design
from privacy.planning.protection import Protection
from privacy.planning.use import strong, use_of
from privacy.policy import EPSILON_LOWEST
from privacy.risk.amplification import promise
from privacy.risk.budget import block_budget
from privacy.survey.composed_block import is_tied
from privacy.survey.design import Block, Design
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.document import MOST_CHARACTERS
from surveys.questionnaire.headings import heading_of, with_headings
from surveys.questionnaire.part_names import own_title, titled
from surveys.questionnaire.rotations import stated_rotation
from surveys.questionnaire.stated_waves import OF_SERIES
from surveys.questionnaire.turns import takes_turns
from surveys.questionnaire.waves import WaveLine
from surveys.questionnaire.whole_lists import whole_lists


@dataclass(frozen=True, kw_only=True)
class Plan(PlannedDesign):
    """A draft that was laid out for an aim.

    Attributes
    ----------
    document : dict
        The draft as it would be saved.
    aim : Aim
        The aim, with this layout.
    """

    document: dict[str, Any]
    aim: Aim

    @cached_property
    def definition(self) -> Definition:
        """The definition of `document`."""
        return definition_parse(self.document, is_worded=False)


def planned_document(definition: Definition, aim: Aim) -> dict[str, Any]:
    """Return the document of the plan; the unchanged draft if no layout provides the protection."""
    new_plan = plan(definition, aim)
    return definition.document if new_plan is None else new_plan.document


def plan(
    definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = (), all_parts: bool = False
) -> Plan | None:
    """Lay out a draft for an aim; return None if no layout provides its protection.

    Parameters
    ----------
    definition : Definition
        The draft. Its protected questions are disguised, all others stored as answered.
    aim : Aim
        If it contains a saved layout, that layout is replaced only by one that is no worse.
    waves : sequence of WaveLine
        The other surveys of its series, whose epsilon has been spent.
    all_parts : bool, optional
        Whether no blocks may rotate within the survey.

    Notes
    -----
    Places, blocks that only some people are asked, and blocks whose composite questions belong together keep
    their positions. Their odds are bounded and subtracted from the budget of the other blocks. The plan
    replaces the strengths that blocks state. Skips, texts, titles and the order of questions do not change;
    the share of skips among random answers does. No one is asked only some lines of a list with a line that
    refers to the others (`surveys.questionnaire.whole_lists`).

    If parts take turns over a series, they are laid out for the people whom one wave asks, with the limits of
    a single survey.
    """
    if takes_turns(definition.document):
        return _plan_of_turns(definition, aim)
    aim = replace(aim.within(definition.design), waves=definition.rooted_waves)
    # With a stated number, each wave has limits of its own, and pages state the total.
    spent = 0.0 if definition.waves else math.fsum(wave.epsilon for wave in waves)
    blocks = _with_fixed_bounded(definition, aim.protection, left=math.log(aim.protection.everything) - spent)
    if blocks is None:
        return None
    document = definition.document | {"blocks": blocks}
    is_same = document == definition.document
    draft = definition if is_same else definition_parse(document, is_worded=False)
    wholes = [each.whole for each in whole_lists(document)]
    layout = plan_design(draft.design, aim, spent=spent, old_key=aim.held, wholes=wholes, all_parts=all_parts)
    if layout is None:
        return None
    written = _apply_layout(document, strong(draft.design), layout)
    aim = replace(aim, held=layout.layout_key)
    return Plan(**{**vars(layout), "document": written, "aim": aim, "use": replace(layout.use, aim=aim)})


def _plan_of_turns(definition: Definition, aim: Aim) -> Plan | None:
    """Lay out a wave whose parts take turns."""
    of_series = {name: value for name, value in definition.document.items() if name in OF_SERIES}
    alone = {name: value for name, value in definition.document.items() if name not in OF_SERIES}
    people = max(aim.people // (definition.waves or 1), 1)
    single = definition_parse(alone, is_worded=False)
    laid = plan(single, replace(aim, people=people), all_parts=True)
    if laid is None:
        return None
    document = laid.document | of_series
    design = strong(definition_parse(document, is_worded=False).design)
    aim = replace(laid.aim, people=aim.people)
    return replace(
        laid,
        document=document,
        design=design,
        aim=aim,
        use=use_of(design, aim),
        promise=promise(design),
    )


def _apply_layout(document: dict[str, Any], before: Design, plan: PlannedDesign) -> dict[str, Any]:
    """Return a document whose blocks follow the planned design."""
    entries = {entry["key"]: entry for entry in document["blocks"]}
    sources = {
        question["key"]: (entry, question) for entry in document["blocks"] for question in entry["questions"]
    }
    blocks = {block.key: block for block in before.blocks}
    new_blocks, joined = [], []
    for block in plan.design.blocks:
        entry = entries.get(block.key)
        if entry is not None and block == blocks[block.key]:
            new_blocks.append(entry)
        elif block.key in plan.epsilons and entry is not None:
            question = entry["questions"][0]
            own = {question["kind"]: question[question["kind"]] | {"epsilon": plan.epsilons[block.key]}}
            # `true` requests the smallest probability that hides a skip under this epsilon.
            refusal = {} if block.refusal is None else {"refusal": True}
            new_blocks.append(entry | refusal | {"questions": [question | own]})
        else:
            pairs = [sources[question.key] for question in block.questions]
            new_blocks.append(_entry(block, pairs, document))
            joined += _own_titles(pairs, document)
    rotations = [stated_rotation(each) for each in plan.design.rotations]
    without = {name: value for name, value in document.items() if name != "rotations"}
    planned = {**without, "blocks": new_blocks, **({"rotations": rotations} if rotations else {})}
    return with_headings(planned, joined)


def _own_titles(
    pairs: Sequence[tuple[dict[str, Any], dict[str, Any]]], document: Mapping[str, Any]
) -> list[tuple[Mapping[str, str], list[str]]]:
    """Return the titles of the parts that a new block joins, with the keys of their questions.

    Empty if all have the same title.
    """
    titles = [own_title(origin, document) for origin, _question in pairs]
    distinct = [title for place, title in enumerate(titles) if title not in titles[:place]]
    return [
        (
            title,
            [question["key"] for (_origin, question), own in zip(pairs, titles, strict=True) if own == title],
        )
        for title in distinct
        if title and len(distinct) > 1
    ]


def _entry(
    block: Block, pairs: Sequence[tuple[dict[str, Any], dict[str, Any]]], document: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a new block of the document, made from questions of existing blocks."""
    origins = list({origin["key"]: origin for origin, _question in pairs}.values())
    entry: dict[str, Any] = {
        "key": block.key,
        "protected": True,
        "truth_probability": block.truth_probability,
        "questions": [
            source | {"unrelated": list(question.unrelated)}
            for (_origin, source), question in zip(pairs, block.questions, strict=True)
        ],
    }
    if block.refusal is not None:
        entry["refusal"] = block.refusal
    elif reasons := dict.fromkeys(origin["no_skip"] for origin in origins if origin.get("no_skip")):
        entry["no_skip"] = "\n".join(reasons)
    if block.booklets is not None:
        entry |= {
            "questions_per_person": block.questions_per_person,
            "booklets": [list(booklet) for booklet in block.booklets],
        }
    if helps := [origin["help"] for origin in origins if origin.get("help")]:
        entry["help"] = _join_texts(helps, "\n")
    keys = {question.key for question in block.questions}
    exclusive = [each for origin in origins for each in origin.get("exclusive") or []]
    # Keep only mutually exclusive answers that are all in this block.
    if within := [each for each in exclusive if {item.partition("=")[0] for item in each} <= keys]:
        entry["exclusive"] = within
    # A part that an earlier plan joined has several headings; each question keeps the one of its own.
    titles = [heading_of(document, source["key"]) or own_title(origin, document) for origin, source in pairs]
    return titled(entry, _title(titles))


def _title(titles: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Join the titles of the parts; none if one of them has no title, because its questions have none."""
    return _join_texts(titles, " · ") if all(titles) else {}


def _join_texts(texts: Sequence[Mapping[str, str]], between: str) -> dict[str, str]:
    """Join different texts in every language, up to the maximum length."""
    languages = dict.fromkeys(tag for text in texts for tag in text)
    return {
        tag: _join_within_limit(dict.fromkeys(text[tag] for text in texts if text.get(tag)), between)
        for tag in languages
    }


def _join_within_limit(texts: Iterable[str], between: str) -> str:
    longer = itertools.accumulate(texts, lambda longest, text: f"{longest}{between}{text}")
    fitting = list(itertools.takewhile(lambda text: len(text) <= MOST_CHARACTERS, longer))
    # A draft may have no text in this language yet.
    return fitting[-1] if fitting else ""


def _with_fixed_bounded(
    definition: Definition, protection: Protection, *, left: float
) -> list[dict[str, Any]] | None:
    """Bound the blocks of a draft that keep their places; return all blocks, or None if that is impossible.

    Parameters
    ----------
    definition : Definition
    protection : Protection
    left : float
        Epsilon budget of all blocks together.

    Notes
    -----
    All blocks get the same bound: the largest epsilon at which they fit into the budget, and at most that of
    one answer, except for blocks whose composite questions belong together: of these, only each answer has
    that limit. Blocks to be laid out count as one block. A number or place with a smaller epsilon does not
    change; other blocks use as much as they may.
    """
    if left <= 0:
        return None
    entries = [
        {name: value for name, value in entry.items() if name != "light"}
        for entry in definition.document["blocks"]
    ]
    whole = strong(definition.design)
    moved = {block.key for block in [*movable_blocks(whole), *movable_numbers(whole)]}
    fixed: dict[int, Block] = {}
    for number, block in enumerate(map(strong, definition.design.blocks)):
        if not block.protected or block.is_anchor or block.key in moved:
            continue
        bounded = block if block.is_scale else _best_block(block, protection, protection.everything)
        if bounded is None:
            return None
        fixed[number] = bounded
    bounds = {number: block_budget(block) for number, block in fixed.items()}
    summed = [bound.epsilon for bound in bounds.values() if not bound.exact_outside]
    common = _common_epsilon([*summed, *([math.inf] if moved else [])], left)
    of_an_answer = math.log(protection.answer)
    for number, block in fixed.items():
        most = common if is_tied(block) else of_an_answer
        epsilon = of_an_answer if bounds[number].exact_outside else min(common, most)
        entry = _cap_block(entries[number], block, epsilon, protection)
        if entry is None:
            return None
        entries[number] = entry
    return entries


def _best_block(block: Block, protection: Protection, everything: Fraction) -> Block | None:
    """Return a block with its best p and share of skips; None if none is within the limits."""
    worst = block.of_booklet(block.worst_booklet).questions
    truth, refusal = best_coin(
        protection,
        everything=everything,
        row=math.prod((question.rarest_decoy for question in worst), start=Fraction(1)),
        one=min(question.rarest_decoy for question in block.questions),
        skips=block.refusal is not None,
    )
    return replace(block, truth_probability=truth, refusal=refusal) if truth else None


def _common_epsilon(epsilons: Sequence[float], most: float) -> float:
    """Return the largest c with sum(min(epsilon, c)) <= most; infinity if all epsilons fit.

    Examples
    --------
    With epsilons of 1, 4 and 4, the two large ones share the rest after the small one.

    >>> _common_epsilon([4, 1, 4], 5), _common_epsilon([1, 2], 5)
    (2.0, inf)
    """
    left, rest = most, sorted(epsilons)
    while rest:
        share = left / len(rest)
        if rest[0] > share:
            return max(share, 0.0)
        left -= rest.pop(0)
    return math.inf


def _cap_block(
    entry: dict[str, Any], block: Block, epsilon: float, protection: Protection
) -> dict[str, Any] | None:
    """Return the block with its strength, bounded by an epsilon; None if that is impossible."""
    if block.is_scale:
        return entry if block_budget(block).epsilon <= epsilon else _with_epsilon(entry, epsilon)
    if block_budget(block).epsilon > epsilon:
        capped = _best_block(block, protection, Fraction(math.exp(epsilon) * (1 - 1e-12)))
        if capped is None:
            return None
        block = capped
    refusal = {} if block.refusal is None else {"refusal": block.refusal}
    return entry | {"truth_probability": block.truth_probability} | refusal


def _with_epsilon(entry: dict[str, Any], epsilon: float) -> dict[str, Any] | None:
    # Rounded down to hundredths, the usual precision, so that the ceiling still holds.
    most = math.floor(100 * epsilon + 1e-9) / 100
    if most < EPSILON_LOWEST:
        return None
    entry = copy.deepcopy(entry)
    for question in entry["questions"]:
        scale = question[question["kind"]]
        for each in [scale, *(scale.get("sensitive") or [])]:
            if isinstance(each, dict) and each.get("epsilon") is not None:
                each["epsilon"] = min(each["epsilon"], most)
    return entry
