"""The page /metrics: the state of each part for monitors."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from surveys.server.health import installation_facts


@never_cache
@require_safe
def metrics(_request: HttpRequest) -> HttpResponse:
    """Return the state of each part in the OpenMetrics format, always with 200, because monitors expect it.

    The page counts neither rows, requests nor bytes, and reports no time and no age: stored once a minute,
    each would show when people answered. The collectors that the library registers by default (processor
    time, memory, file descriptors) would show it too, so this page has a registry of its own. A stranger who
    reaches it learns what `ready` tells strangers, and what an administrator has to do: two words each. The
    proxies in ``deploy`` refuse both.
    """
    # Imported here, because most installations never answer this page.
    from prometheus_client import CollectorRegistry, Gauge
    from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest

    facts = installation_facts()
    registry = CollectorRegistry()
    Gauge("sottovoce_ready", "Whether all parts work.", registry=registry).set(facts.is_ready)
    part_ok = Gauge("sottovoce_part_ok", "Whether a part works.", ["part", "status"], registry=registry)
    for part, status in {**facts.parts, **facts.chores}.items():
        part_ok.labels(part, status).set(status == "ok")
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
