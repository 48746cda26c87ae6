"""Run all checks of a definition. The checks of rotating questions and parts are defined here."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.coins import SCALE
from privacy.estimation.borrowing import predicts_pairs
from privacy.planning.shortfalls import Figure, shortfalls
from privacy.planning.use import Use, strong, use_of
from privacy.policy import LEAST_COMPLETE_ROWS, USEFUL_WIDTH
from privacy.risk.budget import budget
from privacy.risk.open_answers import combinations_of, expected_unique, open_questions, unique_share_of_design
from privacy.risk.prevalences import Prevalence
from privacy.risk.prior import independent
from privacy.risk.reidentification import LEVELS, reidentification_rate
from privacy.risk.row_distribution import RowDistribution, row_distribution
from privacy.survey.design import Block, Design, Question
from surveys.formats.figures import count_text
from surveys.formats.joints import list_text
from surveys.models import Survey
from surveys.policy import MOST_COMPARED, MOST_OWN, MOST_REIDENTIFIED, MOST_UNIQUE
from surveys.questionnaire.aim import LEAST_PEOPLE, Aim
from surveys.questionnaire.checks.ceilings import (
    Ceilings,
    Placed,
    check_ceilings,
    check_direct,
    check_light,
    check_odds,
    check_skips,
    largest_passing,
    percent_text,
    site_ceilings,
)
from surveys.questionnaire.checks.composites import check_composites, check_harm
from surveys.questionnaire.checks.content import check_content, check_leftovers, check_repeated
from surveys.questionnaire.checks.letters import check_letters
from surveys.questionnaire.checks.lists import check_lists
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.document import Finding, Level
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.part_names import part_names
from surveys.questionnaire.schedule import WaveLine, epsilon_of_light, other_waves
from surveys.questionnaire.stems import in_full
from surveys.questionnaire.turns import summed_over_waves
from surveys.questionnaire.use_words import item_names, quote_names, shortfall_text

_SIZES: Final = (2, 3)

_MOST_SHOWN: Final = 10**12
"""Combinations are stated exactly up to this number."""


def check_rotating(
    design: Design, titles: Mapping[str, str], *, people: int | None, pairs: bool = True
) -> Iterator[Finding]:
    """Yield warnings about a design that asks each person only some questions.

    Parameters
    ----------
    design : Design
    titles : mapping of str to str
    people : int or None
        Expected number of respondents; None if unknown, which `check_use` reports.
    pairs : bool
        Whether to check pairs of questions; false if the aim states which results are wanted.
    """
    if not design.rotates:
        return
    if people:
        yield from _own(design, people)
    for number, block in enumerate(design.blocks):
        if block.is_rotating and pairs:
            title = titles.get(block.key) or block.key
            yield from _together(design, block, f"blocks[{number}]", title, people=people)
    for number, rotation in enumerate(design.rotations):
        yield from _of_rotation(design, rotation.blocks, f"rotations[{number}]", titles)


def _own(design: Design, people: int) -> Iterator[Finding]:
    share = unique_share_of_design(design, people)
    if share > MOST_OWN:
        yield _finding(
            "own_combination",
            "",
            _(
                "the server learns which questions each respondent was asked: of %(n)s people, "
                "about %(alone)s would have a unique combination of these questions and unprotected "
                "answers, and could be identified by it"
            )
            % {"n": count_text(people), "alone": f"{share * people:,.0f}"},
            _(
                "list fewer sets of questions, or ask fewer or coarser unprotected questions: up to "
                "%(count)s combinations are allowed"
            )
            % {"count": count_text(_most_combinations(MOST_OWN, people))},
        )


def _most_combinations(share: float, people: int) -> int:
    """Return how many combinations C leave at most a share s of n people unique: (1 - 1/C)^(n - 1) <= s.

    Examples
    --------
    >>> _most_combinations(.05, 1000), _most_combinations(.05, 250), _most_combinations(.05, 1)
    (333, 83, 1)
    """
    return math.floor(1 / (1 - share ** (1 / (people - 1)))) if people > 1 else 1


def _together(
    design: Design, block: Block, path: str, title: str, *, people: int | None
) -> Iterator[Finding]:
    """Yield a finding on the smallest itemsets of a part that no device, or too few devices, ask together."""
    for size in _SIZES:
        if size > len(block.questions):
            return
        least, missing, total = _least_together(block, size)
        if missing:
            yield _never_together(design, block, size, missing, total, path, title)
            return
        first = design.first_questions[design.blocks.index(block)]
        # The rotation draws the part with the same probability, whichever of its questions are asked.
        share = least * design.drawn_together([first]) / block.share_asked([0])
        if size == _SIZES[0] and people and share * people < LEAST_COMPLETE_ROWS:
            yield _finding(
                "few_together",
                path,
                (
                    _(
                        "only about %(few)s of %(n)s people are asked both of two questions of part "
                        "“%(part)s”; with fewer than %(least)s, the report only predicts how these go "
                        "together"
                    )
                    if predicts_pairs(design) and block.asked_if is None
                    else _(
                        "only about %(few)s of %(n)s people are asked both of two questions of part "
                        "“%(part)s”: results on two questions together need %(least)s such people"
                    )
                )
                % {
                    "part": title,
                    "n": count_text(people),
                    "few": f"{float(share * people):.0f}",
                    "least": count_text(LEAST_COMPLETE_ROWS),
                },
                _("ask each person more of these questions, or expect at least %(needed)s people")
                % {"needed": count_text(math.ceil(LEAST_COMPLETE_ROWS / share))},
            )
            return


def _least_together(block: Block, size: int) -> tuple[Fraction, int, int]:
    """Return the least share asked `size` questions together; the number of sets never asked, and of all."""
    total = math.comb(len(block.questions), size)
    if block.booklets is None:
        share = block.share_asked(range(size))
        return share, 0 if share else total, total
    together = Counter(
        subset for booklet in block.booklets for subset in itertools.combinations(booklet, size)
    )
    missing = total - len(together)
    return Fraction(0 if missing else min(together.values()), block.n_booklets), missing, total


def _never_together(
    design: Design, block: Block, size: int, missing: int, total: int, path: str, title: str
) -> Finding:
    words = {"part": title, "missing": missing, "total": total}
    if predicts_pairs(design) and block.asked_if is None:
        message = (
            _(
                "no one is asked both questions of %(missing)s of the %(total)s pairs in part “%(part)s”, so "
                "the report only predicts how these go together"
            )
            if size == 2
            else _(
                "no one is asked all questions of %(missing)s of the %(total)s sets of three in part "
                "“%(part)s”, so the report only predicts these three together"
            )
        )
        return _finding(
            "never_together",
            path,
            message % words,
            _("ask each person more of these questions, or list other sets of them"),
        )
    message = (
        _(
            "no one is asked both questions of %(missing)s of the %(total)s pairs in part "
            "“%(part)s”, so results cannot show whether these are associated"
        )
        if size == 2
        else _(
            "no one is asked all questions of %(missing)s of the %(total)s sets of three in part "
            "“%(part)s”, so results cannot combine these three"
        )
    )
    return _finding(
        "never_together",
        path,
        message % words,
        _("ask each person more of these questions, or list other sets of them"),
    )


def _of_rotation(
    design: Design, keys: tuple[str, ...], path: str, titles: Mapping[str, str]
) -> Iterator[Finding]:
    parts = {block.key: block for block in design.blocks}
    conditional = [key for key in keys if parts[key].asked_if is not None]
    if conditional:
        yield _finding(
            "rotation_routed",
            path,
            _(
                "of the rotating parts, %(parts)s are asked of some people only: respondents who "
                "draw such a part and are not asked it get no other part instead"
            )
            % {"parts": list_text(f"“{titles.get(key) or key}”" for key in conditional)},
            _("rotate only parts that everyone can be asked, or expect fewer answers"),
        )


def _finding(code: str, path: str, message: str, remedy: str) -> Finding:
    return Finding(level=Level.WARN, code=code, path=path, message=message, remedy=remedy)


def check_drawn(blocks: Sequence[Placed], prevalence: Prevalence) -> Iterator[Finding]:
    """Yield a warning for each part whose random rows differ too much from true ones.

    Parameters
    ----------
    blocks : sequence of (str, Block)
        Paths and blocks of a survey.
    prevalence : mapping
        Stated prevalences of every protected question.
    """
    with_coin = [(path, block) for path, block in blocks if block.has_coin]
    questions = [question for _path, block in with_coin for question in block.questions]
    # A single choice draws one answer, and another question draws one per item.
    count = sum(len(question.parts) for question in questions)
    if count > MOST_COMPARED:
        yield Finding(
            level=Level.WARN,
            code="not_compared",
            path="",
            message=_(
                "random answers were not compared with the shares you expect: the survey draws "
                "%(count)s independently, and at most %(most)s can be compared"
            )
            % {"count": count_text(count), "most": count_text(MOST_COMPARED)},
            remedy=_("ask fewer protected questions, or offer fewer options"),
        )
        return
    for path, block in with_coin:
        distribution = row_distribution(independent(block, prevalence))
        share = _share_of(distribution)
        if share <= MOST_REIDENTIFIED:
            continue
        number, question = max(
            enumerate(block.questions), key=lambda placed: _distance(placed[1], prevalence)
        )
        yield Finding(
            level=Level.WARN,
            code="far_from_expected",
            path=f"{path}.questions[{number}]",
            message=_message(len(block.questions))
            % {
                "part": block.key,
                "share": _of_hundred(share),
                "count": count_text(len(block.questions)),
                "key": question.key,
            },
            remedy=_remedy(block, distribution),
        )


def check_open_answers(design: Design, names: Mapping[str, str], people: int | None) -> Iterator[Finding]:
    """Yield a warning if answers stored as given would make many people unique.

    Parameters
    ----------
    design : Design
    names : mapping of str to str
        Texts of questions, by key.
    people : int or None
        Expected number of respondents; None if unknown.
    """
    combinations = combinations_of(design)
    # The fewer people, the larger the share of unique ones.
    n = people or LEAST_PEOPLE
    alone = expected_unique(n, combinations)
    if alone <= MOST_UNIQUE * n or (not people and _is_planned(design)):
        # Without a number, `check_use` reports it once.
        return
    message = (
        _(
            "the answers that are stored as given (%(names)s) have %(combinations)s combinations: of "
            "%(n)s people, about %(alone)s would have a unique one and could be identified by it"
        )
        if people
        else _(
            "the answers that are stored as given (%(names)s) have %(combinations)s combinations; without "
            "the number of answers you expect, we cannot work out how many people could be identified by them"
        )
    ) % {
        "names": quote_names([names.get(each.key, each.key) for each in open_questions(design)]),
        # Tens of open questions have more combinations than fit into a line.
        "combinations": count_text(combinations)
        if combinations < _MOST_SHOWN
        else _("at least %(count)s") % {"count": count_text(_MOST_SHOWN)},
        "n": count_text(n),
        "alone": f"{alone:,.0f}",
    }
    if design.sends_undisguised:
        message += _("; if such a person answers directly, that reveals all their answers")
    yield Finding(
        level=Level.WARN,
        code="unique_open",
        path="",
        message=message,
        remedy=_(
            "store fewer answers as given, or ask for coarser ones: up to %(count)s combinations are allowed"
        )
        % {"count": count_text(_most_combinations(MOST_UNIQUE, people))}
        if people
        else _("plan the survey"),
    )


def _message(questions: int) -> str:
    if questions == 1:
        return _(
            "%(share)s of 100 true rows of part %(part)s could be recognised as true, because random "
            "answers to %(key)s are not as common as the answers you expect"
        )
    return _(
        "%(share)s of 100 true rows of part %(part)s could be recognised as true, because random "
        "answers to its %(count)s questions are not as common as the answers you expect, most of all to "
        "%(key)s"
    )


def _share_of(distribution: RowDistribution) -> float:
    return reidentification_rate(distribution)[LEVELS.index(max(LEVELS))]


def _remedy(block: Block, distribution: RowDistribution) -> str:
    truth = largest_passing(
        block.truth_probability,
        lambda truth: _share_of(replace(distribution, truth=truth / SCALE)) <= MOST_REIDENTIFIED,
    )
    other = _("ask fewer of these questions in one part")
    return (
        _(", or ").join([_("set p to at most %(share)s%%") % {"share": percent_text(truth)}, other])
        if truth
        else other
    )


def _distance(question: Question, prevalence: Prevalence) -> int:
    return max(
        abs(decoy - expected)
        for decoy, expected in zip(question.unrelated, prevalence[question.key], strict=True)
    )


def prevalence_of(document: Mapping[str, Any]) -> dict[str, Sequence[int]]:
    """Return the stated prevalences of a definition's protected questions."""
    return {
        question["key"]: question["prevalence"]
        for block in document["blocks"]
        if block["protected"]
        for question in block["questions"]
        if question.get("prevalence")
    }


