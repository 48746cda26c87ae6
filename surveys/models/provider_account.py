"""Accounts of an identity provider that may log in to an account."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import models


class ProviderAccount(models.Model):
    """A provider's subject that may log in to an account, and the person who allowed it."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="provider_account")
    issuer = models.CharField(max_length=200)
    # At most 255 ASCII characters, and never reassigned (OpenID Connect Core 1.0, section 2).
    subject = models.CharField(max_length=255)
    bound_on = models.DateField()
    # The user name of the account itself or of an administrator.
    allowed_by = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=("issuer", "subject"), name="one_account_a_subject")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.issuer}"
