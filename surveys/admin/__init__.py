"""Django's admin as a reader of records, behind the administrators' door."""
