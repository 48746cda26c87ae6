import subprocess
import sys
from typing import get_args

import pytest

from privacy.survey.question import KINDS, Kind
from tests.conftest import ROOT
from tests.fixtures.refusals import refused
from tests.vectors.designs import yes_no


def test_every_kind_has_a_class() -> None:
    assert tuple(KINDS) == get_args(Kind)
    assert len(set(KINDS.values())) == len(KINDS)


@pytest.mark.slow
def test_importing_questions_alone_makes_every_kind_known() -> None:
    code = "from privacy.survey.question import KINDS; import sys; print(*KINDS, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    # Designs without numbers and places load without numpy.
    assert done.stdout.split() == [*KINDS, "False"]


def test_kinds_that_share_a_coin_refuse_a_stored_disguise() -> None:
    question = yes_no("affair", 5000)
    document = {"mechanism": "keep"}
    assert type(question).read_disguise(document) == document
    with refused("disguise", "affair"):
        type(question)(
            key="affair",
            kind="yes_no",
            options=(),
            unrelated=(5000,),
            disguise=document,  # type: ignore[arg-type]
        )
