"""Pictures of rules, each with its table: network, matrix, scatter, two by two."""
