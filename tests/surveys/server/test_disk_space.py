"""Free space on the disks of the home and of the database."""

from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from surveys.server import disk_space

Usage = namedtuple("Usage", "total free")


@pytest.mark.only("sqlite")
@pytest.mark.parametrize("full", ["home", "database"])
def test_the_fuller_of_two_disks_counts(
    full: str, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SOTTOVOCE_HOME = tmp_path
    places = {"home": tmp_path, "database": Path(str(connection.settings_dict["NAME"])).parent}
    usage = {place: Usage(200, 20 if name == full else 150) for name, place in places.items()}
    monkeypatch.setattr("shutil.disk_usage", usage.__getitem__)
    assert len(usage) == 2
    assert (disk_space.free_bytes(), disk_space.free_share()) == (20, 0.1)
