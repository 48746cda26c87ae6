"""Changes to a plan that let a draft be published, or that make its results more exact.

The plan page searches drafts, and the library designs, with the same functions.
"""

from __future__ import annotations

import bisect
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Generic, TypeVar

from privacy.planning.at_least_one import at_least_one_half_width
from privacy.planning.each_form import EACH_FORM
from privacy.planning.forms import FormChange, joined
from privacy.planning.plan import PlannedDesign
from privacy.planning.protection import PROTECTIONS
from privacy.planning.use import Goal, Use, times_half_width
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.survey.design import Design

MOST_PEOPLE: Final = 10_000_000
"""Largest number of people that a change proposes."""
MOST_CHANGES: Final = 3
"""Most changes that are proposed at once."""
_MOST_FORMS: Final = 3
"""Most changes of form in a proposal that only improves a plan."""
_MORE_PEOPLE: Final = 1.5
_NEAR_ENOUGH: Final = 1.1
"""Ratio of a number of people that is enough to one that is not, at which the search for fewer ends."""
_WORTH_A_FORM: Final = 1.25
"""Ratio of the people needed before and after other forms from which these are proposed with more people."""
NOTICEABLE: Final = 0.005
"""Least change of a half-width, or of a power, that is worth a change of form."""
_VISIBLE: Final = 0.0005
"""Difference of half-widths that pages can show."""


PlanOf = TypeVar("PlanOf", bound=PlannedDesign)


@dataclass(frozen=True, kw_only=True)
class Change(Generic[PlanOf]):
    """A change to a plan, and the resulting plan.

    Attributes
    ----------
    forms : tuple of FormChange
        Changes to the form of questions, in the order in which they are made.
    keys : tuple of str
        Questions to store as answered from now on; only plain background.
    people : int or None
        The new expected number of people; None if unchanged.
    strength : str or None
        The new protection; None if unchanged.
    is_anew : bool
        Whether the questions are laid out again, ignoring the saved layout.
    star : str or None
        The only starred answer from now on, so that no comparison is planned; None if unchanged.
    times : tuple of str, or None
        Two items that ask one thing for two times, then and now: the starred ones from now on, so that one
        part asks both; None if unchanged.
    at_least_one : float or None
        Half-width of *at least one of these* if each form of a union becomes one answer.
    plan : PlannedDesign
    """

    plan: PlanOf
    forms: tuple[FormChange, ...] = ()
    keys: tuple[str, ...] = ()
    people: int | None = None
    strength: str | None = None
    is_anew: bool = False
    star: str | None = None
    times: tuple[str, str] | None = None
    at_least_one: float | None = None

    @property
    def size(self) -> int:
        """Number of parameters that change."""
        others = (self.people, self.strength, self.star, self.times)
        return len(self.forms) + len(self.keys) + sum(each is not None for each in others) + self.is_anew


@dataclass(frozen=True, kw_only=True)
class WholeLines:
    """A list that layouts keep whole.

    Attributes
    ----------
    stem : str
        Key of the list.
    lines : tuple of str
    referring : tuple of str
        The lines that refer to the others.
    """

    stem: str
    lines: tuple[str, ...]
    referring: tuple[str, ...]


