import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.sequential_release import Snapshot, cross, refines


def release(people, classes, values, shared=()):
    return Snapshot(
        respondents=tuple(people),
        classes=Classes.from_numbers(classes),
        values=tuple(values),
        shared=tuple(shared),
    )


def possible_by_assignment(earlier, later):
    """Return every person's possible values, by trying all assignments that agree with both releases."""
    people = list(dict.fromkeys([*earlier.respondents, *later.respondents]))
    spots = {}
    for name, one in (("a", earlier), ("b", later)):
        for person, number in zip(one.respondents, one.classes.number.tolist(), strict=True):
            spots.setdefault(person, {})[name] = number
    shown = {
        name: {
            number: sorted(
                value
                for value, its in zip(one.values, one.classes.number.tolist(), strict=True)
                if its == number
            )
            for number in range(one.classes.count)
        }
        for name, one in (("a", earlier), ("b", later))
    }
    pool = {}
    for one in (earlier, later):
        pool.update(zip(one.respondents, one.values, strict=True))
    domain = sorted(set(pool.values()))
    found = {person: set() for person in people}

    def walk(place, given):
        if place == len(people):
            for name in ("a", "b"):
                for number, values in shown[name].items():
                    mine = sorted(given[person] for person in people if spots[person].get(name) == number)
                    if mine != values:
                        return
            for person in people:
                found[person].add(given[person])
            return
        for value in domain:
            walk(place + 1, {**given, people[place]: value})

    walk(0, {})
    return found


def test_two_individually_safe_releases_can_identify_one_person():
    """Both releases of six people are 3-anonymous with 2 values, but together they reveal Ann's value."""
    people = ["Ann", "Ben", "Cid", "Dot", "Eve", "Fay"]
    values = ["flu", "cold", "cold", "ulcer", "ulcer", "flu"]
    first = release(people, [0, 0, 0, 1, 1, 1], values)
    second = release(people, [0, 1, 1, 0, 0, 1], values)
    found = cross(first, second, k=3, l_value=2)
    assert not found.holds
    assert found.complementary
    leak = next(one for one in found.leaks if one.respondents == ("Ann",))
    assert leak.values == ("flu",) == tuple(possible_by_assignment(first, second)["Ann"])
    assert leak.kind == "complementary"


def test_a_person_who_joins_later_is_identified_by_subtraction():
    first = release("abc", [0, 0, 0], ["flu", "cold", "cough"])
    second = release("abcd", [0, 0, 0, 0], ["flu", "cold", "cough", "ulcer"])
    found = cross(first, second, k=2, l_value=2)
    new = next(one for one in found.leaks if one.kind == "new")
    assert (new.respondents, new.values, new.candidates) == (("d",), ("ulcer",), 1)
    assert possible_by_assignment(first, second)["d"] == {"ulcer"}


def test_a_person_who_leaves_is_identified_by_subtraction():
    first = release("abcd", [0, 0, 0, 0], ["flu", "cold", "cough", "ulcer"])
    second = release("abc", [0, 0, 0], ["flu", "cold", "cough"])
    gone = next(one for one in cross(first, second, k=2).leaks if one.kind == "gone")
    assert gone.values == ("ulcer",)


def test_new_respondents_in_separate_classes_leak_nothing():
    first = release("abc", [0, 0, 0], ["flu", "cold", "cough"])
    second = release("abcdef", [0, 0, 0, 1, 1, 1], ["flu", "cold", "cough", "flu", "ulcer", "cold"])
    assert cross(first, second, k=3, l_value=3).holds


def test_coarsening_an_earlier_release_leaks_nothing():
    values = ["flu", "cold"] * 4
    first = release("abcdefgh", [0, 0, 1, 1, 2, 2, 3, 3], values)
    second = release("abcdefgh", [0, 0, 0, 0, 1, 1, 1, 1], values)
    assert refines(first, second)
    assert not refines(second, first)
    # Two later classes, of which the first is number 0.
    assert not refines(release("ab", [0, 0], "xy"), release("ab", [0, 1], "xy"))
    assert cross(first, second, k=2, l_value=2).holds


def test_a_shared_column_links_the_records_of_two_releases():
    """Without the colour both values stay possible for everyone; with it, records can be paired."""
    values = ["flu", "flu", "cold", "cold", "cold", "cold", "flu", "flu"]
    colours = ["red", "red", "blue", "blue", "green", "green", "gold", "gold"]
    first, second = ([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1])
    plain = cross(release("abcdefgh", first, values), release("abcdefgh", second, values), k=2, l_value=2)
    assert plain.holds
    joined = cross(
        release("abcdefgh", first, values, colours),
        release("abcdefgh", second, values, colours),
        k=2,
        l_value=2,
    )
    assert [(leak.respondents, leak.values) for leak in joined.leaks] == [
        (("a", "b"), ("flu",)),
        (("c", "d"), ("cold",)),
        (("e", "f"), ("cold",)),
        (("g", "h"), ("flu",)),
    ]


