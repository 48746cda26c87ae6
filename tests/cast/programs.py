"""Programs of the staff: a token, and a client that shows it."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.access.api_tokens import token_make
from surveys.access.staff_file import process_limiter


def token_for(user: User, *, days: int = 30) -> str:
    """Return a new token of somebody's."""
    return token_make(user, name="notebook", days=days, today=timezone.now().date())[1]


def program_of(user: User) -> Client:
    """Return a client that shows a new token of somebody's, with the whole burst before it."""
    process_limiter.cache_clear()
    return Client(headers={"Authorization": f"Bearer {token_for(user)}"}, raise_request_exception=False)


def asked(program: Client, address: str) -> Any:
    """Return the JSON document at an address below ``/en/staff/``, which has to exist."""
    response = program.get(f"/en/staff/{address}")
    assert response.status_code == 200, (address, response.content)
    return response.json()


def texts_in(value: Any) -> set[str]:
    """Return every text of a document, the names of its members too."""
    if isinstance(value, dict):
        return set(value).union(*(texts_in(entry) for entry in value.values()))
    if isinstance(value, list):
        return set().union(*(texts_in(entry) for entry in value))
    return {value} if isinstance(value, str) else set()


def moments_in(value: Any) -> set[str]:
    """Return every text of a document that says a time of day."""
    return {text for text in texts_in(value) if re.search(r"\d{1,2}:\d{2}", text)}