class Draft(ABC, Generic[PlanOf]):
    """Questions to plan with an aim; what it plans, and how its forms change, is decided by subclasses."""

    @property
    @abstractmethod
    def aim(self) -> Goal:
        """What the survey is for."""

    @property
    @abstractmethod
    def design(self) -> Design:
        """The questions, before they are laid out."""

    @property
    @abstractmethod
    def plan(self) -> PlanOf | None:
        """Its plan; None if no layout provides the protection."""

    @abstractmethod
    def of(self, **aim: Any) -> Draft[PlanOf]:
        """Return the draft with another aim."""

    @abstractmethod
    def formed(self, forms: Sequence[FormChange]) -> Draft[PlanOf] | None:
        """Return the draft with other forms; None if no survey could have them."""

    @abstractmethod
    def possible_forms(self) -> Iterator[FormChange]:
        """Yield the changes of form that can be proposed."""

    def released(self) -> Draft[PlanOf]:
        """Return the draft without its saved layout, which else is kept unless another one is no worse.

        A draft without a saved layout returns itself.
        """
        return self

    @property
    def whole_lists(self) -> Sequence[WholeLines]:
        """The lists that layouts keep whole."""
        return ()

    @property
    def plain(self) -> Sequence[str]:
        """The protected questions of plain background without a star, which could be stored as answered."""
        return ()

    def storing(self, keys: Collection[str]) -> Draft[PlanOf] | None:
        """Return the draft with some of `plain` stored as answered; None if no survey could."""
        raise NotImplementedError

    @property
    def is_useful(self) -> bool:
        """Whether nothing stops publishing."""
        return self.plan is not None and self.plan.is_useful

    @property
    def has_pair(self) -> bool:
        """Whether the aim is a comparison."""
        return len(self.aim.wanted_items(self.design)) == 2


def changes(draft: Draft[PlanOf]) -> tuple[Change[PlanOf], ...]:
    """Return at most three changes that let a draft be published; if it can be, those that help most.

    Parameters
    ----------
    draft : Draft

    Notes
    -----
    If something stops publishing (`privacy.planning.shortfalls`), each change leads to a plan that nothing
    stops. First come other forms of questions, then more people, a lighter protection, one star instead of a
    comparison, questions left out, and last plain background stored as answered. No member of a set can be
    left out. A question that is not plain background is never stored as answered. Below 100 people, every
    change must include more people.

    Otherwise each change makes the starred figures more exact, or all if nothing is starred. If the draft
    has a saved layout, and a new layout would give other results, the new layout is a further change. So is
    one answer for each form of a union, if *at least one of them* and all other figures stay as exact.
    """
    if draft.is_useful:
        return _improvements(draft)
    if draft.aim.people < LEAST_COMPLETE_ROWS:
        enough = draft.of(people=LEAST_COMPLETE_ROWS)
        if enough.is_useful:
            return tuple(_changed(enough, people=LEAST_COMPLETE_ROWS))
        return tuple(
            replace(change, people=change.people or LEAST_COMPLETE_ROWS) for change in _to_publish(enough)
        )
    return tuple(_to_publish(draft))


def _to_publish(draft: Draft[PlanOf]) -> Iterator[Change[PlanOf]]:
    """Yield at most three changes that let a draft with 100 people or more be published."""
    ways = (_to_useful, _without_pair, _leave_out, _store_plain)
    found = (change for way in ways for change in way(draft) if change.plan.is_useful)
    yield from itertools.islice(found, MOST_CHANGES)


def under_one_coin(draft: Draft[PlanOf], times: tuple[str, str]) -> Change[PlanOf] | None:
    """Return the change after which one part asks one thing for two times, and the net change is narrower.

    Parameters
    ----------
    draft : Draft
    times : tuple of str
        Two yes/no questions, then and now. Only people know that they ask one thing.

    Returns
    -------
    Change or None
        None if no layout asks both in one part, if the net change would not be half a point more exact, or if
        something would stop publishing that does not now.

    Notes
    -----
    Both become the starred answers. If they do not share a part then, because other questions are between
    them, that for now is also asked directly after that for then.
    """
    now = draft.plan
    if now is None:
        return None
    before = times_half_width(now.design, now.aim, times)
    starred, is_starred = draft.of(wanted=times), {*draft.aim.wanted} == {*times}
    for forms in ((), (FormChange(kind="after", key=times[1], options=(times[0],)),)):
        made = starred.formed(forms) if forms else starred
        if made is None or made.plan is None or (draft.is_useful and not made.is_useful):
            continue
        change = made.plan.use.change
        if change is not None and change < before - NOTICEABLE and (forms or not is_starred):
            return Change(plan=made.plan, forms=forms, times=None if is_starred else times)
    return None


