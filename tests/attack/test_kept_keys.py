"""Current keys open no mixed row in logs and old copies; if a key were kept, they would open all."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from surveys.intake import mix as mixer
from surveys.intake.keys import Keyring
from surveys.intake.sealed_boxes import PublicKey
from surveys.models import Version
from tests.attack.kept_keys import attack_kept_keys
from tests.attack.learnt import Learnt

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("own_log", "own_mixer_keys"),
    pytest.mark.soak,
]

FEW = (120, 10)


def found(folder: Path, answers: Sequence[int]) -> list[Learnt]:
    opened, paired, said = attack_kept_keys(folder / "copies", answers=answers)
    assert said.beyond_chance is None
    return [opened, paired]


def test_keys_from_ten_minutes_later_open_and_match_no_mixed_row(tmp_path: Path) -> None:
    opened, paired = found(tmp_path, FEW)
    assert opened.tried == "150 rows of 2 surveys, 10 rounds, ten minutes later"
    assert opened.learnt.startswith("0 of ")
    assert [opened.beyond_chance, paired.beyond_chance] == [False, False]


def test_a_key_shared_by_all_surveys_lets_most_rows_be_matched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The naive target, which must be broken: an earlier mixer with one key for all surveys."""

    def shared(keyring: Keyring, ready: Sequence[tuple[Version, int]]) -> dict[int, PublicKey]:
        key = keyring.offer_shared() if ready else None
        return {version.pk: key for version, _least in ready if key is not None}

    monkeypatch.setattr(mixer, "_offer_keys", shared)
    opened, paired = found(tmp_path, (200, 10))
    # The attack misses boxes that cross a page boundary in PostgreSQL's log.
    assert int(opened.learnt.split()[0]) > 150
    assert int(paired.learnt.split()[0]) > 150
    assert [opened.beyond_chance, paired.beyond_chance] == [True, True]
