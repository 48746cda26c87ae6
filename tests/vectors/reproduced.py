"""Recompute a case of the golden vectors in Python."""

from typing import Any

from privacy.coins import Coins
from privacy.survey.booklets import Booklet
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.grouping import draw_group
from privacy.survey.layout import Layout


def reproduced(
    design: Design, case: dict[str, Any], *, drawn: tuple[Booklet, ...] | None = None
) -> tuple[str, int, bool]:
    """Return the body, the number of words used, and whether unpacking restores the record."""
    coins = Coins(case["words"])
    by_lot = design.group.policy == "assigned"
    direct = draw_group(design, coins, place=case.get("invited")) if by_lot else case["choice"] == "direct"
    record = disguise(design, case["answers"], direct=direct, coins=coins, drawn=drawn)
    body = Layout(design).pack(record)
    return body.hex(), coins.words_read, Layout(design).unpack(body) == record