def _of_hundred(share: float) -> str:
    return f"{100 * share:.0f}"


_CODES: Final[dict[Figure, str]] = {
    "asked": "too_few_asked",
    "together": "too_few_asked",
    "share": "share_imprecise",
    "mean": "share_imprecise",
    "difference": "difference_missed",
}

_REMEDY: Final = gettext_lazy("open the plan page: it shows the smallest changes that make the figure useful")


def check_use(definition: Definition, aim: Aim | None) -> Iterator[Finding]:
    """Yield each figure that the survey cannot estimate usefully, and how to improve starred figures.

    A painful question that cannot produce a result harms its respondents for nothing. This is as serious as
    a privacy finding.

    Parameters
    ----------
    definition : Definition
    aim : Aim or None
        None if there is no plan: the survey predates plans, or was created by a program.
    """
    if not _is_planned(definition.design):
        return
    if aim is None or aim.people < 1:
        yield from _people_unknown(definition.design)
        return
    use = use_of(definition.design, aim.within(definition.design))
    names = item_names(definition, aim.labels)
    for short in shortfalls(use):
        yield Finding(
            level=Level.REFUSE if short.is_refused else Level.WARN,
            code=_CODES[short.figure],
            # The second starred question is the outcome.
            path=_path_of(definition, short.keys[-1 if short.figure in ("together", "difference") else 0]),
            message=shortfall_text(use, short, names),
            remedy=str(_REMEDY)
            if short.is_refused or short.figure == "difference"
            else _("expect %(people)s answers, or choose a change on the plan page")
            % {"people": count_text(_people_for_width(use, short.keys[0]))},
        )


