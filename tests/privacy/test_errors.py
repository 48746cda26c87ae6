import pickle

import pytest

from privacy.errors import (
    AnswerError,
    CoinsError,
    DesignError,
    ParameterError,
    PayloadError,
    PrivacyError,
)


@pytest.mark.parametrize("kind", [AnswerError, CoinsError, DesignError, ParameterError, PayloadError])
def test_every_refusal_is_caught_by_the_base_class_and_survives_a_journey_between_processes(
    kind: type[PrivacyError],
) -> None:
    sent = kind("truth_probability", "p = 0 carries no information", 0, "choose p > 0")
    arrived = pickle.loads(pickle.dumps(sent))
    assert isinstance(arrived, PrivacyError)
    assert type(arrived) is kind
    assert (arrived.code, arrived.value, arrived.remedy) == ("truth_probability", 0, "choose p > 0")
    assert str(arrived) == "p = 0 carries no information; choose p > 0"
