"""True answers exist only in the object of one phase of a visit, which is gone after sealing."""

import json
import re
from collections import Counter

import pytest

from tests.e2e.survey import ANSWERS

pytestmark = pytest.mark.django_db(transaction=True)

PHASES = {"Opening", "Asking", "Sealing", "Delivering"}


def phases_in_memory(page):
    """Return how many objects of each phase the page's memory holds after a garbage collection."""
    session = page.context.new_cdp_session(page)
    pieces = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: pieces.append(event["chunk"]))
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.detach()
    snapshot = json.loads("".join(pieces))
    fields = snapshot["snapshot"]["meta"]["node_fields"]
    (kinds, *_) = snapshot["snapshot"]["meta"]["node_types"]
    nodes, strings = snapshot["nodes"], snapshot["strings"]
    found = Counter()
    for place in range(0, len(nodes), len(fields)):
        node = dict(zip(fields, nodes[place : place + len(fields)], strict=True))
        name = strings[node["name"]]
        if kinds[node["type"]] == "object" and name in PHASES:
            found[name] += 1
    return found


def test_the_object_that_held_the_answers_is_gone_after_sealing(publish, visit):
    here = publish()
    there = visit(here).walk(ANSWERS)
    before = phases_in_memory(there.page)
    there.seal().delivered()
    after = phases_in_memory(there.page)
    assert before - after == Counter(Asking=1)
    assert after - before == Counter(Delivering=1)


@pytest.mark.soak
def test_the_search_of_memory_finds_planted_references_to_the_answers(publish, device, visit):
    here, context = publish(), device()

    def spoilt(route):
        # The phase that asks arrives first, and the one that seals with the delivery.
        script = route.fetch().text()
        head = "forget(){"
        assert script.count(head) == 1
        kept = "(window.kept??=[]).push(this);"
        route.fulfill(body=script.replace(head, head + kept), content_type="text/javascript")

    context.route(re.compile(r".*/program/[0-9a-f]+/(client|end)\.js"), spoilt)
    there = visit(here, context).walk(ANSWERS)
    there.seal().delivered()
    assert phases_in_memory(there.page) >= Counter(Asking=1, Sealing=1)
