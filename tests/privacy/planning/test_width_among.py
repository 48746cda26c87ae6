"""The width of a share among people who have one of several options."""

import pytest

from privacy.planning.power import AskedItem
from privacy.planning.precision import half_width
from privacy.planning.width_among import width_among


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5])
@pytest.mark.parametrize("truth", [0.3, 0.6])
def test_a_share_among_everyone_is_as_wide_as_a_share(share: float, truth: float) -> None:
    shares, decoys = [1 - 1.5 * share, share / 2, share], [0.3, 0.4, 0.3]
    among = {"truth": truth, "decoys": decoys, "shares": shares, "option": 2, "people": 300}
    whole = width_among(among=[0, 1, 2], **among)  # type: ignore[arg-type]
    plain = half_width(AskedItem(truth=truth, decoy=decoys[2], share=shares[2]), 300)
    assert whole == pytest.approx(plain, rel=1e-9)
    # Of fewer people, a share is less exact.
    assert width_among(among=[1, 2], **among) > whole  # type: ignore[arg-type]