people_and_classes = st.lists(
    st.tuples(st.integers(-1, 1), st.integers(-1, 1), st.integers(0, 2)).filter(
        lambda one: one[:2] != (-1, -1)
    ),
    min_size=2,
    max_size=6,
).filter(lambda rows: any(row[0] >= 0 for row in rows) and any(row[1] >= 0 for row in rows))


@settings(deadline=None, max_examples=40)
@given(people_and_classes)
def test_every_value_an_attacker_could_believe_is_kept_and_certain_ones_are_found(rows):
    """The values found include every value of every consistent assignment."""
    first = [(f"p{place}", row[0], f"v{row[2]}") for place, row in enumerate(rows) if row[0] >= 0]
    second = [(f"p{place}", row[1], f"v{row[2]}") for place, row in enumerate(rows) if row[1] >= 0]
    one, two = (release(*zip(*part, strict=True)) for part in (first, second))
    exact = possible_by_assignment(one, two)
    found = cross(one, two, k=10**6, l_value=1)
    for leak in found.leaks:
        for person in leak.respondents:
            assert exact[person] <= set(leak.values)
    listed = {person for leak in cross(one, two, k=1, l_value=2).leaks for person in leak.respondents}
    assert {person for person, values in exact.items() if len(values) == 1} <= listed


def test_sensitive_values_that_changed_between_releases_are_rejected():
    with pytest.raises(PrivacyError, match="2 people have other sensitive values"):
        cross(release("ab", [0, 0], ["flu", "cold"]), release("ab", [0, 0], ["cold", "flu"]), k=1)


def test_leaks_in_large_regrouped_releases_are_found():
    """Two hundred people are regrouped; only the first is new in her class, which reveals her value."""
    rng = np.random.default_rng(7)
    people = [f"p{place}" for place in range(200)]
    values = rng.choice(["a", "b", "c"], size=200).tolist()
    classes = np.repeat(np.arange(40), 5)
    first = release(people[1:], classes[1:], values[1:])
    regrouped = np.concatenate([classes[:5], 1 + rng.permutation(classes[5:])])
    second = release(people, regrouped, values)
    listed = {person for leak in cross(first, second, k=1, l_value=2).leaks for person in leak.respondents}
    assert "p0" in listed


def test_duplicate_respondents_in_a_release_are_rejected():
    with pytest.raises(PrivacyError, match="occurs twice"):
        release("aa", [0, 0], ["x", "y"])


def test_exact_solving_finds_leaks_that_single_sums_miss():
    """Only all sums together reveal that the first of five people has value v0."""
    rows = [(0, -1, "v0"), (1, 1, "v1"), (1, 0, "v0"), (0, 0, "v1"), (0, 1, "v0")]
    first = [(f"p{place}", row[0], row[2]) for place, row in enumerate(rows)]
    second = [(f"p{place}", row[1], row[2]) for place, row in enumerate(rows) if row[1] >= 0]
    earlier, later = (release(*zip(*part, strict=True)) for part in (first, second))
    assert possible_by_assignment(earlier, later)["p0"] == {"v0"}
    leak = next(one for one in cross(earlier, later, k=1, l_value=2).leaks if one.respondents == ("p0",))
    assert leak.values == ("v0",)


def test_the_numbering_of_classes_does_not_change_the_findings():
    """The later release has no values, but joins the colours of one class with their values in the other."""
    values = ["flu", "flu", "cold", "cold", "cold", "cold", "flu", "flu"]
    colours = ["red", "red", "blue", "blue", "red", "red", "blue", "blue"]
    leaks = []
    for earlier, later in itertools.product(([0, 1], [1, 0]), repeat=2):
        first = release("abcdefgh", np.repeat(earlier, 4), values, colours)
        second = release("abcdefgh", np.tile(np.repeat(later, 2), 2), [""] * 8, colours)
        found = cross(replace(first, is_joined=False), replace(second, is_joined=False), k=2, l_value=2)
        leaks.append({(leak.respondents, leak.values) for leak in found.leaks})
    assert leaks[0] == leaks[1] == leaks[2] == leaks[3]
    assert leaks[0] == {(tuple(pair), (value,)) for pair, value in
                        (("ab", "flu"), ("cd", "cold"), ("ef", "cold"), ("gh", "flu"))}  # fmt: skip
