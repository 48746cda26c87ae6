"""Who may do what: roles, and the only doors to a staff object."""
