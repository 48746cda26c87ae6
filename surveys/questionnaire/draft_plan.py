"""Plan a draft: write a layout of `privacy.planning.plan` into its document, and propose changes to it."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, Final

from privacy.planning.coin_choice import best_coin
from privacy.planning.plan import PlannedDesign, movable_blocks, movable_numbers, plan_design
from privacy.planning.protection import PROTECTIONS, Protection
from privacy.planning.use import strong
from privacy.policy import EPSILON_LOWEST, LEAST_COMPLETE_ROWS
from privacy.risk.budget import block_budget
from privacy.survey.composed_block import is_tied
from privacy.survey.design import Block, Design
from surveys.questionnaire.aim import MOST_PEOPLE, Aim
from surveys.questionnaire.checks.ceilings import largest_passing
from surveys.questionnaire.definition import Definition, definition_parse, definition_without_texts
from surveys.questionnaire.document import MOST_CHARACTERS
from surveys.questionnaire.readable import sensitive_word
from surveys.questionnaire.schedule import WaveLine
from surveys.questionnaire.sensitive import choosable_questions, default_title, with_sensitive


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


def plan(definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = ()) -> Plan | None:
    """Lay out a draft for an aim; return None if no layout provides its protection.

    Parameters
    ----------
    definition : Definition
        The draft. Its protected questions are disguised, all others stored as answered.
    aim : Aim
        If it contains a saved layout, that layout is replaced only by one that is no worse.
    waves : sequence of WaveLine
        The other surveys of its series, whose epsilon has been spent.

    Notes
    -----
    Places, blocks that only some people are asked, and blocks whose composite questions belong together keep
    their positions. Their odds are bounded and subtracted from the budget of the other blocks. The plan
    replaces the strengths that blocks state. Skips, texts, titles and the order of questions do not change;
    the share of skips among random answers does.
    """
    aim = replace(aim.within(definition.design), waves=definition.rooted_waves)
    # With a stated number, each wave has limits of its own, and pages state the total.
    spent = 0.0 if definition.waves else math.fsum(wave.epsilon for wave in waves)
    blocks = _with_fixed_bounded(definition, aim.protection, left=math.log(aim.protection.everything) - spent)
    if blocks is None:
        return None
    document = definition.document | {"blocks": blocks}
    is_same = document == definition.document
    draft = definition if is_same else definition_parse(document, is_worded=False)
    layout = plan_design(draft.design, aim, spent=spent, old_key=aim.held)
    if layout is None:
        return None
    written = _apply_layout(document, strong(draft.design), layout)
    aim = replace(aim, held=layout.layout_key)
    return Plan(**{**vars(layout), "document": written, "aim": aim, "use": replace(layout.use, aim=aim)})


def _apply_layout(document: dict[str, Any], before: Design, plan: PlannedDesign) -> dict[str, Any]:
    """Return a document whose blocks follow the planned design."""
    entries = {entry["key"]: entry for entry in document["blocks"]}
    sources = {
        question["key"]: (entry, question) for entry in document["blocks"] for question in entry["questions"]
    }
    blocks = {block.key: block for block in before.blocks}
    new_blocks = []
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
            new_blocks.append(_entry(block, [sources[question.key] for question in block.questions]))
    rotations = [
        {"blocks": list(each.blocks), "parts_per_person": each.parts_per_person}
        for each in plan.design.rotations
    ]
    without = {name: value for name, value in document.items() if name != "rotations"}
    return {**without, "blocks": new_blocks, **({"rotations": rotations} if rotations else {})}


def _entry(block: Block, pairs: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> dict[str, Any]:
    """Return a new block of the document, made from questions of existing blocks."""
    origins = list({origin["key"]: origin for origin, _question in pairs}.values())
    entry: dict[str, Any] = {
        "key": block.key,
        "protected": True,
        "truth_probability": block.truth_probability,
        "title": _title(origins, [source for _origin, source in pairs]),
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
    return entry


def _title(origins: Sequence[Mapping[str, Any]], questions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Join the blocks' own titles; without any, return the default title of the questions."""
    own = [origin["title"] for origin in origins if origin["title"] != default_title(origin["questions"])]
    return _join_texts(own, " · ") if own else default_title(questions)


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


