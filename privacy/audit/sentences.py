"""The audit in words: each line one plain sentence, with its numbers filled in.

Templates are marked for the translators and filled by whoever prints them: ``line.text`` in English, a page
with the translated template.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from privacy.audit.attackers import Attacker
from privacy.audit.open_answers import OpenAudit
from privacy.audit.report import Audit, BlockAudit, GroupAudit, RowAudit
from privacy.audit.unmixing import LEVELS

__all__ = ["SENTENCES", "WORDS", "Line", "lines", "percent"]


def gettext_noop(text: str) -> str:
    """Mark a text for the translators, and return it as it is."""
    return text


WORDS: Final = {
    "skipped": gettext_noop("“skipped”"),
    "none": gettext_noop("“no” throughout"),
}
"""Values that are words themselves."""

SENTENCES: Final[Mapping[str, str]] = {
    "survey.epsilon": gettext_noop(
        "All protected answers of one person together cost at most epsilon %(epsilon)s."
    ),
    "survey.rho2": gettext_noop(
        "All protected answers together make what was held for %(rho1)s likely at most %(rho2)s likely."
    ),
    "survey.waves": gettext_noop(
        "Over the %(waves)s waves of its series one person pays at most epsilon %(epsilon)s."
    ),
    "survey.unprotected": gettext_noop("No question of this survey is protected."),
    "survey.worst_item": gettext_noop(
        "The item that a single row can make surest is %(item)s: from %(prevalence)s to %(worst)s."
    ),
    "survey.perfect": gettext_noop(
        "The rows say nothing at all: privacy is perfect, and nothing can be learnt."
    ),
    "survey.not_perfect": gettext_noop(
        "The rows say something, as they must: privacy is bounded, not perfect."
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
    "open.unique": gettext_noop("%(unique)s of %(n)s rows are alone with their open answers."),
    "open.unique_direct": gettext_noop(
        "%(unique)s direct rows are alone with their open answers, and each discloses its owner's truth "
        "to whoever knows these."
    ),
    "open.unicity": gettext_noop(
        "To know the open answers to %(questions)s of the questions leaves %(mean)s of rows alone on "
        "average, and %(highest)s with the most telling ones."
    ),
    "block.epsilon": gettext_noop(
        "Block %(block)s: a row multiplies the odds of anything by at most %(gamma)s (epsilon "
        "%(epsilon)s), and the row %(row)s tells most."
    ),
    "block.rho2": gettext_noop(
        "Block %(block)s: what was held for %(rho1)s likely becomes at most %(rho2)s likely."
    ),
    "block.at_prior": gettext_noop(
        "Block %(block)s: with the prevalences as they are, what was held for %(rho1)s likely becomes at "
        "most %(rho2)s likely."
    ),
    "block.even": gettext_noop(
        "Block %(block)s: who held the row %(row)s for an even chance would then say %(even)s."
    ),
    "block.truthful": gettext_noop(
        "Block %(block)s: of the rows that are the truth, %(at50)s are recognised with more than 50 %%, "
        "%(at90)s with more than 90 %%, %(at95)s with more than 95 %%."
    ),
    "block.sent": gettext_noop(
        "Block %(block)s: %(at95)s of all protected rows are recognised as true with more than 95 %%."
    ),
    "block.likeliest": gettext_noop(
        "Block %(block)s: the row that is most surely the truth is %(row)s, with %(coin)s."
    ),
    "block.known": gettext_noop(
        "Block %(block)s: who knows all answers of somebody and finds them in a row is %(coin)s sure that"
        " the row is the truth."
    ),
    "block.nothing": gettext_noop(
        "Block %(block)s: who knows nothing beforehand recognises %(at95)s of the true rows with more "
        "than 95 %%."
    ),
    "block.marginals": gettext_noop(
        "Block %(block)s: who knows how frequent each answer is recognises %(at95)s."
    ),
    "block.joint": gettext_noop(
        "Block %(block)s: who knows how frequent each whole row is recognises %(at95)s."
    ),
    "block.exclusions": gettext_noop(
        "Block %(block)s: who can also exclude the %(knows)s likeliest other rows recognises %(at95)s."
    ),
    "block.one_fact": gettext_noop(
        "Block %(block)s: who also knows the true answer to %(knows)s recognises %(at95)s."
    ),
    "block.exposed": gettext_noop(
        "Block %(block)s: if answers were drawn anew %(draws)s times, the true row would come twice with "
        "a chance of %(share)s."
    ),
    "block.distortion": gettext_noop(
        "Block %(block)s: %(distortion)s of the answers are sent otherwise than they are."
    ),
    "block.leakage": gettext_noop(
        "Block %(block)s: of %(entropy)s bits a row tells %(information)s on average, %(guess)s to "
        "whoever guesses from it, %(output)s at worst, and with no prior more than %(prior)s on average."
    ),
    "block.leakage_bound": gettext_noop("Block %(block)s: a row tells at most %(bound)s bits on average."),
    "block.cell": gettext_noop(
        "Block %(block)s: among the %(n)s protected rows with %(answers)s, a row takes %(item)s from "
        "%(prior)s to %(posterior)s at most, and %(at95)s are recognised as true with more than 95 %%."
    ),
    "item": gettext_noop(
        "Item %(item)s: a row that shows it makes it %(alone)s likely by itself and at most %(worst)s "
        "likely with the rest of its block, from %(prevalence)s before."
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

    >>> [number(value) for value in (9, 2.8904, 1025, 41.59, math.inf)]
    ['9', '2.89', '1,025', '41.6', '∞']
    """
    if math.isinf(value):
        return "∞"
    if value >= 1e6:
        return f"{value:.3g}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def lines(audit: Audit) -> tuple[Line, ...]:
    """Return the audit in sentences: the survey, its groups, its open answers, each block, each item."""
    return tuple(_lines(audit))


