"""Pictures of rules, each with its table: support and confidence, two by two."""
