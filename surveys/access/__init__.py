"""Access control: roles, and the only functions that return staff objects."""
