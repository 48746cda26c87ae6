"""Checks and attacks of a table equal counts in dictionaries, in records and in people."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from privacy.sdc.verification import attack, verify
from privacy.tables.columns import ReadTable

ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("12345"), st.sampled_from("pq")),
    min_size=2,
    max_size=30,
).filter(lambda rows: len({row[2] for row in rows}) > 1)


@given(ROWS)
def test_classes_values_and_people_are_counted(rows: list[tuple[str, str, str, str]]) -> None:
    table = ReadTable.of_rows(["town", "ill", "nr", "room"], rows)
    for person in ("", "nr"):
        people, values, rooms = defaultdict(set), defaultdict(set), defaultdict(set)
        in_town = defaultdict(set)
        for number, (town, ill, owner, room) in enumerate(rows):
            one = owner if person else str(number)
            people[town].add(one)
            values[town].add((ill, one))
            rooms[room].add(one)
            in_town[town, room].add(one)
        columns = {"quasi_identifiers": "town", "sensitive": "ill", "respondent": person or ()}
        check, result = verify(table, **columns), attack(table, **columns)
        sizes = {town: len(own) for town, own in people.items()}
        assert (check.k, check.classes) == (min(sizes.values()), len(sizes))
        assert check.people == (len({row[2] for row in rows}) if person else None)
        # Someone who finds the class knows a value that everyone in it has.
        certain = sum(
            size
            for town, size in sizes.items()
            if any(len({one for value, one in values[town] if value == ill}) == size for ill in "xy")
        )
        if not person:
            assert result.certain["ill"] == certain
            assert check.l == min(len({ill for ill, _one in own}) for own in values.values())
        targets = len({row[2] for row in rows}) if person else len(rows)
        assert result.targets == targets
        if not person:
            assert result.fewest == min(sizes.values())
            assert result.identified == sum(size == 1 for size in sizes.values())
        alone = {one for own in rooms.values() if len(own) == 1 for one in own}
        assert check.alone.get("room", 0) == result.alone.get("room", 0) == len(alone)
        # Someone who knows the town and the room.
        both = {one for own in in_town.values() if len(own) == 1 for one in own}
        assert check.alone_in_class.get("room", len(alone)) == len(both)


def test_a_weight_that_two_people_of_different_classes_share_is_named() -> None:
    """Alone, no weight is unique. Before, verify named none of them."""
    rows = [(town, "xy"[nr % 2], f"0.{nr}") for town in "ab" for nr in range(1, 6)]
    check = verify(ReadTable.of_rows(["town", "ill", "w"], rows), quasi_identifiers="town", sensitive="ill")
    assert (check.alone, check.alone_in_class) == ({}, {"w": 10})
    assert "Together with the quasi-identifiers, these columns single out records: w (10 records)." in str(
        check.summary()
    )