def _is_planned(design: Design) -> bool:
    """Return whether a design has a protected question that is not an anchor."""
    return any(block.protected and not block.is_anchor for block in design.blocks)


def _people_unknown(design: Design) -> Iterator[Finding]:
    messages = [
        _(
            "without the number of answers you expect, we cannot work out what they can show, or how many "
            "people could be identified"
        )
    ]
    if design.invited:
        messages.append(
            _(
                "without the number of answers you expect, we cannot work out how many people would be in "
                "the smallest group, and anyone with the list of codes knows who they are"
            )
        )
    for message in messages:
        remedy = _("plan the survey")
        yield Finding(level=Level.WARN, code="people_unknown", path="", message=message, remedy=remedy)


def _people_for_width(use: Use, key: str) -> int:
    """Return the smallest number of people with whom a figure is useful in this layout."""
    return math.ceil(use.aim.people * (use.widths[key] / USEFUL_WIDTH) ** 2 - 1e-9)


def _path_of(definition: Definition, item: str) -> str:
    key = item.partition("=")[0]
    return next(
        (
            f"blocks[{number}].questions[{position}]"
            for number, block in enumerate(definition.design.blocks)
            for position, question in enumerate(block.questions)
            if question.key == key
        ),
        "",
    )


def check_definition(
    definition: Definition, *, ceilings: Ceilings, waves: Sequence[WaveLine] = (), aim: Aim | None = None
) -> tuple[Finding, ...]:
    """Return the findings on a definition, refusals first.

    Parameters
    ----------
    definition : Definition
    ceilings : Ceilings
    waves : sequence of WaveLine
        The other surveys of the same series.
    aim : Aim, optional
        The survey's aim; without one, a finding asks for it.

    Notes
    -----
    Practice answers are not real, so nothing is refused and every finding is a warning.
    """
    document, design = in_full(definition.document), definition.design
    blocks = definition.wording["blocks"]
    names = part_names(blocks)
    ceilings = ceilings if aim is None else ceilings.within(aim.protection)
    people = None if aim is None else aim.people
    findings = [
        *_too_telling(*summed_over_waves(design, definition.wording, waves), ceilings, names),
        *check_content(document, design),
        *check_leftovers(document),
        *check_letters(document),
        *check_repeated(document),
        *check_drawn(_strong(design), prevalence_of(document)),
        *check_open_answers(design, _question_texts(definition), people),
        *check_rotating(design, names, people=people, pairs=aim is None or not aim.wanted),
        *check_use(definition, aim),
        *check_composites(definition, aim),
        *check_harm(document),
        *check_lists(document, design),
    ]
    if definition.practice:
        findings = [replace(finding, level=Level.WARN) for finding in findings]
    return tuple(sorted(findings, key=lambda finding: not finding.is_refusal))


