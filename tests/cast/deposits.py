"""Deposits that the tests share, made by the services of the pages."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils import timezone

from releases.deposits.drafts import columns_save, deposit_request, upload_begin
from releases.deposits.questions import deposit_open
from releases.models import Deposit
from surveys.tasks import run_job

ROLES = {"age": ("quasi_identifier", "numeric"), "work": ("quasi_identifier", "categorical")}


def people_csv(n: int = 24) -> bytes:
    """A table of age, work and debt: two known columns and one to protect."""
    works = ("state", "city", "own")
    lines = [f"{20 + number},{works[number % 3]},{'yes' if number % 4 == 0 else 'no'}" for number in range(n)]
    return "\n".join(["age,work,debt", *lines, ""]).encode()


def begun_deposit(owner: User, raw: bytes | None = None, *, name: str = "people.csv") -> Deposit:
    """Upload a table of age, work and one protected column, and give the columns these roles."""
    deposit = upload_begin(owner=owner, name=name, raw=raw or people_csv(), now=timezone.now())
    chosen = [
        dict(zip(("role", "kind"), ROLES.get(one["name"], ("sensitive", "categorical")), strict=True))
        | {"policy": "value"}
        for one in deposit.columns
    ]
    columns_save(deposit, chosen, by=owner)
    deposit.refresh_from_db()
    return deposit


def made_deposit(owner: User, raw: bytes | None = None, *, k: int = 4, name: str = "people.csv") -> Deposit:
    """Have the deposit of such a table made."""
    deposit = begun_deposit(owner, raw, name=name)
    protected = {one["name"]: {"l": 2} for one in deposit.columns if one["name"] not in ROLES}
    bounds = {"k": k, "algorithm": "tight", "max_suppressed": 0, "columns": protected}
    run_job(deposit_request(deposit, bounds, by=owner, now=timezone.now()).pk)
    deposit.refresh_from_db()
    assert deposit.finished_at is not None, "the deposit is not made"
    return deposit


def opened_deposit(owner: User, raw: bytes | None = None, *, each: int = 20) -> Deposit:
    """Have a deposit made, and let researchers ask it."""
    deposit = made_deposit(owner, raw)
    deposit_open(deposit, each, by=owner, now=timezone.now())
    deposit.refresh_from_db()
    return deposit