def costs(draft: Draft[PlanOf]) -> dict[str, Use]:
    """Return the expected results without each protected question that is not starred, by its key.

    Parameters
    ----------
    draft : Draft
    """
    alike: dict[tuple[str, ...], Use | None] = {}
    found = {}
    for form in draft.possible_forms():
        if form.kind != "leave_out":
            continue
        sort = _sort_of(draft, form)
        if sort not in alike:
            made = draft.formed([form])
            alike[sort] = made.plan.use if made is not None and made.plan is not None else None
        if (use := alike[sort]) is not None:
            found[form.key] = use
    return found


def _improvements(draft: Draft[PlanOf]) -> tuple[Change[PlanOf], ...]:
    now, aim = draft.plan, draft.aim
    if now is None:
        return ()
    best = draft.released().plan
    is_other = best is not None and (best.use.widths, best.use.power) != (now.use.widths, now.use.power)
    anew = [Change(plan=best, is_anew=True)] if best is not None and is_other else []
    steps = [
        *_lighter(draft),
        *_changed(
            draft.of(people=_people(_MORE_PEOPLE * aim.people)), people=_people(_MORE_PEOPLE * aim.people)
        ),
    ]
    better = [step for step in steps if step.plan.is_useful and step.plan.use.narrower(now.use)]
    forms = _improving_forms(draft)
    found = [*forms, *_each_form(draft), *sorted(better, key=lambda step: step.plan.use.order)]
    return (*anew, *found[: MOST_CHANGES - len(anew)])


def _improving_forms(draft: Draft[PlanOf]) -> list[Change[PlanOf]]:
    """Return the changes of form that make the starred figures more exact: a set, and its best member."""

    def figure(state: Draft[PlanOf]) -> tuple[float, ...]:
        if state.plan is None or not state.plan.is_useful:
            return (math.inf,)
        use = state.plan.use
        return use.starred_order if state.aim.wanted else (max(use.widths.values(), default=0.0),)

    def gain(state: Draft[PlanOf], than: Draft[PlanOf]) -> float:
        pairs = zip(figure(than), figure(state), strict=False)
        return next((before - after for before, after in pairs if abs(before - after) > 1e-9), 0.0)

    state, forms = draft, tuple[FormChange, ...]()
    for _round in range(_MOST_FORMS):
        tried = _tried(state)
        worth = [pair for pair in tried if gain(pair[1], state) > NOTICEABLE]
        if not worth:
            break
        form, state = min(worth, key=lambda pair: figure(pair[1]))
        forms = (*forms, form)

    def is_as_good(fewer: Draft[PlanOf] | None) -> bool:
        return fewer is not None and gain(state, fewer) <= NOTICEABLE

    needed = _needed_forms(draft, forms, is_as_good)
    made = draft.formed(needed) if needed else None
    found = [Change(plan=made.plan, forms=joined(needed))] if made is not None and made.plan else []
    if (
        len(forms) > 1
        and needed != forms[:1]
        and (first := draft.formed(forms[:1])) is not None
        and first.plan is not None
    ):
        found.append(Change(plan=first.plan, forms=forms[:1]))
    return found


def _each_form(draft: Draft[PlanOf]) -> Iterator[Change[PlanOf]]:
    """Yield changes that send each form of a union, if no figure becomes noticeably less exact.

    The more answers are sent, the less exact each is, so this never lets a draft be published.
    """
    for form in draft.possible_forms():
        made = draft.formed([form]) if form.kind == EACH_FORM else None
        if draft.plan is None or made is None or made.plan is None or not made.plan.is_useful:
            continue
        before, after = draft.plan.use, made.plan.use
        answers = [key for key in after.widths if key not in before.widths]
        (share,) = draft.aim.shares_of(draft.design.questions[_number_of(draft, form.key)])
        whole = at_least_one_half_width(made.plan.design, made.plan.aim, answers, share)
        pairs = [(after.widths[key], width) for key, width in before.widths.items() if key in after.widths]
        pairs += [(whole, before.widths[form.key]), (before.power or 0.0, after.power or 0.0)]
        if all(now <= then + NOTICEABLE for now, then in pairs):
            yield Change(plan=made.plan, forms=(form,), at_least_one=whole)


