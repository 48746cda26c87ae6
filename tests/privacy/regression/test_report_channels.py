"""Channels of a block's items: the product of its coins and decoys, written anew, for both groups."""

from __future__ import annotations

import itertools
from fractions import Fraction

from privacy.channels.retention import Retention
from privacy.regression.latent_answers import report_channels
from tests.vectors.designs import CHOICE, live, shielded, yes_no


def test_two_items_of_a_block_share_its_coin() -> None:
    design = live(shielded("b", 3000, yes_no("a", 6000), yes_no("c", 2000)), group=CHOICE)
    direct, protected = report_channels(design, [0, 1])
    assert isinstance(direct, Retention)
    assert isinstance(protected, Retention)
    p, a, c = Fraction(3, 10), Fraction(6, 10), Fraction(2, 10)
    rows = list(itertools.product((0, 1), repeat=2))
    for sent, true in itertools.product(range(4), repeat=2):
        decoy = (a if rows[sent][0] else 1 - a) * (c if rows[sent][1] else 1 - c)
        assert protected.matrix[sent, true] == p * (sent == true) + (1 - p) * decoy
        assert direct.matrix[sent, true] == (sent == true)
