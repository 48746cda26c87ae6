"""What releases add to tests of the whole product: see `tests.extensions`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from anonymisation.releases.new_release import upload_begin
from anonymisation.releases.release_queries import question_ask, question_read
from tests.anonymisation.made_releases import begun_release, made_release, opened_release

if TYPE_CHECKING:
    from tests.attack.learnt import Learnt
    from tests.attack.made_up import Effort
    from tests.faults.nth_call import Operation

ADDRESSES: Final = {
    "releases:begin":           ("builds 200",        "builds 422"),
    "releases:part":            ("405",               "builds 422"),
    "releases:columns":         ("builder 200",       "builder 422"),
    "releases:trees":           ("builder 200",       "builder 422"),
    "releases:study":           ("builder 200",       "builder 302"),
    "releases:bounds":          ("builder 200",       "builder 422"),
    "releases:matrix":          ("builder 200",       "builder 422"),
    # no column is protected
    "releases:release":         ("builder 302",       "405"),
    "releases:progress":        ("builder 200",       "405"),
    "releases:cancel":          ("405",               "builder 302"),
    "releases:erase":           ("405",               "builder 302"),
    # a finished release that accepts questions
    "releases:files":           ("builder 200",       "405"),
    "releases:list_json":       ("builds 200",        "405"),
    "releases:answer_json":     ("builds 422",        "405"),
    "releases:report":          ("builder 200",       "405"),
    "releases:ask":             ("builds 200",        "builds 422"),
    "releases:questions":       ("builder 200",       "405"),
    "releases:open":            ("405",               "builder 422"),
    "releases:shut":            ("405",               "builder 302"),
}  # fmt: skip


def arguments(owner: User) -> dict[str, Any]:
    """Upload a table and make a release; return their numbers."""
    raw = b"age,ill\n31,yes\n45,no\n"
    release = upload_begin(owner=owner, name="people.csv", raw=raw, now=timezone.now())
    return {"release_id": release.pk, "made_id": opened_release(owner).pk}


def api_queries(owner: User) -> list[tuple[str, str, dict[str, str]]]:
    """Return the list of releases, and a query of one."""
    release, question = opened_release(owner), {"question": "count where age < 40"}
    return [
        ("/releases.json", "releases.json", {}),
        ("/releases/{made_id}/answer.json", f"releases/{release.pk}/answer.json", question),
    ]


def pages(owner: User) -> list[str]:
    """Return the pages of a begun release, and of one that was queried."""
    release, begun = opened_release(owner), begun_release(owner)
    query = question_read("count where age between 22 and 29 and debt in (yes)")
    question, _answer = question_ask(release, query, by=release.owner, now=timezone.now())
    return [
        "releases/",
        *(f"releases/{begun.pk}/{step}/" for step in ("columns", "groups", "bounds", "matrix")),
        f"releases/{release.pk}/",
        f"releases/{release.pk}/ask/?question={question.pk}",
        f"releases/{release.pk}/questions/",
    ]


def pictures(owner: User) -> list[str]:
    """Return the page of a finished release."""
    return [reverse("releases:release", args=[made_release(owner).pk])]


def fill(owner: User) -> None:
    """Create a begun, a finished and an opened release."""
    begun_release(owner, name="begun.csv")
    made_release(owner, name="made.csv")
    opened_release(owner)


def operations() -> dict[str, Callable[[Path], Operation]]:
    """Return the publication of a table as files."""
    from tests.anonymisation.faults import Release

    return {"release": lambda folder: Release(folder / "release")}


def attacks() -> dict[str, Callable[[Path, Effort, int], Iterator[Learnt]]]:
    """Return the differencing attack on questions to a release."""
    from tests.anonymisation.release_questions import attack_questions

    return {
        "release": lambda _folder, effort, seed: iter(
            [attack_questions(effort.sought, np.random.default_rng(seed))]
        )
    }