def _to_useful(draft: Draft[PlanOf]) -> Iterator[Change[PlanOf]]:
    """Yield changes that keep stars and questions."""
    if (released := draft.released()) is not draft:
        yield from _changed(released, is_anew=True)
    yield from _enough_forms(draft)
    if draft.plan is not None and draft.plan.use.people_needed <= MOST_PEOPLE:
        yield from _more_people(draft)
    yield from _lighter(draft)


def _without_pair(draft: Draft[PlanOf]) -> Iterator[Change[PlanOf]]:
    """Yield changes that also star only the outcome of a comparison; none without a comparison."""
    if not draft.has_pair:
        return
    lost, star = draft.aim.wanted
    alone = draft.of(wanted=(star,), shares=_shares_without(draft, lost))
    if alone.is_useful:
        yield from _changed(alone, star=star)
        return
    for change in _to_useful(alone):
        if any(form.kind == "leave_out" for form in change.forms) or _is_enough_for_pair(draft, change):
            continue
        # The star follows a question whose form changes.
        yield replace(change, star=star)


def _is_enough_for_pair(draft: Draft[PlanOf], change: Change[PlanOf]) -> bool:
    """Return whether a change that was found for one star also lets both be compared."""
    kept = draft.released() if change.is_anew else draft
    aim = {"people": change.people, "strength": change.strength}
    made = kept.of(**{name: value for name, value in aim.items() if value}).formed(change.forms)
    return made is not None and made.is_useful


def _shares_without(draft: Draft[PlanOf], lost: str) -> dict[str, int]:
    """Return the guesses that are left if an item loses its star.

    A guess about an answer to a choice is only used while this answer is starred: plan pages cannot state it
    otherwise.
    """
    design = draft.design
    question = design.questions[design.item(lost).question]
    unused = set(question.item_keys) if question.is_exhaustive else set()
    return {item: share for item, share in draft.aim.shares.items() if item not in unused}


def _leave_out(draft: Draft[PlanOf]) -> Iterator[Change[PlanOf]]:
    """Yield the change that leaves out as few questions as possible."""
    if forms := _fewest_left_out(draft):
        yield from _fewest(draft, forms)


def _fewest_left_out(draft: Draft[PlanOf]) -> tuple[FormChange, ...]:
    """Return the questions to leave out, the costly ones first, until the draft can be published."""
    referring = {key for each in draft.whole_lists for key in each.referring}
    costly = sorted(
        (form for form in draft.possible_forms() if form.kind == "leave_out"),
        # First the lines without which the rest of their list can take turns; of questions that cost the
        # same, the last.
        key=lambda form: (
            form.key in referring,
            _patterns(draft, form.key),
            _number_of(draft, form.key),
        ),
        reverse=True,
    )

    @cache
    def is_enough(count: int) -> bool:
        return _need(draft.formed(costly[:count]))[0] <= draft.aim.people

    if not costly or not is_enough(len(costly)):
        return ()
    count = _first_passing(len(costly), is_enough)
    return tuple(costly[:count])


def _store_plain(draft: Draft[PlanOf]) -> Iterator[Change[PlanOf]]:
    """Yield the change that stores as few questions of plain background as let the draft be published."""
    costly = sorted(draft.plain, key=lambda key: -_patterns(draft, key))

    def first(count: int) -> Change[PlanOf] | None:
        return stored_alone(tuple(costly[:count]))

    @cache
    def stored_alone(keys: tuple[str, ...]) -> Change[PlanOf] | None:
        stored = draft.storing(keys)
        return next(_changed(stored, keys=keys), None) if stored and stored.is_useful else None

    if costly and first(len(costly)) is not None:
        count = _first_passing(len(costly), lambda count: first(count) is not None)
        keys = [*costly[:count]]
        for key in costly[:count]:
            fewer = [each for each in keys if each != key]
            keys = fewer if fewer and stored_alone(tuple(fewer)) is not None else keys
        if (change := stored_alone(tuple(keys))) is not None:
            yield change