def _question_texts(definition: Definition) -> dict[str, str]:
    """Return the text of each question, by its key."""
    return {
        question["key"]: text_in(question["text"]) or question["key"]
        for block in definition.wording["blocks"]
        for question in block["questions"]
    }


def check_draft(survey: Survey, definition: Definition) -> tuple[Finding, ...]:
    """Return the findings on publishing this definition of a survey, with the site's ceilings."""
    return check_definition(
        definition,
        ceilings=site_ceilings(),
        waves=[*(waves := other_waves(definition.series, but=survey)), *_later_waves(definition, len(waves))],
        aim=Aim.from_json(survey.aim),
    )


def _later_waves(definition: Definition, published: int) -> Iterator[WaveLine]:
    """Yield the waves that the series still has, with the epsilons of this one."""
    design = definition.design
    own = budget(design).epsilon
    for number in range(published + 2, (definition.waves or 0) + 1):
        slug = _("wave %(number)s") % {"number": number}
        yield WaveLine(slug=slug, title=slug, epsilon=own, most=max(own, epsilon_of_light(design)))


def exceeds_recommended(
    design: Design, wording: Mapping[str, Any], waves: Sequence[WaveLine], aim: Aim
) -> bool:
    """Return whether a design exceeds the limits recommended for its protection, alone or with its series."""
    names = {block.key: block.key for block in design.blocks}
    ceilings = site_ceilings().within(aim.protection)
    return any(_too_telling(*summed_over_waves(design, wording, waves), ceilings, names))


def _too_telling(
    design: Design, waves: Sequence[WaveLine], ceilings: Ceilings, names: Mapping[str, str]
) -> Iterator[Finding]:
    """Yield the findings above a ceiling; `names` maps keys of parts to their titles."""
    blocks = _strong(design)
    yield from check_ceilings(blocks, ceilings, names=names, rotations=design.rotations, other_waves=waves)
    yield from check_odds(blocks, ceilings.odds, names)
    yield from check_skips(blocks, ceilings.skip, names)
    yield from check_light(design, ceilings.light, other_waves=waves)
    yield from check_direct(design)


def _strong(design: Design) -> list[tuple[str, Block]]:
    """Return the blocks with their paths, in their strong strength."""
    return [(f"blocks[{number}]", strong(block)) for number, block in enumerate(design.blocks)]
