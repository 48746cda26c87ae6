"""Numbers of people per arm."""

from privacy.estimation.arm_shares import share_test


def test_arm_sizes_are_tested_against_the_drawn_shares() -> None:
    assert share_test([3000, 3000, 4000], [0.3, 0.3, 0.4]) == 1.0
    # A planted fault: every tenth person drops out of one of two arms.
    assert share_test([2000, 1800], [0.5, 0.5]) < 0.002
    assert share_test([20_000, 18_000], [0.5, 0.5]) < 1e-20
