"""Records are published in an order that nobody can compute again."""

import random
import secrets

import pytest

from anonymisation.microdata.record_order import shuffled_order


def test_an_order_has_every_record_once() -> None:
    for n in (0, 1, 2, 100):
        assert sorted(shuffled_order(n)) == list(range(n))


def test_a_seed_does_not_repeat_an_order() -> None:
    """Two orders of 100 records are equal with a probability of 1 in 100!."""
    random.seed(7)
    first = shuffled_order(100)
    random.seed(7)
    assert shuffled_order(100) != first


def test_the_order_is_drawn_by_the_systems_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    class Reversing:
        def shuffle(self, order: list[int]) -> None:
            order.reverse()

    monkeypatch.setattr(secrets, "SystemRandom", Reversing)
    assert shuffled_order(3) == [2, 1, 0]
