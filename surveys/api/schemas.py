"""Schemas of what the interface answers, made of the very names that records are made of."""

from __future__ import annotations

from typing import Any, Final

from surveys.api import records
from surveys.figures.tables import ITEMSET_COLUMNS, RULE_COLUMNS
from surveys.models import Job, Survey
from surveys.report.arm_words import COLUMNS as ARM_COLUMNS

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "number"}
WHOLE: Final[Schema] = {"type": "integer", "minimum": 0}
YES_NO: Final[Schema] = {"type": "boolean"}
DAY: Final[Schema] = {"type": "string", "format": "date"}
MOMENT: Final[Schema] = {"type": "string", "format": "date-time"}
ANY_OBJECT: Final[Schema] = {"type": "object"}
MEASURE: Final[Schema] = {
    "type": ["number", "string", "null"],
    "description": "Null where it cannot be estimated; “Infinity” or “-Infinity” for an end without bound.",
}


def or_null(schema: Schema) -> Schema:
    """Return a schema that null meets too.

    >>> or_null({"type": "string"})
    {'type': ['string', 'null']}
    """
    return schema | {"type": [schema["type"], "null"]}


def list_of(schema: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": schema}


def reference(name: str) -> Schema:
    """Return a reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def whole(properties: dict[str, Schema], *, description: str = "") -> Schema:
    """Return the schema of an object with these members, all of them there and no others."""
    extra = {"description": description} if description else {}
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
        **extra,
    }


def page_of(entry: Schema, **beside: Schema) -> Schema:
    """Return the schema of a page of a list."""
    return whole(
        {
            **beside,
            "data": list_of(entry),
            "page": WHOLE,
            "page_size": WHOLE,
            "pages": WHOLE,
            "total": WHOLE,
            "next": or_null(TEXT) | {"description": "Address of the next page; null on the last."},
        }
    )


ZIP: Final[Schema] = {"type": "string", "contentMediaType": "application/zip"}
"""A file."""

_TEXTS: Final = frozenset({"error_is", "antecedent_label", "consequent_label"})
_ITEMS: Final = frozenset({"antecedent", "consequent", "items"})


def _column(name: str) -> Schema:
    if name in _ITEMS:
        return list_of(TEXT)
    if name in _TEXTS:
        return TEXT
    if name in ("n", "size"):
        return WHOLE
    if name in ("few_rows", "shown_because_estimable"):
        return YES_NO
    if name in ("passes", "maximal"):
        return or_null(YES_NO)
    if name == "redundant_by":
        return or_null(TEXT)
    return MEASURE


_OF_ARMS: Final = {
    **dict.fromkeys(("by", "group", "role", "outcome", "outcome_label"), TEXT),
    "people": WHOLE,
    "joint_degrees": or_null(WHOLE),
    "weighted": YES_NO,
    "expected": or_null(TEXT),
    "invited": or_null(WHOLE),
}


def _arm_column(name: str) -> Schema:
    return _OF_ARMS.get(name, or_null(NUMBER))


_ITEM: Final = whole({"item": TEXT, "answer": TEXT})
_STRENGTH: Final = or_null(
    whole(
        {
            "truth_probability": or_null(NUMBER),
            "amplification": or_null(NUMBER),
            "epsilon": MEASURE,
            "exact_outside": YES_NO,
            "anchor": YES_NO,
            "skip_probability": or_null(NUMBER),
        },
        description="What a disguised part promises at most; null for a part that is sent as it is.",
    )
)
_KINDS: Final[Schema] = {"type": "string", "description": "yes_no, single, multiple, number, place, …"}

SCHEMAS: Final[dict[str, Schema]] = {
    "Problem": whole(
        {
            "type": TEXT,
            "title": TEXT,
            "status": WHOLE,
            "detail": TEXT,
            "code": TEXT,
            "value": {"type": ["string", "number", "boolean", "null"]},
            "remedy": TEXT,
        },
        description="A refusal (RFC 9457). Programs read its code, people detail and remedy.",
    ),
    "Me": whole({"name": TEXT, "roles": list_of(TEXT)}),
    "Survey": whole(
        dict(
            zip(
                records.SURVEY,
                (
                    TEXT,
                    TEXT,
                    {"type": "string", "enum": list(Survey.State.values)},
                    YES_NO,
                    or_null(TEXT),
                    WHOLE,
                    YES_NO,
                    or_null(MOMENT),
                    or_null(MOMENT),
                    or_null(DAY),
                    YES_NO,
                ),
                strict=True,
            )
        ),
        description="Counts are in tens while answers can still come, as on the pages.",
    ),
    "Design": whole(
        dict(zip(records.DESIGN, (TEXT, list_of(WHOLE), MOMENT, WHOLE, WHOLE, WHOLE, YES_NO), strict=True)),
        description="A design, with the answers that a run may see.",
    ),
    "Version": whole(dict(zip(records.VERSION, (TEXT, WHOLE, TEXT, TEXT, MOMENT, YES_NO), strict=True))),
    "Label": whole(
        {
            "design_id": TEXT,
            "policy": TEXT,
            "direct_share": or_null(NUMBER),
            "sends_undisguised": YES_NO,
            "epsilon": MEASURE,
            "epsilon_light": MEASURE,
            "parts": list_of(
                whole(
                    {
                        "key": TEXT,
                        "title": TEXT,
                        "protected": YES_NO,
                        "questions": list_of(
                            whole({"key": TEXT, "kind": _KINDS, "text": TEXT, "items": list_of(_ITEM)})
                        ),
                        "questions_per_person": or_null(WHOLE),
                        "strong": _STRENGTH,
                        "light": _STRENGTH,
                    }
                )
            ),
        },
        description="What answers are disguised by, and what that promises at most.",
    ),
    "Run": whole(
        dict(
            zip(
                records.RUN,
                (
                    WHOLE,
                    TEXT,
                    WHOLE,
                    TEXT,
                    {"type": "string", "enum": list(Job.State.values)},
                    YES_NO,
                    MOMENT,
                    TEXT,
                    ANY_OBJECT,
                    YES_NO,
                    {"type": ["string", "null"], "enum": ["outdated", "few", None]},
                ),
                strict=True,
            )
        )
    ),
    "Method": {
        "type": "object",
        "description": "What a file of the run says of it: parameters, design, snapshot, engine, method.",
        "required": ["sotto", "survey", "run", "practice", "design_id", "parameters", "n", "method"],
    },
    "Prevalences": list_of(
        whole(
            {
                "key": TEXT,
                "kind": _KINDS,
                "text": TEXT,
                "protected": YES_NO,
                "answers": list_of(
                    whole(
                        {
                            "item": TEXT,
                            "answer": or_null(TEXT),
                            "listed": YES_NO,
                            **dict.fromkeys(records.PREVALENCE[3:9], MEASURE),
                            "n": or_null(WHOLE),
                            "few_rows": or_null(YES_NO),
                            "true_support": MEASURE,
                        }
                    )
                ),
            }
        )
    ),
    "Itemset": whole({name: _column(name) for name in ITEMSET_COLUMNS}),
    "Rule": whole({name: _column(name) for name in RULE_COLUMNS}),
    "Arm": whole({name: _arm_column(name) for name in ARM_COLUMNS}),
    "Number": ANY_OBJECT | {"required": ["question", "mean", "quantiles", "histogram", "method"]},
    "Place": ANY_OBJECT | {"required": ["type", "about", "features"]},
    "Audit": ANY_OBJECT | {"required": ["n", "epsilon", "items", "blocks"]},
}
