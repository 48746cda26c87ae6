"""A survey's whole life is recorded and passes; `test_planted_leaks` tests which leaks are found."""

import logging
from pathlib import Path

import pytest

from tests.attack.life import PARTS, live, log_to_file
from tests.attack.life_judged import LEVEL, attack_life

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_log")]


@pytest.mark.soak
def test_every_answer_is_traced_from_device_to_batch(tmp_path: Path) -> None:
    life = live(tmp_path, people=120)
    assert len(life.devices) == len(life.inbox) == 120
    assert {len(device.truth) for device in life.devices} == {PARTS}
    assert {device.row for device in life.devices} == {row for batch in life.batches for row in batch}
    assert (len(life.gone), len(life.pool)) == (70, 50)
    assert any(device.direct for device in life.devices)
    assert len(life.keys) >= 2
    assert any("web.log" in name for name in life.mined.files)
    assert any("/columns/" in name for name in life.mined.files)
    assert sum("/backup-" in name for name in life.mined.files) >= 4


@pytest.mark.soak
def test_all_eleven_attacks_pass_and_report_what_they_tried(tmp_path: Path) -> None:
    results = list(attack_life(tmp_path, people=120))
    assert len({each.attack for each in results}) == len(results) == 11
    assert [each.learnt for each in results if each.beyond_chance] == []
    assert pytest.approx(1e-8) == LEVEL
    assert all(each.tried and each.learnt and each.chance for each in results)


def test_log_messages_of_this_process_are_written_to_a_file(tmp_path: Path) -> None:
    with log_to_file(tmp_path):
        logging.getLogger("surveys.somewhere").error("a line")
        logging.getLogger("django.server").critical("another")
    said = (tmp_path / "command.log").read_text()
    assert said.splitlines() == ["a line", "another"]
