"""The OpenAPI description of all files, for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from surveys.accounts.permissions import staff_page
from surveys.formats.file_responses import json_file
from surveys.report.export.rule_columns import rule_columns

_API: Final = Path(__file__).parents[2] / "static" / "surveys" / "openapi.json"


@staff_page
@require_safe
def api_description(_request: HttpRequest) -> JsonResponse:
    """Send the OpenAPI description of all files, with the current columns of rules."""
    document = json.loads(_API.read_text(encoding="utf-8"))
    columns = {name: {"description": unit} for name, unit in rule_columns().items()}
    document["components"]["schemas"]["Rule"] = {"type": "object", "properties": columns}
    return json_file(document, "openapi.json")
