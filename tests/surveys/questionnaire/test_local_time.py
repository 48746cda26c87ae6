from surveys.questionnaire.local_time import time_zones


def test_time_zone_choices_are_places_and_utc() -> None:
    zones = time_zones()
    assert zones[0] == "UTC"
    assert {"Europe/Berlin", "Asia/Shanghai", "America/Argentina/Buenos_Aires"} <= set(zones)
    assert not {"EST5EDT", "Etc/GMT+5", "localtime"} & set(zones)
