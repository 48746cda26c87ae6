"""Import files: questionnaires that become drafts, and tables of records."""