_MOST_CHANGES: Final = 3
_MORE_PEOPLE: Final = 1.5
_NEAR_ENOUGH: Final = 1.1
"""Ratio of a number of people that is enough to one that is not, at which the search for fewer ends."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change to a plan, and the resulting plan.

    Attributes
    ----------
    keys : tuple of str
        Questions to store as answered from now on.
    people : int or None
        The new expected number of people; None if unchanged.
    strength : str or None
        The new protection; None if unchanged.
    is_anew : bool
        Whether the questions are laid out again, ignoring the saved layout.
    star : str or None
        The only starred answer from now on, so that no comparison is planned; None if unchanged.
    plan : Plan
    """

    plan: Plan
    keys: tuple[str, ...] = ()
    people: int | None = None
    strength: str | None = None
    is_anew: bool = False
    star: str | None = None

    @property
    def size(self) -> int:
        """Number of parameters that change."""
        others = (self.people, self.strength, self.star)
        return len(self.keys) + sum(each is not None for each in others) + self.is_anew


def protected_questions(definition: Definition) -> list[str]:
    """Return the disguised questions that could be stored as answered instead."""
    choosable = {question["key"] for question in choosable_questions(definition.document)}
    return [
        question["key"]
        for entry in definition.document["blocks"]
        if entry["protected"]
        for question in entry["questions"]
        if question["key"] in choosable
    ]


def changes(definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = ()) -> tuple[Change, ...]:
    """Return at most three changes that let a draft be published; if it can be, those that help most.

    Parameters
    ----------
    definition, aim, waves
        As for `plan`.

    Notes
    -----
    If something stops publishing (`privacy.planning.shortfalls`), each change leads to a plan that nothing
    stops: more people, a lighter protection, as few questions as possible stored as answered, or one star
    instead of a comparison. Starred questions are stored as answered only if nothing else helps. Below 100
    people, every change must include more people. Otherwise each change is one step, and
    those that narrow the starred figures most come first: store one question as answered, expect half as many
    people again, or use the next lighter protection. If the aim contains a saved layout, and a new layout
    would give other results, the new layout is a further change.
    """
    now = plan(definition, aim, waves=waves)
    if now is None or not now.is_useful:
        ways = (
            lambda: [*_changes_to(definition, aim, waves, now), *_without_pair(definition, aim, waves)],
            lambda: _changes_without_pair(definition, aim, waves),
            lambda: _store_fewest(definition, aim, waves, starred=True),
        )
        useful = next((own for way in ways if (own := [each for each in way() if each.plan.is_useful])), [])
        return tuple(sorted(useful, key=lambda change: change.size)[:_MOST_CHANGES])
    steps = [
        *(
            step
            for (is_other, _patterns), key in _distinct_costs(definition, aim)
            if is_other
            for step in _plan_change(definition, aim, waves, stored_keys=(key,))
        ),
        *_lighter(definition, aim, waves),
        *_plan_change(definition, aim, waves, people=math.ceil(_MORE_PEOPLE * aim.people)),
    ]
    better = [step for step in steps if step.plan.is_useful and step.plan.use.narrower(now.use)]
    best = plan(definition, replace(aim, held=""), waves=waves) if aim.held else now
    is_other = best is not None and (best.use.widths, best.use.power) != (now.use.widths, now.use.power)
    anew = [Change(plan=best, is_anew=True)] if best is not None and is_other else []
    return (*anew, *sorted(better, key=lambda step: step.plan.use.order)[: _MOST_CHANGES - len(anew)])


def _changes_to(
    definition: Definition, aim: Aim, waves: Sequence[WaveLine], now: Plan | None
) -> Iterator[Change]:
    """Yield changes that keep the stars; `now` is the plan without a change."""
    anew = plan(definition, replace(aim, held=""), waves=waves) if aim.held else None
    if anew is not None:
        yield Change(plan=anew, is_anew=True)
    if now is not None and now.use.people_needed <= MOST_PEOPLE:
        yield from _more_people(definition, aim, waves, now)
    yield from _lighter(definition, aim, waves)
    yield from _store_fewest(definition, aim, waves, starred=False)


def _more_people(definition: Definition, aim: Aim, waves: Sequence[WaveLine], now: Plan) -> list[Change]:
    """Return the change to more people; for a comparison, another layout may need fewer than this one."""
    found = _plan_change(definition, aim, waves, people=now.use.people_needed)
    low, high = aim.people, now.use.people_needed
    while now.use.people_needed == now.use.for_power and high > _NEAR_ENOUGH * low:
        middle = rounded_up(round(math.sqrt(low * high)))
        if not low < middle < high:
            break
        fewer = _plan_change(definition, aim, waves, people=middle)
        if fewer and fewer[0].plan.is_useful:
            found, high = fewer, middle
        else:
            low = middle
    return found


