"""Who the staff are: roles, accounts, log-in, and the log of what was done."""
