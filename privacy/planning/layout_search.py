"""Search for the best layout of disguised questions, which never changes their order."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from privacy.coins import SCALE
from privacy.planning.coin_choice import best_coin
from privacy.planning.layouts import (
    AskedQuestion,
    Kind,
    LaidPart,
    Layout,
    LayoutGoal,
    NumberLevels,
    Whole,
    ways_asked,
)
from privacy.planning.precision import people_to_show_share
from privacy.planning.protection import Protection
from privacy.survey.balanced_booklets import MOST_TOGETHER, balanced_booklets
from privacy.survey.booklets import Booklet

_MOST_QUESTIONS: Final = 60

_FEW_SETS: Final = 20
"""Largest number of question sets. Devices send the drawn set undisguised; a rare one identifies people."""

_LEVELS: Final = 12
"""Number of shares of the odds to try for the block of the starred questions."""


@lru_cache(maxsize=256)
def best_layout(
    kinds: tuple[AskedQuestion, ...],
    *,
    target: LayoutGoal,
    protection: Protection,
    skips: bool,
    numbers: tuple[NumberLevels, ...] = (),
    runs: tuple[int, ...] = (),
    old_key: str = "",
    all_parts: bool = False,
) -> Layout | None:
    """Return the best layout within two limits; None if no layout meets them, or with too many questions.

    Layouts come first that nothing stops from being published: every figure within 25 points, and the power
    to detect a difference of 30 points in a starred pair at least 30%. If there are none, layouts come first
    that show every figure within 25 points. Among these, layouts that make the starred questions useful come
    first: a share within 10 points, or a power of 80%. Then variances decide, with equal weights for the mean
    over the starred questions and the mean over the others.

    A star never harms its own figure (`Layout.keeps_stars`), unless no other layout can be published, or
    shows every figure.

    Parameters
    ----------
    kinds : tuple of AskedQuestion
    target : LayoutGoal
    protection : Protection
        Limits on odds that remain after the rest of the survey.
    skips : bool
        Whether each block may be skipped.
    numbers : tuple of NumberLevels, optional
    runs : tuple of int, optional
        Numbers of questions that follow each other without another question between them, in the order of
        `kinds`; by default, all do. Questions of different runs are in different blocks.
    old_key : str, optional
        `Layout.key` of the current layout. If nothing stops its publishing, another one replaces it only if
        neither a starred figure nor the worst of the others gets worse.
    all_parts : bool, optional
        Whether no blocks may rotate, because they take turns over a series already.

    Examples
    --------
    Eight yes/no questions, 400 people, limits of 80% and 95%: each person is asked four questions at
    p = .529, and each share is known within 13.1 points.

    >>> both = Protection(everything=Fraction(19), answer=Fraction(4))
    >>> wanted = LayoutGoal(n=400, questions=(), shares=(.5,) * 8)
    >>> best = best_layout((AskedQuestion(),) * 8, target=wanted, protection=both, skips=False)
    >>> best.kind, best.per_person, best.parts[0].truth, best.people_needed
    ('rotating', 4, 5294, 200)
    >>> round(100 * best.half_widths[0], 1)
    13.1
    """
    if len(kinds) + len(numbers) > _MOST_QUESTIONS or protection.everything <= 1:
        return None
    search = _Search(
        kinds=kinds,
        target=target,
        protection=protection,
        skips=skips,
        numbers=numbers,
        runs=runs,
        all_parts=all_parts,
    )
    plain = None
    if target.questions or target.numbers:
        plain = best_layout(
            kinds,
            target=target.plain,
            protection=protection,
            skips=skips,
            numbers=numbers,
            runs=runs,
            all_parts=all_parts,
        )
    than = None if plain is None else replace(plain, target=target)
    found = sorted(search.worth_comparing(than), key=lambda layout: layout.number_level)
    if than is not None and than.kind == "rotating" and _is_missed(than, found):
        found.append(replace(than, kind="unstarred"))
    former = (
        next((layout for layout in found if layout.is_as(old_key) and layout.is_useful), None)
        if old_key
        else None
    )

    def is_better(layout: Layout) -> bool:
        return layout.is_no_worse(former) if former else than is None or layout.keeps_stars(than)

    return min(_best_group(found, is_better), key=lambda layout: layout.rank, default=None)


def _best_group(found: Sequence[Layout], is_better: Callable[[Layout], bool]) -> Sequence[Layout]:
    """Return the layouts that nothing stops, or else those that show each figure, even if they harm a star.

    If there are none either, the result has those that show each figure with the fewest people.
    """
    # The number of people who show each figure is known before power, which takes longer.
    shown = [layout for layout in found if layout.people_to_show <= layout.target.n]
    if shown:
        useful = [layout for layout in shown if layout.is_useful]
        return (
            [layout for layout in useful if is_better(layout)]
            or useful
            or [layout for layout in shown if is_better(layout)]
            or shown
        )
    ordered = sorted(found, key=lambda layout: layout.people_to_show)
    groups = [
        list(alike) for _people, alike in itertools.groupby(ordered, key=lambda layout: layout.people_to_show)
    ]
    better = ([layout for layout in alike if is_better(layout)] for alike in groups)
    return next(filter(None, better), groups[0] if groups else [])


def _is_missed(plain: Layout, found: Sequence[Layout]) -> bool:
    """Return whether the layout without stars can do what no layout that asks everyone the stars can."""
    if plain.is_useful:
        return not any(layout.is_useful for layout in found)
    return not any(layout.keeps_stars(plain) for layout in found)


@dataclass(kw_only=True)
class _Search:
    """The questions to lay out, the limits, and what is known so far.

    Attributes
    ----------
    most : float
        Layouts that cannot show every figure with this number of people are not made.
    """

    kinds: tuple[AskedQuestion, ...]
    target: LayoutGoal
    protection: Protection
    skips: bool
    numbers: tuple[NumberLevels, ...]
    runs: tuple[int, ...] = ()
    all_parts: bool = False
    most: float = math.inf
    _shapes: dict[tuple[Booklet, Booklet, int], _Shape | None] = field(default_factory=dict)
    _bounds: dict[tuple[Booklet, Booklet, int], _Bound] = field(default_factory=dict)
    _pieces: dict[tuple[tuple[Booklet, ...], Booklet, int], tuple[_Piece, ...]] = field(default_factory=dict)

    def worth_comparing(self, plain: Layout | None) -> Iterator[Layout]:
        """Yield the layouts that may show each figure, and those that may with as few people as others.

        Parameters
        ----------
        plain : Layout or None
            The layout without stars; others that harm the stars are not what a layout is compared with.
        """
        fewest = math.inf
        for layout in self.layouts():
            if layout.people_to_show < fewest and (plain is None or layout.keeps_stars(plain)):
                fewest = layout.people_to_show
                self.most = max(fewest, self.target.n)
            yield layout

    def layouts(self) -> Iterator[Layout]:
        """Yield every layout to compare."""
        # Few people suffice for lightly disguised numbers, which then excludes layouts of other levels.
        for level in reversed(range(max(map(len, self.numbers), default=1))):
            chosen = [levels[min(level, len(levels) - 1)] for levels in self.numbers]
            if any(people_to_show_share(error**2, 1.0) - 1 > self.most for _odds, error in chosen):
                continue
            spent = math.prod((odds for odds, _error in chosen), start=Fraction(1))
            left = self.protection.everything / spent
            if not self.kinds and left >= 1:
                yield self._layout("numbers", (), number_level=level)
            elif self.kinds and left > 1:
                yield from self._laid_out(left, level)

    def _laid_out(self, left: Fraction, number_level: int) -> Iterator[Layout]:
        total, whole_runs = len(self.kinds), self._whole_runs()
        always = self._always(range(total))
        for per_person in range(max(len(always), 1), total + 1):
            pieces = self._divided_runs(whole_runs, always, per_person)
            if parts := self._rotating_parts(pieces, per_person, left):
                yield self._layout("rotating", parts, per_person=per_person, number_level=number_level)
        if 0 < len(self.target.starred) < total:
            yield from self._alone(whole_runs, left, number_level)
        units, is_divided = self._units(self.target.wholes)
        for per_person in range(len(units) if is_divided or self.all_parts else 1, len(units) + 1):
            if len(units) > 1 and math.comb(len(units), per_person) <= _FEW_SETS:
                yield from self._in_turn(units, per_person, left, number_level)
        # Where everyone is asked everything, only questions that need one coin stay in one block.
        single, _is_divided = self._units([whole for whole in self.target.wholes if whole.has_one_coin])
        if len(single) > len(units):
            yield from self._in_turn(single, len(single), left, number_level)

    def _whole_runs(self) -> list[tuple[int, ...]]:
        """Return the positions of the questions of each run."""
        ends = list(itertools.accumulate(self.runs or (len(self.kinds),)))
        return [tuple(range(start, end)) for start, end in itertools.pairwise([0, *ends])]

    def _always(self, questions: Collection[int]) -> tuple[int, ...]:
        """Return the positions, among these, that a block of rotating questions asks everyone.

        Sets of drawn questions have one size, so they all contain the questions that belong together.
        """
        wholes = (number for whole in self.target.wholes for number in whole.questions)
        return tuple(dict.fromkeys(each for each in (*self.target.questions, *wholes) if each in questions))

    def _units(self, wholes: Sequence[Whole]) -> tuple[list[tuple[int, ...]], bool]:
        """Return the blocks of a layout in turn, and whether questions that belong together are divided.

        There is a block for each whole, and one for each other question. Questions of a whole that do not
        follow each other in a run are in different blocks.
        """
        of_whole = {number: place for place, whole in enumerate(wholes) for number in whole.questions}
        units: list[tuple[int, ...]] = []
        for run in self._whole_runs():
            for place, neighbours in itertools.groupby(run, key=lambda number: of_whole.get(number, -1)):
                numbers = tuple(neighbours)
                units += [numbers] if place >= 0 else [(number,) for number in numbers]
        return units, len(units) > len(self.kinds) - len(of_whole) + len(wholes)

    def _alone(
        self, whole_runs: Sequence[tuple[int, ...]], odds: Fraction, number_level: int
    ) -> Iterator[Layout]:
        """Yield layouts with blocks for the starred questions only, as few as their order allows."""
        starred, others = self._split_by_star(whole_runs)
        count = len(self.target.starred)
        always = self._always([number for run in others for number in run])
        divided = [
            (per_person, self._divided_runs(others, always, per_person))
            for per_person in range(max(len(always), 1), len(self.kinds) - count + 1)
        ]
        for level in range(_LEVELS, 0, -1):
            left, parts = odds, []
            for questions in starred:
                most = _near_root(odds, Fraction(level * len(questions), _LEVELS * count))
                if self._bound(questions, questions, len(questions)).least_people(float(most)) > self.most:
                    break
                shape = self._shape(questions, questions, len(questions))
                part = shape.part(most) if shape else None
                if part is None or shape is None:
                    break
                parts.append(part)
                left /= shape.odds(part)
            if len(parts) < len(starred) or left <= 1:
                continue
            for per_person, pieces in divided:
                if rest := self._rotating_parts(pieces, per_person, left):
                    yield self._layout(
                        "alone",
                        tuple(sorted((*parts, *rest), key=lambda part: part.questions)),
                        per_person=per_person,
                        level=level,
                        number_level=number_level,
                    )

    def _split_by_star(
        self, whole_runs: Sequence[tuple[int, ...]]
    ) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
        """Return the neighbouring starred questions, and the neighbouring other ones."""
        stars = set(self.target.starred)
        groups: tuple[list[tuple[int, ...]], list[tuple[int, ...]]] = [], []
        for run in whole_runs:
            for is_starred, neighbours in itertools.groupby(run, key=stars.__contains__):
                groups[0 if is_starred else 1].append(tuple(neighbours))
        return groups

    def _rotating_parts(
        self, pieces: Sequence[_Piece], per_person: int, odds: Fraction
    ) -> tuple[LaidPart, ...]:
        """Return a block for each run, with `per_person` questions for each person; () if impossible.

        Odds are divided in proportion to the questions that a person is asked.
        """
        log = math.log(odds)
        limits = [
            float(odds) if len(pieces) == 1 else _below(math.exp(piece.asked / per_person * log))
            for piece in pieces
        ]
        for piece, limit in zip(pieces, limits, strict=True):
            if piece.bound.least_people(limit) > self.most:
                return ()
        parts = []
        n_sets = 1
        for piece, limit in zip(pieces, limits, strict=True):
            shape = self._shape(piece.questions, piece.always, piece.asked)
            part = shape.part(odds if len(pieces) == 1 else _odds_below(limit)) if shape else None
            n_sets *= len(part.booklets or (1,)) if part else 1
            if part is None or (len(pieces) > 1 and n_sets > max(_FEW_SETS, len(self.kinds))):
                return ()
            parts.append(part)
        return tuple(parts)

    def _divided_runs(
        self, runs: Sequence[tuple[int, ...]], stars: tuple[int, ...], per_person: int
    ) -> tuple[_Piece, ...]:
        """Return how many questions of each run are asked of each person; () if impossible.

        They are divided in proportion to the questions of each run.
        """
        key = tuple(runs), stars, per_person
        if key not in self._pieces:
            unstarred = [len(run) - sum(each in run for each in stars) for run in runs]
            counts = _divided(tuple(unstarred), per_person - len(stars))
            pieces = []
            for run, rest, count in zip(runs, unstarred, counts or (), strict=False):
                always, asked = tuple(each for each in stars if each in run), count + len(run) - rest
                bound = self._bound(run, always, asked)
                pieces.append(_Piece(questions=run, always=always, asked=asked, bound=bound))
            self._pieces[key] = tuple(pieces)
        return self._pieces[key]

    def _in_turn(
        self, units: Sequence[tuple[int, ...]], per_person: int, odds: Fraction, number_level: int
    ) -> Iterator[Layout]:
        each = _near_root(odds, Fraction(1, per_person))
        drawn = per_person / len(units) if per_person < len(units) else 1.0
        if any(
            self._bound(unit, (), len(unit)).least_people(float(each)) > self.most * drawn for unit in units
        ):
            return
        alike: dict[tuple[AskedQuestion, ...], LaidPart | None] = {}
        parts = []
        for unit in units:
            kinds = tuple(self.kinds[number] for number in unit)
            if kinds not in alike:
                shape = self._shape(unit, (), len(unit))
                alike[kinds] = shape.part(each) if shape else None
            if (part := alike[kinds]) is None:
                return
            parts.append(replace(part, questions=unit, ways=()))
        yield self._layout(
            "in_turn",
            tuple(parts),
            per_person=per_person,
            parts_per_person=per_person if per_person < len(parts) else None,
            number_level=number_level,
        )

    def _bound(self, questions: tuple[int, ...], always: tuple[int, ...], per_person: int) -> _Bound:
        key = questions, always, per_person
        if key not in self._bounds:
            starred = set(always).intersection(questions)
            n_rest = len(questions) - len(starred)
            drawn = (per_person - len(starred)) / n_rest if n_rest else 1.0
            asked = [(self.kinds[each], each, 1.0 if each in starred else drawn) for each in questions]
            self._bounds[key] = _Bound(
                ways=tuple({(kind.share, self.target.shares[each], share) for kind, each, share in asked}),
                row=math.exp(math.fsum(share * kind.log_rarest for kind, _each, share in asked)),
                answer=float(self.protection.answer - 1)
                * math.exp(min(kind.log_rarest for kind, *_ in asked)),
                skip=float(self.protection.skip - 1) if self.skips else math.inf,
                is_asked=drawn > 0,
            )
        return self._bounds[key]

    def _layout(self, kind: Kind, parts: tuple[LaidPart, ...], **members: Any) -> Layout:
        return Layout(
            kind=kind, kinds=self.kinds, parts=parts, target=self.target, numbers=self.numbers, **members
        )

    def _shape(self, questions: tuple[int, ...], always: tuple[int, ...], per_person: int) -> _Shape | None:
        """Return a block that asks each person `per_person` questions; None if no list of sets exists."""
        key = questions, always, per_person
        if key not in self._shapes:
            self._shapes[key] = self._new_shape(*key)
        return self._shapes[key]

    def _new_shape(
        self, questions: tuple[int, ...], always: tuple[int, ...], per_person: int
    ) -> _Shape | None:
        booklets = _booklets(questions, always, per_person)
        if per_person < len(questions) and booklets is None:
            return None
        kinds = [self.kinds[number] for number in questions]
        sets = booklets or [tuple(range(len(kinds)))]
        return _Shape(
            questions=questions,
            booklets=booklets,
            ways=ways_asked(questions, booklets, kinds=self.kinds, shares=self.target.shares),
            row=_rarest_row([kind.rarest for kind in kinds], sets),
            one=min(dict.fromkeys(kind.rarest for kind in kinds)),
            skips=self.skips,
            protection=self.protection,
        )


@lru_cache(maxsize=1024)
def _divided(sizes: tuple[int, ...], total: int) -> tuple[int, ...] | None:
    """Divide a number in proportion to sizes, at least 1 and at most the size for each; None if impossible.

    Examples
    --------
    >>> _divided((4, 2), 3), _divided((3, 1), 1), _divided((0, 2), 2)
    ((2, 1), None, (0, 2))
    """
    counts = [min(size, 1) for size in sizes]
    if not sum(counts) <= total <= sum(sizes):
        return None
    while sum(counts) < total:
        # The next one goes to the size of which the smallest share is counted.
        open_places = [place for place, size in enumerate(sizes) if counts[place] < size]
        counts[min(open_places, key=lambda place: (counts[place] / sizes[place], place))] += 1
    return tuple(counts)


def _rarest_row(rarest: Sequence[Fraction], sets: Sequence[Booklet]) -> Fraction:
    """Return the smallest product of the probabilities of a set's questions.

    Many questions have equal probabilities, so few products differ, and each is reduced only once.
    """
    values = list(dict.fromkeys(rarest))
    if len(values) == 1:
        return values[0] ** max(map(len, sets))
    numbers = [values.index(each) for each in rarest]
    alike = {tuple(sorted(numbers[at] for at in each)) for each in sets}
    return min(
        Fraction(
            math.prod(values[number].numerator for number in each),
            math.prod(values[number].denominator for number in each),
        )
        for each in alike
    )


@dataclass(frozen=True, kw_only=True)
class _Piece:
    """The questions of a block, those that everyone is asked, and how many each person is asked."""

    questions: tuple[int, ...]
    always: tuple[int, ...]
    asked: int
    bound: _Bound


@dataclass(frozen=True, kw_only=True)
class _Bound:
    """What a block needs at least, known before its sets of questions are.

    Attributes
    ----------
    ways : tuple of (float, float, float)
        The different shares among random answers, among people, and of people who are asked.
    row : float
        A probability that its rarest random row does not exceed.
    answer, skip : float
        (A - 1) one and S - 1, as in `best_coin`; S is infinite if the block cannot be skipped.
    is_asked : bool
        Whether each question is asked of someone.
    """

    ways: tuple[tuple[float, float, float], ...]
    row: float
    answer: float
    skip: float
    is_asked: bool

    def least_people(self, odds: float) -> float:
        """Return a number of people below which no coin shows each figure within 25 points.

        Parameters
        ----------
        odds : float
            Limit on odds for the whole block.

        Notes
        -----
        Sets ask the other questions equally often, so the rarest random row is at most as likely as the
        geometric mean over all sets. With o = p / (1 - p), u = (1 - r) / o and w = 1 / o, the limits of
        `best_coin` are u >= 1 / a and w >= 1 / a + 1 / b. A share pi with theta has n f times the variance

            (pi + theta u) (1 + w - pi - theta u),

        which grows with w, and is concave in u, so over u in [1 / a, w] it is smallest at an end. Without
        skips, r = 0 and u = w = 1 / a.
        """
        a, b = min(self.answer, (odds - 1) * self.row), min(self.skip, odds - 1)
        if not self.is_asked or a <= 0 or b <= 0:
            return math.inf
        low = 1 / a
        high = low if math.isinf(self.skip) else low + 1 / b
        people = 0.0
        for decoy, share, asked in self.ways:
            first, last = share + decoy * low, share + decoy * high
            variance = min(first * (1 + high - first), last * (1 + high - last))
            people = max(people, people_to_show_share(variance, asked))
        # Whole numbers of people are rounded up from a little less.
        return people * (1 - 1e-9) - 1


@dataclass(frozen=True, kw_only=True)
class _Shape:
    """A block whose p and share of skips are not yet chosen.

    `row` and `one` are the probabilities of its least likely random row and of its least likely random
    answer, without skips.
    """

    questions: tuple[int, ...]
    booklets: tuple[Booklet, ...] | None
    ways: tuple[Any, ...]
    row: Fraction
    one: Fraction
    skips: bool
    protection: Protection

    def part(self, odds: Fraction) -> LaidPart | None:
        """Return the block with the narrowest intervals within these odds; None if p would be below .0001."""
        truth, refusal = best_coin(
            self.protection, everything=odds, row=self.row, one=self.one, skips=self.skips
        )
        if truth < 1:
            return None
        return LaidPart(
            questions=self.questions,
            truth=truth,
            refusal=refusal,
            booklets=self.booklets,
            ways=self.ways,
        )

    def odds(self, part: LaidPart) -> Fraction:
        """Return the largest odds of one report, 1 + p / ((1 - p) q); q is that of the rarest random row."""
        # Whole numbers, as in `best_coin`.
        refusal = part.refusal or 0
        shown, of = (SCALE - refusal) * self.row.numerator, SCALE * self.row.denominator
        if refusal:
            shown = min(shown, refusal * self.row.denominator)
        rarest = (SCALE - part.truth) * shown
        return Fraction(rarest + part.truth * of, rarest)


@lru_cache(maxsize=4096)
def _near_root(odds: Fraction, share: Fraction) -> Fraction:
    """Raise odds to a power and round to a short fraction, so that a product stays within the limit.

    >>> _near_root(Fraction(4), Fraction(1, 2)), _near_root(Fraction(2), Fraction(1, 2)) ** 2 <= 2
    (Fraction(2, 1), True)
    """
    root = _below(math.exp(share * math.log(odds)))
    near = Fraction(root).limit_denominator(10**6)
    is_within = near**share.denominator <= odds**share.numerator
    return near if is_within else _odds_below(root)


def _below(odds: float) -> float:
    """Return slightly smaller odds, so that a product of rounded roots stays within the limit."""
    return odds * (1 - 1e-12)


def _odds_below(odds: float) -> Fraction:
    """Round odds down to millionths.

    >>> _odds_below(1.2345678)
    Fraction(1234567, 1000000)
    """
    return Fraction(math.floor(odds * 10**6), 10**6)


@lru_cache(maxsize=1024)
def _booklets(
    questions: tuple[int, ...], always: tuple[int, ...], per_person: int
) -> tuple[Booklet, ...] | None:
    """Return sets with all starred questions and, equally often, each other one; None if impossible."""
    if per_person >= len(questions):
        return None
    first = [questions.index(number) for number in always if number in questions]
    rest = [position for position in range(len(questions)) if position not in first]
    n_drawn = per_person - len(first)
    if n_drawn <= 0:
        return None
    sets = _balance_booklets(len(rest), n_drawn)
    return tuple(sorted(tuple(sorted([*first, *(rest[index] for index in subset)])) for subset in sets))


def _balance_booklets(questions: int, size: int) -> Sequence[Booklet]:
    """Return few sets that ask all triples equally often, or else all pairs, or else all questions."""
    for together in range(min(size, MOST_TOGETHER), 1, -1):
        booklets = balanced_booklets(questions, size, together=together)
        if booklets is not None and len(booklets) <= _FEW_SETS:
            return booklets if together == MOST_TOGETHER else _mirror_booklets(booklets, questions)
        if math.comb(questions, size) <= _FEW_SETS:
            return list(itertools.combinations(range(questions), size))
    shifts = range(questions)
    return [tuple(sorted((start + step) % questions for step in range(size))) for start in shifts]


def _mirror_booklets(booklets: Sequence[Booklet], questions: int) -> Sequence[Booklet]:
    """Add the sets with the questions in reverse order, if that makes the list ask all triples.

    Both lists ask all pairs equally often, and so does their union.
    """
    other = [tuple(sorted(questions - 1 - position for position in booklet)) for booklet in booklets]
    both = [*booklets, *other]
    threes = {three for booklet in both for three in itertools.combinations(booklet, MOST_TOGETHER)}
    return both if len(threes) == math.comb(questions, MOST_TOGETHER) and len(both) <= _FEW_SETS else booklets