def _enough_forms(draft: Draft[PlanOf]) -> Iterator[Change[PlanOf]]:
    """Yield sets of other forms that let the draft be published.

    The set grows by the change that needs the fewest people. If that is not enough, more people, or fewer
    questions, complete it.
    """
    state, forms = draft, tuple[FormChange, ...]()
    while _need(state)[0] > draft.aim.people:
        tried = _tried(state)
        best = min(tried, key=lambda pair: _need(pair[1]), default=None)
        if best is None or (_need(best[1]) >= _need(state) and not math.isinf(_need(state)[0])):
            break
        forms, state = (*forms, best[0]), best[1]
    if not forms:
        return
    if _need(state)[0] <= draft.aim.people:
        yield from _fewest(draft, forms)
        return
    if _need(state)[0] * _WORTH_A_FORM < min(_need(draft)[0], MOST_PEOPLE):
        people = _people(_need(state)[0])
        more = draft.of(people=people)
        # If more people are enough, they are proposed alone.
        if not more.is_useful:
            needed = _needed_forms(more, forms, _is_useful)
            chosen, enough = draft.formed(needed), more.formed(needed)
            if chosen is not None and enough is not None:
                yield from _with_fewest_people(chosen, enough, forms=joined(needed))
    if fewer := _fewest_left_out(state):
        yield from _fewest(draft, (*forms, *fewer))


def _fewest(draft: Draft[PlanOf], forms: tuple[FormChange, ...], **members: Any) -> Iterator[Change[PlanOf]]:
    """Yield the change to other forms, without those that are not needed."""
    needed = _needed_forms(draft, forms, _is_useful)
    chosen = draft.formed(needed)
    yield from _changed(chosen, forms=joined(needed), **members) if chosen else ()


def _is_useful(draft: Draft[PlanOf] | None) -> bool:
    return draft is not None and draft.is_useful


def _needed_forms(
    draft: Draft[PlanOf],
    forms: tuple[FormChange, ...],
    is_enough: Callable[[Draft[PlanOf] | None], bool],
) -> tuple[FormChange, ...]:
    """Return the changes of form, without those without which the draft is still good enough."""
    untried, kept = [*forms], list[FormChange]()
    while untried:
        form = untried.pop(0)
        fewer = tuple(each for each in forms if each is not form)
        if fewer and is_enough(draft.formed(fewer)):
            # Without this form another layout may be best, in which forms that were kept are not needed.
            forms, untried, kept = fewer, [*untried, *kept], []
        else:
            kept.append(form)
    return forms


def _need(draft: Draft[PlanOf] | None) -> tuple[float, ...]:
    """Return a sort key, smaller is better: the number of people needed, then the figures."""
    if draft is None or draft.plan is None:
        return (math.inf,)
    return (draft.plan.use.people_needed, *draft.plan.use.order)


def _distinct_forms(draft: Draft[PlanOf]) -> list[FormChange]:
    """Return the changes of form that can make figures more exact without leaving a question out.

    Of changes to questions that cost the same, the last.
    """
    possible = (form for form in draft.possible_forms() if form.kind not in ("leave_out", EACH_FORM))
    return list({_sort_of(draft, form): form for form in possible}.values())


def _tried(state: Draft[PlanOf]) -> list[tuple[FormChange, Draft[PlanOf]]]:
    """Return the changes of form to consider, each with its draft; no merge that blurs its own question."""
    tried = ((form, state.formed([form])) for form in _distinct_forms(state))
    return [(form, made) for form, made in tried if made is not None and not _blurs(form, state, made)]


def _blurs(form: FormChange, state: Draft[PlanOf], made: Draft[PlanOf]) -> bool:
    """Return whether answers are merged although the question's widest interval becomes wider."""
    if form.kind != "merge" or state.plan is None or made.plan is None:
        return False
    before, after = (
        max((width for item, width in use.widths.items() if item.partition("=")[0] == form.key), default=0.0)
        for use in (state.plan.use, made.plan.use)
    )
    return after > before + _VISIBLE


