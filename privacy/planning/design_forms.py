"""Plan a design without texts, and change the form of its questions: for people who use the library."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from privacy.errors import PrivacyError
from privacy.planning.changes import Draft
from privacy.planning.each_form import EACH_FORM, form_rule, forms_of
from privacy.planning.form_aims import goal_merged, goal_of_yes_no, goal_without
from privacy.planning.forms import NUMBER_LEVELS, FormChange, Stems, forms_of_design, merged_key
from privacy.planning.plan import PlannedDesign, free_key, movable_blocks, movable_numbers, plan_design
from privacy.planning.use import Goal, strong
from privacy.survey.block import Block
from privacy.survey.component import Component
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level
from privacy.survey.design import Design, Question

_START: Final = 100
"""p of a block until it is laid out, in ten-thousandths; the layout sets it."""


@dataclass(frozen=True, kw_only=True)
class DesignDraft(Draft[PlannedDesign]):
    """A design to lay out for a goal.

    Parameters
    ----------
    questions : Design
        Its probabilities do not count, except those of blocks that `plan_design` keeps.
    goal : Goal
    stems : mapping of str to str
        By question, the list of which it is a line; by component, the list under which it was asked.
    names : mapping of str to str
        Key -> name of a question or item, if they differ.
    complete : frozenset of str
        Lists that were a choice.
    apart : frozenset of str
        Items that give no answer.

    Examples
    --------
    A list of two drugs can be sent as one answer: whether at least one was taken.

    >>> from privacy.survey.group_policy import GroupPolicy
    >>> lines = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab")
    >>> block = Block(key="drugs", protected=True, truth_probability=5000, questions=lines)
    >>> draft = DesignDraft(questions=Design(blocks=(block,), group=GroupPolicy(), use="live"),
    ...                     goal=Goal(people=400), stems={"a": "drugs", "b": "drugs"})
    >>> [form.code for form in draft.possible_forms()]
    ['one_answer,drugs', 'leave_out,a', 'leave_out,b']
    >>> formed = draft.formed([FormChange(kind="one_answer", key="drugs")])
    >>> [question.key for question in formed.design.questions]
    ['drugs']
    """

    questions: Design
    goal: Goal
    stems: Stems = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    complete: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()

    @property
    def aim(self) -> Goal:
        return self.goal

    @property
    def design(self) -> Design:
        return self.questions

    @cached_property
    def plan(self) -> PlannedDesign | None:
        return plan_design(self.questions, self.goal)

    def of(self, **aim: Any) -> DesignDraft:
        return replace(self, goal=replace(self.goal, **aim))

    def formed(self, forms: Sequence[FormChange]) -> DesignDraft | None:
        draft = self
        for form in forms:
            try:
                draft = _DESIGN_CHANGES[form.kind](draft, form) or draft
            except PrivacyError:
                # No design has these questions: another one needs what this one loses.
                return None
        return draft

    def possible_forms(self) -> Iterator[FormChange]:
        laid_out = [*movable_blocks(self.questions), *movable_numbers(self.questions)]
        keys = {question.key for block in laid_out for question in block.questions}
        found = forms_of_design(
            self.questions, self.goal, stems=self.stems, complete=self.complete, apart=self.apart
        )
        for form in found:
            # Other blocks keep their probabilities, which fit only their present form.
            if form.key in keys or form.kind in ("leave_out", "one_answer", "after"):
                yield form

    def words(self, form: FormChange) -> str:
        """Say what a change of form does, in English.

        Parameters
        ----------
        form : FormChange
            Possible for this draft, except "leave_out".
        """
        name = self.names.get(form.key, form.key)
        items = [self.names.get(f"{form.key}={option}", f"={option}") for option in form.options]
        options = ", ".join(f'"{item.partition("=")[2]}"' for item in items)
        question = self._question(form.key)
        if form.kind == EACH_FORM and question is not None and question.computed is not None:
            forms = ", ".join(f'"{each}"' for each in forms_of(question.computed, self.stems))
            return f'send each form of "{name}" as one answer: {forms}'
        if form.kind == "after":
            after, *moved = (self.names.get(key, key) for key in form.options)
            return "ask " + ", ".join(f'"{each}"' for each in (name, *moved)) + f' after "{after}"'
        return {
            "levels": f'ask "{name}" as {NUMBER_LEVELS} levels',
            "merge": f'merge the answers {options} to "{name}"',
            "one_option": f'ask "{name}" with yes or no: {options}',
            "lines": f'ask yes or no for each answer to "{name}"',
            "one_answer": f'send "{name}" as one answer: at least one of these',
        }[form.kind]

    def _question(self, key: str) -> Question | None:
        return next((each for each in self.questions.questions if each.key == key), None)

    def _with(self, key: str, *questions: Question, **members: Any) -> DesignDraft:
        """Return the draft with other questions in the place of one."""
        return replace(self, questions=_replaced(self.questions, {key: questions}), **members)


def design_draft(
    design: Design, goal: Goal, names: Mapping[str, str], *, apart: Collection[str] = ()
) -> DesignDraft:
    """Return the draft of a design; questions named ``list=line`` are lines of lists.

    Parameters
    ----------
    design : Design
    goal : Goal
    names : mapping of str to str
        Key -> name of a question, item or component, if they differ.
    apart : collection of str, optional
        Items that give no answer.
    """
    whole = strong(design)
    keys = [each.key for each in whole.questions]
    keys += [each.key for rule in whole.questions if rule.computed for each in rule.computed.components]
    stems = {key: names.get(key, "").rpartition("=")[0] for key in keys}
    return DesignDraft(questions=whole, goal=goal, stems=stems, names=names, apart=frozenset(apart))


def _whole(block: Block, questions: Sequence[Question], **members: Any) -> Block:
    """Return a block with other questions, of which everyone is asked all."""
    return replace(block, questions=tuple(questions), questions_per_person=None, booklets=None, **members)


def _replaced(design: Design, questions: Mapping[str, Sequence[Question]]) -> Design:
    """Return a design with other questions, or none, in the places of some, and without empty blocks."""
    blocks = []
    for block in design.blocks:
        after = [new for each in block.questions for new in questions.get(each.key, (each,))]
        if tuple(after) == block.questions:
            blocks.append(block)
        elif after:
            blocks.append(_whole(block, after))
    return _with_blocks(design, blocks)


def _with_blocks(design: Design, blocks: Sequence[Block]) -> Design:
    """Return a design with other blocks; rotations of blocks that are gone end."""
    keys = {block.key for block in blocks}
    rotations = tuple(each for each in design.rotations if set(each.blocks) <= keys)
    return replace(design, blocks=tuple(blocks), rotations=rotations, mechanism=0)


def _as_levels(draft: DesignDraft, form: FormChange) -> DesignDraft | None:
    """Ask a number as a choice of three levels of equally many bins."""
    number = draft._question(form.key)
    ends = () if number is None else number.level_ends(NUMBER_LEVELS)
    if number is None or not ends:
        return None
    options = tuple(f"level-{place + 1}" for place in range(NUMBER_LEVELS))
    choice = _choice(number.key, options)
    name = draft.names.get(number.key, number.key)
    texts = {
        f"{number.key}={option}": f"{name}={first} to {last}"
        for option, (first, last) in zip(options, ends, strict=True)
    }
    blocks = [
        _whole(
            block,
            [choice],
            truth_probability=_START,
            refusal=None if block.refusal is None else 1,
            light=None,
        )
        if block.questions == (number,)
        else block
        for block in draft.questions.blocks
    ]
    return replace(draft, questions=_with_blocks(draft.questions, blocks), names={**draft.names, **texts})


def _choice(key: str, options: Sequence[str]) -> Question:
    draft = Question(key=key, kind="single", options=tuple(options), unrelated=())
    return replace(draft, unrelated=draft.even_shares)


def _yes_no(key: str, computed: Composite | None = None) -> Question:
    draft = Question(key=key, kind="yes_no", options=(), unrelated=(), computed=computed)
    return replace(draft, unrelated=draft.even_shares)


def _merged(draft: DesignDraft, form: FormChange) -> DesignDraft | None:
    """Merge neighbouring answers of a choice into one."""
    question = draft._question(form.key)
    options = () if question is None else question.options
    places = [place for place, option in enumerate(options) if option in form.options]
    if len(places) < len(form.options) or len(options) == len(places):
        return None
    key = free_key(merged_key(options[places[0]]), options)
    kept = (*options[: places[0]], key, *options[places[-1] + 1 :])
    names = [draft.names.get(f"{form.key}={options[place]}", f"={options[place]}") for place in places]
    text = " / ".join(name.partition("=")[2] for name in names)
    return draft._with(
        form.key,
        _choice(form.key, kept),
        goal=goal_merged(draft.goal, form.key, [options[place] for place in places], key),
        names={**draft.names, f"{form.key}={key}": f"{draft.names.get(form.key, form.key)}={text}"},
    )


def _as_yes_no(draft: DesignDraft, form: FormChange) -> DesignDraft | None:
    """Ask a choice as a yes/no question about one of its answers."""
    (option,) = form.options
    item = f"{form.key}={option}"
    return draft._with(
        form.key,
        _yes_no(form.key),
        goal=goal_of_yes_no(draft.goal, form.key, option),
        names={**draft.names, form.key: draft.names.get(item, item)},
    )


def _as_lines(draft: DesignDraft, form: FormChange) -> DesignDraft | None:
    """Ask a choice as a list: yes or no to each of its answers."""
    question = draft._question(form.key)
    if question is None:
        return None
    used = {each.key for each in draft.questions.questions}
    lines, name = {}, draft.names.get(form.key, form.key)
    for option in question.options:
        lines[option] = free_key(f"{form.key}_{option}"[:60], used)
        used.add(lines[option])
    items = {option: f"{form.key}={option}" for option in question.options}
    stated = {
        lines[option]: draft.goal.shares[item] for option, item in items.items() if item in draft.goal.shares
    }
    words = {lines[option]: draft.names.get(item, item) for option, item in items.items()}
    return draft._with(
        form.key,
        *map(_yes_no, lines.values()),
        goal=replace(draft.goal, shares={**goal_without(draft.goal, [form.key]).shares, **stated}),
        stems={**draft.stems, **dict.fromkeys(lines.values(), name)},
        names={**draft.names, **words},
        complete=draft.complete | {name},
    )


def _one_answer(draft: DesignDraft, form: FormChange) -> DesignDraft | None:
    """Send a list as one answer: whether at least one of its lines is true."""
    lines = [each.key for each in draft.questions.questions if draft.stems.get(each.key) == form.key]
    rule = Composite(
        components=tuple(Component(key=key, kind="yes_no", points=(0, 1)) for key in lines),
        missing=Gaps(at_most=0, fill="no_points"),
        levels=(Level(option="no"), Level(start=1, option="yes")),
    )
    used = [each.key for each in draft.questions.questions]
    answer = _yes_no(free_key(form.key if _is_key(form.key) else "list", used), computed=rule)
    first, *others = lines
    return replace(
        draft,
        # It is in the block of the first line; a layout may have put the lines into several.
        questions=_replaced(draft.questions, {**dict.fromkeys(others, ()), first: (answer,)}),
        goal=goal_without(draft.goal, lines),
        stems={key: stem for key, stem in draft.stems.items() if key not in lines},
        names={**draft.names, answer.key: form.key},
    )


def _each_form(draft: DesignDraft, form: FormChange) -> DesignDraft | None:
    """Send each form of a union as one answer, in the same block."""
    question = draft._question(form.key)
    if question is None or question.computed is None:
        return None
    # The union is gone then.
    used = [each.key for each in draft.questions.questions if each is not question]
    used += [each.key for each in question.computed.components]
    answers, names = [], {}
    for name, own in forms_of(question.computed, draft.stems).items():
        key = free_key(name if _is_key(name) else "form", used)
        used.append(key)
        names[key] = name
        answers.append(_yes_no(key, computed=form_rule(question.computed, own)))
    goal = goal_without(draft.goal, [form.key])
    wanted = tuple(item for item in goal.wanted if item != form.key)
    return (
        draft._with(form.key, *answers, goal=replace(goal, wanted=wanted), names={**draft.names, **names})
        if answers
        else None
    )


def _is_key(text: str) -> bool:
    try:
        _yes_no(text)
    except PrivacyError:
        return False
    return True


def _left_out(draft: DesignDraft, form: FormChange) -> DesignDraft | None:
    """Leave a question out, unless it is the last one."""
    if draft.questions.questions == (draft._question(form.key),):
        return None
    return draft._with(form.key, goal=goal_without(draft.goal, [form.key]))


def _asked_after(draft: DesignDraft, form: FormChange) -> DesignDraft | None:
    """Ask a question, and those that move along, directly after another one."""
    after, *others = form.options
    keys = [form.key, *others]
    used = {block.key for block in draft.questions.blocks}
    rest: list[Block] = []
    moved: list[Block] = []
    for block in draft.questions.blocks:
        chosen = [each for each in block.questions if each.key in keys]
        kept = [each for each in block.questions if each.key not in keys]
        if not chosen or not kept:
            (rest if kept else moved).append(block)
            continue
        if not _can_be_divided(block):
            return None
        moved.append(_whole(block, chosen, key=free_key(block.key, used)))
        used.add(moved[-1].key)
        rest.append(_whole(block, kept))
    if not moved or not any(each.key == after for block in rest for each in block.questions):
        return None
    blocks: list[Block] = []
    for block in rest:
        names = [each.key for each in block.questions]
        if after not in names:
            blocks.append(block)
            continue
        position = names.index(after) + 1
        if position == len(names):
            blocks += [block, *moved]
            continue
        if not _can_be_divided(block):
            return None
        tail = _whole(block, block.questions[position:], key=free_key(block.key, used))
        blocks += [_whole(block, block.questions[:position]), *moved, tail]
    same = {block.key for block in blocks if block in draft.questions.blocks}
    rotations = tuple(each for each in draft.questions.rotations if set(each.blocks) <= same)
    design = replace(draft.questions, blocks=tuple(blocks), rotations=rotations, mechanism=0)
    return replace(draft, questions=design)


def _can_be_divided(block: Block) -> bool:
    return not block.asked_if and not any(each.computed for each in block.questions)


_DESIGN_CHANGES: Final[dict[str, Callable[[DesignDraft, FormChange], DesignDraft | None]]] = {
    "levels": _as_levels,
    "merge": _merged,
    "one_option": _as_yes_no,
    "lines": _as_lines,
    "one_answer": _one_answer,
    EACH_FORM: _each_form,
    "leave_out": _left_out,
    "after": _asked_after,
}
"""How a design changes, by kind.

A survey's questionnaire changes by `surveys.questionnaire.form_changes`, in its texts too. This table is not
derived from that one, because people without a server have no questionnaire, nor that one from this, because
a design has no texts: only a text says that an answer means none of the others. A test compares the designs
that both give.
"""
