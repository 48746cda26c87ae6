"""An audit line by line: the survey, its groups, its open answers, what no table says of parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from privacy.risk.impossible_answers import ImpossibleDecoys
from privacy.risk.open_answers import OpenAudit
from privacy.risk.report import Audit, BlockAudit, GroupAudit, RowAudit, ScaleAudit, StrengthAudit
from privacy.risk.sentences import Line, number, percent
from privacy.scales.planar_alike import Alike

__all__ = ["breaches", "lines", "row_value"]


def lines(audit: Audit) -> tuple[Line, ...]:
    """Return what the audit says in sentences; figures of parts and items stand in tables.

    Parameters
    ----------
    audit : Audit
        Of a design, or of rows.
    """
    return tuple(_lines(audit))


def _lines(audit: Audit) -> Iterator[Line]:
    light = audit.light
    if light is not None:
        yield _line("survey.strengths")
    if audit.blocks or audit.lone:
        yield _line("survey.epsilon", epsilon=number(audit.epsilon))
        yield from breaches("survey.rho2", audit.rho2)
        if audit.rho2:
            rho1, rho2 = audit.rho2[len(audit.rho2) // 2]
            yield _line("survey.downward", before=percent(1 - rho1), after=_at_least(1 - rho2))
    else:
        yield _line("survey.unprotected")
    if light is not None:
        yield _line("survey.light", epsilon=number(light.epsilon))
        yield from breaches("survey.light_rho2", light.rho2)
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
    if audit.perfect_privacy:
        yield _line("survey.perfect")
    if audit.own is not None:
        code = "survey.own" if audit.own.counted else "survey.own_expected"
        yield _line(code, share=percent(audit.own.share), n=f"{audit.own.n:,}")
        yield _line("survey.own_known")
    if audit.anchors:
        yield _line("survey.anchors", parts=", ".join(audit.anchors))
    yield _line("survey.part")
    yield from _of_groups(audit.group)
    yield from _of_open(audit.open, audit.n)
    for block in audit.blocks:
        yield from _of_block(block)
    for decoys in audit.impossible:
        yield from _of_impossible(decoys, is_rotating=bool(audit.block(decoys.block).booklet))
    for part in audit.lone:
        yield from _of_scale(part)
    if light is not None:
        yield from _of_light(light)


def _of_light(light: StrengthAudit) -> Iterator[Line]:
    """Yield what no table says of the light strength."""
    for block in light.blocks:
        if block.skip_odds:
            yield _of_part(block.key)("light_skip_odds", odds=number(block.skip_odds))
    for part in light.lone:
        yield _of_part(part.key, question=part.question)(
            "light_lone", gamma=number(part.amplification), epsilon=number(part.epsilon)
        )


def breaches(code: str, rho2: Sequence[tuple[float, float]]) -> Iterator[Line]:
    """Yield in one line what every stated prior becomes at most.

    Parameters
    ----------
    code : str
        Of the line.
    rho2 : sequence of (float, float)
        Priors, each with the largest posterior.
    """
    if rho2:
        before, after = (", ".join(map(percent, own)) for own in zip(*rho2, strict=True))
        yield _line(code, rho1=before, rho2=after)


def _of_groups(group: GroupAudit) -> Iterator[Line]:
    if not group.has_direct and not group.has_light:
        yield _line("group.protected")
        return
    which = "_light" if group.has_light else ""
    if group.policy == "assigned":
        yield _line(f"group.assigned{which}", share=percent(group.direct_share or 0.0))
    else:
        yield _line(f"group.choice{which}")
    if group.n_direct is not None and group.n_protected is not None:
        total = group.n_direct + group.n_protected
        yield _line(f"group.counted{which}", direct=f"{group.n_direct:,}", n=f"{total:,}")
    if group.flag:
        yield _line(f"group.flag{which}", prior=percent(group.flag[0]), posterior=percent(group.flag[1]))


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
        yield _line("open.expected", unique=_expected(part.expected_unique), n=f"{n:,}")
        if part.expected_unique_direct:
            yield _line("open.expected_direct", unique=_expected(part.expected_unique_direct))
    for known in part.unicity:
        yield _line(
            "open.unicity",
            questions=str(known.questions),
            mean=percent(known.mean),
            highest=percent(known.highest),
        )


def _of_block(block: BlockAudit) -> Iterator[Line]:
    """Yield what no table says of a part: how it is asked, and what its figures leave aside."""
    line = _of_part(block.key)
    if block.drawn < 1:
        yield line("drawn", share=percent(block.drawn))
    if block.booklet:
        yield line("rotating", asked=str(len(block.booklet)), count=str(len(block.questions)))
        yield line("booklet", questions=", ".join(block.booklet))
    if block.skip_odds:
        yield line("skip_odds", odds=number(block.skip_odds))
    if not block.unmixing.exact:
        yield line("bounds")
    share = float(block.known[0].asked) * block.drawn
    if share < 1:
        yield line("known_asked", question=block.known[0].keys[0], share=percent(share))
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


def _of_impossible(decoys: ImpossibleDecoys, *, is_rotating: bool) -> Iterator[Line]:
    if not decoys.share:
        # Options of which a device never draws two give nothing away.
        return
    line = _of_part(decoys.block)
    for said in decoys.contradictions:
        yield line("contradiction", items=", ".join(said.items), share=percent(float(said.share)))
    yield line("impossible", share=percent(float(decoys.share)), coin=percent(float(decoys.coin)))
    yield line("counted_in" if decoys.counted_in else "left_aside_rotating" if is_rotating else "left_aside")


def _of_scale(block: ScaleAudit) -> Iterator[Line]:
    line = _of_part(block.key, question=block.question)
    if block.drawn < 1:
        yield line("drawn", share=percent(block.drawn))
    code = "apart" if block.apart else "lone"
    yield line(code, gamma=number(block.amplification), epsilon=number(block.epsilon))
    if block.lost is not None:
        yield line("skip_apart" if block.apart else "skip", lost=percent(block.lost))
    if block.alike is not None and not block.alike.is_none:
        yield line("says_nothing") if block.alike.is_all else line("alike", **_size(block.alike))
    if block.rows is not None:
        at50, at90, at95 = map(percent, block.rows.sent)
        yield line("lone_rows", at50=at50, at90=at90, at95=at95)
        yield line("lone_surest", highest=percent(block.rows.highest), before=percent(block.rows.before))


def _size(alike: Alike) -> dict[str, str]:
    return {"across": f"{alike.across:,.0f}", "up": f"{alike.up:,.0f}"}


def _at_least(share: float) -> str:
    return percent(share if share >= 0.001 else 0.0)


def _expected(rows: float) -> str:
    return "<1" if 0 < rows < 1 else number(rows)


def row_value(row: RowAudit) -> str:
    """Write a row as the value of a line: its items, or a word between bars.

    Parameters
    ----------
    row : RowAudit
        Of one block.
    """
    if isinstance(row.row, str):
        return "|skipped|"
    return " & ".join(row.items) or "|none|"


def _of_part(key: str, **named: str) -> Callable[..., Line]:
    """Return what writes the lines of one part of the questionnaire: each names it."""

    def line(code: str, **values: str) -> Line:
        return _line(f"block.{code}", key, block=key, **named, **values)

    return line


def _line(code: str, subject: str = "", **values: str) -> Line:
    return Line(code=code, subject=subject, values=values)
