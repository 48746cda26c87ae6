"""Pages that a secret address shows to people without an account."""
