"""Shares of values before and after a release."""

import pytest

from privacy.sdc.marginals import marginal
from privacy.sdc.published_labels import Domain, label_column
from tests.fixtures.tables import table_of
from tests.privacy.sdc.test_column_accuracy import AGES, NUMBERS


def test_a_marginal_spreads_each_label_over_what_it_can_mean():
    """Intervals of (31 - 20) / 10 = 1.1 years: 20 is in the first, 24 in the fourth, 25 in the fifth."""
    released = label_column("age", "quasi_identifier", ["[20,25]"] * 3 + ["young"])
    domain = Domain(name="age", numeric=True, leaves={"young": ("20", "31")})
    found = marginal(AGES, released, domain)
    assert len(found.cells) == 10
    assert (found.cells[0], found.cells[-1]) == ("20 to 21.1", "29.9 to 31")
    assert {cell: share for cell, share in enumerate(found.before) if share} == dict.fromkeys(
        (0, 3, 4, 9), 0.25
    )
    after = [(0, 0.25 + 0.125), (3, 0.25), (4, 0.25), (9, 0.125)]
    assert [(cell, pytest.approx(share)) for cell, share in enumerate(found.after) if share] == after
    assert found.distance == pytest.approx(0.125)
    assert found.crowd == (1, 0, 0, 1, 1, 0, 0, 0, 0, 1)


def test_a_star_of_numbers_can_mean_each_and_a_text_only_those_below_it():
    released = label_column("age", "quasi_identifier", ["*"] * 4)
    assert marginal(AGES, released, NUMBERS, bins=2).after == pytest.approx((0.75, 0.25))
    work = table_of(["work"], [("state",), ("city",), ("own",), ("own",)]).column("work")
    labels = label_column("work", "quasi_identifier", ["public", "public", "own", "own"])
    found = marginal(work, labels, Domain(name="work", numeric=False, leaves={"public": ("state", "city")}))
    assert dict(zip(found.cells, found.after, strict=True)) == {"state": 0.25, "city": 0.25, "own": 0.5}
    assert found.distance == 0
