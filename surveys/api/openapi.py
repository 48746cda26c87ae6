"""The document that describes the interface (OpenAPI 3.1), made of its addresses and schemas."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from django.conf import settings

from surveys.api.door import PROBLEM, everybody_may_read
from surveys.api.paging import LARGEST_PAGE
from surveys.api.schemas import SCHEMAS, TEXT, ZIP, Schema, list_of, page_of, reference, whole
from surveys.export.sending import TYPES
from surveys.extension import extensions
from surveys.figures.itemsets import SORTS as ITEMSET_SORTS
from surveys.models import Job, Survey
from surveys.report.forms import RuleFilterForm

Parameter = dict[str, Any]


def query(name: str, schema: Schema, description: str) -> Parameter:
    """Return a parameter behind the question mark."""
    return {"name": name, "in": "query", "schema": schema, "description": description}


def in_path(name: str, schema: Schema) -> Parameter:
    """Return a parameter that is a part of the address."""
    return {"name": name, "in": "path", "required": True, "schema": schema}


PAGES: Final = (
    query("page", {"type": "integer", "minimum": 1, "default": 1}, "Which page."),
    query(
        "page_size",
        {"type": "integer", "minimum": 1, "maximum": LARGEST_PAGE, "default": 50},
        "Entries on a page.",
    ),
)
_SLUG: Final = in_path("slug", {"type": "string"})
_RUN: Final = in_path("run_id", {"type": "integer"})
_QUESTION: Final = in_path("question", {"type": "string"})
_ITEM: Final = query("item", {"type": "string"}, "Only with this item: its key, as prevalences name it.")
_TEXT: Final = query("text", {"type": "string"}, "Only with these words in a question or an answer.")


def _enum(values: list[str]) -> Schema:
    return {"type": "string", "enum": values}


def _rule_filters() -> list[Parameter]:
    """Return the filters of the table of rules, read from its form."""
    fields = RuleFilterForm({}, items=[], longest=2).fields
    filters = []
    for name, field in fields.items():
        if name in ("page", "size", "measures", "item", "text"):
            continue
        choices = [str(value) for value, _label in getattr(field, "choices", ()) if value != ""]
        schema: Schema = {"type": "number"}
        if name == "length":
            schema = {"type": "integer", "minimum": 2}
        elif choices:
            schema = _enum(choices)
        filters.append(query(name, schema, str(field.label or "Order; a minus before it: largest first.")))
    return filters


def _of_run(**figures: Schema) -> Schema:
    return whole({"run": reference("Run"), "method": reference("Method"), **figures})


def _listed_of_run(entry: Schema) -> Schema:
    return page_of(entry, run=reference("Run"), method=reference("Method"))


def _addresses() -> dict[str, tuple[str, list[Parameter], Schema]]:
    """Return summary, parameters and answer schema of each address."""
    state, practice = (
        query("state", _enum(list(Survey.State.values)), "Only in this state."),
        query("practice", _enum(["true", "false"]), "Only practice surveys, or none of them."),
    )
    survey = SCHEMAS["Survey"]
    with_designs = whole(survey["properties"] | {"designs": list_of(reference("Design"))})
    with_label = whole(SCHEMAS["Version"]["properties"] | {"label": reference("Label")})
    itemset_filters = [
        _TEXT,
        _ITEM,
        query("length", {"type": "integer", "minimum": 1}, "Only with so many items."),
        query("least", {"type": "number"}, "Only with a support of at least this."),
        query("sort", _enum([value for value, _label in ITEMSET_SORTS]), "Order; a minus: largest first."),
    ]
    smoothing = query("smoothing", _enum(["on", "off"]), "Whether the density is smoothed.")
    return {
        "me": ("Whose token it is", [], reference("Me")),
        "surveys": ("Surveys", [*PAGES, state, practice], page_of(reference("Survey"))),
        "surveys/{slug}": ("One survey", [_SLUG], with_designs),
        "surveys/{slug}/versions": ("Its versions", [_SLUG, *PAGES], page_of(reference("Version"))),
        "surveys/{slug}/versions/{number}": (
            "One version, with what it asks and promises",
            [_SLUG, in_path("number", {"type": "integer"})],
            with_label,
        ),
        "surveys/{slug}/runs": (
            "Its runs",
            [_SLUG, *PAGES, query("state", _enum(list(Job.State.values)), "Only in this state.")],
            page_of(reference("Run")),
        ),
        "runs/{run_id}": ("One run", [_RUN], reference("Run")),
        "runs/{run_id}/prevalences": (
            "The share of each answer",
            [_RUN],
            _of_run(questions=reference("Prevalences")),
        ),
        "runs/{run_id}/itemsets": (
            "Itemsets",
            [_RUN, *PAGES, *itemset_filters],
            _listed_of_run(reference("Itemset")),
        ),
        "runs/{run_id}/rules": (
            "Rules",
            [_RUN, *PAGES, _TEXT, _ITEM, *_rule_filters()],
            _listed_of_run(reference("Rule")),
        ),
        "runs/{run_id}/arms": (
            "The groups of an experiment",
            [
                _RUN,
                query("by", TEXT, "By what chance divided people; without it the first division."),
                query("margins", TEXT, "Shares in the population, for weights: age:young=0.4,old=0.6;…"),
            ],
            _of_run(divisions=list_of(TEXT), arms=list_of(reference("Arm"))),
        ),
        "runs/{run_id}/numbers/{question}": (
            "A number question",
            [_RUN, _QUESTION],
            _of_run(number=reference("Number")),
        ),
        "runs/{run_id}/places/{question}": (
            "A place question, as GeoJSON",
            [_RUN, _QUESTION, smoothing],
            _of_run(place=reference("Place")),
        ),
        "runs/{run_id}/audit": (
            "What rows tell about those who sent them",
            [_RUN],
            _of_run(audit=reference("Audit")),
        ),
        "runs/{run_id}/label": (
            "What answers were disguised by",
            [_RUN],
            whole({"run": reference("Run"), "label": reference("Label")}),
        ),
        "runs/{run_id}/rows": (
            "Disguised rows with codebook, figures and scripts",
            [_RUN, query("kind", _enum(list(TYPES)) | {"default": "zip"}, "Or rows alone, or the codebook.")],
            ZIP,
        ),
    }


@lru_cache(maxsize=1)
def document() -> dict[str, Any]:
    """Return the document."""
    plugged = [app.api() for app in extensions()]
    addresses, schemas = _addresses(), dict(SCHEMAS)
    for part in plugged:
        addresses.update(part.described)
        schemas.update(part.schemas)
    language = query(
        "language",
        _enum([tag for tag, _name in settings.LANGUAGES]) | {"default": "en"},
        "Of titles and texts.",
    )
    problem = {"content": {PROBLEM: {"schema": reference("Problem")}}, "description": "A refusal"}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sotto",
            "version": "1",
            "summary": "What the pages of a member of staff tell, for programs. It only reads.",
            "description": (
                "A token is made on the page of an account and sent as “Authorization: Bearer TOKEN”. It "
                "opens what its owner's pages tell and no more. Shares are estimates from disguised answers: "
                "they are not clipped, and each comes with its interval."
                + "".join(f" {part.note}" for part in plugged if part.note)
            ),
        },
        "servers": [{"url": "/api/v1"}],
        "security": [{"token": []}],
        "paths": {
            f"/{address}": {
                "get": {
                    "summary": summary,
                    "operationId": address.replace("/", "_").replace("{", "").replace("}", ""),
                    "parameters": [*given, language],
                    "responses": {
                        "200": {
                            "description": summary,
                            "content": {
                                schema.get("contentMediaType", "application/json"): {"schema": schema}
                            },
                        },
                        "default": problem,
                    },
                }
            }
            for address, (summary, given, schema) in addresses.items()
        },
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


openapi = everybody_may_read(document)