def _sort_of(draft: Draft[PlanOf], form: FormChange) -> tuple[str, ...]:
    """Return what decides the effect of a change: its kind, and what its question costs."""
    design = draft.design
    number = next((number for number, each in enumerate(design.questions) if each.key == form.key), None)
    if number is None or form.kind == "after":
        return form.kind, form.key, *form.options
    question, block = design.questions[number], design.blocks[design.block_of(number)]
    what = question.kind, question.patterns, question.disguise, block.asked_if, draft.aim.shares_of(question)
    # Without its line that refers to the others, the rest of a list can take turns.
    lists = [(each.stem, form.key in each.referring) for each in draft.whole_lists if form.key in each.lines]
    return form.kind, *map(repr, (*what, *lists))


def _number_of(draft: Draft[PlanOf], key: str) -> int:
    return next(number for number, each in enumerate(draft.design.questions) if each.key == key)


def _patterns(draft: Draft[PlanOf], key: str) -> int:
    return draft.design.questions[_number_of(draft, key)].patterns


def _first_passing(most: int, passes: Callable[[int], bool]) -> int:
    """Return the smallest number from 1 to `most` that passes, if `most` and all above the smallest do."""
    below: int = bisect.bisect_left(range(1, most), x=True, key=passes)
    return 1 + below


def _changed(draft: Draft[PlanOf], **members: Any) -> Iterator[Change[PlanOf]]:
    """Yield the change that leads to this draft, if a layout provides the protection."""
    if draft.plan is not None:
        yield Change(plan=draft.plan, **members)


def _more_people(draft: Draft[PlanOf]) -> Iterator[Change[PlanOf]]:
    """Yield the change to more people; for a comparison, another layout may need fewer than this one."""
    now = draft.plan
    if now is not None:
        enough = draft.of(people=_people(now.use.people_needed))
        yield from _with_fewest_people(draft, enough)


def _with_fewest_people(
    draft: Draft[PlanOf], enough: Draft[PlanOf], **members: Any
) -> Iterator[Change[PlanOf]]:
    """Yield the change to as few people as are found to be enough for a draft, if so many are enough.

    With other numbers of people other layouts are best. What one of them needs is a smaller number that is
    enough; for a comparison, still fewer can be.
    """
    now, found = draft.plan, enough
    low, high = draft.aim.people, enough.aim.people
    is_for_power = now is not None and now.use.people_needed == now.use.for_power
    while is_for_power and high > _NEAR_ENOUGH * low:
        middle = rounded_up(round(math.sqrt(low * high)))
        if not low < middle < high:
            break
        fewer = draft.of(people=middle)
        if fewer.is_useful:
            found, high = fewer, middle
        else:
            low = middle
    while found.plan is not None and low < _people(found.plan.use.people_needed) < found.aim.people:
        fewer = draft.of(people=_people(found.plan.use.people_needed))
        if not fewer.is_useful:
            break
        found = fewer
    yield from _changed(found, people=found.aim.people, **members)


def _lighter(draft: Draft[PlanOf]) -> Iterator[Change[PlanOf]]:
    """Yield the change to the next lighter protection, if there is one."""
    lighter = {strong: light for light, strong in itertools.pairwise(PROTECTIONS)}.get(draft.aim.strength)
    if lighter:
        yield from _changed(draft.of(strength=lighter), strength=lighter)


def _people(people: float) -> int:
    """Round a number of people up, to at most the largest that plans accept."""
    return min(rounded_up(math.ceil(people - 1e-9)), MOST_PEOPLE)


def rounded_up(people: int) -> int:
    """Return a number of people with two significant digits, rounded up.

    Parameters
    ----------
    people : int
        1 or more.

    Examples
    --------
    >>> rounded_up(100), rounded_up(346), rounded_up(98)
    (100, 350, 98)
    """
    step: int = 10 ** max(len(str(people)) - 2, 0)
    return -(-people // step) * step
