"""Ceilings of epsilon for a protected block, for a survey, and for the waves of a series.

Only protected blocks are judged. Unprotected questions and answers that are sent undisguised have no bound:
they are listed as not protected, and no sum includes them. If there are two strengths, these ceilings apply
to the strong one, and the light one has its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.conf import settings
from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.planning.protection import Protection
from privacy.policy import EPSILON_LOWEST, EPSILON_WARN_LIGHT
from privacy.risk.budget import (
    BlockBudget,
    binding_bounds,
    block_budget,
    budget,
    budget_by_truth,
)
from privacy.survey.design import Block, Design
from privacy.survey.rotation import Rotation
from surveys.formats.joints import list_text
from surveys.policy import EPSILON_REFUSE_LIGHT, ODDS_REFUSE, ODDS_WARN
from surveys.questionnaire.checks.remedies import (
    floor_text,
    join_remedies,
    largest_passing,
    ten_thousandths_text,
)
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.waves import WaveLine, epsilon_of_light

Placed = tuple[str, Block]

_NEAR = 1e-9


@dataclass(frozen=True, kw_only=True)
class Ceiling:
    """Limits above which a finding warns or refuses: values of epsilon, or odds of one question."""

    warn: float
    refuse: float

    def level(self, epsilon: float) -> Level | None:
        """Return the level of a finding for this epsilon; None if the epsilon passes."""
        # Allow for rounding: the epsilon may be a sum of logarithms that equals the limit mathematically.
        if epsilon > self.refuse + _NEAR:
            return Level.REFUSE
        return Level.WARN if epsilon > self.warn + _NEAR else None

    def limit(self, level: Level) -> float:
        """Return the limit that a finding of this level exceeds."""
        return self.refuse if level is Level.REFUSE else self.warn

    def consequence(self, level: Level) -> str:
        """Describe the consequence of a finding at this level for publishing, which is never impossible."""
        if level is Level.REFUSE:
            return _("above %(most)s a live survey needs a written reason") % {"most": _two(self.refuse)}
        return _("we recommend at most %(most)s") % {"most": _two(self.warn)}


@dataclass(frozen=True, kw_only=True)
class Ceilings:
    """The ceilings of one installation."""

    epsilon: Ceiling
    light: Ceiling = Ceiling(warn=EPSILON_WARN_LIGHT, refuse=EPSILON_REFUSE_LIGHT)
    odds: Ceiling = Ceiling(warn=ODDS_WARN, refuse=ODDS_REFUSE)
    skip: Ceiling = Ceiling(warn=ODDS_WARN, refuse=ODDS_REFUSE)

    def within(self, protection: Protection) -> Ceilings:
        """Return ceilings that recommend no more than a protection promises."""
        everything = math.log(protection.everything)
        return replace(
            self,
            epsilon=replace(self.epsilon, warn=min(self.epsilon.warn, everything)),
            odds=replace(self.odds, warn=min(self.odds.warn, float(protection.answer))),
            skip=replace(self.skip, warn=min(self.skip.warn, float(protection.skip))),
        )


def site_ceilings() -> Ceilings:
    """Return the ceilings in the settings."""
    (warn_epsilon, refuse_epsilon) = settings.EPSILON_CEILING
    (warn_odds, refuse_odds) = settings.ODDS_CEILING
    return Ceilings(
        epsilon=Ceiling(warn=warn_epsilon, refuse=refuse_epsilon),
        odds=Ceiling(warn=warn_odds, refuse=refuse_odds),
        skip=Ceiling(warn=warn_odds, refuse=refuse_odds),
    )


def check_ceilings(
    blocks: Sequence[Placed],
    ceilings: Ceilings,
    *,
    names: Mapping[str, str],
    rotations: Sequence[Rotation] = (),
    other_waves: Sequence[WaveLine] = (),
) -> Iterator[Finding]:
    """Yield findings above a ceiling.

    Parameters
    ----------
    blocks : sequence of (str, Block)
        Paths and blocks of a survey, including unprotected ones.
    ceilings : Ceilings
    names : mapping of str to str
        Titles of parts, by key.
    rotations : sequence of Rotation
        Rotations; only the largest rotating parts that one person can be asked count.
    other_waves : sequence of WaveLine
        The other surveys of the series, which the same people may answer.
    """
    protected_ones = [(path, block) for path, block in blocks if block.protected]
    sum_blocks = [entry for entry in protected_ones if block_budget(entry[1]).is_summed]
    for path, block in protected_ones:
        epsilon = block_budget(block).epsilon
        level = ceilings.epsilon.level(epsilon)
        if level is not None:
            yield _block_finding(path, block, epsilon, level, ceilings.epsilon, names)
    total = most_together(sum_blocks, rotations)
    level = ceilings.epsilon.level(total)
    if level is not None:
        yield _survey_finding(sum_blocks, rotations, total, level, ceilings.epsilon, names)
    if other_waves:
        spent = [(wave.slug, wave.epsilon) for wave in other_waves]
        yield from _series_findings(sum_blocks, rotations, total, spent, ceilings.epsilon, names)


def most_together(blocks: Iterable[Placed], rotations: Sequence[Rotation] = ()) -> float:
    """Return the largest sum of epsilons of blocks that one person can be asked."""
    return _sum_together((block_budget(block) for _path, block in blocks), rotations)


def _sum_together(bounds: Iterable[BlockBudget], rotations: Sequence[Rotation]) -> float:
    return math.fsum(bound.epsilon for bound in binding_bounds(bounds, rotations))


def largest_truth_probability(block: Block, ceiling: float) -> int:
    """Return the largest p of a block, in ten-thousandths, with epsilon at most `ceiling`; else 0.

    Notes
    -----
    gamma = 1 + p / ((1 - p) q) at the least likely decoy q, so that p <= (gamma - 1) q / (1 + (gamma - 1) q).
    """
    bound = budget_by_truth(block)
    return largest_passing(SCALE - 1, lambda truth: bound(Fraction(truth, SCALE)).epsilon <= ceiling)


def largest_common_truth_probability(
    blocks: Sequence[Placed], ceiling: float, rotations: Sequence[Rotation] = ()
) -> int:
    """Return the largest cap on p, in ten-thousandths, that keeps the sum within `ceiling`; else 0."""
    scales = [block_budget(block) for _path, block in blocks if block.is_scale]
    others = [(block.truth, budget_by_truth(block)) for _path, block in blocks if not block.is_scale]

    def passes(most: int) -> bool:
        cap = Fraction(most, SCALE)
        budgets = [*scales, *(bound(min(truth, cap)) for truth, bound in others)]
        return _sum_together(budgets, rotations) <= ceiling

    return largest_passing(SCALE - 1, passes)


def fewest_left_out(
    blocks: Sequence[Placed], ceiling: float, rotations: Sequence[Rotation] = ()
) -> tuple[Block, ...]:
    """Return blocks, largest epsilon first, without which the sum is at most `ceiling`.

    If no block rotates, no smaller set would do. If no single block fits, all blocks are returned.
    """
    bounds = [(block_budget(block), block) for _path, block in blocks]
    left = sorted(bounds, key=lambda pair: -pair[0].epsilon)
    out: list[Block] = []
    while left and _sum_together((bound for bound, _block in left), rotations) > ceiling:
        out.append(left.pop(0)[1])
    return tuple(out)


def _block_finding(
    path: str, block: Block, epsilon: float, level: Level, ceilings: Ceiling, names: Mapping[str, str]
) -> Finding:
    ceiling = ceilings.limit(level)
    message = _("part “%(part)s” can reveal up to ε %(epsilon)s: %(consequence)s") % {
        "part": names[block.key],
        "epsilon": _two(epsilon),
        "consequence": ceilings.consequence(level),
    }
    remedy = join_remedies(_remedies(block, ceiling))
    return Finding(level=level, code="block_epsilon", path=path, message=message, remedy=remedy)


def _remedies(block: Block, ceiling: float) -> Iterator[str]:
    if block.is_scale:
        yield _("set its ε to at most %(ceiling)s") % {"ceiling": floor_text(ceiling)}
        return
    if share := largest_truth_probability(block, ceiling):
        yield _("set p to at most %(share)s%%") % {"share": ten_thousandths_text(share)}


def _survey_finding(
    blocks: Sequence[Placed],
    rotations: Sequence[Rotation],
    total: float,
    level: Level,
    ceiling: Ceiling,
    names: Mapping[str, str],
) -> Finding:
    message = (
        _(
            "the protected parts that one person can be asked (%(parts)s) can together reveal up "
            "to ε %(epsilon)s: %(consequence)s"
        )
        if rotations
        else _("all protected parts together (%(parts)s) can reveal up to ε %(epsilon)s: %(consequence)s")
    )
    bounds = binding_bounds((block_budget(block) for _path, block in blocks), rotations)
    return Finding(
        level=level,
        code="survey_epsilon",
        path="",
        message=message
        % {
            "parts": list_text(f"“{names[bound.key]}” {_two(bound.epsilon)}" for bound in bounds),
            "epsilon": _two(total),
            "consequence": ceiling.consequence(level),
        },
        remedy=join_remedies(_reductions(blocks, rotations, ceiling.limit(level), names)),
    )


def _series_findings(
    blocks: Sequence[Placed],
    rotations: Sequence[Rotation],
    total: float,
    waves: Sequence[tuple[str, float]],
    ceiling: Ceiling,
    names: Mapping[str, str],
) -> Iterator[Finding]:
    spent = math.fsum(epsilon for _name, epsilon in waves)
    level = ceiling.level(spent + total)
    if level is None:
        return
    earlier = list_text(f"{name} ({_two(epsilon)})" for name, epsilon in waves)
    left = ceiling.limit(level) - spent
    remedies = [
        *(_reductions(blocks, rotations, left, names) if left > 0 else ()),
        _("ask different people from those in the earlier waves, and remove the series"),
    ]
    yield Finding(
        level=level,
        code="series_epsilon",
        path="series",
        message=_(
            "with the other waves of the series, %(names)s, this survey can reveal up to ε "
            "%(epsilon)s: %(consequence)s"
        )
        % {"names": earlier, "epsilon": _two(spent + total), "consequence": ceiling.consequence(level)},
        remedy=join_remedies(remedies),
    )


def _reductions(
    blocks: Sequence[Placed], rotations: Sequence[Rotation], ceiling: float, names: Mapping[str, str]
) -> Iterator[str]:
    """Yield ways to reduce a sum; each names the parts to which it applies."""
    share = largest_common_truth_probability(blocks, ceiling, rotations)
    above = [block for _path, block in blocks if not block.is_scale and block.truth_probability > share]
    if share and above:
        values = {"share": ten_thousandths_text(share), "parts": _quote_titles(above, names)}
        yield _("set p to at most %(share)s%% in %(parts)s") % values
    out = fewest_left_out(blocks, ceiling, rotations)
    if len(out) < len(blocks):
        yield _("leave out %(parts)s") % {"parts": _quote_titles(out, names)}
    for block in (block for _path, block in blocks if block.is_scale):
        others = most_together((entry for entry in blocks if entry[1] is not block), rotations)
        if ceiling - others >= EPSILON_LOWEST:
            most = floor_text(ceiling - others)
            parts = _quote_titles([block], names)
            yield _("set ε to at most %(most)s in %(parts)s") % {"most": most, "parts": parts}


def _quote_titles(blocks: Sequence[Block], names: Mapping[str, str]) -> str:
    return list_text(f"“{names[block.key]}”" for block in blocks)


def _two(epsilon: float) -> str:
    return "∞" if math.isinf(epsilon) else f"{epsilon:.2f}"


def check_light(design: Design, ceiling: Ceiling, *, other_waves: Sequence[WaveLine]) -> Iterator[Finding]:
    """Yield light strengths above the ceiling, here and over a series.

    Over a series, the respondents who reveal most are lightly disguised in every wave that has a light
    strength.
    """
    epsilon = epsilon_of_light(design)
    if any(wave.most > wave.epsilon for wave in other_waves) or (epsilon and other_waves):
        yield from _light_series(design, epsilon, other_waves, ceiling)
    level = ceiling.level(epsilon)
    if level is None:
        return
    yield Finding(
        level=level,
        code="light_epsilon",
        path="group.light",
        message=_("lightly disguised answers can reveal up to ε %(epsilon)s: %(consequence)s")
        % {"epsilon": _two(epsilon), "consequence": ceiling.consequence(level)},
        remedy=_("leave out the light strengths of the parts, so that fitting ones are computed"),
    )


def _light_series(
    design: Design, light: float, waves: Sequence[WaveLine], ceiling: Ceiling
) -> Iterator[Finding]:
    own = light or budget(design).epsilon
    total = math.fsum([own, *(wave.most for wave in waves)])
    level = ceiling.level(total)
    if level is None:
        return
    yield Finding(
        level=level,
        code="light_series_epsilon",
        path="series",
        message=_(
            "with the other waves of the series, %(names)s, answers that are lightly disguised "
            "each time can reveal up to ε %(epsilon)s: %(consequence)s"
        )
        % {
            "names": list_text(f"{wave.slug} ({_two(wave.most)})" for wave in waves),
            "epsilon": _two(total),
            "consequence": ceiling.consequence(level),
        },
        remedy=_("ask different people from those in the earlier waves, and remove the series"),
    )
