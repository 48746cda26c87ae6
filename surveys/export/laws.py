"""What the device did to each protected part, in one English sentence: its own law, with its chances."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from privacy.channels.planar_level import Level
from privacy.channels.planar_window import Windows
from privacy.channels.window import Band
from privacy.survey.design import Block, Design

__all__ = ["law_text", "laws_of"]


def laws_of(design: Design) -> Iterator[tuple[str, str]]:
    """Yield name and law of each protected part, of each strength where there are two."""
    ways = ((False, "strongly disguised"), (True, "lightly disguised"))
    for block in design.blocks:
        for direct, way in ways if block.protected and design.has_two_strengths else ():
            if (mine := block.in_group(direct=direct)) is not None:
                yield f"{block.key}, {way}", law_text(mine)
        if block.protected and not design.has_two_strengths:
            yield block.key, law_text(block)


def law_text(block: Block) -> str:
    """Return the law of a protected part; the scripts and `design.json` have every number of it.

    A number or a place brings a disguise of its own; questions with options share the coin of their block.
    """
    if not block.is_scale:
        drawn = (
            f"each device drew {block.most_asked} of the {len(block.questions)} questions, one of "
            f"{block.n_booklets} sets with the same chance, before any answer was given, and sent nothing of "
            "the others; "
            if block.is_rotating
            else ""
        )
        if block.near is not None:
            return (
                f"{drawn}with chance {block.truth_probability} in 10,000 the device reported the block with "
                f"at most {block.radius} of its answers changed, each of the {block.near.ball} such rows "
                "with the same chance, else fair coins."
            )
        text = drawn + (
            f"with chance {block.truth_probability} in 10,000 the device reported the block as it is, else "
            "a decoy: answers drawn at random"
        )
        return text + ("." if block.refusal is None else f", {block.refusal} in 10,000 of them “skipped”.")
    disguise = block.disguise
    text = _number(disguise) if isinstance(disguise, Band) else _place(disguise)
    if (skipping := block.skipping) is not None:
        always = skipping.lost
        text += (
            f" A skip is an answer of its own: {_chance(always)} of the answers, and "
            f"{_chance(skipping.truth + always)} of the skips, were sent as “skipped”; all other skips were "
            "sent as an answer drawn at random. The chances before are those of what was not sent as "
            "“skipped”."
        )
    return text


def _number(band: Band) -> str:
    bins, total = f"one of {band.inputs} bins", band.total
    if band.law is not None:
        text = (
            f"a number, {bins}. With chance {_chance(band.law)} the device sent the answer's bin, else a bin "
            "drawn evenly from all."
        )
    elif band.window:
        text = (
            f"a number, {bins}, sent as one of {band.grid_outputs} values. Each of the {band.window} values "
            f"in the window around the answer's bin was sent with chance "
            f"{_chance(Fraction(band.floor + band.peak, total))}, each other value with chance "
            f"{_chance(Fraction(band.floor, total))}."
        )
    else:
        text = f"a number, {bins}, sent as “down” or “up”."
    if band.coin:
        lowest, highest = (Fraction(band.lean + band.step * place, total) for place in (0, band.inputs - 1))
        text += (
            f" “Up” was sent with a chance that rises with the bin from {_chance(lowest)} to "
            f"{_chance(highest)}, “down” so that both together have {_chance(Fraction(band.coin, total))}."
        )
    return text


def _place(windows: Windows) -> str:
    area = windows.area
    levels = " ".join(
        _level(level, "" if len(windows.levels) == 1 else f" of level {number}")
        for number, level in enumerate(windows.levels, start=1)
    )
    text = f"a place, one of {area.columns} × {area.rows} cells. {levels}"
    if len(windows.levels) > 1:
        text += (
            " A place of a later level was first exchanged for one of each level before with what is missing "
            "to 1 there."
        )
    if sum(level.cells for level in windows.levels) < area.columns * area.rows:
        exchanged = 1 - math.prod((level.truth for level in windows.levels), start=Fraction(1))
        text += (
            f" A place outside the sensitive cells was exchanged with chance {_chance(exchanged)} for one of "
            "them, drawn in the same way, and else sent as it is."
        )
    return text


def _level(level: Level, name: str) -> str:
    if level.tiles:
        sizes, tiles = [across * up for across, up in level.sizes], sum(map(math.prod, level.tiles))
        return (
            f"The {level.cells} sensitive cells{name} are cut into {tiles} tiles of {min(sizes)} to "
            f"{max(sizes)} cells. A place in them was sent with chance {_chance(level.truth)} as a cell of "
            "its own tile, else as a cell of any tile, each tile as likely as the others; in a tile each "
            "cell was as likely as the others."
        )
    cells = "cell" if level.window == 1 else f"{level.window} cells"
    return (
        f"A place in the {level.cells} sensitive cells{name} was sent with chance {_chance(level.truth)} "
        f"as a cell drawn evenly from the window of {cells} around it, else as any of the sensitive "
        f"cells{name}, drawn evenly."
    )


def _chance(share: Fraction) -> str:
    return f"{float(share):.6g}"
