"""What many rows send under their draws is what each of them would send alone."""

import random

import numpy as np
import pytest

from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.row_coins import whole_numbers
from privacy.scales.sent_rows import SKIP, row_sent, rows_sent
from privacy.scales.skips import Skipping, least_refusal
from privacy.scales.window import WindowChannel
from tests.fixtures.scale_reports import sent
from tests.privacy.scales.test_planar_window import MAPS
from tests.privacy.scales.test_skips import BOUNDED
from tests.privacy.scales.test_window import BANDS

LAWS: dict[str, WindowChannel | PlanarWindowChannel] = {**BANDS, **MAPS, **BOUNDED}


def cases(
    law: WindowChannel | PlanarWindowChannel | Skipping, answers: list[int]
) -> tuple[list[int], list[int]]:
    """Return every answer with every draw, or with many draws including both ends."""
    if law.total * len(answers) <= 50_000:
        draws = list(range(law.total))
    else:
        rng = random.Random(law.total)
        draws = [0, law.total - 1, *(rng.randrange(law.total) for _ in range(60))]
    pairs = [(answer, draw) for answer in answers for draw in draws]
    return [answer for answer, _ in pairs], [draw for _, draw in pairs]


def some_answers(law: WindowChannel | PlanarWindowChannel) -> list[int]:
    return sorted({*range(0, law.inputs, -(-law.inputs // 100)), law.inputs - 1})


@pytest.mark.parametrize("name", LAWS)
def test_bulk_answers_match_answers_sent_singly(name: str) -> None:
    law = LAWS[name]
    answers, draws = cases(law, some_answers(law))
    reports = rows_sent(law, np.array(answers), whole_numbers(np.array(draws, dtype=object), below=law.total))
    assert reports.tolist() == [sent(law, *case) for case in zip(answers, draws, strict=True)]


@pytest.mark.parametrize("name", BOUNDED)
def test_bulk_answers_and_skips_match_those_sent_singly(name: str) -> None:
    inner = BOUNDED[name]
    law = Skipping(disguise=inner, refusal=max(least_refusal(inner), 3000))
    answers, draws = cases(law, [SKIP, *some_answers(inner)])
    reports = rows_sent(law, np.array(answers), whole_numbers(np.array(draws, dtype=object), below=law.total))
    alone = [
        sent(law, None if answer == SKIP else answer, draw)
        for answer, draw in zip(answers, draws, strict=True)
    ]
    assert reports.tolist() == [SKIP if one is None else one for one in alone]
    assert {SKIP} < set(reports.tolist())


def test_one_row_sends_what_the_reference_sends_and_a_skip_is_none() -> None:
    band = BANDS["keep"]
    assert [row_sent(band, 2, draw) for draw in range(band.total)] == [
        sent(band, 2, draw) for draw in range(band.total)
    ]
    skipping = Skipping(disguise=band, refusal=least_refusal(band))
    for answer in (None, 0, 5):
        for draw in range(0, skipping.total, skipping.total // 40):
            assert row_sent(skipping, answer, draw) == sent(skipping, answer, draw)
    assert row_sent(skipping, None, skipping.total - 1) is None
