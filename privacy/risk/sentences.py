"""The audit in words: each line one plain sentence, with its numbers filled in.

Templates are marked for the translators and filled by the caller: ``line.text`` in English, a page
with the translated template.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["SENTENCES", "WORDS", "Line", "number", "percent"]


def gettext_noop(text: str) -> str:
    """Mark a text for the translators, and return it as it is."""
    return text


WORDS: Final = {
    "skipped": gettext_noop("“skipped”"),
    "none": gettext_noop("“no” throughout"),
}
"""Values that are words themselves."""

SENTENCES: Final[Mapping[str, str]] = {
    "survey.strengths": gettext_noop(
        "Sentences that do not say “lightly” are about strongly disguised rows."
    ),
    "survey.epsilon": gettext_noop(
        "All protected answers of one person together cost at most epsilon %(epsilon)s."
    ),
    "survey.rho2": gettext_noop(
        "All protected answers together: what was held for %(rho1)s likely becomes at most %(rho2)s likely."
    ),
    "survey.downward": gettext_noop(
        "The other way round, what was held for %(before)s likely stays at least %(after)s likely."
    ),
    "survey.light": gettext_noop(
        "All protected answers of one person together, lightly disguised, cost at most epsilon %(epsilon)s."
    ),
    "survey.light_rho2": gettext_noop(
        "Lightly disguised, what was held for %(rho1)s likely becomes at most %(rho2)s likely."
    ),
    "survey.anchors": gettext_noop(
        "Left out: %(parts)s. Everybody knows what is true there. What is said of all protected answers "
        "holds for people who answer these questions truthfully."
    ),
    "survey.waves": gettext_noop(
        "Over the %(waves)s waves of its series one person pays at most epsilon %(epsilon)s."
    ),
    "survey.unprotected": gettext_noop("No question of this survey is protected."),
    "survey.worst_item": gettext_noop(
        "From one part alone, and if answers are independent of each other, the item that a single row can "
        "make surest is %(item)s: from %(prevalence)s to %(worst)s."
    ),
    "survey.perfect": gettext_noop(
        "The rows say nothing at all: privacy is perfect, and nothing can be learnt."
    ),
    "survey.own": gettext_noop(
        "Rows with a combination of their own, of the questions that were asked and open answers: %(share)s "
        "of %(n)s."
    ),
    "survey.own_expected": gettext_noop(
        "Rows with a combination of their own, of the questions that are asked and open answers: about "
        "%(share)s of %(n)s, if open answers were equally frequent."
    ),
    "survey.own_known": gettext_noop(
        "Which questions a person is asked is drawn by chance and sent as it is. Who saw the page knows it, "
        "and can find such a row; its answers stay disguised."
    ),
    "survey.part": gettext_noop("That a person took part is not hidden."),
    "group.protected": gettext_noop("Everybody is protected."),
    "group.assigned": gettext_noop(
        "A share of %(share)s is drawn to answer directly, and their rows are true answers without "
        "protection."
    ),
    "group.choice": gettext_noop("Whoever chooses to answer directly sends true answers without protection."),
    "group.counted": gettext_noop("%(direct)s of %(n)s rows are direct, and true as they stand."),
    "group.flag": gettext_noop(
        "To choose protection is a sign: if 80 %% of those with something to hide and 40 %% of the others"
        " do, %(prior)s becomes %(posterior)s."
    ),
    "group.assigned_light": gettext_noop("A share of %(share)s is drawn to be lightly disguised."),
    "group.choice_light": gettext_noop(
        "Each person chooses the strong or the light disguise. The choice itself is sent as it is."
    ),
    "group.counted_light": gettext_noop("%(direct)s of %(n)s rows are lightly disguised."),
    "group.flag_light": gettext_noop(
        "To choose the strong disguise is a sign: if 80 %% of those with something to hide and 40 %% of the "
        "others do, %(prior)s becomes %(posterior)s."
    ),
    "open.none": gettext_noop("No question is open."),
    "open.questions": gettext_noop(
        "Open answers (%(questions)s) are kept as they are given, in %(combinations)s combinations, and "
        "no bound holds for them."
    ),
    "open.expected": gettext_noop(
        "If all combinations were equally frequent, about %(unique)s of %(n)s rows would be alone with "
        "their open answers."
    ),
    "open.expected_direct": gettext_noop(
        "About %(unique)s of them would be direct, and each would disclose its owner's truth."
    ),
    "open.unique": gettext_noop("Rows alone with their open answers: %(unique)s of %(n)s."),
    "open.unique_direct": gettext_noop(
        "Direct rows among them: %(unique)s; each discloses its owner's truth to whoever knows these answers."
    ),
    "open.unicity": gettext_noop(
        "To know the open answers to %(questions)s of the questions leaves %(mean)s of rows alone on "
        "average, and %(highest)s with the most telling ones."
    ),
    "block.drawn": gettext_noop("Part %(block)s: chance picks it for %(share)s of the people."),
    "block.rotating": gettext_noop(
        "Part %(block)s: each person is asked %(asked)s of its %(count)s questions, drawn by the device."
    ),
    "block.skip_odds": gettext_noop(
        "Part %(block)s: a skip that is sent multiplies the odds that somebody skipped by at most %(odds)s."
    ),
    "block.booklet": gettext_noop(
        "Part %(block)s: shares of rows are of all people. What is said of known answers, of attackers, of "
        "bits and of single rows is of people who are asked what tells most: %(questions)s."
    ),
    "block.known_asked": gettext_noop(
        "Part %(block)s: chance picks %(question)s for %(share)s of the people. Rows of the others do not "
        "show it."
    ),
    "block.light_skip_odds": gettext_noop(
        "Part %(block)s, lightly disguised: a skip that is sent multiplies the odds that somebody skipped by "
        "at most %(odds)s."
    ),
    "block.bounds": gettext_noop(
        "Part %(block)s: it has too many kinds of rows to count them all, and these shares are upper bounds."
    ),
    "block.contradiction": gettext_noop(
        "Part %(block)s: nobody can truly give more than one of the answers %(items)s, but %(share)s of the "
        "decoys do, and are recognised by it."
    ),
    "block.impossible": gettext_noop(
        "Part %(block)s: %(share)s of the decoys say what nobody's truth can be, so that any other row is "
        "the truth with %(coin)s, before anything is known."
    ),
    "block.counted_in": gettext_noop(
        "Part %(block)s: its other figures count in that nobody has two of these answers."
    ),
    "block.left_aside": gettext_noop(
        "Part %(block)s: its other figures leave aside that nobody has two of these answers: too many of "
        "them hang together, or the expected shares leave no other row. Whoever counts it in is a little "
        "surer."
    ),
    "block.left_aside_rotating": gettext_noop(
        "Part %(block)s: these shares are of the questions that show it most often. Its other figures leave "
        "aside that nobody has two of these answers. Whoever counts it in is a little surer."
    ),
    "block.cell": gettext_noop(
        "Part %(block)s: among the %(n)s protected rows with %(answers)s, a row takes %(item)s from "
        "%(prior)s to %(posterior)s at most, and %(at95)s are recognised as true with more than 95 %%."
    ),
    "block.lone": gettext_noop(
        "Part %(block)s: what is sent for %(question)s multiplies the odds of anything by at most %(gamma)s "
        "(epsilon %(epsilon)s)."
    ),
    "block.apart": gettext_noop(
        "Part %(block)s: among the sensitive places of %(question)s odds change by at most %(gamma)s "
        "(epsilon %(epsilon)s), elsewhere the place is sent as it is, and none of this is in the sum."
    ),
    "block.skip": gettext_noop(
        "Part %(block)s: %(question)s may be skipped; %(lost)s of the answers are sent as “skipped” too, "
        "and nothing that is sent tells a skip from an answer by more than the same odds."
    ),
    "block.skip_apart": gettext_noop(
        "Part %(block)s: %(question)s may be skipped; %(lost)s of the answers are sent as “skipped” too. A "
        "skip hides like the most sensitive places: what it sends may come from every place, by the same "
        "odds. A place that is sent from elsewhere shows that its sender did not skip."
    ),
    "block.alike": gettext_noop(
        "Part %(block)s: places of %(question)s that lie within %(across)s × %(up)s metres, in a tile or "
        "near a border, are sent alike: no number of rows tells them apart."
    ),
    "block.says_nothing": gettext_noop(
        "Part %(block)s: every place of %(question)s is sent alike. The rows say nothing of where people are."
    ),
    "block.lone_rows": gettext_noop(
        "Part %(block)s: of the disguised rows of %(question)s, %(at50)s give their very answer away with "
        "more than 50 %%, %(at90)s with more than 90 %%, %(at95)s with more than 95 %%."
    ),
    "block.lone_surest": gettext_noop(
        "Part %(block)s: the surest row makes an answer to %(question)s %(highest)s likely; without a row "
        "the most frequent answer is %(before)s likely."
    ),
    "block.light_lone": gettext_noop(
        "Part %(block)s, lightly disguised: what is sent for %(question)s multiplies the odds of anything by "
        "at most %(gamma)s (epsilon %(epsilon)s)."
    ),
}


@dataclass(frozen=True, kw_only=True)
class Line:
    """One sentence of an audit.

    Parameters
    ----------
    code : str
        Name of its template in `SENTENCES`.
    subject : str
        Key of the block or item it is about; empty for the survey.
    values : mapping of str to str
        What fills the template; a value that is a key of `WORDS` between bars, ``"|skipped|"``, is a word.
    """

    code: str
    subject: str
    values: Mapping[str, str]

    @property
    def template(self) -> str:
        """The English sentence with places for the values."""
        return SENTENCES[self.code]

    @property
    def text(self) -> str:
        """The English sentence."""
        return self.template % {name: _word(value) for name, value in self.values.items()}


def _word(value: str) -> str:
    return WORDS[value[1:-1]] if value[:1] == "|" else value


def percent(share: float) -> str:
    """Write a share in percent with three digits, never as a certainty that it is not.

    Parameters
    ----------
    share : float
        In [0, 1].

    Examples
    --------
    >>> [percent(share) for share in (0, 1e-9, .02914, .376, .99999, 1)]
    ['0 %', '<0.1 %', '2.91 %', '37.6 %', '>99.9 %', '100 %']
    """
    if 0 < share < 0.001:
        return "<0.1 %"
    if 0.999 < share < 1:
        return ">99.9 %"
    return f"{100 * share:.3g} %"


def number(value: float) -> str:
    """Write a number with three or four digits.

    Parameters
    ----------
    value : float
        0 or more; may be infinite.

    Examples
    --------
    >>> [number(value) for value in (9, 2.8904, 1025, 41.59, math.inf)]
    ['9', '2.89', '1,025', '41.6', '∞']
    """
    if math.isinf(value):
        return "∞"
    if value >= 1e6:
        return f"{value:.3g}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
