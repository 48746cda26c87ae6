"""Ledgers are read, refused and compared."""

import json

import pytest

from anonymisation.microdata.ledgers import Ledger, earlier_check, ledger_load
from privacy.errors import PrivacyError
from tests.fixtures.tables import table_of

ROWS = [("a", "flu"), ("a", "cold"), ("b", "flu"), ("b", "cold")]


def ledger(rows=ROWS, people="wxyz", salt=None, names=("zip", "disease"), l_value=1):
    table = table_of(names, rows, sensitive=["disease"], insensitive=["job"])
    return Ledger.of(table, list(people), k=2, l_value=l_value, salt=salt)


def test_a_saved_ledger_loads_unchanged(tmp_path):
    mine = ledger()
    mine.save(tmp_path / "l.json")
    assert ledger_load(tmp_path / "l.json") == mine


def test_digests_of_people_match_only_under_the_same_salt():
    mine = ledger()
    assert ledger(salt=mine.salt).respondents == mine.respondents
    assert set(ledger().respondents).isdisjoint(mine.respondents)


def test_comparing_a_release_with_itself_finds_no_leak():
    mine = ledger()
    earlier_check(mine, mine)


def test_a_release_with_other_classes_is_refused_with_counts_and_remedy():
    mine = ledger()
    other = ledger([("p", "flu"), ("q", "cold"), ("p", "flu"), ("q", "cold")], salt=mine.salt)
    with pytest.raises(PrivacyError, match="for 4 people, fewer than k = 2"):
        earlier_check(mine, other)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_shared_column_must_not_reveal_values_that_only_one_release_publishes(swapped):
    """The first release hides among cooks that all nurses have flu; the second shows who the nurses are."""
    rows = [("a", "nurse", "flu")] * 2 + [("a", "cook", "cold")] * 2
    mine = ledger(rows, names=("zip", "job", "disease"), l_value=2)
    other = ledger([("p", "nurse")] * 2 + [("q", "cook")] * 2, names=("zip", "job"), salt=mine.salt)
    with pytest.raises(PrivacyError, match="too few values of 'disease' remain"):
        earlier_check(*((other, mine) if swapped else (mine, other)))


@pytest.mark.parametrize("text", ["", "{}", '{"sotto_ledger": 2}', "[]", '{"sotto_ledger": 1}'])
def test_files_that_are_not_ledgers_are_rejected(tmp_path, text):
    path = tmp_path / "l.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PrivacyError, match="is not the ledger of a release"):
        ledger_load(path)


def test_a_ledger_file_is_plain_json(tmp_path):
    ledger().save(tmp_path / "l.json")
    document = json.loads((tmp_path / "l.json").read_text(encoding="utf-8"))
    assert set(document) == {
        "sotto_ledger",
        "salt",
        "respondents",
        "classes",
        "columns",
        "sensitive",
        "k",
        "l_value",
        "l_of",
        "counted",
        "spelling",
    }


def test_spellings_of_one_person_match_in_two_releases():
    mine = ledger(people=["7", "8", "Ann", "9\x1f2"])
    theirs = ledger(people=["7.0", "008", "ann ", "9.0\x1f02"], salt=mine.salt)
    assert theirs.respondents == mine.respondents
    assert mine.previous_class(["07", "1"]) == [mine.classes[0], -1]


def test_ledgers_of_earlier_programs_are_compared_as_they_were_written(tmp_path):
    mine = ledger(people=["7", "8", "Ann", "Lee"])
    table = table_of(("zip", "disease"), ROWS, sensitive=["disease"], insensitive=["job"])
    old = Ledger.of(table, ["7", "8", "Ann", "Lee"], k=2, l_value=1, salt=mine.salt, spelling="")
    document = {name: value for name, value in old.document().items() if name != "spelling"}
    (tmp_path / "old.json").write_text(json.dumps(document))
    read = ledger_load(tmp_path / "old.json")
    assert read == old
    assert read.previous_class(["7", "Ann", "ann"]) == [read.classes[0], read.classes[2], -1]
    assert read.respondents[:2] == mine.respondents[:2]
    assert read.respondents[2] != mine.respondents[2]
    (tmp_path / "new.json").write_text(json.dumps(document | {"spelling": "newer"}))
    with pytest.raises(PrivacyError, match="newer program"):
        ledger_load(tmp_path / "new.json")