def _lines(audit: Audit) -> Iterator[Line]:
    if audit.blocks:
        yield _line("survey.epsilon", epsilon=number(audit.epsilon))
        yield from (_line("survey.rho2", rho1=percent(rho1), rho2=percent(rho2)) for rho1, rho2 in audit.rho2)
    else:
        yield _line("survey.unprotected")
    if audit.waves > 1:
        yield _line("survey.waves", waves=str(audit.waves), epsilon=number(audit.epsilon_of_waves))
    worst = audit.worst_item
    if worst is not None:
        yield _line(
            "survey.worst_item",
            item=worst.key,
            prevalence=percent(worst.prevalence),
            worst=percent(worst.worst),
        )
    yield _line("survey.perfect" if audit.perfect_privacy else "survey.not_perfect")
    yield _line("survey.part")
    yield from _of_groups(audit.group)
    yield from _of_open(audit.open, audit.n)
    for block in audit.blocks:
        yield from _of_block(block)
    for item in audit.items:
        yield _line(
            "item",
            item.key,
            item=item.key,
            alone=percent(item.alone),
            worst=percent(item.worst),
            prevalence=percent(item.prevalence),
        )


def _of_groups(group: GroupAudit) -> Iterator[Line]:
    if not group.has_direct:
        yield _line("group.protected")
        return
    if group.policy == "assigned":
        yield _line("group.assigned", share=percent(group.direct_share or 0.0))
    else:
        yield _line("group.choice")
    if group.n_direct is not None and group.n_protected is not None:
        total = group.n_direct + group.n_protected
        yield _line("group.counted", direct=f"{group.n_direct:,}", n=f"{total:,}")
    if group.flag:
        yield _line("group.flag", prior=percent(group.flag[0]), posterior=percent(group.flag[1]))


def _of_open(part: OpenAudit, n: int | None) -> Iterator[Line]:
    if not part.questions:
        yield _line("open.none")
        return
    yield _line(
        "open.questions", questions=", ".join(part.questions), combinations=number(float(part.combinations))
    )
    if part.unique is not None:
        yield _line("open.unique", unique=f"{part.unique:,}", n=f"{n:,}")
        if part.unique_direct:
            yield _line("open.unique_direct", unique=f"{part.unique_direct:,}")
    elif part.expected_unique is not None:
        yield _line("open.expected", unique=number(part.expected_unique), n=f"{n:,}")
        if part.expected_unique_direct:
            yield _line("open.expected_direct", unique=number(part.expected_unique_direct))
    for known in part.unicity:
        yield _line(
            "open.unicity",
            questions=str(known.questions),
            mean=percent(known.mean),
            highest=percent(known.highest),
        )


def _of_block(block: BlockAudit) -> Iterator[Line]:
    def line(code: str, **values: str) -> Line:
        return _line(f"block.{code}", block.key, block=block.key, **values)

    worst = block.least_likely
    yield line("epsilon", gamma=number(block.amplification), epsilon=number(block.epsilon), row=_row(worst))
    yield from (line("rho2", rho1=percent(rho1), rho2=percent(rho2)) for rho1, rho2 in block.rho2)
    yield from (line("at_prior", rho1=percent(rho1), rho2=percent(rho2)) for rho1, rho2 in block.at_prior)
    yield line("even", row=_row(worst), even=percent(worst.even))
    at = dict(zip(("at50", "at90", "at95"), map(percent, block.unmixing.truthful), strict=True))
    yield line("truthful", **at)
    yield line("sent", at95=percent(block.unmixing.sent[LEVELS.index(0.95)]))
    yield line("likeliest", row=_row(block.likeliest), coin=percent(block.likeliest.coin))
    yield line("known", coin=percent(float(block.known[-1].coin)))
    yield from (line(attacker.name, **_of_attacker(attacker)) for attacker in block.attackers)
    yield from (line("exposed", draws=str(draws), share=percent(share)) for draws, share in block.exposed)
    yield line("distortion", distortion=percent(block.distortion))
    if block.leakage is None:
        yield line("leakage_bound", bound=number(block.leakage_bound))
    else:
        yield line(
            "leakage",
            entropy=number(block.leakage.entropy),
            information=number(block.leakage.mutual_information),
            guess=number(block.leakage.guess),
            output=number(block.leakage.worst_output),
            prior=number(block.leakage.worst_prior),
        )
    for cell in block.cells:
        yield line(
            "cell",
            n=f"{cell.n:,}",
            answers=", ".join(cell.answers),
            item=cell.worst_item,
            prior=percent(cell.prior),
            posterior=percent(cell.posterior),
            at95=percent(cell.unmixing.sent[-1]),
        )


def _of_attacker(attacker: Attacker) -> dict[str, str]:
    found = {"at95": percent(attacker.truthful[LEVELS.index(0.95)])}
    return found | ({"knows": attacker.knows} if attacker.knows else {})


def _row(row: RowAudit) -> str:
    if isinstance(row.row, str):
        return "|skipped|"
    return " & ".join(row.items) or "|none|"


def _line(code: str, subject: str = "", **values: str) -> Line:
    return Line(code=code, subject=subject, values=values)
