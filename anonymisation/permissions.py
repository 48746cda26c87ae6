"""Doors to deposits, as those of `surveys.accounts.permissions` to surveys: nothing else returns one.

===================  ===========================  =====================================
door                 lets through                 to
===================  ===========================  =====================================
``…_for_builder``    researchers; administrators  their own deposits; all
``…_for_questions``  researchers; administrators  deposits that are open for questions
===================  ===========================  =====================================
"""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from anonymisation.models import Deposit
from surveys.accounts.permissions import Role, Visitor, get_builder, roles_of


def get_deposits_for_builder(user: Visitor) -> QuerySet[Deposit]:
    """Return the deposits that `user` may make: a researcher their own, an administrator all."""
    builder = get_builder(user)
    deposits = Deposit.objects.select_related("job", "survey", "owner").order_by("-pk")
    return deposits if Role.ADMINISTRATOR in roles_of(builder) else deposits.filter(owner=builder)


def get_deposit_for_builder(user: Visitor, deposit_id: int) -> Deposit:
    """Return the deposit with this number, if `user` may make it."""
    return get_object_or_404(get_deposits_for_builder(user), pk=deposit_id)


def get_deposits_for_questions(user: Visitor) -> QuerySet[Deposit]:
    """Return the deposits open to questions of researchers, of any owner, with their files."""
    get_builder(user)
    deposits = Deposit.objects.select_related("survey", "owner").order_by("-pk")
    return deposits.filter(opened_at__isnull=False, files__isnull=False)


def get_deposit_for_questions(user: Visitor, deposit_id: int) -> Deposit:
    """Return the deposit with this number, if `user` may ask it."""
    return get_object_or_404(get_deposits_for_questions(user), pk=deposit_id)
