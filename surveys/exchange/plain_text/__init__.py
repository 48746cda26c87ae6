"""A survey as plain text: title, questions, options, line by line."""