def _without_pair(definition: Definition, aim: Aim, waves: Sequence[WaveLine]) -> list[Change]:
    """Return the change that stars only the outcome of a comparison; empty without a comparison."""
    if len(aim.wanted_items(definition.design)) < 2:
        return []
    return _plan_change(definition, aim, waves, star=aim.wanted[-1])


def _changes_without_pair(definition: Definition, aim: Aim, waves: Sequence[WaveLine]) -> list[Change]:
    """Return changes that also star only the outcome of a comparison; empty without a comparison."""
    if len(aim.wanted_items(definition.design)) < 2:
        return []
    star = aim.wanted[-1]
    alone = replace(aim, wanted=(star,))
    found = _changes_to(definition, alone, waves, plan(definition, alone, waves=waves))
    return [replace(change, star=star) for change in found]


def rounded_up(people: int) -> int:
    """Return a number of people with two significant digits, rounded up.

    Examples
    --------
    >>> rounded_up(100), rounded_up(346), rounded_up(98)
    (100, 350, 98)
    """
    step = 10 ** max(len(str(people)) - 2, 0)
    return -(-people // step) * step


def _plan_change(
    definition: Definition,
    aim: Aim,
    waves: Sequence[WaveLine],
    *,
    stored_keys: tuple[str, ...] = (),
    people: int | None = None,
    strength: str | None = None,
    star: str | None = None,
) -> list[Change]:
    """Return the change with its plan; empty if no layout provides the protection."""
    people = None if people is None else min(rounded_up(people), MOST_PEOPLE)
    wanted = aim.wanted if star is None else (star,)
    aim = replace(aim, people=people or aim.people, strength=strength or aim.strength, wanted=wanted)
    chosen: Definition | None = definition
    if stored_keys:
        protected = [key for key in protected_questions(definition) if key not in stored_keys]
        chosen = definition_without_texts(with_sensitive(definition.document, protected))
    made = None if chosen is None else plan(chosen, aim, waves=waves)
    if made is None:
        return []
    return [Change(plan=made, keys=stored_keys, people=people, strength=strength, star=star)]


def _lighter(definition: Definition, aim: Aim, waves: Sequence[WaveLine]) -> list[Change]:
    """Return the change to the next lighter protection, if there is one."""
    lighter = {strong: light for light, strong in itertools.pairwise(PROTECTIONS)}.get(aim.strength)
    return _plan_change(definition, aim, waves, strength=lighter) if lighter else []


def _store_fewest(
    definition: Definition, aim: Aim, waves: Sequence[WaveLine], *, starred: bool
) -> list[Change]:
    """Return the change that stores as few questions as answered as let the draft be published.

    It prefers questions with many answers, which use up most of the odds. Starred questions come last, and
    only if `starred` is true.
    """
    enough = max(aim.people, LEAST_COMPLETE_ROWS)

    @cache
    def change_for(keys: tuple[str, ...]) -> Change | None:
        made = _plan_change(definition, aim, waves, stored_keys=keys)
        return next((change for change in made if change.plan.use.people_needed <= enough), None)

    alone = sorted((each for each in _distinct_costs(definition, aim) if starred or each[0][0]), reverse=True)
    found = next((made for _cost, key in alone if (made := change_for((key,)))), None)
    if found is None and alone:
        costs = sorted((each for each in _costs(definition, aim) if starred or each[0][0]), reverse=True)
        keys = [key for _cost, key in costs]
        # Each question stored as answered leaves more odds to the others.
        count = largest_passing(len(keys) - 1, lambda count: change_for(tuple(keys[:count])) is None)
        found = change_for(tuple(keys[: count + 1]))
    if found is None or found.plan.is_useful:
        return [] if found is None else [found]
    needed = found.plan.use.people_needed
    return _plan_change(definition, aim, waves, stored_keys=found.keys, people=needed)


def _costs(definition: Definition, aim: Aim) -> list[tuple[tuple[bool, int], str]]:
    """Return (not starred, number of answers) and key of each protected question that may be stored.

    Store the largest first. A question that looks sensitive is never proposed.
    """
    hidden = {
        question["key"]
        for entry in definition.document["blocks"]
        for question in entry["questions"]
        if sensitive_word(definition.document, entry, question)
    }
    star_keys = {key.partition("=")[0] for key in aim.wanted}
    questions = {question.key: question for question in definition.design.questions}
    keys = [key for key in protected_questions(definition) if key not in hidden]
    return [((key not in star_keys, questions[key].patterns), key) for key in keys]


def _distinct_costs(definition: Definition, aim: Aim) -> list[tuple[tuple[bool, int], str]]:
    """Return one question for each distinct cost."""
    return list(dict(_costs(definition, aim)).items())
