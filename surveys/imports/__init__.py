"""Files from outside: questionnaires that become drafts, and tables of records."""
