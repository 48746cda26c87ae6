"""TODO: what trials/management/commands is."""
