"""What forged rows withhold, and the access to everything else."""

import itertools

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.withheld import NOTHING, Evidence, Withheld
from privacy.survey.design import Block, Design, GroupPolicy, Question
from tests.fixtures.refusals import refused

KEYS = ("a", "b", "c")


def design_of() -> Design:
    ask = {key: Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in KEYS}
    blocks = (("a", "b"), ("c",))
    return Design(
        group=GroupPolicy(),
        use="live",
        blocks=tuple(
            Block(
                key="+".join(keys),
                protected=True,
                truth_probability=5000,
                questions=tuple(ask[key] for key in keys),
            )
            for keys in blocks
        ),
    )


OWN = Withheld(questions={2: Evidence(rows=3, n=50)}, pairs={(0, 1): Evidence(rows=9, n=60)}, keys=KEYS)


def test_withheld_questions_are_read_by_nothing_and_everything_else_is() -> None:
    assert OWN.rows == 9
    sets = np.array([[0, -1], [1, -1], [2, -1], [0, 1], [0, 2]])
    assert OWN.allowed(design_of(), sets).tolist() == [True, True, False, False, False]
    assert [OWN.permits(read) for read in ([0], [1], [2], [0, 1])] == [True, True, False, False]
    assert not Withheld()


def test_all_ways_to_ask_agree_on_every_set_of_questions() -> None:
    """`permits`, `check`, `reason`, `allowed` and `check_columns` are one decision."""
    for size in range(1, 4):
        for questions in itertools.combinations(range(3), size):
            permitted = OWN.permits(questions)
            assert permitted == (OWN.reason(questions) is None)
            assert permitted == bool(OWN.allowed(design_of(), np.array([questions]))[0])
            for ask in (
                lambda own=questions: OWN.check(own),
                lambda own=questions: OWN.check_columns(design_of(), [own]),
            ):
                if permitted:
                    ask()
                else:
                    with refused("forged"):
                        ask()


def test_columns_that_are_not_items_are_never_withheld() -> None:
    design = design_of()
    asked = [design.asked_column(number) for number in range(3)]
    OWN.check_columns(design, [asked, [-1]])
    assert OWN.allowed(design, np.array([[own] for own in asked])).all()
    assert OWN.allowed(design, np.empty((0, 2), dtype=np.int64)).shape == (0,)


@pytest.mark.parametrize(
    ("questions", "words"), [([2], ("“c”", "3 of 50")), ([0, 1], ("“a”", "“b”", "9 of 60"))]
)
def test_the_reason_names_questions_and_rows(questions: list[int], words: tuple[str, ...]) -> None:
    reason = OWN.reason(questions)
    assert isinstance(reason, PrivacyError)
    assert all(word in str(reason) for word in words)


def test_a_stored_record_is_read_as_it_was() -> None:
    for own in (OWN, NOTHING, Withheld(blocks={0: Evidence(rows=1, n=2)}, keys=KEYS)):
        assert Withheld.from_json(own.to_json()) == own


def test_a_block_alone_counts_its_rows_and_withholds_nothing_by_itself() -> None:
    """Whoever finds a failing block lists its questions, too (`mining.report_checks.find_withheld`)."""
    own = Withheld(blocks={0: Evidence(rows=12, n=40)}, keys=KEYS)
    assert own
    assert own.rows == 12
    assert own.permits([0, 1, 2])
