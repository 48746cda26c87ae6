"""Staff accounts: roles, log-in, and the audit log."""
