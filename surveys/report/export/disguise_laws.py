"""The disguise of each protected block in words, and the values that a number or a place is sent as."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Design, Question
from surveys.formats.figures import count_text


def laws_of(design: Design, titles: Mapping[str, str] = MappingProxyType({})) -> Iterator[tuple[str, str]]:
    """Yield the name and the disguise of each protected block, once for each strength.

    The name is the block's key, preceded by its title if `titles` has one.
    """
    for block in design.blocks:
        label = f"“{titles[block.key]}” (`{block.key}`)" if block.key in titles else block.key
        for direct in (False, True) if block.protected and design.has_two_strengths else ():
            if (block_of_strength := block.in_group(direct=direct)) is not None:
                name = _("%(part)s, lightly disguised") if direct else _("%(part)s, strongly disguised")
                yield name % {"part": label}, law_text(block_of_strength)
        if block.protected and not design.has_two_strengths:
            yield label, law_text(block)


def law_text(block: Block) -> str:
    """Describe the disguise of a protected block; `design.json` has all its numbers.

    A number or a place has a disguise of its own; questions with options share the coin of their block.
    """
    if not block.is_scale:
        return _draw_sentence(block) + _answers_sentence(block)
    disguise = block.disguise
    text = _number(disguise) if isinstance(disguise, WindowChannel) else _location(disguise)
    if (skipping := block.skipping) is not None:
        always = skipping.skip_probability
        text += " " + _(
            "A skip counts as a separate answer: %(answers)s of the answers and %(skips)s of "
            "the skips were sent as “skipped”. All other skips were sent as a random answer. "
            "The probabilities above apply to everything not sent as “skipped”."
        ) % {"answers": _probability(always), "skips": _probability(skipping.truth + always)}
    return text


def _draw_sentence(block: Block) -> str:
    if not block.is_rotating:
        return ""
    return (
        _(
            "before any answer, each device drew %(asked)s of the %(all)s questions, one of "
            "%(sets)s equally likely sets, and sent nothing about the others;"
        )
        % {
            "asked": count_text(block.most_asked),
            "all": count_text(len(block.questions)),
            "sets": count_text(block.n_booklets),
        }
        + " "
    )


def _answers_sentence(block: Block) -> str:
    truth = block.truth_probability
    if block.refusal is None:
        return _(
            "%(truth)s times in 100, the device sends the true answers of this part. Otherwise "
            "it sends random answers."
        ) % {"truth": f"{truth / 100:g}"}
    return _(
        "%(truth)s times in 100, the device sends the true answers of this part. Otherwise it "
        "sends random answers, of which %(skipped)s in 100 are “skipped”."
    ) % {"truth": f"{truth / 100:g}", "skipped": f"{block.refusal / 100:g}"}


def _number(channel: WindowChannel) -> str:
    total = channel.total
    if channel.retention_probability is not None:
        text = _(
            "a number in one of %(bins)s bins. With probability %(chance)s the device sent the "
            "bin of the answer, otherwise a bin drawn uniformly from all."
        ) % {"bins": count_text(channel.inputs), "chance": _probability(channel.retention_probability)}
    elif channel.window:
        text = _(
            "a number in one of %(bins)s bins, sent as one of %(outputs)s values. Each of the "
            "%(window)s values in the window around the bin of the answer was sent with "
            "probability %(inside)s, each other value with probability %(outside)s."
        ) % {
            "bins": count_text(channel.inputs),
            "outputs": count_text(channel.grid_outputs),
            "window": count_text(channel.window),
            "inside": _probability(Fraction(channel.floor + channel.peak, total)),
            "outside": _probability(Fraction(channel.floor, total)),
        }
    else:
        text = _("a number in one of %(bins)s bins, sent as “down” or “up”.") % {
            "bins": count_text(channel.inputs)
        }
    if channel.coin:
        lowest, highest = (
            Fraction(channel.lean + channel.step * position, total) for position in (0, channel.inputs - 1)
        )
        text += " " + _(
            "The probability of “up” rises with the bin from %(low)s to %(high)s. The "
            "probabilities of “down” and “up” add up to %(both)s."
        ) % {
            "low": _probability(lowest),
            "high": _probability(highest),
            "both": _probability(Fraction(channel.coin, total)),
        }
    return text


def _location(windows: PlanarWindowChannel) -> str:
    area, several = windows.area, len(windows.levels) > 1
    parts = [
        _("a place, one of %(columns)s × %(rows)s cells.")
        % {"columns": count_text(area.columns), "rows": count_text(area.rows)},
        *(_level(level, number if several else None) for number, level in enumerate(windows.levels, start=1)),
    ]
    if several:
        parts.append(
            _(
                "At each earlier level, a place of a later level was first replaced, with the "
                "remaining probability, by a place of that level."
            )
        )
    if sum(level.cells for level in windows.levels) < area.columns * area.rows:
        probability = 1 - math.prod((level.truth for level in windows.levels), start=Fraction(1))
        parts.append(
            _(
                "A place outside the sensitive cells was replaced with probability %(chance)s "
                "by one of them, drawn in the same way. Otherwise it was sent as it is."
            )
            % {"chance": _probability(probability)}
        )
    return " ".join(parts)


def _level(level: PlanarLevel, number: int | None) -> str:
    cells = (
        _("sensitive cells")
        if number is None
        else _("sensitive cells of level %(number)s") % {"number": number}
    )
    facts = {"count": level.cells, "cells": cells, "chance": _probability(level.truth)}
    if level.tiles:
        sizes, tiles = [across * up for across, up in level.sizes], sum(map(math.prod, level.tiles))
        return _(
            "The %(count)s %(cells)s are divided into %(tiles)s tiles of %(least)s to %(most)s cells. A "
            "place in them was sent with probability %(chance)s as a cell of its own tile, otherwise as a "
            "cell of any tile, each equally likely. Within a tile, all cells were equally likely."
        ) % {
            **facts,
            "tiles": count_text(tiles),
            "least": count_text(min(sizes)),
            "most": count_text(max(sizes)),
        }
    return _(
        "A place in the %(count)s %(cells)s was sent with probability %(chance)s as a cell drawn uniformly "
        "from the window of %(window)s around it, otherwise as a cell drawn uniformly from all %(cells)s."
    ) % {
        **facts,
        "window": ngettext("%(size)s cell", "%(size)s cells", level.window)
        % {"size": count_text(level.window)},
    }


def _probability(share: Fraction) -> str:
    return f"{float(share):.6g}"


def sent_text(question: Question) -> str:
    """Describe the values in the column of a number or place question."""
    disguise = question.disguise
    if isinstance(disguise, PlanarWindowChannel):
        return _(
            "the cell that was sent: %(columns)s × its row + its column, counted from 0 in the south-west"
        ) % {"columns": count_text(disguise.area.columns)}
    if not isinstance(disguise, WindowChannel):
        return _("the number that was sent")
    if not disguise.window:
        return _("0 means that “down” was sent, 1 “up”")
    ticks = disguise.range
    facts = {
        "first": ticks.text(ticks.low),
        "second": ticks.text(ticks.low + ticks.bin),
        "last": disguise.window - 1,
        "down": disguise.grid_outputs,
        "up": disguise.grid_outputs + 1,
    }
    if disguise.is_as_answered:
        return _("the bin of the answer: 0 begins at %(first)s, 1 at %(second)s, and so on") % facts
    if disguise.grid_outputs == disguise.inputs:
        text = _("the bin that was sent: 0 begins at %(first)s, 1 at %(second)s, and so on") % facts
    else:
        text = (
            _(
                "the value that was sent: the window of bin b is b to b + %(last)s; "
                "bin 0 begins at %(first)s, 1 at %(second)s, and so on"
            )
            % facts
        )
    return text + _("; %(down)s means “down”, %(up)s “up”") % facts if disguise.coin else text
